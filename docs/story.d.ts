// Made from the types in crates/wire/src/show: see docs/show-json.md.

/** A session of Claude Code, told. */
export interface Document {
  /** The version of this form. It grows when a field goes or changes its meaning. */
  version: 1;
  /** What became of all lines, chosen or not. */
  accounting: Accounting;
  /** How much is told. */
  detail: Detail;
  /** What is known about the session as a whole. */
  session: Session;
  /** The files it was told from. */
  sources: Source[];
  /** The tasks as they stand at the end of the main thread. */
  tasks: Task[];
  /** The threads that were chosen and have something to tell; the main one comes first. */
  threads: Thread[];
}

/** How many lines ended where. Those of other sessions do not count. */
export interface Accounting {
  /** Lines that tell nothing to a reader, by what they are. */
  bookkeeping: Record<string, number>;
  /** Lines that say again what another says. */
  duplicate: number;
  /** All lines that were read. */
  lines: number;
  /** Lines that could not be read. */
  malformed: number;
  /** Lines that are told. */
  told: number;
  /** Lines that no known version writes. */
  unknown: number;
}

/** A subagent. */
export interface Agent {
  /** Whether it served the program itself: nobody wants to read it. */
  hidden: boolean;
  /** Whether it is a member of a team. */
  teammate: boolean;
  /** What it was to do. */
  description?: string;
  /** Its id. */
  id?: string;
  /** What it is called. */
  name?: string;
  /** `Explore`, `general-purpose`… */
  type?: string;
  /** The run of a workflow that it took part in. */
  workflow?: string;
}

/** What the model did: a call with its result. */
export interface Call {
  /** Whether a reader should look at it. */
  severity: Severity;
  /** How it went. */
  state: CallState;
  /** What it is about: the command, the file, the question. */
  subject: string;
  /** The name of the tool, as it was called. */
  tool: string;
  /** How many lines of text it changed. */
  change?: LineChange;
  /** Whether the tool measured that itself; otherwise it is the time between the two lines. */
  duration_measured?: boolean;
  /** How long it took, in milliseconds. */
  duration_ms?: number;
  /** When the result came. */
  ended?: Moment;
  /** What was asked of the tool. */
  input?: Json;
  /** What came of it, in a line. */
  outcome?: string;
  /** What the tool gave back. */
  result?: CallResult;
  /** Where the result stands. */
  result_line?: Line;
  /** What it changed in the list of tasks. */
  tasks?: TaskChange[];
  /** The thread of the agent that it started or woke. */
  thread?: number;
  /** The id of the call. */
  tool_use_id?: string;
  /** What the user said when rejecting it. */
  user_said?: string;
}

/** What a tool gave back. */
export interface CallResult {
  /** What else it was given, by type of block: `image`, `document`… */
  other_blocks?: string[];
  /** The entry as it stands in its line. With the detail `raw`. */
  raw?: string;
  /** The `toolUseResult` of the entry; of a tool that ran at the API, the content of its block. */
  structured?: Json;
  /** What the model was told: the texts of the `tool_result`. */
  text?: string;
}

/** How a call went. */
export type CallState =
  /** There is no result yet. */
  | "pending"
  /** It went well. */
  | "done"
  /** It goes on in the background. */
  | "background"
  /** It failed. */
  | "failed"
  /** The user, a rule or a mode did not allow it. */
  | "rejected"
  /** The user interrupted it. */
  | "interrupted"
  /** There is no result, and none will come: the program ended first. */
  | "lost";

/** The conversation was summarised. */
export interface Compaction {
  /** How much of the conversation was compacted. */
  extent: Extent;
  /** How many messages were carried over as they were. */
  preserved: number;
  /** How it came about. */
  trigger: Trigger;
  /** The first words of the summary. */
  preview?: string;
  /** The summary. */
  summary?: string;
  /** Where the summary stands. */
  summary_line?: Line;
  /** The entry of the summary, as it stands in its line. With the detail `raw`. */
  summary_raw?: string;
  /** Tokens in the context after. */
  tokens_after?: number;
  /** Tokens in the context before. */
  tokens_before?: number;
}

/** What the model was told beside the prompt. */
export interface Context {
  /** What it is. */
  about: ContextKind;
  /** What it is about, in a line: a path, a name, first words. */
  preview: string;
  /** The attachment, if it is one. */
  attachment?: Json;
  /** All of it, if it was told in words. */
  text?: string;
}

/** What the model was told beside the prompt. */
export type ContextKind =
  /** A file or a folder that was mentioned, or has changed. */
  | "file"
  /** What the editor shows: an open file, selected lines, diagnostics. */
  | "editor"
  /** An image, or a note about one. */
  | "image"
  /** Instructions: memory files, rules, output styles. */
  | "instructions"
  /** The body of a skill or a command. */
  | "skill"
  /** What a hook adds. */
  | "hook"
  /** The plan, or the mode of planning. */
  | "plan"
  /** The list of tasks. */
  | "tasks"
  /** What is available: tools, skills, agents, servers. */
  | "listing"
  /** The environment: date, model, machine, team. */
  | "environment"
  /** A reminder of the program's. */
  | "reminder"
  /** Filler that keeps the protocol happy. */
  | "filler"
  /** Hidden from the user for whatever other reason. */
  | "hidden";

/** How much there is of everything in the main thread, and of calls and agents everywhere. */
export interface Counts {
  /** Agents. */
  agents: number;
  /** Branches that were left. */
  branches: number;
  /** What the model did, in all threads. */
  calls: number;
  /** How often the conversation was summarised. */
  compactions: number;
  /** Calls that failed. */
  failed: number;
  /** What the user asked. */
  prompts: number;
  /** What the model said. */
  replies: number;
  /** Turns of the main thread. */
  turns: number;
}

/** How a prompt reached the model. */
export type Delivery =
  /** At once. */
  | "direct"
  /** It waited for the turn to end. */
  | "queued"
  /** In the middle of the turn. */
  | "steering"
  /** Never: the user took it back, or it is waiting. */
  | "undelivered";

/** How much is told. Every level tells all that the ones before it tell. */
export type Detail =
  /** What was asked, and what failed. */
  | "prompts"
  /** What was said. */
  | "talk"
  /** What was done, a line each. */
  | "steps"
  /** All texts. */
  | "full"
  /** With the lines themselves. */
  | "raw";

/** How much of the conversation was compacted. */
export type Extent =
  /** All of it. */
  | "whole"
  /** A part of it. */
  | "part"
  /** Only results of tools. */
  | "results";

/** The history of another session, which this one continues. */
export interface Joint {
  /** How many entries of it were copied to this one. */
  entries: number;
  /** That session. */
  session: string;
}

/** A JSON value as it stands in its line. */
export type Json = unknown;

/** Where something stands. */
export interface Line {
  /** The block in the entry: 0 for the first, and where there are no blocks. */
  block: number;
  /** The entry in the line: 0, unless it holds several. */
  entry: number;
  /** The line of it, from 1. */
  number: number;
  /** The file, among the `sources` of the document. */
  source: number;
}

/** How many lines of text were changed. */
export interface LineChange {
  /** Lines that are new. */
  added: number;
  /** Lines that are gone. */
  removed: number;
}

/** Where a session leads to. */
export interface Link {
  /** What it leads to. */
  kind: LinkKind;
  /** What it is called. */
  title: string;
  /** The address. */
  url?: string;
}

/** What a link leads to. */
export type LinkKind =
  /** A pull request. */
  | "pull_request"
  /** A page that was published. */
  | "artifact"
  /** Remote control of the session. */
  | "bridge"
  /** A worktree. */
  | "worktree";

/** A moment: RFC 3339 in UTC, with milliseconds. */
export type Moment = string;

/** What the program says about the session. */
export interface Notice {
  /** What it is about. */
  about: NoticeKind;
  /** What it says, in a line. */
  preview: string;
  /** Whether a reader should look at it. */
  severity: Severity;
  /** How many lines say the same, such as retries of one request. */
  times: number;
  /** The attachment, if it is one, such as what a hook printed. */
  attachment?: Json;
  /** All that its entry says in words. */
  text?: string;
}

/** What a notice is about. */
export type NoticeKind =
  /** A request to the API failed, and is tried again or given up. */
  | "api_error"
  /** The plan or the budget allows no more. */
  | "limit"
  /** The user stopped the model. */
  | "interrupted"
  /** A hook had something to say, or failed. */
  | "hook"
  /** How long the turn took. */
  | "turn_duration"
  /** What happened while the user was away. */
  | "away_summary"
  /** Another model took over. */
  | "model_change"
  /** What may be done without asking was changed, or something was not allowed. */
  | "permission"
  /** A task in the background. */
  | "task"
  /** Something was remembered. */
  | "memory"
  /** The session itself: its connection, its store, its mode. */
  | "session"
  /** Whatever else the program thinks worth telling. */
  | "info";

/** Where a thread leaves another. */
export interface Origin {
  /** The other thread. */
  thread: number;
  /** The step after which it leaves, or the call that started it; not there if it leaves at the very beginning. */
  step?: number;
}

/** A result without its call. */
export interface Orphan {
  /** Whether it tells of a failure. */
  failed: boolean;
  /** What it says, in a line. */
  preview: string;
  /** What the tool gave back. */
  result?: CallResult;
  /** The id of the call that is nowhere. */
  tool_use_id?: string;
}

/** How a run of `claude -p` ended. */
export interface Outcome {
  /** Whether it failed. */
  is_error: boolean;
  /** `success`, `error_max_turns`… */
  outcome: string;
  /** What it says, in a line. */
  preview: string;
  /** What the process has cost so far, in US dollars. */
  cost_usd?: number;
  /** The tools that were not allowed. */
  denied?: string[];
  /** How long the turn took, in milliseconds. */
  duration_ms?: number;
  /** What went wrong. */
  errors?: string[];
  /** How often the model was asked. */
  model_turns?: number;
  /** The answer in the structure that was asked for. */
  structured_output?: Json;
  /** All that it says: as a rule, the last reply again. */
  text?: string;
}

/** What a command of the user's printed. */
export interface Output {
  /** Whether it was printed as an error. */
  is_error: boolean;
  /** Its first words. */
  preview: string;
  /** All of it, perhaps with terminal escapes. */
  text?: string;
}

/** Something that was asked of the model: by the user, or in the user's place. */
export interface Prompt {
  /** Who asks, and how. */
  by: PromptBy;
  /** How it reached the model. */
  delivery: Delivery;
  /** Its first words. */
  preview: string;
  /** What was typed behind the command: the first words of it. */
  args?: string;
  /** The command, with its slash. */
  command?: string;
  /** The teammate, session, agent or server that asks. */
  from?: string;
  /** Numbers of the images in it, as in `[Image #2]`; 0 for those without a number. */
  images?: number[];
  /** The task in the background that has something to say. */
  task?: string;
  /** How that task stands: `completed`, `failed`, `killed`, `stopped`; not there if it goes on. */
  task_status?: string;
  /** All of it. */
  text?: string;
  /** The thread of the agent that it speaks of. */
  thread?: number;
}

/** Who asks, and how. */
export type PromptBy =
  /** The user, in words. */
  | "typed"
  /** The user, by a slash command. */
  | "command"
  /** The user, by a `!` shell escape. */
  | "bash"
  /** The user, by a `#` memory. */
  | "memory"
  /** The user, by approving a plan that is to be carried out in a fresh session. */
  | "plan"
  /** A task in the background. */
  | "notification"
  /** A schedule. */
  | "scheduled"
  /** A member of the team. */
  | "teammate"
  /** Another session or agent. */
  | "peer"
  /** A channel. */
  | "channel"
  /** The agent that spawned this one. */
  | "parent"
  /** The program itself, to keep the model going. */
  | "program";

/** What the model said. */
export interface Reply {
  /** How long it is, in bytes of UTF-8. */
  length: number;
  /** Its first words. */
  preview: string;
  /** Whether it is still being said, as far as the lines tell. */
  partial?: boolean;
  /** All of it. */
  text?: string;
}

/** What a file holds. */
export type Role =
  /** The session itself. */
  | "main"
  /** An agent of it. */
  | "agent"
  /** What a workflow did. */
  | "journal"
  /** The session, as it was captured. What its own file says is told from there. */
  | "capture"
  /** Another session, from which this one may have copied. Nothing is told from it. */
  | "elsewhere";

/** What is known about a session as a whole, whatever was chosen of it. */
export interface Session {
  /** How long turns took, in milliseconds. */
  active_ms: number;
  /** How much there is of everything. */
  counts: Counts;
  /** The session; empty if nothing says so. */
  id: string;
  /** Where it leads to. */
  links: Link[];
  /** The models that answered, in the order of their first answers. */
  models: string[];
  /** Other folders it went to. */
  other_folders: string[];
  /** The versions of Claude Code that wrote it, in their order. */
  versions: string[];
  /** How long the human was waited for, in milliseconds. */
  waiting_ms: number;
  /** The git branch, as it was last. */
  branch?: string;
  /** The session that it goes on in. */
  continued_in?: string;
  /** How it was started: `cli`, `sdk-ts`… */
  entrypoint?: string;
  /** Its first moment. */
  first?: Moment;
  /** Its last moment. */
  last?: Moment;
  /** The folder that it works in. */
  project?: string;
  /** How its last turn stands. */
  state?: TurnState;
  /** The team that it belongs to. */
  team?: string;
  /** What it is called. */
  title?: Title;
  /** What it used, its subagents included, at the prices of the user. */
  usage?: Usage;
}

/** Whether a reader should look at something. */
export type Severity =
  /** All is well. */
  | "normal"
  /** Not what was hoped for, but nothing to worry about. */
  | "expected"
  /** Something that may matter. */
  | "warning"
  /** A failure. */
  | "error";

/** A file that the session was told from. */
export interface Source {
  /** Its path, or whatever else it goes by. */
  label: string;
  /** What it holds. */
  role: Role;
  /** The agent, if it holds one. */
  agent?: string;
  /** The session that it belongs to. */
  session?: string;
  /** The run of a workflow, if it belongs to one. */
  workflow?: string;
}

/** One thing that is told. */
export type Step = {
  /** Its number in the session; the same one whatever is chosen. */
  id: number;
  /** When it happened. */
  at?: Moment;
  /** Where it stands. */
  line?: Line;
  /** The entry as it stands in its line. With the detail `raw`. */
  raw?: string;
  /** Why a text that should be here is not: its line cannot be read any more. */
  text_error?: string;
  /** Whether it was taken back: a refusal that another model replaced, or an earlier try. */
  withdrawn?: boolean;
} & (
  /** Something that was asked of the model. */
  | ({ kind: "prompt" } & Prompt)
  /** What the model said. */
  | ({ kind: "reply" } & Reply)
  /** What the model thought. */
  | ({ kind: "thinking" } & Thinking)
  /** What the model did. */
  | ({ kind: "call" } & Call)
  /** What a command of the user's printed. */
  | ({ kind: "output" } & Output)
  /** What the program says about the session. */
  | ({ kind: "notice" } & Notice)
  /** What the model was told beside the prompt. */
  | ({ kind: "context" } & Context)
  /** The conversation was summarised, to go on in less room. */
  | ({ kind: "compaction" } & Compaction)
  /** The history of another session, which this one continues. */
  | ({ kind: "joint" } & Joint)
  /** How a run of `claude -p` ended. */
  | ({ kind: "outcome" } & Outcome)
  /** A result without its call. */
  | ({ kind: "orphan" } & Orphan)
  /** A block or an entry that no known version writes. */
  | ({ kind: "unknown" } & Unknown)
);

/** One task. */
export interface Task {
  /** Where it stands. */
  status: TaskStatus;
  /** What is to be done. */
  subject: string;
  /** Its number, if the list has numbers. */
  id?: string;
  /** Who is at it, in a team. */
  owner?: string;
}

/** One change of the list of tasks. */
export interface TaskChange {
  /** What is to be done. */
  subject: string;
  /** Where it stands now; not there if it was removed. */
  after?: TaskStatus;
  /** Where it stood before; not there if it is new. */
  before?: TaskStatus;
}

/** Where a task stands. */
export type TaskStatus =
  /** Nobody has begun. */
  | "pending"
  /** Somebody is at it. */
  | "in_progress"
  /** It is done. */
  | "completed";

/** What the model thought. */
export interface Thinking {
  /** How long it is, in bytes of UTF-8; 0 if only the API can read it. */
  length: number;
  /** Whether it is still going on, as far as the lines tell. */
  partial?: boolean;
  /** All of it. */
  text?: string;
}

/** One path through a session. */
export interface Thread {
  /** Its number; steps name it by this. */
  id: number;
  /** What kind of path it is. */
  kind: ThreadKind;
  /** The turns that were chosen and have something to tell. */
  turns: Turn[];
  /** The agent, if it is the path of one. */
  agent?: Agent;
  /** Where it leaves another thread. */
  origin?: Origin;
}

/** What kind of path a thread is. */
export type ThreadKind =
  /** The conversation. */
  | "main"
  /** A part of the conversation that was left: the user went back and said something else. */
  | "branch"
  /** A subagent. */
  | "agent";

/** What a session is called. */
export interface Title {
  /** Where it comes from. */
  source: TitleSource;
  /** The title. */
  text: string;
}

/** Where a title comes from. */
export type TitleSource =
  /** The user gave it. */
  | "custom"
  /** The model found it. */
  | "model"
  /** The last thing that was asked. */
  | "last_prompt"
  /** A summary, as old versions wrote. */
  | "summary"
  /** The first thing that was asked. */
  | "first_prompt";

/** How a compaction came about. */
export type Trigger =
  /** The context was full. */
  | "auto"
  /** The user asked for it. */
  | "manual"
  /** It is not said. */
  | "unknown";

/** One prompt and everything until the next. */
export interface Turn {
  /** Its number in the thread, from 1. */
  number: number;
  /** How it ended. */
  state: TurnState;
  /** The steps that were chosen. */
  steps: Step[];
  /** When its last step happened. */
  ended?: Moment;
  /** When its first step happened. */
  started?: Moment;
}

/** How a turn ended. */
export type TurnState =
  /** It has not: the model is at work, as far as the lines tell. */
  | "working"
  /** It has not: the model has a question. */
  | "asking"
  /** The model said all it had to say. */
  | "done"
  /** The user stopped it. */
  | "interrupted"
  /** Something went wrong. */
  | "failed";

/** A block or an entry that no known version writes. */
export interface Unknown {
  /** The type that is not known. */
  name: string;
}

/** Tokens, and what they cost. */
export interface Usage {
  /** Only a first count of tokens was recorded for some of it. */
  cost_is_at_least: boolean;
  /** Some of it has no known price. */
  cost_is_partial: boolean;
  /** The cost in US dollars, without what has no known price. */
  cost_usd: number;
  /** Tokens of all kinds. */
  tokens: number;
}
