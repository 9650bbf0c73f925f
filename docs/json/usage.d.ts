// recount.usage/2, generated from the types in crates/wire: see docs/json/README.md.

/** A usage report: rows, or five-hour blocks. */
export interface Usage {
  /** The name and version of this document. */
  schema: "recount.usage/2";
  blocks: Block[] | null;
  currency: CurrencyUsed;
  left_out: number;
  outside_blocks: Brief | null;
  report: string;
  rows: Row[] | null;
  since: Moment | null;
  time_zone: string | null;
  totals: Totals;
  uncounted: Uncounted;
  unknown_models: UnknownModel[];
  until: Moment | null;
}

export type Block =
  | {
    kind: "block";
    active: boolean;
    burn: Burn | null;
    end: Moment;
    first: Moment;
    last: Moment;
    limit_resets: Moment | null;
    models: string[];
    of_limit: number | null;
    projection: Projection | null;
    start: Moment;
    totals: Totals;
  }
  | {
    kind: "gap";
    from: Moment;
    until: Moment;
  };

export interface Brief {
  cost_usd: number | null;
  messages: number;
  tokens: number;
}

export interface Burn {
  cost_usd_per_hour: number | null;
  fresh_tokens_per_minute: number;
  tokens_per_minute: number;
}

export interface CurrencyUsed {
  per_dollar: number;
  sign: string;
}

export interface Model {
  cache_read_tokens: number;
  cache_write_1h_tokens: number;
  cache_write_tokens: number;
  cost_usd: number | null;
  input_tokens: number;
  messages: number;
  model: string | null;
  output_tokens: number;
  parts: Parts;
  quality: string;
  total_tokens: number;
  web_searches: number;
  without_lines: Brief;
}

/** A moment: RFC 3339 in UTC with milliseconds. */
export type Moment = string;

/** The quality of the figures. */
export interface Parts {
  computed: Brief;
  exact: Brief;
  low: Brief;
  managed: Brief;
  unknown: Brief;
}

export interface Projection {
  cost_usd: number | null;
  remaining_minutes: number;
  total_tokens: number;
}

/** The subject of a row. */
export type Row = Record<string, unknown>;

export interface Totals {
  cache_read_tokens: number;
  cache_write_1h_tokens: number;
  cache_write_tokens: number;
  cost_usd: number | null;
  input_tokens: number;
  messages: number;
  output_tokens: number;
  parts: Parts;
  quality: string;
  total_tokens: number;
  web_searches: number;
  without_lines: Brief;
}

export interface Uncounted {
  first: UncountedLine[];
  lines: number;
}

export interface UncountedLine {
  file: string;
  line: number;
  reason: string;
}

export interface UnknownModel {
  messages: number;
  model: string | null;
  tokens: number;
}
