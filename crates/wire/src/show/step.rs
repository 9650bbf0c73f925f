//! Steps of the document: what each kind of them says.

use serde::Serialize;

use super::moment::{Json, Moment};
use super::words::{CallState, ContextKind, Delivery, Extent, NoticeKind, Severity, TaskStatus, Trigger};

/// One thing that is told.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Step {
    /// Its number in the session; the same one whatever is chosen.
    pub id: usize,
    /// What it is.
    #[serde(flatten)]
    pub kind: StepKind,
    /// When it happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Moment>,
    /// Whether it was taken back: a refusal that another model replaced, or an earlier try.
    #[serde(skip_serializing_if = "is_false")]
    pub withdrawn: bool,
    /// Where it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Line>,
    /// The entry as it stands in its line. With the detail `raw`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
    /// Why a text that should be here is not: its line cannot be read any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_error: Option<String>,
}

/// Where something stands.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Line {
    /// The file, among the `sources` of the document.
    pub source: u16,
    /// The line of it, from 1.
    pub number: u32,
    /// The entry in the line: 0, unless it holds several.
    pub entry: u16,
    /// The block in the entry: 0 for the first, and where there are no blocks.
    pub block: u16,
}

/// What a step is.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum StepKind {
    /// Something that was asked of the model.
    Prompt(Prompt),
    /// What the model said.
    Reply(Reply),
    /// What the model thought.
    Thinking(Thinking),
    /// What the model did.
    Call(Box<Call>),
    /// What a command of the user's printed.
    Output(Output),
    /// What the program says about the session.
    Notice(Notice),
    /// What the model was told beside the prompt.
    Context(Context),
    /// The conversation was summarised, to go on in less room.
    Compaction(Compaction),
    /// The history of another session, which this one continues.
    Joint(Joint),
    /// How a run of `claude -p` ended.
    Outcome(Box<Outcome>),
    /// A result without its call.
    Orphan(Orphan),
    /// A block or an entry that no known version writes.
    Unknown(Unknown),
}

/// Something that was asked of the model: by the user, or in the user's place.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Prompt {
    /// Who asks, and how.
    pub by: PromptBy,
    /// How it reached the model.
    pub delivery: Delivery,
    /// Its first words.
    pub preview: String,
    /// All of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The command, with its slash.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// What was typed behind the command: the first words of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub args: Option<String>,
    /// The teammate, session, agent or server that asks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The task in the background that has something to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// How that task stands: `completed`, `failed`, `killed`, `stopped`; not there if it goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_status: Option<String>,
    /// Numbers of the images in it, as in `[Image #2]`; 0 for those without a number.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<i64>,
    /// The thread of the agent that it speaks of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<usize>,
}

/// Who asks, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PromptBy {
    /// The user, in words.
    Typed,
    /// The user, by a slash command.
    Command,
    /// The user, by a `!` shell escape.
    Bash,
    /// The user, by a `#` memory.
    Memory,
    /// The user, by approving a plan that is to be carried out in a fresh session.
    Plan,
    /// A task in the background.
    Notification,
    /// A schedule.
    Scheduled,
    /// A member of the team.
    Teammate,
    /// Another session or agent.
    Peer,
    /// A channel.
    Channel,
    /// The agent that spawned this one.
    Parent,
    /// The program itself, to keep the model going.
    Program,
}

/// What the model said.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Reply {
    /// Its first words.
    pub preview: String,
    /// How long it is, in bytes of UTF-8.
    pub length: u32,
    /// Whether it is still being said, as far as the lines tell.
    #[serde(skip_serializing_if = "is_false")]
    pub partial: bool,
    /// All of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// What the model thought.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Thinking {
    /// How long it is, in bytes of UTF-8; 0 if only the API can read it.
    pub length: u32,
    /// Whether it is still going on, as far as the lines tell.
    #[serde(skip_serializing_if = "is_false")]
    pub partial: bool,
    /// All of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// What the model did: a call with its result.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Call {
    /// The id of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_use_id: Option<String>,
    /// The name of the tool, as it was called.
    pub tool: String,
    /// What it is about: the command, the file, the question.
    pub subject: String,
    /// How it went.
    pub state: CallState,
    /// Whether a reader should look at it.
    pub severity: Severity,
    /// What came of it, in a line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// How many lines of text it changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<LineChange>,
    /// How long it took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// Whether the tool measured that itself; otherwise it is the time between the two lines.
    #[serde(skip_serializing_if = "is_false")]
    pub duration_measured: bool,
    /// When the result came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<Moment>,
    /// What the user said when rejecting it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_said: Option<String>,
    /// What it changed in the list of tasks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<TaskChange>,
    /// The thread of the agent that it started or woke.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<usize>,
    /// What was asked of the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<Json>,
    /// Where the result stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_line: Option<Line>,
    /// What the tool gave back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<CallResult>,
}

/// How many lines of text were changed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LineChange {
    /// Lines that are new.
    pub added: u32,
    /// Lines that are gone.
    pub removed: u32,
}

/// One change of the list of tasks.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TaskChange {
    /// What is to be done.
    pub subject: String,
    /// Where it stood before; not there if it is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<TaskStatus>,
    /// Where it stands now; not there if it was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<TaskStatus>,
}

/// What a tool gave back.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CallResult {
    /// What the model was told: the texts of the `tool_result`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What else it was given, by type of block: `image`, `document`…
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_blocks: Vec<String>,
    /// The `toolUseResult` of the entry; of a tool that ran at the API, the content of its block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structured: Option<Json>,
    /// The entry as it stands in its line. With the detail `raw`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
}

/// What a command of the user's printed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Output {
    /// Whether it was printed as an error.
    pub is_error: bool,
    /// Its first words.
    pub preview: String,
    /// All of it, perhaps with terminal escapes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// What the program says about the session.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Notice {
    /// What it is about.
    pub about: NoticeKind,
    /// Whether a reader should look at it.
    pub severity: Severity,
    /// What it says, in a line.
    pub preview: String,
    /// How many lines say the same, such as retries of one request.
    pub times: u32,
    /// All that its entry says in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The attachment, if it is one, such as what a hook printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attachment: Option<Json>,
}

/// What the model was told beside the prompt.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Context {
    /// What it is.
    pub about: ContextKind,
    /// What it is about, in a line: a path, a name, first words.
    pub preview: String,
    /// All of it, if it was told in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The attachment, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attachment: Option<Json>,
}

/// The conversation was summarised.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Compaction {
    /// How it came about.
    pub trigger: Trigger,
    /// How much of the conversation was compacted.
    pub extent: Extent,
    /// Tokens in the context before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_before: Option<i64>,
    /// Tokens in the context after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_after: Option<i64>,
    /// How many messages were carried over as they were.
    pub preserved: u32,
    /// The first words of the summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    /// The summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Where the summary stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary_line: Option<Line>,
    /// The entry of the summary, as it stands in its line. With the detail `raw`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary_raw: Option<String>,
}

/// The history of another session, which this one continues.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Joint {
    /// That session.
    pub session: String,
    /// How many entries of it were copied to this one.
    pub entries: u32,
}

/// How a run of `claude -p` ended.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Outcome {
    /// `success`, `error_max_turns`…
    pub outcome: String,
    /// Whether it failed.
    pub is_error: bool,
    /// What it says, in a line.
    pub preview: String,
    /// All that it says: as a rule, the last reply again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The answer in the structure that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structured_output: Option<Json>,
    /// What the process has cost so far, in US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
    /// How long the turn took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// How often the model was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_turns: Option<u32>,
    /// The tools that were not allowed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub denied: Vec<String>,
    /// What went wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<String>,
}

/// A result without its call.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Orphan {
    /// The id of the call that is nowhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_use_id: Option<String>,
    /// What it says, in a line.
    pub preview: String,
    /// Whether it tells of a failure.
    pub failed: bool,
    /// What the tool gave back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<CallResult>,
}

/// A block or an entry that no known version writes.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Unknown {
    /// The type that is not known.
    pub name: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "this is how serde asks")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}
