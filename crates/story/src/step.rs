//! Steps: the single things a story tells.
//!
//! A step is small. It holds what a line of an overview needs, and where its
//! text is; whoever tells it in full reads the text from there.

use std::sync::Arc;

use format::tool::{Nature, Tool};
use serde::{Deserialize, Serialize};

use crate::number::{Number, numbered};
use crate::place::Place;
use crate::tasks::TaskChange;

/// A moment, in milliseconds since 1970.
pub type Millis = i64;

/// Which step of a story.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StepId(Number);

/// Which thread of a story; 0 is the main one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ThreadId(Number);

numbered!(StepId, ThreadId);

impl ThreadId {
    /// The conversation.
    pub const MAIN: Self = Self(Number::FIRST);
}

/// One thing that is told.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Where it stands.
    pub place: Place,
    /// When it happened, if its line says so.
    pub at: Option<Millis>,
    /// Whether it was taken back: a refusal that another model replaced, or an earlier try.
    pub withdrawn: bool,
    /// What it is.
    pub kind: StepKind,
}

impl Step {
    /// Whether a turn begins with it: with what is asked, unless it is asked in the middle of one, or never was.
    pub fn begins_turn(&self) -> bool {
        matches!(&self.kind, StepKind::Prompt(prompt) if matches!(prompt.delivery, Delivery::Direct | Delivery::Queued))
    }

    /// Whether somebody is at work in a step; others come while nobody is, such as recaps for whoever was away.
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

/// What a step is.
#[derive(Debug, Clone, PartialEq)]
pub enum StepKind {
    /// Something that was asked of the model: by the user, or in the user's place.
    Prompt(Box<Prompt>),
    /// What the model said.
    Reply(Reply),
    /// What the model thought.
    Thinking(Thinking),
    /// What the model did.
    Call(Box<Call>),
    /// What a command of the user's printed.
    Output(Box<Output>),
    /// What the program says about the session.
    Notice(Box<Notice>),
    /// What the model was told beside the prompt.
    Context(Box<Context>),
    /// The conversation was summarised, to go on in less room.
    Compaction(Box<Compaction>),
    /// The history of another session, which this one continues.
    Joint(Box<Joint>),
    /// How a run of `claude -p` ended.
    Outcome(Box<RunOutcome>),
    /// A result without its call.
    Orphan(Box<Orphan>),
    /// A block or an entry that no known version writes.
    Unknown(Box<str>),
}

/// How much is told. Every level shows all that the ones before it show.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Detail {
    /// What was asked.
    Prompts,
    /// What was said.
    Talk,
    /// What was done, a line each.
    #[default]
    Steps,
    /// All of it, with thoughts, results and context.
    Full,
    /// With what is of no interest to a reader, and the lines themselves.
    Raw,
}

/// Something that was asked of the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompt {
    /// Who asks, and how.
    pub kind: PromptKind,
    /// How it reached the model.
    pub delivery: Delivery,
    /// Its first words.
    pub preview: Box<str>,
    /// Numbers of the images in it, as in `[Image #2]`; 0 for those without a number.
    pub images: Box<[i64]>,
    /// The thread of the agent that it speaks of.
    pub thread: Option<ThreadId>,
}

/// Who asks, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum PromptKind {
    /// The user, in words.
    Typed,
    /// The user, by a slash command.
    Command {
        /// With its slash.
        name: Box<str>,
        /// What was typed behind it.
        args: Box<str>,
    },
    /// The user, by a `!` shell escape.
    Bash,
    /// The user, by a `#` memory.
    Memory,
    /// The user, by approving a plan that is to be carried out in a fresh session.
    Plan,
    /// A task in the background has something to say.
    Notification {
        /// The task.
        task: Box<str>,
        /// `completed`, `failed`, `killed`, `stopped`; empty if it goes on.
        status: Box<str>,
    },
    /// A schedule.
    Scheduled,
    /// A member of the team.
    Teammate(Box<str>),
    /// Another session or agent.
    Peer(Box<str>),
    /// A channel, by its server.
    Channel(Box<str>),
    /// The agent that spawned this one.
    Parent,
    /// The program itself, to keep the model going.
    Program,
}

impl PromptKind {
    /// Whether a human asked.
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
pub enum Delivery {
    /// At once.
    #[default]
    Direct,
    /// It waited for the turn to end.
    Queued,
    /// In the middle of the turn: steering.
    Steering,
    /// Never: the user took it back, or it is waiting.
    Undelivered,
}

/// What the model said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// Its first words.
    pub preview: Box<str>,
    /// How long it is, in bytes.
    pub length: u32,
    /// Whether it is still being said, as far as the lines tell.
    pub partial: bool,
}

/// What the model thought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thinking {
    /// How long it is, in bytes; 0 if only the API can read it.
    pub length: u32,
    /// Whether it is still going on, as far as the lines tell.
    pub partial: bool,
}

/// What the model did: a call with its result.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The id of the call.
    pub id: Box<str>,
    /// The name of the tool, as it was called.
    pub tool: Arc<str>,
    /// What it is about: the command, the file, the question.
    pub subject: Box<str>,
    /// How it went.
    pub state: CallState,
    /// Whether a reader should look at it.
    pub severity: Severity,
    /// What came of it, in a line.
    pub outcome: Box<str>,
    /// How many lines of text it changed.
    pub change: Option<LineChange>,
    /// How long it took.
    pub duration: Option<Duration>,
    /// Where the result stands.
    pub result: Option<Place>,
    /// When the result came.
    pub ended: Option<Millis>,
    /// What the user said when rejecting it.
    pub user_said: Option<Box<str>>,
    /// What it changed in the list of tasks.
    pub tasks: Box<[TaskChange]>,
    /// The thread of the agent that it started or woke.
    pub thread: Option<ThreadId>,
}

impl Call {
    /// What its tool is like, by the table of tools.
    pub fn nature(&self) -> Nature<'_> {
        Tool::named(&self.tool).nature()
    }

    /// Whether it asks the human: it waits until you answer.
    pub fn asks(&self) -> bool {
        self.nature().asks.is_some()
    }
}

/// How a call went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallState {
    /// There is no result yet.
    #[default]
    Pending,
    /// It went well.
    Done,
    /// It goes on in the background.
    Background,
    /// It failed.
    Failed,
    /// The user, a rule or a mode did not allow it.
    Rejected,
    /// The user interrupted it.
    Interrupted,
    /// There is no result, and none will come: the program ended first.
    Lost,
}

/// Whether a reader should look at something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Severity {
    /// All is well.
    #[default]
    Normal,
    /// Not what was hoped for, but nothing to worry about: a rejected plan, a shell that had ended by itself.
    Expected,
    /// Something that may matter.
    Warning,
    /// A failure.
    Error,
}

/// How many lines of text were changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineChange {
    /// Lines that are new.
    pub added: u32,
    /// Lines that are gone.
    pub removed: u32,
}

/// How long a call took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Duration {
    /// Milliseconds.
    pub millis: u64,
    /// Whether the tool measured it itself; otherwise it is the time between the two lines.
    pub measured: bool,
}

/// What a command of the user's printed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// Whether it was printed as an error.
    pub is_error: bool,
    /// Its first words.
    pub preview: Box<str>,
}

/// What the program says about the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// What it is about.
    pub kind: NoticeKind,
    /// Whether a reader should look at it.
    pub severity: Severity,
    /// What it says, in a line.
    pub text: Box<str>,
    /// How many lines say the same, such as retries of one request.
    pub times: u32,
}

/// What a notice is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum NoticeKind {
    /// A request to the API failed, and is tried again or given up.
    ApiError,
    /// The plan or the budget allows no more.
    Limit,
    /// The user stopped the model.
    Interrupted,
    /// A hook had something to say, or failed.
    Hook,
    /// How long the turn took.
    TurnDuration,
    /// What happened while the user was away.
    AwaySummary,
    /// Another model took over.
    ModelChange,
    /// What may be done without asking was changed, or something was not allowed.
    Permission,
    /// A task in the background.
    Task,
    /// Something was remembered.
    Memory,
    /// The session itself: its connection, its store, its mode.
    Session,
    /// Whatever else the program thinks worth telling.
    Info,
}

/// What the model was told beside the prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Context {
    /// What it is.
    pub kind: ContextKind,
    /// What it is about, in a line: a path, a name, first words.
    pub preview: Box<str>,
}

/// What the model was told beside the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ContextKind {
    /// A file or a folder that was mentioned, or has changed.
    File,
    /// What the editor shows: an open file, selected lines, diagnostics.
    Editor,
    /// An image, or a note about one.
    Image,
    /// Instructions: memory files, rules, output styles.
    Instructions,
    /// The body of a skill or a command.
    Skill,
    /// What a hook adds.
    Hook,
    /// The plan, or the mode of planning.
    Plan,
    /// The list of tasks.
    Tasks,
    /// What is available: tools, skills, agents, servers.
    Listing,
    /// The environment: date, model, machine, team.
    Environment,
    /// A reminder of the program's.
    Reminder,
    /// Filler that keeps the protocol happy: caveats, resume pairs.
    Filler,
    /// Hidden from the user for whatever other reason.
    Hidden,
}

/// The conversation was summarised.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compaction {
    /// How it came about.
    pub trigger: Trigger,
    /// Tokens in the context before.
    pub tokens_before: Option<i64>,
    /// Tokens in the context after.
    pub tokens_after: Option<i64>,
    /// The first words of the summary.
    pub preview: Box<str>,
    /// Where the summary stands, if there is one.
    pub summary: Option<Place>,
    /// How many messages were carried over as they were.
    pub preserved: u32,
    /// Whether only old results were dropped, or a part of the conversation was summarised.
    pub extent: Extent,
}

/// How a compaction came about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Trigger {
    /// The context was full.
    Auto,
    /// The user asked for it.
    Manual,
    /// It is not said.
    #[default]
    Unknown,
}

/// How much of the conversation was compacted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Extent {
    /// All of it.
    #[default]
    Whole,
    /// A part of it.
    Part,
    /// Only results of tools.
    Results,
}

/// The history of another session, which this one continues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Joint {
    /// That session.
    pub session: Box<str>,
    /// How many entries of it were copied to this one.
    pub entries: u32,
}

/// How a run of `claude -p` ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunOutcome {
    /// `success`, `error_max_turns`…
    pub kind: Box<str>,
    /// Whether it failed.
    pub is_error: bool,
    /// What it says, in a line.
    pub preview: Box<str>,
    /// What the process has cost so far, in US dollars.
    pub cost_usd: Option<f64>,
    /// How long the turn took, in milliseconds.
    pub duration_ms: Option<u64>,
    /// How often the model was asked.
    pub turns: Option<u32>,
    /// The tools that were not allowed.
    pub denied: Box<[Box<str>]>,
    /// What went wrong.
    pub errors: Box<[Box<str>]>,
}

/// A result without its call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Orphan {
    /// The id of the call that is nowhere; empty if the result does not name one.
    pub id: Box<str>,
    /// What it says, in a line.
    pub preview: Box<str>,
    /// Whether it tells of a failure.
    pub failed: bool,
}

impl StepKind {
    /// The thread of the agent that it started, woke or speaks of, where it can have one.
    pub(crate) fn agent_mut(&mut self) -> Option<&mut Option<ThreadId>> {
        match self {
            Self::Call(call) => Some(&mut call.thread),
            Self::Prompt(prompt) => Some(&mut prompt.thread),
            _ => None,
        }
    }

    /// The least detail at which it is told.
    pub fn detail(&self) -> Detail {
        match self {
            // The user took it back: it was never asked.
            Self::Prompt(prompt) if prompt.delivery == Delivery::Undelivered => Detail::Full,
            Self::Prompt(_) => Detail::Prompts,
            Self::Reply(_) | Self::Outcome(_) | Self::Compaction(_) | Self::Joint(_) => Detail::Talk,
            Self::Call(_) | Self::Output(_) | Self::Orphan(_) | Self::Unknown(_) => Detail::Steps,
            Self::Thinking(_) => Detail::Full,
            Self::Notice(notice) => notice.detail(),
            Self::Context(context) => context.kind.detail(),
        }
    }
}

impl Notice {
    /// Failures are always visible; what is merely so waits to be asked for.
    fn detail(&self) -> Detail {
        match (self.severity, self.kind) {
            (Severity::Error, _) | (_, NoticeKind::Interrupted | NoticeKind::Limit) => Detail::Prompts,
            (Severity::Warning, _) | (_, NoticeKind::AwaySummary) => Detail::Talk,
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
