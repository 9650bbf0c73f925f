// recount.tools/1, generated from the types in crates/wire: see docs/json/README.md.

/** What tools did. */
export interface Tools {
  /** The name and version of this document. */
  schema: "recount.tools/1";
  /** Errors that repeat. */
  errors: Error[];
  /** Sessions. */
  sessions: number;
  /** The slowest calls. */
  slowest: Slow[];
  /** By tool; estimated. */
  tools: Tool[];
}

/** An error that came again. */
export interface Error {
  /** Where the web app shows it. */
  address: string;
  /** When it last occurred. */
  last: Moment | null;
  /** Sessions. */
  sessions: number;
  /** The error. */
  text: string;
  /** How often it occurred. */
  times: number;
  /** Its name. */
  tool: string;
}

/** A moment: RFC 3339 in UTC with milliseconds. */
export type Moment = string;

/** A call that took long. */
export interface Slow {
  /** Where the web app shows it. */
  address: string;
  /** Its time. */
  at: Moment | null;
  /** Its duration. */
  took_ms: number;
  /** Its name. */
  tool: string;
  /** The call. */
  what: string;
}

/** A tool. Durations are those of calls that came to an end. */
export interface Tool {
  /** Calls. */
  calls: number;
  /** Calls that failed. */
  failed: number;
  /** Calls with a harmless failure. */
  failed_as_expected: number;
  /** Calls that you interrupted. */
  interrupted: number;
  /** The longest duration. */
  longest_ms: number | null;
  /** The median duration. */
  p50_ms: number | null;
  /** The 95th percentile of durations. */
  p95_ms: number | null;
  /** Calls that were denied. */
  rejected: number;
  /** Calls with a duration. */
  timed: number;
  /** Its name. */
  tool: string;
  /** The sum of durations. */
  total_ms: number;
}
