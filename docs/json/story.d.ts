// recount.story/2, generated from the types in crates/wire: see docs/json/README.md.

/** A session of Claude Code. */
export interface Story {
  /** The name and version of this document. */
  schema: "recount.story/2";
  /** The number of lines by category, selected or not. Lines of other sessions do not count. */
  accounting: Accounting;
  /** The level of detail. */
  detail: Detail;
  /** The session as a whole, whatever part of it was selected. */
  session: Session;
  /** The files that it was read from. */
  sources: Source[];
  /** The tasks at the end of the main thread. */
  tasks: Task[];
  /** The selected threads that have steps; the main one comes first. */
  threads: Thread[];
}

/** The number of lines by fate. */
export interface Accounting {
  /** Lines that contain nothing for a reader, by kind. */
  bookkeeping: Record<string, number>;
  /** Lines that repeat another line. */
  duplicate: number;
  /** All lines that were read. */
  lines: number;
  /** Lines that could not be parsed. */
  malformed: number;
  /** Lines that are shown. */
  shown: number;
  /** Lines that no known version writes. */
  unknown: number;
}

/** A subagent. */
export interface Agent {
  /** Its task. */
  description: string | null;
  /** Whether it only warmed up the cache or served the program itself, and is not worth reading. */
  hidden: boolean;
  /** Its id; empty if it has none. */
  id: string | null;
  /** Its name. */
  name: string | null;
  /** Whether it is a teammate. */
  teammate: boolean;
  /** `Explore`, `general-purpose`… */
  type: string | null;
  /** The workflow run that it took part in. */
  workflow: string | null;
}

/** A tool call with its result. */
export interface Call {
  /** The number of lines it changed. */
  change: LineChange | null;
  /** The title of the chapter that it begins, if it does. */
  chapter: string | null;
  /** Whether the tool measured the duration; otherwise it is the time between the two lines, without the wait. */
  duration_measured: boolean;
  /** The time that it ran, in milliseconds. */
  duration_ms: number | null;
  /** The time of the result. */
  ended: Moment | null;
  /** Your words and choices in its result, whole: answers, the decision about a plan, the words of a rejection. */
  human_words: HumanWords[];
  /** The input of the tool. */
  input: Json | null;
  /** Its outcome in one line. */
  outcome: string | null;
  /** The result. */
  result: CallResult | null;
  /** The position of the result. */
  result_line: Line | null;
  /** Whether it needs the reader's attention. */
  severity: Severity;
  /** Its state. */
  state: CallState;
  /** The state and the output of a command, each apart, whatever the form of the result. */
  streams: Streams | null;
  /** Its subject: the command, the file, the question. */
  subject: string;
  /** Its changes to the list of tasks. */
  tasks: TaskChange[];
  /** The thread of the agent that it started or woke. */
  thread: number | null;
  /** The tool's name, as in the call. */
  tool: string;
  /** The id of the call. */
  tool_use_id: string | null;
  /** The user's words when rejecting it. */
  user_said: string | null;
  /** The time that it waited for you before it ran, in milliseconds, as far as that is known. */
  waited_ms: number | null;
}

/** The result of a call. */
export interface CallResult {
  /** The types of the other blocks that it received: `image`, `document`… */
  other_blocks: string[];
  /** The entry, exactly as in its line. Only at the level `raw`. */
  raw: string | null;
  /** The `toolUseResult` of the entry; of a tool that ran at the API, the content of its block. */
  structured: Json | null;
  /** The texts of the `tool_result`, which the model received. */
  text: string | null;
}

/** The outcome of a call. */
export type CallState =
  /** There is no result yet. */
  | "pending"
  /** It succeeded. */
  | "done"
  /** It continues in the background. */
  | "background"
  /** It failed. */
  | "failed"
  /** The user, a rule or a mode denied it. */
  | "rejected"
  /** The user interrupted it. */
  | "interrupted"
  /** It has no result and will get none: the program ended first. */
  | "lost"
  /** It failed in a way that answers its question: a search without a match, a shell that had already ended. */
  | "expected_failure"
  /** It did not run, because a call beside it failed. */
  | "cancelled";

/** A commit that a command of the session made. */
export interface Commit {
  /** When the call ended. */
  at: Moment | null;
  /** Its branch; `None` if there was none, or it is not known. */
  branch: string | null;
  /** How it was made. */
  kind: CommitKind;
  /** Its name, usually shortened. */
  sha: string;
  /** The first line of its message; empty if it is not known. */
  subject: string | null;
  /** The id of the call that made it. */
  tool_use_id: string | null;
}

/** How a commit was made. */
export type CommitKind =
  /** From changes. */
  | "committed"
  /** It replaces the commit before it. */
  | "amended"
  /** It repeats a commit of another branch. */
  | "cherry_picked"
  /** It undoes a commit. */
  | "reverted";

/** A compaction of the conversation. */
export interface Compaction {
  /** How much of the conversation was compacted. */
  extent: Extent;
  /** How many messages were carried over unchanged. */
  preserved: number;
  /** The first words of the summary. */
  preview: string | null;
  /** The summary. */
  summary: string | null;
  /** The position of the summary. */
  summary_line: Line | null;
  /** The entry of the summary, exactly as in its line. Only at the level `raw`. */
  summary_raw: string | null;
  /** Tokens in the context after. */
  tokens_after: number | null;
  /** Tokens in the context before. */
  tokens_before: number | null;
  /** Its trigger. */
  trigger: Trigger;
}

/** The kind of context. */
export type ContextKind =
  /** A file or folder that was mentioned or has changed. */
  | "file"
  /** The state of the editor: an open file, selected lines, diagnostics. */
  | "editor"
  /** An image, or a note about one. */
  | "image"
  /** Instructions: memory files, rules, output styles. */
  | "instructions"
  /** The body of a skill or a command. */
  | "skill"
  /** Text added by a hook. */
  | "hook"
  /** The plan, or plan mode. */
  | "plan"
  /** The list of tasks. */
  | "tasks"
  /** What is available: tools, skills, agents, servers. */
  | "listing"
  /** The environment: date, model, machine, team. */
  | "environment"
  /** A reminder by the program. */
  | "reminder"
  /** Protocol filler: caveats, resume pairs. */
  | "filler"
  /** Hidden from the user for any other reason. */
  | "hidden";

/** Counts for the main thread; calls and agents are counted in all threads. */
export interface Counts {
  /** Agents. */
  agents: number;
  /** Rewound branches. */
  branches: number;
  /** Calls, in all threads. */
  calls: number;
  /** Calls that did not run, because a call beside them failed. */
  cancelled: number;
  /** How often the conversation was compacted. */
  compactions: number;
  /** Calls that the user, a rule or a mode denied. */
  denied: number;
  /** Calls whose failure was an answer: a search without a match, a shell that had already ended. */
  expected_failures: number;
  /** Calls that failed unexpectedly. */
  failed: number;
  /** Calls that the user interrupted. */
  interrupted: number;
  /** Prompts of the user. */
  prompts: number;
  /** Replies of the model. */
  replies: number;
  /** Turns of the main thread. */
  turns: number;
}

/** How a prompt reached the model. */
export type Delivery =
  /** Immediately. */
  | "direct"
  /** After the turn ended. */
  | "queued"
  /** In the middle of the turn: steering. */
  | "steering"
  /** Never: the user withdrew it, or it is still queued. */
  | "undelivered";

/** The level of detail. Every level includes all earlier ones. */
export type Detail =
  /** Prompts. */
  | "prompts"
  /** Replies. */
  | "talk"
  /** Calls and other steps, one line each. */
  | "steps"
  /** Everything, with thinking, results and context. */
  | "full"
  /** Bookkeeping as well, and the lines themselves. */
  | "raw";

/** How much of the conversation was compacted. */
export type Extent =
  /** All of it. */
  | "whole"
  /** A part of it. */
  | "part"
  /** Only tool results. */
  | "results";

/** Words or a choice of yours in the result of a call. */
export interface HumanWords {
  /** The question; null if the words answer no single question. */
  question: string | null;
  /** The words: an answer, or `approved`, `rejected`. */
  words: string;
}

/** History of another session, which this one continues. */
export interface Joint {
  /** How many of its entries were copied to this one. */
  entries: number;
  /** That session. */
  session: string;
}

/** A JSON value, exactly as in its line. */
export type Json = unknown;

/** A position in a file. */
export interface Line {
  /** The block in the entry: 0 for the first, and where there are no blocks. */
  block: number;
  /** The entry in the line: 0, unless the line contains several. */
  entry: number;
  /** The line number, from 1. */
  number: number;
  /** The file, as an index into the `sources` of the document. */
  source: number;
}

/** The number of changed lines. */
export interface LineChange {
  /** Added lines. */
  added: number;
  /** Removed lines. */
  removed: number;
}

/** A link from a session to another place. */
export interface Link {
  /** The kind of target. */
  kind: LinkKind;
  /** The label. */
  title: string;
  /** The id of the call that made it, if it is known. */
  tool_use_id: string | null;
  /** The address; empty if there is none. */
  url: string | null;
}

/** The target of a link. */
export type LinkKind =
  /** A pull request. */
  | "pull_request"
  /** A published page. */
  | "artifact"
  /** Remote control of the session. */
  | "bridge"
  /** A worktree. */
  | "worktree";

/** A moment: RFC 3339 in UTC with milliseconds. */
export type Moment = string;

/** The topic of a notice. */
export type NoticeKind =
  /** A failed API request, retried or given up. */
  | "api_error"
  /** A limit of the plan or the budget is reached. */
  | "limit"
  /** The user stopped the model. */
  | "interrupted"
  /** A hook with a message or a failure. */
  | "hook"
  /** The duration of the turn. */
  | "turn_duration"
  /** A recap of what happened while the user was away. */
  | "away_summary"
  /** A change of model. */
  | "model_change"
  /** A change of permissions, or a denial. */
  | "permission"
  /** A background task. */
  | "task"
  /** A saved memory. */
  | "memory"
  /** The session itself: its connection, its storage, its mode. */
  | "session"
  /** Anything else. */
  | "info";

/** Where a thread branches off another. */
export interface Origin {
  /** The step after which it branches off, or the call that started it; `None` if it branches off at the very start. */
  step: number | null;
  /** The other thread. */
  thread: number;
}

/** A prompt for the model. */
export interface Prompt {
  /** The first words after the command. */
  args: string | null;
  /** Its author and form. */
  by: PromptBy;
  /** The command, with its slash. */
  command: string | null;
  /** How it reached the model. */
  delivery: Delivery;
  /** The teammate, session, agent or server that sent it. */
  from: string | null;
  /** Numbers of the images in it, as in `[Image #2]`; 0 for those without a number. */
  images: number[];
  /** Its first words. */
  preview: string;
  /** The background task that it is about. */
  task: string | null;
  /** The status of that task: `completed`, `failed`, `killed`, `stopped`; `null` if it continues. */
  task_status: string | null;
  /** The whole text. */
  text: string | null;
  /** The thread of the agent that it mentions. */
  thread: number | null;
}

/** The author and form of a prompt. */
export type PromptBy =
  /** Typed by the user. */
  | "typed"
  /** A slash command of the user. */
  | "command"
  /** A `!` shell command of the user. */
  | "bash"
  /** A `#` memory of the user. */
  | "memory"
  /** The user approved a plan to be carried out in a fresh session. */
  | "plan"
  /** A notification from a background task. */
  | "notification"
  /** A schedule. */
  | "scheduled"
  /** A teammate. */
  | "teammate"
  /** Another session or agent. */
  | "peer"
  /** A channel. */
  | "channel"
  /** The agent that spawned this one. */
  | "parent"
  /** The program itself, to keep the model working. */
  | "program";

/** What is left of a session whose own file is gone. */
export type Remnant =
  /** Only files of its subagents. */
  | "subagents"
  /** Only its prompts, in the prompt history. */
  | "prompts";

/** The role of a file in a session. */
export type Role =
  /** The session's own file. */
  | "main"
  /** An earlier version of the session's own file, with lines that the file has lost since. */
  | "earlier"
  /** A subagent of the session. */
  | "agent"
  /** The journal of a workflow run. */
  | "journal"
  /** A capture of the session; its own file is the richer source. */
  | "capture"
  /** Another session, from which this one may have copied. None of its steps are shown. */
  | "elsewhere"
  /** The prompts of the session in a prompt history, if nothing else is left of it. */
  | "prompts";

/** The session as a whole. */
export interface Session {
  /** The active time of its turns, in milliseconds. */
  active_ms: number;
  /** The last recorded git branch. */
  branch: string | null;
  /** The commits that its commands made, in order of time. */
  commits: Commit[];
  /** The session that continues it. */
  continued_in: string | null;
  /** The numbers of its turns, calls and so on. */
  counts: Counts;
  /** The session that it came from, if its lines say so. */
  derived_from: string | null;
  /** How it was started: `cli`, `sdk-ts`… */
  entrypoint: string | null;
  /** The time of its first entry. */
  first: Moment | null;
  /** The working directory, as recorded in its entries. */
  folder: string | null;
  /** Its id in lists, which every verb accepts: the name of its file or captured conversation, with a mark if several sessions share it. */
  id: string;
  /** The time of its last entry. */
  last: Moment | null;
  /** Links to other places. */
  links: Link[];
  /** The models that answered, in the order of their first answers. */
  models: string[];
  /** What is left of it if its transcript is gone; `null` if it is there. */
  only_left: Remnant | null;
  /** Other working directories. */
  other_folders: string[];
  /** The repository in which it ran, as the path of the main worktree; the folder itself if it is in no repository. */
  project: string | null;
  /** Its id in Claude Code, which `claude --resume` accepts. */
  session_id: string | null;
  /** The state. */
  state: SessionState;
  /** Whether more than the lines of the session says so: a registered process, hook events, or the end of the session. */
  state_is_certain: boolean;
  /** Its reason, which is more specific. */
  state_reason: StateReason;
  /** Since when. */
  state_since: Moment | null;
  /** The team that it belongs to. */
  team: string | null;
  /** Its title, with the source of the title. */
  title: Title | null;
  /** Its tokens and cost, subagents included, at the user's prices; `null` if they were not counted. */
  usage: Used | null;
  /** The part of `usage` that belongs to no turn; `null` if there is none. The usage of the turns of the main thread and of rewound branches is the rest. */
  usage_outside_turns: Used | null;
  /** The versions of Claude Code that wrote it, in order. */
  versions: string[];
  /** The time spent waiting for the user, in milliseconds. */
  waiting_ms: number;
  /** The worktree in which it ran, if it is not the main one. */
  worktree: string | null;
}

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

/** Whether something needs the reader's attention. */
export type Severity =
  /** Nothing unusual. */
  | "normal"
  /** A harmless failure: a rejected plan, a shell that had already ended. */
  | "expected"
  /** Something that may matter. */
  | "warning"
  /** A failure. */
  | "error";

/** A file that the session was read from. */
export interface Source {
  /** The id of the agent, if it is the file of one. */
  agent: string | null;
  /** Its path or another name. */
  label: string;
  /** Its role in the session. */
  role: Role;
  /** The session that it belongs to. */
  session: string | null;
  /** The workflow run that it belongs to. */
  workflow: string | null;
}

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

/** One step. */
export type Step = {
  /** Its time. */
  at: Moment | null;
  /** Its number in the session, independent of the selection. */
  id: number;
  /** Its position. */
  line: Line | null;
  /** The entry, exactly as in its line. Only at the level `raw`. */
  raw: string | null;
  /** Why a text is missing: its line can no longer be read. */
  text_error: string | null;
  /** Whether it was retracted: a refusal replaced by another model, or an earlier try. */
  withdrawn: boolean;
} & (
  /** A prompt for the model: by the user, or in the user's role. */
  | ({ kind: "prompt" } & Prompt)
  /** Text of the model. */
  | {
    kind: "reply";
    /** The length of the text, in bytes. */
    length: number;
    /** Whether it is still being written, as far as the lines show. */
    partial: boolean;
    /** Its first words. */
    preview: string;
    /** The whole text. */
    text: string | null;
  }
  /** Thinking of the model. */
  | {
    kind: "thinking";
    /** The length, in bytes; 0 if it is encrypted. */
    length: number;
    /** Whether it is still being written, as far as the lines show. */
    partial: boolean;
    /** The whole text. */
    text: string | null;
  }
  /** A tool call of the model, with its result. */
  | ({ kind: "call" } & Call)
  /** The output of a command of the user. */
  | {
    kind: "output";
    /** Whether it was printed as an error. */
    is_error: boolean;
    /** Its first words. */
    preview: string;
    /** The whole text; it may contain terminal escapes. */
    text: string | null;
  }
  /** A message of the program about the session. */
  | {
    kind: "notice";
    /** Its topic. */
    about: NoticeKind;
    /** The attachment, if it is one, such as the output of a hook. */
    attachment: Json | null;
    /** The duration that it states, in milliseconds: of a turn. */
    duration_ms: number | null;
    /** The message in one line. */
    preview: string;
    /** Whether it needs the reader's attention. */
    severity: Severity;
    /** All words of its entry. */
    text: string | null;
    /** How many lines it stands for, such as retries of one request. */
    times: number;
  }
  /** Context for the model besides the prompt. */
  | {
    kind: "context";
    /** The kind of context. */
    about: ContextKind;
    /** The attachment, if it is one. */
    attachment: Json | null;
    /** Its subject in one line: a path, a name, first words. */
    preview: string;
    /** The whole text, if it is one. */
    text: string | null;
  }
  /** The conversation was summarised to free context. */
  | ({ kind: "compaction" } & Compaction)
  /** History of another session, which this one continues. */
  | ({ kind: "joint" } & Joint)
  /** The end of a run of `claude -p`. */
  | {
    kind: "outcome";
    /** The cost of the process so far, in US dollars. */
    cost_usd: number | null;
    /** The tools that were denied. */
    denied: string[];
    /** The duration of the turn, in milliseconds. */
    duration_ms: number | null;
    /** The errors. */
    errors: string[];
    /** Whether it failed. */
    is_error: boolean;
    /** The number of turns of the model. */
    model_turns: number | null;
    /** `success`, `error_max_turns`… */
    outcome: string;
    /** The result in one line. */
    preview: string;
    /** The answer in the requested structure. */
    structured_output: Json | null;
    /** The whole text: usually the last reply again. */
    text: string | null;
  }
  /** A result without its call. */
  | {
    kind: "orphan";
    /** Whether the result is a failure. */
    failed: boolean;
    /** The result in one line. */
    preview: string;
    /** The result. */
    result: CallResult | null;
    /** The id of the missing call; empty if the result names none. */
    tool_use_id: string | null;
  }
  /** A block or an entry that no known version writes. */
  | {
    kind: "unknown";
    /** Its type. */
    name: string;
  }
);

/** The state and the output of a command, in the foreground or in the background. */
export interface Streams {
  /** Its exit code, if that is stated. */
  exit_code: number | null;
  /** Whether it runs, completed, failed or was stopped, if that is stated. */
  status: string | null;
  /** What it wrote to its standard error. */
  stderr: string | null;
  /** What it wrote to its standard output; both streams, if they were merged. */
  stdout: string | null;
}

/** One task. */
export interface Task {
  /** Its wording while it is in progress. */
  active_form: string | null;
  /** Its number, if the list has numbers. */
  id: string | null;
  /** The teammate who works on it. */
  owner: string | null;
  /** Its status. */
  status: TaskStatus;
  /** The task. */
  subject: string;
}

/** One change to the list of tasks. */
export interface TaskChange {
  /** Its wording while it is in progress. */
  active_form: string | null;
  /** Its status now; `None` if it was removed. */
  after: TaskStatus | null;
  /** Its status before; `None` if it is new. */
  before: TaskStatus | null;
  /** What changed. */
  event: TaskEvent;
  /** Its number, if the list has numbers. */
  id: string | null;
  /** Its earlier wording, if that changed. */
  reworded_from: string | null;
  /** The task. */
  subject: string;
}

/** What changed about a task. */
export type TaskEvent =
  /** It was added. */
  | "new"
  /** It is in progress now. */
  | "started"
  /** It is completed now. */
  | "done"
  /** It was completed and no longer is. */
  | "reopened"
  /** It was in progress and is pending again. */
  | "put_off"
  /** Only its wording changed. */
  | "reworded"
  /** It was removed. */
  | "removed";

/** The status of a task. */
export type TaskStatus =
  /** Not started. */
  | "pending"
  /** In progress. */
  | "in_progress"
  /** Completed. */
  | "completed";

/** One path through a session. */
export interface Thread {
  /** The agent, if it is the thread of one. */
  agent: Agent | null;
  /** Its number, by which steps refer to it. */
  id: number;
  /** Its kind. */
  kind: ThreadKind;
  /** Where it branches off another thread. */
  origin: Origin | null;
  /** The selected turns that have steps. */
  turns: Turn[];
}

/** The kind of a thread. */
export type ThreadKind =
  /** The main conversation. */
  | "main"
  /** A rewound branch: the user went back and continued differently. */
  | "branch"
  /** A subagent. */
  | "agent";

/** The title of a session. */
export interface Title {
  /** Where it comes from. */
  source: TitleSource;
  /** The text. */
  text: string;
}

/** Where a title comes from; earlier variants take precedence. */
export type TitleSource =
  /** The user set it. */
  | "custom"
  /** The model generated it. */
  | "model"
  /** A summary, as old versions wrote it. */
  | "summary"
  /** The first typed prompt. */
  | "first_prompt"
  /** The heading of the plan that the session carries out. */
  | "plan"
  /** A slash command with its arguments. */
  | "command"
  /** The task of a teammate, an agent or a schedule. */
  | "task"
  /** The prompt on the command line of a captured run. */
  | "command_line"
  /** The last prompt, when nothing else is left of the session. */
  | "last_prompt"
  /** Nothing: the text says when the session began. */
  | "untitled";

/** The trigger of a compaction. */
export type Trigger =
  /** The context was full. */
  | "auto"
  /** The user asked for it. */
  | "manual"
  /** Not recorded. */
  | "unknown";

/** One prompt and everything until the next. */
export interface Turn {
  /** Its active time, in milliseconds. */
  active_ms: number;
  /** The time of its last step. */
  ended: Moment | null;
  /** Its number in the thread, from 1. */
  number: number;
  /** The time of its first step. */
  started: Moment | null;
  /** Its state. */
  state: TurnState;
  /** The selected steps. */
  steps: Step[];
  /** Its share of the usage of the session, with the subagents that it started; `null` if it used nothing or was not counted. In the thread of a subagent it is a part of the turn that started it. */
  usage: Used | null;
  /** The time that its calls waited for you, in milliseconds. */
  waited_ms: number;
}

/** The state of a turn. Whether its session is at work is another question: see [`crate::SessionState`]. */
export type TurnState =
  /** No line shows its end. */
  | "open"
  /** The model finished its answer. */
  | "done"
  /** The user interrupted it. */
  | "interrupted"
  /** An error ended it. */
  | "failed";

/** Tokens and cost. */
export interface Used {
  /** Only a first count of tokens was recorded for some of it. */
  cost_is_at_least: boolean;
  /** Some of it has no known price. */
  cost_is_partial: boolean;
  /** The cost in US dollars, without usage of unknown price. */
  cost_usd: number;
  /** Tokens of all kinds. */
  tokens: number;
}
