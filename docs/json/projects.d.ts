// recount.projects/2, generated from the types in crates/wire: see docs/json/README.md.

/** A list of projects. */
export interface Projects {
  /** The name and version of this document. */
  schema: "recount.projects/2";
  /** How many of them are not in this list. */
  left_out: number;
  projects: Project[];
  /** How many fit what was asked for. */
  total: number;
}

/** A moment: RFC 3339 in UTC with milliseconds. */
export type Moment = string;

/** A folder, and what sessions did there. */
export interface Project {
  active_ms: number;
  calls: number;
  /** Only a first count of tokens was recorded for some of it. */
  cost_is_at_least: boolean;
  /** Some of it has no known price. */
  cost_is_partial: boolean;
  /** The cost in US dollars, without what has no known price. */
  cost_usd: number;
  failed: number;
  first: Moment | null;
  last: Moment | null;
  /** Sessions that do not say where they were have none. */
  project: string | null;
  sessions: number;
  /** Tokens of all kinds. */
  tokens: number;
  turns: number;
  waiting_ms: number;
}
