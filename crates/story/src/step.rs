//! Steps: the elements of a story.
//!
//! A step is small: it contains enough for one line of an overview, and the position of its text for showing it in
//! full.

mod call;

use serde::{Deserialize, Serialize};

use crate::number::{Number, numbered};
use crate::place::BlockPlace;
use crate::readable::{finite, or_null};

pub use call::{Call, CallState, CallTerms, Duration, ExitOne, GitTerms, LineChange};

/// A time, in milliseconds since 1970.
pub type Millis = i64;

/// The index of a step in a story.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct StepId(Number);

/// The index of a thread in a story; 0 is the main one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct ThreadId(Number);

numbered!(StepId, ThreadId);

impl ThreadId {
    /// The main thread.
    pub const MAIN: Self = Self(Number::FIRST);
}

/// One step.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Its position.
    pub place: BlockPlace,
    /// Its time, if its line has one.
    pub at: Option<Millis>,
    /// Whether it was retracted: a refusal replaced by another model, or an earlier try.
    pub withdrawn: bool,
    /// Its kind and content.
    pub kind: StepKind,
}

impl Step {
    /// Whether it begins a turn: a prompt does, unless it was sent in the middle of one, or never delivered.
    pub fn begins_turn(&self) -> bool {
        matches!(&self.kind, StepKind::Prompt(prompt) if matches!(prompt.delivery, Delivery::Direct | Delivery::Queued))
    }

    /// The duration of a turn that it states, in milliseconds.
    pub fn stated_duration(&self) -> Option<u64> {
        match &self.kind {
            StepKind::Notice(notice) if notice.kind == NoticeKind::TurnDuration => notice.duration_ms,
            _ => None,
        }
    }

    /// Whether this is part of work in progress. Other steps, such as recaps, also occur while the session is idle.
    pub fn is_work(&self) -> bool {
        match &self.kind {
            StepKind::Prompt(prompt) => prompt.delivery != Delivery::Undelivered,
            StepKind::Notice(notice) => match notice.kind {
                NoticeKind::ApiError
                | NoticeKind::Limit
                | NoticeKind::Interrupted
                | NoticeKind::Hook
                | NoticeKind::TurnDuration
                | NoticeKind::ModelChange
                | NoticeKind::Permission => true,
                NoticeKind::AwaySummary
                | NoticeKind::Task
                | NoticeKind::Memory
                | NoticeKind::Session
                | NoticeKind::Info => false,
            },
            StepKind::Reply(_)
            | StepKind::Thinking(_)
            | StepKind::Call(_)
            | StepKind::Output(_)
            | StepKind::Compaction(_)
            | StepKind::Outcome(_)
            | StepKind::Orphan(_) => true,
            StepKind::Context(_) | StepKind::Joint(_) | StepKind::Unknown(_) => false,
        }
    }
}

/// The kind and content of a step.
#[derive(Debug, Clone, PartialEq)]
pub enum StepKind {
    /// A prompt for the model: by the user, or in the user's role.
    Prompt(Box<Prompt>),
    /// Text of the model.
    Reply(Reply),
    /// Thinking of the model.
    Thinking(Thinking),
    /// A tool call of the model.
    Call(Box<Call>),
    /// The output of a command of the user.
    Output(Box<Output>),
    /// A message of the program about the session.
    Notice(Box<Notice>),
    /// Context for the model besides the prompt.
    Context(Box<Context>),
    /// The conversation was summarised to free context.
    Compaction(Box<Compaction>),
    /// History of another session, which this one continues.
    Joint(Box<Joint>),
    /// The end of a run of `claude -p`.
    Outcome(Box<RunOutcome>),
    /// A result without its call.
    Orphan(Box<Orphan>),
    /// A block or an entry that no known version writes.
    Unknown(Box<str>),
}

/// The level of detail. Every level includes all earlier ones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Detail {
    /// Prompts.
    Prompts,
    /// Replies.
    Talk,
    /// Calls and other steps, one line each.
    #[default]
    Steps,
    /// Everything, with thinking, results and context.
    Full,
    /// Bookkeeping as well, and the lines themselves.
    Raw,
}

/// A prompt for the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompt {
    /// Its author and form.
    pub kind: PromptKind,
    /// How it reached the model.
    pub delivery: Delivery,
    /// Its first words.
    pub preview: Box<str>,
    /// Numbers of the images in it, as in `[Image #2]`; 0 for those without a number.
    pub images: Box<[i64]>,
    /// The thread of the agent that it mentions.
    pub thread: Option<ThreadId>,
}

/// The author and form of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum PromptKind {
    /// Typed by the user.
    Typed,
    /// A slash command of the user.
    Command {
        /// The name with its slash.
        name: Box<str>,
        /// The text after the name.
        args: Box<str>,
    },
    /// A `!` shell command of the user.
    Bash,
    /// A `#` memory of the user.
    Memory,
    /// The user approved a plan to be carried out in a fresh session.
    Plan,
    /// A notification from a background task.
    Notification {
        /// The task.
        task: Box<str>,
        /// `completed`, `failed`, `killed`, `stopped`; empty if it continues.
        status: Box<str>,
    },
    /// A schedule.
    Scheduled,
    /// A teammate.
    Teammate(Box<str>),
    /// Another session or agent.
    Peer(Box<str>),
    /// A channel, by its server.
    Channel(Box<str>),
    /// The agent that spawned this one.
    Parent,
    /// The program itself, to keep the model working.
    Program,
}

impl PromptKind {
    /// Whether the user sent it.
    pub fn is_human(&self) -> bool {
        match self {
            Self::Typed | Self::Command { .. } | Self::Bash | Self::Memory | Self::Plan => true,
            Self::Notification { .. }
            | Self::Scheduled
            | Self::Teammate(_)
            | Self::Peer(_)
            | Self::Channel(_)
            | Self::Parent
            | Self::Program => false,
        }
    }
}

/// How a prompt reached the model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Delivery {
    /// Immediately.
    #[default]
    Direct,
    /// After the turn ended.
    Queued,
    /// In the middle of the turn: steering.
    Steering,
    /// Never: the user withdrew it, or it is still queued.
    Undelivered,
}

/// Text of the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reply {
    /// Its first words.
    pub preview: Box<str>,
    /// The length of the text, in bytes.
    pub length: u32,
    /// Whether it is still being written, as far as the lines show.
    pub partial: bool,
}

/// Thinking of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Thinking {
    /// The length, in bytes; 0 if it is encrypted.
    pub length: u32,
    /// Whether it is still being written, as far as the lines show.
    pub partial: bool,
}

/// Whether something needs the reader's attention.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Nothing unusual.
    #[default]
    Normal,
    /// A harmless failure: a rejected plan, a shell that had already ended.
    Expected,
    /// Something that may matter.
    Warning,
    /// A failure.
    Error,
}

/// The output of a command of the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Output {
    /// Whether it was printed as an error.
    pub is_error: bool,
    /// Its first words.
    pub preview: Box<str>,
}

/// A message of the program about the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Notice {
    /// Its topic.
    #[serde(rename = "about")]
    pub kind: NoticeKind,
    /// Whether it needs the reader's attention.
    pub severity: Severity,
    /// The message in one line.
    #[serde(rename = "preview")]
    pub text: Box<str>,
    /// How many lines it stands for, such as retries of one request.
    pub times: u32,
    /// The duration that it states, in milliseconds: of a turn.
    pub duration_ms: Option<u64>,
}

/// The topic of a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum NoticeKind {
    /// A failed API request, retried or given up.
    ApiError,
    /// A limit of the plan or the budget is reached.
    Limit,
    /// The user stopped the model.
    Interrupted,
    /// A hook with a message or a failure.
    Hook,
    /// The duration of the turn.
    TurnDuration,
    /// A recap of what happened while the user was away.
    AwaySummary,
    /// A change of model.
    ModelChange,
    /// A change of permissions, or a denial.
    Permission,
    /// A background task.
    Task,
    /// A saved memory.
    Memory,
    /// The session itself: its connection, its storage, its mode.
    Session,
    /// Anything else.
    Info,
}

/// Context for the model besides the prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Context {
    /// The kind of context.
    #[serde(rename = "about")]
    pub kind: ContextKind,
    /// Its subject in one line: a path, a name, first words.
    pub preview: Box<str>,
}

/// The kind of context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ContextKind {
    /// A file or folder that was mentioned or has changed.
    File,
    /// The state of the editor: an open file, selected lines, diagnostics.
    Editor,
    /// An image, or a note about one.
    Image,
    /// Instructions: memory files, rules, output styles.
    Instructions,
    /// The body of a skill or a command.
    Skill,
    /// Text added by a hook.
    Hook,
    /// The plan, or plan mode.
    Plan,
    /// The list of tasks.
    Tasks,
    /// What is available: tools, skills, agents, servers.
    Listing,
    /// The environment: date, model, machine, team.
    Environment,
    /// A reminder by the program.
    Reminder,
    /// Protocol filler: caveats, resume pairs.
    Filler,
    /// Hidden from the user for any other reason.
    Hidden,
}

/// A compaction of the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compaction {
    /// Its trigger.
    pub trigger: Trigger,
    /// Tokens in the context before.
    pub tokens_before: Option<i64>,
    /// Tokens in the context after.
    pub tokens_after: Option<i64>,
    /// The first words of the summary.
    pub preview: Box<str>,
    /// The position of the summary, if there is one.
    pub summary: Option<BlockPlace>,
    /// How many messages were carried over unchanged.
    pub preserved: u32,
    /// Whether only old results were dropped, or a part of the conversation was summarised.
    pub extent: Extent,
}

/// The trigger of a compaction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// The context was full.
    Auto,
    /// The user asked for it.
    Manual,
    /// Not recorded.
    #[default]
    Unknown,
}

/// How much of the conversation was compacted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    /// All of it.
    #[default]
    Whole,
    /// A part of it.
    Part,
    /// Only tool results.
    Results,
}

/// History of another session, which this one continues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Joint {
    /// That session.
    pub session: Box<str>,
    /// How many of its entries were copied to this one.
    pub entries: u32,
}

/// The end of a run of `claude -p`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunOutcome {
    /// `success`, `error_max_turns`…
    #[serde(rename = "outcome")]
    pub kind: Box<str>,
    /// Whether it failed.
    pub is_error: bool,
    /// The result in one line.
    pub preview: Box<str>,
    /// The cost of the process so far, in US dollars.
    #[serde(serialize_with = "finite")]
    pub cost_usd: Option<f64>,
    /// The duration of the turn, in milliseconds.
    pub duration_ms: Option<u64>,
    /// The number of turns of the model.
    #[serde(rename = "model_turns")]
    pub turns: Option<u32>,
    /// The tools that were denied.
    pub denied: Box<[Box<str>]>,
    /// The errors.
    pub errors: Box<[Box<str>]>,
}

/// A result without its call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Orphan {
    /// The id of the missing call; empty if the result names none.
    #[serde(rename = "tool_use_id", serialize_with = "or_null")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub id: Box<str>,
    /// The result in one line.
    pub preview: Box<str>,
    /// Whether the result is a failure.
    pub failed: bool,
}

impl StepKind {
    /// The thread of the agent that it started, woke or mentions, for kinds that can have one.
    pub(crate) fn agent_mut(&mut self) -> Option<&mut Option<ThreadId>> {
        match self {
            Self::Call(call) => Some(&mut call.thread),
            Self::Prompt(prompt) => Some(&mut prompt.thread),
            _ => None,
        }
    }

    /// The lowest level of detail that shows it.
    pub fn detail(&self) -> Detail {
        match self {
            // What a program put into the queue; what you typed is shown although the model never received it.
            Self::Prompt(prompt) if prompt.delivery == Delivery::Undelivered && !prompt.kind.is_human() => Detail::Full,
            Self::Prompt(_) => Detail::Prompts,
            Self::Reply(_) | Self::Outcome(_) | Self::Compaction(_) | Self::Joint(_) => Detail::Talk,
            Self::Call(call) if call.has_human_words() => Detail::Prompts,
            Self::Call(call) => call.line_detail(),
            Self::Output(_) | Self::Orphan(_) | Self::Unknown(_) => Detail::Steps,
            Self::Thinking(_) => Detail::Full,
            Self::Notice(notice) => notice.detail(),
            Self::Context(context) => context.kind.detail(),
        }
    }
}

impl Notice {
    /// Interruptions and limits are shown at every level, failures from replies on, ordinary notices only at higher ones.
    fn detail(&self) -> Detail {
        match (self.severity, self.kind) {
            (_, NoticeKind::Interrupted | NoticeKind::Limit) => Detail::Prompts,
            (Severity::Error | Severity::Warning, _) | (_, NoticeKind::AwaySummary) => Detail::Talk,
            (
                _,
                NoticeKind::ApiError
                | NoticeKind::ModelChange
                | NoticeKind::Permission
                | NoticeKind::Task
                | NoticeKind::Memory
                | NoticeKind::Info,
            ) => Detail::Steps,
            (_, NoticeKind::Hook | NoticeKind::TurnDuration | NoticeKind::Session) => Detail::Full,
        }
    }
}

impl ContextKind {
    fn detail(self) -> Detail {
        match self {
            Self::File | Self::Editor | Self::Image | Self::Skill | Self::Plan => Detail::Full,
            Self::Instructions
            | Self::Hook
            | Self::Tasks
            | Self::Listing
            | Self::Environment
            | Self::Reminder
            | Self::Filler
            | Self::Hidden => Detail::Raw,
        }
    }
}
