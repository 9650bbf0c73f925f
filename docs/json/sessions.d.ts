// recount.sessions/2, generated from the types in crates/wire: see docs/json/README.md.

/** A list of sessions. */
export interface Sessions {
  /** The name and version of this document. */
  schema: "recount.sessions/2";
  /** How many of them are not in this list. */
  left_out: number;
  sessions: Session[];
  /** How many match the request. */
  total: number;
}

/** A subagent of a session. */
export interface Agent {
  /** its id */
  agent: string;
  /** its type */
  agent_type: string | null;
  /** its tool calls */
  calls: number;
  /** whether only a first count of tokens was recorded for some of it */
  cost_is_at_least: boolean;
  /** whether some of it has no known price and is not in the cost */
  cost_is_partial: boolean;
  /** their cost in US dollars, without usage of unknown price */
  cost_usd: number;
  /** its task */
  description: string | null;
  /** its calls that failed */
  failed: number;
  /** the time of its first entry */
  first: Moment | null;
  /** the time of its last entry */
  last: Moment | null;
  /** its tokens */
  tokens: number;
  /** the turn of the conversation that it works for, from 1 */
  turn: number | null;
}

/** A moment: RFC 3339 in UTC with milliseconds. */
export type Moment = string;

/** A session. */
export interface Session {
  /** the active time of its turns */
  active_ms: number;
  /** subagents */
  agents: number;
  /** the last git branch */
  branch: string | null;
  /** rewound branches of the conversation */
  branches: number;
  /** tool calls, with those of subagents */
  calls: number;
  /** calls that did not run because a call beside them failed */
  cancelled: number;
  /** how often the conversation was summarised */
  compactions: number;
  /** the session that continues it */
  continued_in: string | null;
  /** the session that it was copied from */
  copied_from: string | null;
  /** whether only a first count of tokens was recorded for some of it */
  cost_is_at_least: boolean;
  /** whether some of it has no known price and is not in the cost */
  cost_is_partial: boolean;
  /** their cost in US dollars, without usage of unknown price */
  cost_usd: number;
  /** calls that you, a rule or a mode denied */
  denied: number;
  /** calls whose failure was an answer: a search without a match, a shell that had already ended */
  expected_failures: number;
  /** calls that failed unexpectedly, with those of subagents */
  failed: number;
  /** the time of its first entry */
  first: Moment | null;
  /** the folder in which it ran, which can be another worktree or below the root of the repository */
  folder: string | null;
  /** calls that you interrupted */
  interrupted: number;
  /** whether it is gone from the disk and read from the archive */
  is_archived: boolean;
  /** the time of its last entry */
  last: Moment | null;
  /** the machine that it comes from, for sessions archived on another one */
  machine: string | null;
  /** the models that answered */
  models: string[];
  /** what is left of it if its transcript is gone: `subagents` or `prompts` */
  only_left: string | null;
  /** its main file (where it was, if it is archived); a file of a subagent if only those are left */
  path: string;
  /** the repository in which it ran, as the path of the main worktree; the folder itself if it is in no repository */
  project: string | null;
  /** your prompts */
  prompts: number;
  /** replies of the model */
  replies: number;
  /** its id; where several listed sessions have the same id, the id and a mark, `ID~9f3a21`, that every verb accepts */
  session: string;
  /** its id in Claude Code, if its lines say it */
  session_id: string | null;
  /** its state: `blocked` (it waits for you), `working`, `paused` (a limit or a retry; it continues by itself), `done` (the turn is finished and the process is there), `ended` (nothing runs; the last turn finished, or you stopped it) or `failed` (the last turn never finished) */
  state: string | null;
  /** whether more than its lines says so: a registered process, hook events, or the end of the session */
  state_is_certain: boolean;
  /** the reason: `permission`, `question` or `plan` (blocked); `turn` or `background` (working); `retry` or `limit` (paused); `your_turn` (done); `finished` or `stopped` (ended); `error` or `gone` (failed) */
  state_reason: string | null;
  /** since when */
  state_since: Moment | null;
  /** its subagents, if requested */
  subagents: Agent[] | null;
  /** its title; `Untitled` and its first moment if it has none */
  title: string;
  /** where the title comes from: `custom`, `model`, `summary`, `first_prompt`, `plan`, `command`, `task`, `command_line`, `last_prompt` or `untitled` */
  title_source: string;
  /** tokens of all requests, with those of subagents; each API message counts once */
  tokens: number;
  /** turns of the conversation */
  turns: number;
  /** the time that it waited for you */
  waiting_ms: number;
}
