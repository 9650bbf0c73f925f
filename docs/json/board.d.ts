// recount.board/2, generated from the types in crates/wire: see docs/json/README.md.

/** The board. */
export interface Board {
  /** The name and version of this document. */
  schema: "recount.board/2";
  at: Moment;
  needs_you: number;
  notes: string[];
  sessions: Card[];
  today: Today;
}

/** An activity on the timeline. */
export interface Bar {
  anchor: string;
  from: number;
  kind: string;
  lane: number;
  to: number | null;
  what: string;
}

/** A session on the board. */
export interface Card {
  alerts: string[];
  bars: Bar[];
  branch: string | null;
  context_tokens: number | null;
  context_window: number | null;
  /** Only a first count of tokens was recorded for some of it. */
  cost_is_at_least: boolean;
  /** Some of it has no known price. */
  cost_is_partial: boolean;
  cost_per_hour_usd: number | null;
  /** The cost in US dollars, without usage of unknown price. */
  cost_usd: number;
  failed_in_a_row: number;
  is_sure: boolean;
  lines_added: number;
  lines_removed: number;
  needs_you: boolean;
  pid: number | null;
  project: string | null;
  session: string;
  since: Moment | null;
  state: string;
  subagents: number;
  tasks: Tasks | null;
  title: string | null;
  /** Tokens of all kinds. */
  tokens: number;
  what: string;
  words: string | null;
}

/** A moment: RFC 3339 in UTC with milliseconds. */
export type Moment = string;

/** A list of tasks. */
export interface Tasks {
  all: number;
  current: string | null;
  done: number;
}

/** The totals of today. */
export interface Today {
  active_ms: number;
  /** Only a first count of tokens was recorded for some of it. */
  cost_is_at_least: boolean;
  /** Some of it has no known price. */
  cost_is_partial: boolean;
  /** The cost in US dollars, without usage of unknown price. */
  cost_usd: number;
  /** Tokens of all kinds. */
  tokens: number;
  waiting_ms: number;
}
