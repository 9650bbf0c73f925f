// recount.tools/1, generated from the types in crates/wire: see docs/json/README.md.

/** Figures of tools. */
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

/** An error that occurred more than once. */
export interface Error {
  /** Its URL in the web app. */
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

/** A slow call. */
export interface Slow {
  /** Its URL in the web app. */
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

/** A tool. Durations are those of finished calls. */
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
