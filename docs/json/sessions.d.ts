// recount.sessions/2, generated from the types in crates/wire: see docs/json/README.md.

/** A list of sessions. */
export interface Sessions {
  /** The name and version of this document. */
  schema: "recount.sessions/2";
  /** How many of them are not in this list. */
  left_out: number;
  sessions: Session[];
  /** How many fit what was asked for. */
  total: number;
}

/** A subagent of a session. */
export interface Agent {
  agent: string;
  agent_type: string | null;
  calls: number;
  /** Only a first count of tokens was recorded for some of it. */
  cost_is_at_least: boolean;
  /** Some of it has no known price. */
  cost_is_partial: boolean;
  /** The cost in US dollars, without what has no known price. */
  cost_usd: number;
  description: string | null;
  failed: number;
  first: Moment | null;
  last: Moment | null;
  /** Tokens of all kinds. */
  tokens: number;
  /** The turn of the conversation that it works for, from 1. */
  turn: number | null;
}

/** A moment: RFC 3339 in UTC with milliseconds. */
export type Moment = string;

/** A session. */
export interface Session {
  active_ms: number;
  agents: number;
  branch: string | null;
  branches: number;
  calls: number;
  compactions: number;
  continued_in: string | null;
  copied_from: string | null;
  /** Only a first count of tokens was recorded for some of it. */
  cost_is_at_least: boolean;
  /** Some of it has no known price. */
  cost_is_partial: boolean;
  /** The cost in US dollars, without what has no known price. */
  cost_usd: number;
  failed: number;
  first: Moment | null;
  folder: string | null;
  is_archived: boolean;
  last: Moment | null;
  /** The machine that it comes from, if that is not this one. */
  machine: string | null;
  models: string[];
  only_subagents: boolean;
  /** Its main file; where it was, if it is archived. */
  path: string;
  project: string | null;
  prompts: number;
  replies: number;
  session: string;
  state: string | null;
  subagents: Agent[] | null;
  title: string | null;
  /** Tokens of all kinds. */
  tokens: number;
  turns: number;
  waiting_ms: number;
}
