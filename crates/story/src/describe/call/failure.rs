//! Calls that failed or were not allowed, and whether that matters.

use format::entry::{ToolDenial, User};
use format::tool::{Failure, FailureKind, Tool, ToolKind};

use super::Outcome;
use super::phrase::{complaint, pair, word};
use crate::preview::shortened;
use crate::step::{CallState, Severity};

pub(super) fn outcome(tool: Option<&str>, failure: &Failure<'_>, user: Option<&User<'_>>) -> Outcome {
    let text = failure.text.as_str();
    match failure.kind {
        FailureKind::Error if text == FORMULA => rejected(tool, ""),
        FailureKind::Error | FailureKind::ToolUseError => match user.and_then(|user| user.tool_denial_kind) {
            Some(denial) => denied(tool, denial, text),
            // Before there were exit codes, all that a command had printed was the message.
            None if failure.kind == FailureKind::Error && is_one_of(tool, &[ToolKind::Bash, ToolKind::PowerShell]) => {
                Outcome::failed(complaint(text))
            }
            None => error(tool, text),
        },
        FailureKind::ExitCode(code) => Outcome::exited(code, &complaint(text)),
        FailureKind::TimedOut { after } => {
            Outcome::failed(pair(&pair("timed out", " after ", &after), ": ", &complaint(text)))
        }
        FailureKind::Rejected { wants_to_clarify: true, .. } => {
            Outcome::new(CallState::Rejected, Severity::Expected, "the user wants to clarify the questions")
        }
        FailureKind::Rejected { user_said, wants_to_clarify: false } => rejected(tool, word(user_said)),
        FailureKind::Interrupted => interrupted(text),
        FailureKind::Denied { .. } => not_allowed(text),
        FailureKind::SiblingErrored { sibling } => {
            let line = pair("cancelled, because a parallel call failed", ": ", word(sibling));
            Outcome::new(CallState::Cancelled, Severity::Expected, &line)
        }
        FailureKind::AlreadyEnded { state } => {
            let line = pair("had ended already", ": ", state.map_or("", |state| state.as_str()));
            Outcome::new(CallState::ExpectedFailure, Severity::Expected, &line)
        }
    }
}

/// A call that was not allowed, where the text itself does not show it.
fn denied(tool: Option<&str>, denial: ToolDenial<'_>, text: &str) -> Outcome {
    match denial {
        ToolDenial::UserRejected => rejected(tool, text),
        ToolDenial::Interrupted => interrupted(""),
        ToolDenial::PermissionRule
        | ToolDenial::AutoModeBlocked
        | ToolDenial::AutoModeUnavailable
        | ToolDenial::Other(_) => not_allowed(text),
    }
}

/// The whole text of a rejection that does not record what the model received.
const FORMULA: &str = "User rejected tool use";

fn rejected(tool: Option<&str>, words: &str) -> Outcome {
    /// The words of the user are speech, and may be longer than a line.
    const LONGEST_SPEECH: usize = 1000;
    // To a tool that asks, a no is an answer.
    let asks = tool.is_some_and(|name| Tool::named(name).nature().asks.is_some());
    let severity = if asks { Severity::Expected } else { Severity::Warning };
    let line = if words.is_empty() { "rejected by the user" } else { words };
    let user_said = (!words.is_empty()).then(|| shortened(words, LONGEST_SPEECH));
    Outcome { user_said, ..Outcome::new(CallState::Rejected, severity, line) }
}

pub(super) fn interrupted(output: &str) -> Outcome {
    let line = pair("interrupted by the user", " after: ", &super::phrase::gist(output));
    Outcome::new(CallState::Interrupted, Severity::Warning, &line)
}

fn not_allowed(text: &str) -> Outcome {
    Outcome::new(CallState::Rejected, Severity::Warning, text)
}

fn error(tool: Option<&str>, text: &str) -> Outcome {
    let (state, severity) = if is_expected(tool, text) {
        (CallState::ExpectedFailure, Severity::Expected)
    } else {
        (CallState::Failed, Severity::Error)
    };
    Outcome::new(state, severity, text.strip_prefix("Error: ").unwrap_or(text))
}

/// Whether the call read or ended something that was already over.
fn is_expected(tool: Option<&str>, text: &str) -> bool {
    const TOOLS: [ToolKind; 3] = [ToolKind::BashOutput, ToolKind::TaskOutput, ToolKind::TaskStop];
    const STARTS: [&str; 2] = ["No shell found", "No task found"];
    is_one_of(tool, &TOOLS) && STARTS.iter().any(|start| text.starts_with(start))
}

fn is_one_of(tool: Option<&str>, kinds: &[ToolKind]) -> bool {
    tool.and_then(ToolKind::named).is_some_and(|kind| kinds.contains(&kind))
}
