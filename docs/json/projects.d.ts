// recount.projects/2, generated from the types in crates/wire: see docs/json/README.md.

/** A list of projects. */
export interface Projects {
  /** The name and version of this document. */
  schema: "recount.projects/2";
  /** How many of them are not in this list. */
  left_out: number;
  projects: Project[];
  /** How many match the request. */
  total: number;
}

/** A moment: RFC 3339 in UTC with milliseconds. */
export type Moment = string;

/** A project. */
export interface Project {
  /** the active time of their turns */
  active_ms: number;
  /** tool calls, with those of subagents */
  calls: number;
  /** whether only a first count of tokens was recorded for some of it */
  cost_is_at_least: boolean;
  /** whether some of it has no known price and is not in the cost */
  cost_is_partial: boolean;
  /** their cost in US dollars, without usage of unknown price */
  cost_usd: number;
  /** calls that failed */
  failed: number;
  /** the time of its first entry */
  first: Moment | null;
  /** the time of its last entry */
  last: Moment | null;
  /** the repository, as the path of its main worktree, or the folder; sessions that do not say where they ran are listed together */
  project: string | null;
  /** its sessions */
  sessions: number;
  /** tokens of all requests */
  tokens: number;
  /** turns of their conversations */
  turns: number;
  /** the time that they waited for you */
  waiting_ms: number;
}
