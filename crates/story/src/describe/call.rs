//! What a call is about and what came of it, each in one quiet line.
//!
//! [`subject`] reads what the model asked for, [`outcome`] what it got. Both are one exhaustive match: a new tool does
//! not compile until it has its line in each. The words of a line are put together in [`phrase`]; free objects, whose
//! fields nobody knows beforehand, are told by [`fields`].

mod change;
mod failure;
mod fields;
mod outcome;
mod phrase;
mod shell;
mod subject;
#[cfg(test)]
mod tests;

pub(crate) use outcome::outcome;
pub(crate) use subject::subject;

use crate::preview::preview;
use crate::step::{CallState, LineChange, Severity};

/// What came of a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// How it went.
    pub state: CallState,
    /// Whether a reader should look at it.
    pub severity: Severity,
    /// The result in a line; empty where the subject has said it all.
    pub preview: Box<str>,
    /// How many lines of text it changed.
    pub change: Option<LineChange>,
    /// How long it took, by the tool's own clock.
    pub measured_ms: Option<u64>,
    /// What the user said when rejecting it.
    pub user_said: Option<Box<str>>,
    /// The agent that it started or woke: an id, or the name of a member of the team.
    pub agent: Option<Box<str>>,
}

impl Outcome {
    fn new(state: CallState, severity: Severity, told: &str) -> Self {
        Self { state, severity, preview: preview(told), ..Self::default() }
    }

    /// It went well.
    fn done(told: impl AsRef<str>) -> Self {
        Self::new(CallState::Done, Severity::Normal, told.as_ref())
    }

    /// It was done, and what it brought may matter.
    fn warning(told: impl AsRef<str>) -> Self {
        Self::new(CallState::Done, Severity::Warning, told.as_ref())
    }

    /// It goes on, as the task of this id.
    fn background(id: &str) -> Self {
        let told = phrase::pair("runs in the background", " as ", id);
        Self::new(CallState::Background, Severity::Normal, &told)
    }

    /// It failed.
    fn failed(told: impl AsRef<str>) -> Self {
        Self::new(CallState::Failed, Severity::Error, told.as_ref())
    }

    /// Done or failed, as the tool itself says; where it does not say, it went well.
    fn by_success(success: Option<bool>, told: impl AsRef<str>) -> Self {
        if success == Some(false) { Self::failed(told) } else { Self::done(told) }
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
