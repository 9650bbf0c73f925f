//! Steps of the document: their facts from the story, and their texts.

use serde::Serialize;
use story::readable::Moment;
use story::step::{self, Delivery, Extent, StepId, ThreadId, Trigger};

use super::json::Json;

/// One step.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct Step<'a> {
    /// Its number in the session, independent of the selection.
    pub id: StepId,
    /// Its kind and content.
    #[serde(flatten)]
    pub kind: StepKind<'a>,
    /// Its time.
    pub at: Option<Moment>,
    /// Whether it was retracted: a refusal replaced by another model, or an earlier try.
    pub withdrawn: bool,
    /// Its position.
    pub line: Option<Line>,
    /// The entry, exactly as in its line. Only at the level `raw`.
    pub raw: Option<String>,
    /// Why a text is missing: its line can no longer be read.
    pub text_error: Option<String>,
}

/// A position in a file.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct Line {
    /// The file, as an index into the `sources` of the document.
    pub source: u32,
    /// The line number, from 1.
    pub number: u32,
    /// The entry in the line: 0, unless the line contains several.
    pub entry: u32,
    /// The block in the entry: 0 for the first, and where there are no blocks.
    pub block: u32,
}

/// The kind and content of a step.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum StepKind<'a> {
    /// A prompt for the model: by the user, or in the user's role.
    Prompt(Prompt<'a>),
    /// Text of the model.
    Reply {
        /// The part that the overview shows.
        #[serde(flatten)]
        reply: &'a step::Reply,
        /// The whole text.
        text: Option<String>,
    },
    /// Thinking of the model.
    Thinking {
        /// The part that the overview shows.
        #[serde(flatten)]
        thinking: &'a step::Thinking,
        /// The whole text.
        text: Option<String>,
    },
    /// A tool call of the model, with its result.
    Call(Box<Call<'a>>),
    /// The output of a command of the user.
    Output {
        /// The part that the overview shows.
        #[serde(flatten)]
        output: &'a step::Output,
        /// The whole text; it may contain terminal escapes.
        text: Option<String>,
    },
    /// A message of the program about the session.
    Notice {
        /// The part that the overview shows.
        #[serde(flatten)]
        notice: &'a step::Notice,
        /// All words of its entry.
        text: Option<String>,
        /// The attachment, if it is one, such as the output of a hook.
        attachment: Option<Json>,
    },
    /// Context for the model besides the prompt.
    Context {
        /// The part that the overview shows.
        #[serde(flatten)]
        context: &'a step::Context,
        /// The whole text, if it is one.
        text: Option<String>,
        /// The attachment, if it is one.
        attachment: Option<Json>,
    },
    /// The conversation was summarised to free context.
    Compaction(Compaction<'a>),
    /// History of another session, which this one continues.
    Joint(&'a step::Joint),
    /// The end of a run of `claude -p`.
    Outcome {
        /// The part that the overview shows.
        #[serde(flatten)]
        outcome: &'a step::RunOutcome,
        /// The whole text: usually the last reply again.
        text: Option<String>,
        /// The answer in the requested structure.
        structured_output: Option<Json>,
    },
    /// A result without its call.
    Orphan {
        /// The part that the overview shows.
        #[serde(flatten)]
        orphan: &'a step::Orphan,
        /// The result.
        result: Option<CallResult>,
    },
    /// A block or an entry that no known version writes.
    Unknown {
        /// Its type.
        name: &'a str,
    },
}

/// A prompt for the model.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct Prompt<'a> {
    /// Its author and form.
    pub by: PromptBy,
    /// How it reached the model.
    pub delivery: Delivery,
    /// Its first words.
    pub preview: &'a str,
    /// The whole text.
    pub text: Option<String>,
    /// The command, with its slash.
    pub command: Option<&'a str>,
    /// The first words after the command.
    pub args: Option<&'a str>,
    /// The teammate, session, agent or server that sent it.
    pub from: Option<&'a str>,
    /// The background task that it is about.
    pub task: Option<&'a str>,
    /// The status of that task: `completed`, `failed`, `killed`, `stopped`; `null` if it continues.
    pub task_status: Option<&'a str>,
    /// Numbers of the images in it, as in `[Image #2]`; 0 for those without a number.
    pub images: &'a [i64],
    /// The thread of the agent that it mentions.
    pub thread: Option<ThreadId>,
}

/// The author and form of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PromptBy {
    /// Typed by the user.
    Typed,
    /// A slash command of the user.
    Command,
    /// A `!` shell command of the user.
    Bash,
    /// A `#` memory of the user.
    Memory,
    /// The user approved a plan to be carried out in a fresh session.
    Plan,
    /// A notification from a background task.
    Notification,
    /// A schedule.
    Scheduled,
    /// A teammate.
    Teammate,
    /// Another session or agent.
    Peer,
    /// A channel.
    Channel,
    /// The agent that spawned this one.
    Parent,
    /// The program itself, to keep the model working.
    Program,
}

/// A tool call with its result.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct Call<'a> {
    /// The part that the overview shows.
    #[serde(flatten)]
    pub call: &'a step::Call,
    /// The title of the chapter that it begins, if it does.
    pub chapter: Option<&'a str>,
    /// The time that it ran, in milliseconds.
    pub duration_ms: Option<u64>,
    /// Whether the tool measured the duration; otherwise it is the time between the two lines, without the wait.
    pub duration_measured: bool,
    /// The time that it waited for you before it ran, in milliseconds, as far as that is known.
    pub waited_ms: Option<u64>,
    /// Your words and choices in its result, whole: answers, the decision about a plan, the words of a rejection.
    pub human_words: Vec<HumanWords>,
    /// The input of the tool.
    pub input: Option<Json>,
    /// The state and the output of a command, each apart, whatever the form of the result.
    pub streams: Option<Streams>,
    /// The position of the result.
    pub result_line: Option<Line>,
    /// The result.
    pub result: Option<CallResult>,
}

/// Words or a choice of yours in the result of a call.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct HumanWords {
    /// The question; null if the words answer no single question.
    pub question: Option<String>,
    /// The words: an answer, or `approved`, `rejected`.
    pub words: String,
}

/// The result of a call.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct CallResult {
    /// The texts of the `tool_result`, which the model received.
    pub text: Option<String>,
    /// The types of the other blocks that it received: `image`, `document`…
    pub other_blocks: Vec<String>,
    /// The `toolUseResult` of the entry; of a tool that ran at the API, the content of its block.
    pub structured: Option<Json>,
    /// The entry, exactly as in its line. Only at the level `raw`.
    pub raw: Option<String>,
}

/// The state and the output of a command, in the foreground or in the background.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct Streams {
    /// Whether it runs, completed, failed or was stopped, if that is stated.
    pub status: Option<String>,
    /// Its exit code, if that is stated.
    pub exit_code: Option<i64>,
    /// What it wrote to its standard output; both streams, if they were merged.
    pub stdout: Option<String>,
    /// What it wrote to its standard error.
    pub stderr: Option<String>,
}

/// A compaction of the conversation.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct Compaction<'a> {
    /// Its trigger.
    pub trigger: Trigger,
    /// How much of the conversation was compacted.
    pub extent: Extent,
    /// Tokens in the context before.
    pub tokens_before: Option<i64>,
    /// Tokens in the context after.
    pub tokens_after: Option<i64>,
    /// How many messages were carried over unchanged.
    pub preserved: u32,
    /// The first words of the summary.
    pub preview: Option<&'a str>,
    /// The summary.
    pub summary: Option<String>,
    /// The position of the summary.
    pub summary_line: Option<Line>,
    /// The entry of the summary, exactly as in its line. Only at the level `raw`.
    pub summary_raw: Option<String>,
}
