//! The subject and the outcome of a call, one short line each.
//!
//! [`subject`] reads the input of a call, [`outcome`] its result. A tool without a row there is described by the file
//! that the table of tools names or by its most informative field ([`fields`]). [`phrase`] puts the words of a line
//! together.

mod change;
mod command_line;
mod failure;
mod fields;
mod git;
mod outcome;
mod phrase;
mod shell;
mod subject;
mod terms;
#[cfg(test)]
mod tests;

pub(crate) use git::{Made, MadeCommit, is_same, made, request_name};
pub(crate) use outcome::outcome;
pub(crate) use subject::{got_status, got_subject, subject, update_subject};
pub(crate) use terms::terms;

use crate::preview::preview;
use crate::step::{CallState, CallTerms, ExitOne, LineChange, Severity};

/// The outcome of a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// Its state.
    pub state: CallState,
    /// Whether it needs the reader's attention.
    pub severity: Severity,
    /// The result in one line; empty where the subject already says it.
    pub preview: Box<str>,
    /// The number of lines it changed.
    pub change: Option<LineChange>,
    /// The exit code of a command that failed.
    pub exit_code: Option<i64>,
    /// Its duration as measured by the tool.
    pub measured_ms: Option<u64>,
    /// The user's words when rejecting it.
    pub user_said: Option<Box<str>>,
    /// The agent that it started or woke: an id, or the name of a teammate.
    pub agent: Option<Box<str>>,
}

impl Outcome {
    fn new(state: CallState, severity: Severity, line: &str) -> Self {
        Self { state, severity, preview: preview(line), ..Self::default() }
    }

    /// A success.
    fn done(line: impl AsRef<str>) -> Self {
        Self::new(CallState::Done, Severity::Normal, line.as_ref())
    }

    /// A success whose result may matter.
    fn warning(line: impl AsRef<str>) -> Self {
        Self::new(CallState::Done, Severity::Warning, line.as_ref())
    }

    /// The call continues in the background, as the task with this id.
    fn background(id: &str) -> Self {
        let line = phrase::pair("runs in the background", " as ", id);
        Self::new(CallState::Background, Severity::Normal, &line)
    }

    /// A failure.
    fn failed(line: impl AsRef<str>) -> Self {
        Self::new(CallState::Failed, Severity::Error, line.as_ref())
    }

    /// A command that ended with an exit code other than 0; `line` is its complaint.
    fn exited(code: i64, line: &str) -> Self {
        let failed = Self::failed(phrase::pair(&format!("exit {code}"), ": ", line));
        Self { exit_code: Some(code), ..failed }
    }

    /// The outcome of a call with these terms: exit code 1 may be an answer.
    pub(crate) fn under(self, terms: &CallTerms) -> Self {
        let is_answer = self.exit_code == Some(1)
            && match terms.exit_one {
                ExitOne::Failure => false,
                ExitOne::AnswerIfSilent => &*self.preview == "exit 1",
                ExitOne::Answer => true,
            };
        if !is_answer {
            return self;
        }
        Self { state: CallState::ExpectedFailure, severity: Severity::Expected, ..self }
    }

    /// A success or a failure, as the tool states; a success if it does not.
    fn by_success(success: Option<bool>, line: impl AsRef<str>) -> Self {
        if success == Some(false) { Self::failed(line) } else { Self::done(line) }
    }

    fn measured(self, millis: Option<i64>) -> Self {
        Self { measured_ms: millis.and_then(|millis| u64::try_from(millis).ok()), ..self }
    }

    fn changed(self, change: Option<LineChange>) -> Self {
        Self { change, ..self }
    }

    fn of_agent(self, agent: &str) -> Self {
        Self { agent: (!agent.is_empty()).then(|| agent.into()), ..self }
    }
}
