//! Calls: a tool, its subject, and how it ended.

use std::sync::Arc;

use format::tool::{Ask, Nature, Tool};
use serde::{Deserialize, Serialize, Serializer};

use super::{Detail, Millis, Severity, ThreadId};
use crate::facts::CommitKind;
use crate::key::Key;
use crate::place::BlockPlace;
use crate::readable::{moment, or_null};
use crate::tasks::TaskChange;

/// A tool call with its result.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Call {
    /// The id of the call.
    #[serde(rename = "tool_use_id", serialize_with = "or_null")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub id: Box<str>,
    /// The tool's name, as in the call.
    #[serde(serialize_with = "shared")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub tool: Arc<str>,
    /// Its subject: the command, the file, the question.
    pub subject: Box<str>,
    /// Its state.
    pub state: CallState,
    /// Whether it needs the reader's attention.
    pub severity: Severity,
    /// Its outcome in one line.
    #[serde(serialize_with = "or_null")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub outcome: Box<str>,
    /// The number of lines it changed.
    pub change: Option<LineChange>,
    /// Its duration.
    #[serde(skip)]
    pub duration: Option<Duration>,
    /// What its input says about its end.
    #[serde(skip)]
    pub terms: CallTerms,
    /// The position of the result.
    #[serde(skip)]
    pub result: Option<BlockPlace>,
    /// The time of the result.
    #[serde(serialize_with = "moment")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::readable::Moment>"))]
    pub ended: Option<Millis>,
    /// The user's words when rejecting it.
    pub user_said: Option<Box<str>>,
    /// Its changes to the list of tasks.
    pub tasks: Box<[TaskChange]>,
    /// The thread of the agent that it started or woke.
    pub thread: Option<ThreadId>,
}

fn shared<S: Serializer>(text: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
    text.as_ref().serialize(serializer)
}

impl Call {
    /// What identifies it in other sessions, if it has an id.
    pub fn key(&self) -> Option<u64> {
        (!self.id.is_empty()).then(|| Key::of(&self.id).0)
    }

    /// The nature of its tool, from the table of tools.
    pub fn nature(&self) -> Nature<'_> {
        Tool::named(&self.tool).nature()
    }

    /// The title of the chapter that it begins, if it does.
    pub fn chapter(&self) -> Option<&str> {
        let is_chapter = Tool::named(&self.tool).marks_chapter() && self.severity != Severity::Error;
        Some(&*self.subject).filter(|title| is_chapter && !title.is_empty())
    }

    /// Whether it asks the human: it waits until you answer.
    pub fn asks(&self) -> bool {
        self.nature().asks.is_some()
    }

    /// Whether its result contains words or a choice of the user: an answer, a decision about a plan, the words of a
    /// rejection. They are shown whole at every level.
    pub fn has_human_words(&self) -> bool {
        let is_answered = matches!(self.state, CallState::Done | CallState::Rejected);
        let asks = matches!(self.nature().asks, Some(Ask::Answer | Ask::Approval));
        self.user_said.is_some() || is_answered && asks
    }

    /// The lowest level of detail that shows its line; a failure and the title of a chapter are shown with the replies.
    pub fn line_detail(&self) -> Detail {
        if self.severity == Severity::Error || self.chapter().is_some() { Detail::Talk } else { Detail::Steps }
    }
}

/// The outcome of a call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CallState {
    /// There is no result yet.
    #[default]
    Pending,
    /// It succeeded.
    Done,
    /// It continues in the background.
    Background,
    /// It failed.
    Failed,
    /// The user, a rule or a mode denied it.
    Rejected,
    /// The user interrupted it.
    Interrupted,
    /// It has no result and will get none: the program ended first.
    Lost,
    /// It failed in a way that answers its question: a search without a match, a shell that had already ended.
    ExpectedFailure,
    /// It did not run, because a call beside it failed.
    Cancelled,
}

impl CallState {
    /// What a line says about a call in this state besides its outcome; empty if the outcome is enough.
    pub const fn note(self) -> &'static str {
        match self {
            Self::Done | Self::ExpectedFailure | Self::Cancelled => "",
            Self::Pending => "no result yet",
            Self::Background => "in the background",
            Self::Failed => "failed",
            Self::Rejected => "rejected",
            Self::Interrupted => "interrupted",
            Self::Lost => "no result",
        }
    }

    /// Whether the tool itself ended the call, so that its duration says something about the tool.
    pub const fn is_of_tool(self) -> bool {
        matches!(self, Self::Done | Self::Failed | Self::ExpectedFailure)
    }
}

/// The number of changed lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LineChange {
    /// Added lines.
    pub added: u32,
    /// Removed lines.
    pub removed: u32,
}

/// What the input of a call says about how it can end.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallTerms {
    /// The meaning of exit code 1.
    pub exit_one: ExitOne,
    /// The longest time that it can run, in milliseconds, if there is a bound.
    pub longest_ms: Option<u32>,
    /// The commits and pull requests that it makes.
    pub git: GitTerms,
}

/// The commits and pull requests that a command makes if it succeeds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GitTerms {
    /// The kinds of its commits, in order.
    pub commits: Box<[CommitKind]>,
    /// The number of its pull requests.
    pub requests: u8,
    /// Whether it makes them in a loop, so that there may be more.
    pub repeats: bool,
}

/// The meaning of exit code 1 of a command.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExitOne {
    /// A failure.
    #[default]
    Failure,
    /// An answer, unless the output says otherwise: a search after a command that can fail.
    AnswerIfSilent,
    /// An answer: nothing found, or a difference.
    Answer,
}

/// The duration of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Duration {
    /// The time that it ran, in milliseconds.
    pub millis: u64,
    /// The time that it waited for the user before, in milliseconds, as far as it can be told apart.
    pub waited: u64,
    /// Whether the tool measured its time; otherwise it is the time between the two lines, without the wait.
    pub measured: bool,
}
