// recount.check/1, generated from the types in crates/wire: see docs/json/README.md.

/** The report of a check. */
export interface Check {
  /** The name and version of this document. */
  schema: "recount.check/1";
  blank_lines: number;
  blocks: KindCounts;
  bytes: number;
  entries: KindCounts;
  exit_code: number;
  foreign: Foreign[];
  lines: number;
  malformed: Malformed;
  /** The price list, if it is older than a model of the sessions. */
  outdated_prices: OutdatedPrices | null;
  problems: ProblemRow[];
  prompts_without_session: SeenAt;
  repaired: Record<string, number>;
  sources: Sources;
  spread_objects: number;
  tools: Tools;
  unknown: Unknown;
  versions: VersionCount[];
  wrapped: Record<string, number>;
}

export interface At {
  file: string;
  line: number;
}

export interface BelowCount {
  count: number;
  type: string;
}

export interface Counts {
  calls: number;
  failed: number;
  results: number;
  typed: number;
}

export interface Foreign {
  agent: string;
  entries: number;
  files: number;
}

export interface KindCount {
  below: BelowCount[];
  count: number;
  type: string;
}

export interface KindCounts {
  kinds: KindCount[];
  total: number;
}

export interface Malformed {
  count: number;
  lines: MalformedRow[];
}

export interface MalformedRow {
  byte: number;
  reason: string;
  unfinished: boolean;
  file?: string;
  line?: number;
}

export interface OddValue {
  count: number;
  expected: string;
  field: string;
  first: At | null;
  record: string;
}

export interface OutdatedPrices {
  /** What to do about it, in words. */
  advice: string;
  /** The day of the price list. */
  checked: string;
  /** The models without a price. */
  models: string[];
}

export interface ProblemRow {
  hint: string;
  kind: string;
  message: string;
}

export interface SeenAt {
  count: number;
  first: At | null;
}

export interface Sources {
  captures: number;
  empty: number;
  foreign: number;
  histories: number;
  journals: number;
  not_transcripts: SeenAt;
  subagents: number;
  total: number;
  transcripts: number;
}

export interface Tool {
  calls: number;
  failed: number;
  name: string;
  results: number;
  typed: number;
}

export interface Tools {
  by_name: Tool[];
  total: Counts;
  without_call: Counts;
}

export interface Unknown {
  /** What to do about it, in words. */
  advice: string | null;
  /** How often data that no known version writes occurs. */
  count: number;
  fields: UnknownField[];
  kinds: UnknownKind[];
  /** The newest version of Claude Code whose format is known. */
  known_version: string;
  values: OddValue[];
  /** The versions that wrote it, the oldest first. */
  versions: UnknownVersion[];
}

export interface UnknownField {
  count: number;
  field: string;
  first: At | null;
  record: string;
}

export interface UnknownKind {
  count: number;
  first: At | null;
  name: string;
  of: string;
}

export interface UnknownVersion {
  count: number;
  version: string;
}

export interface VersionCount {
  entries: number;
  version: string;
}
