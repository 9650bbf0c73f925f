//! Reads failures: calls that failed, were denied or were stopped.

use super::background::TaskState;
use crate::json::Text;
use crate::text::{Reply, ResultText};

/// A call that failed, was denied, or was stopped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Failure<'a> {
    /// Why.
    pub kind: FailureKind<'a>,
    /// The remaining text: the message, or the output until then.
    pub text: Text<'a>,
}

/// Why a call failed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FailureKind<'a> {
    /// The tool reports an error.
    Error,
    /// The call was malformed, or the tool refused it.
    ToolUseError,
    /// A command ended with this code.
    ExitCode(i64),
    /// A command ran out of time.
    TimedOut {
        /// The time limit, e.g. `2m 0s`.
        after: Text<'a>,
    },
    /// The user rejected the call.
    Rejected {
        /// The user's own words.
        user_said: Option<Text<'a>>,
        /// The user wants to discuss the questions first.
        wants_to_clarify: bool,
    },
    /// The user interrupted the call.
    Interrupted,
    /// A rule, a mode or a classifier denied the call.
    Denied {
        /// The classifier's reason.
        reason: Option<Text<'a>>,
    },
    /// The call was cancelled because a parallel call failed.
    SiblingErrored {
        /// The call that failed, e.g. `Bash(make test)`.
        sibling: Option<Text<'a>>,
    },
    /// The task or shell to stop had already ended.
    AlreadyEnded {
        /// Its state.
        state: Option<TaskState<'a>>,
    },
}

impl<'a> Failure<'a> {
    /// Reads a text that is known to be a failure but has no known form.
    pub(super) fn from_text(text: &'a str) -> Self {
        let text = text.strip_prefix("Error: ").unwrap_or(text);
        let kind = already_ended(text).unwrap_or(FailureKind::Error);
        Self { kind, text: Text::from(text) }
    }

    /// The failure that a text states; `None` if it may be an ordinary result.
    pub(super) fn stated(reading: ResultText<'a>) -> Option<Self> {
        let (kind, text) = match reading {
            ResultText::ToolUseError(text) => (already_ended(text).unwrap_or(FailureKind::ToolUseError), text),
            ResultText::ExitCode { code, output } => (FailureKind::ExitCode(i64::from(code)), output),
            ResultText::TimedOut { after, output } => (FailureKind::TimedOut { after: Text::from(after) }, output),
            ResultText::Interrupted { output } => (FailureKind::Interrupted, output),
            ResultText::Rejected(reply) => rejected(reply),
            ResultText::AutoModeDenied { reason } => (FailureKind::Denied { reason: Some(Text::from(reason)) }, reason),
            ResultText::PermissionDenied { tool: _, text } => (FailureKind::Denied { reason: None }, text),
            ResultText::SiblingErrored { sibling } => {
                (FailureKind::SiblingErrored { sibling: sibling.map(Text::from) }, "")
            }
            ResultText::Persisted(_)
            | ResultText::Cleared
            | ResultText::Background(_)
            | ResultText::AgentLaunched { .. }
            | ResultText::Unchanged
            | ResultText::Plain(_) => return None,
        };
        Some(Self { kind, text: Text::from(text) })
    }

    /// Whether no command prints this, so that it means a failure even if nothing else says so.
    pub(super) fn is_unmistakable(&self) -> bool {
        match self.kind {
            FailureKind::ToolUseError
            | FailureKind::Rejected { .. }
            | FailureKind::Interrupted
            | FailureKind::SiblingErrored { .. } => true,
            FailureKind::Error
            | FailureKind::ExitCode(_)
            | FailureKind::TimedOut { .. }
            | FailureKind::Denied { .. }
            | FailureKind::AlreadyEnded { .. } => false,
        }
    }
}

fn rejected(reply: Reply<'_>) -> (FailureKind<'_>, &str) {
    let (user_said, wants_to_clarify, text) = match reply {
        Reply::Silent => (None, false, ""),
        Reply::Said(words) => (Some(Text::from(words)), false, words),
        Reply::WantsToClarify(text) => (None, true, text),
    };
    (FailureKind::Rejected { user_said, wants_to_clarify }, text)
}

/// `Shell b8d1 is not running, so cannot be killed (status: killed)`: it ended by itself.
fn already_ended(text: &str) -> Option<FailureKind<'_>> {
    let (subject, rest) = text.split_once(" is not running")?;
    if !(subject.starts_with("Shell ") || subject.starts_with("Task ")) || subject.contains('\n') {
        return None;
    }
    let state = rest.split_once("(status: ").and_then(|(_, rest)| rest.split_once(')')).map(|(word, _)| word);
    Some(FailureKind::AlreadyEnded { state: state.map(|word| TaskState::new(Text::from(word))) })
}
