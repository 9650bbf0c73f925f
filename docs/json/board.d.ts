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
  lines_added: number;
  lines_removed: number;
  needs_you: boolean;
  pid: number | null;
  project: string | null;
  session: string;
  /** The state. */
  state: SessionState;
  /** Whether more than the lines of the session says so: a registered process, hook events, or the end of the session. */
  state_is_certain: boolean;
  /** Its reason, which is more specific. */
  state_reason: StateReason;
  /** Since when. */
  state_since: Moment | null;
  subagents: number;
  tasks: Tasks | null;
  title: string;
  /** Tokens of all kinds. */
  tokens: number;
  what: string;
  words: string | null;
}

/** A moment: RFC 3339 in UTC with milliseconds. */
export type Moment = string;

/** The state of a session. */
export type SessionState =
  /** It waits for you. */
  | "blocked"
  /** The model, a tool or something in the background is running. */
  | "working"
  /** It waits for a limit or a retry, and continues by itself. */
  | "paused"
  /** The turn is finished and the process is there. */
  | "done"
  /** Nothing runs; the last turn finished, or you stopped it. */
  | "ended"
  /** The last turn never finished: it gave up, or its process is gone. */
  | "failed";

/** The reason for a state. */
export type StateReason =
  /** Blocked: a call needs your permission. */
  | "permission"
  /** Blocked: a question needs your answer. */
  | "question"
  /** Blocked: a plan needs your approval. */
  | "plan"
  /** Working: a turn is in progress. */
  | "turn"
  /** Working: the turn is finished, and a command or an agent runs in the background. */
  | "background"
  /** Paused: a request failed and is retried. */
  | "retry"
  /** Paused: a limit of the plan or the budget is reached. */
  | "limit"
  /** Done: it is your turn. */
  | "your_turn"
  /** Ended: the last turn finished. */
  | "finished"
  /** Ended: you stopped the last turn. */
  | "stopped"
  /** Failed: an error ended the last turn. */
  | "error"
  /** Failed: nothing runs, and the last turn has no end. */
  | "gone";

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
