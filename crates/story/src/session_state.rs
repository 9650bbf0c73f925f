//! The state of a session: one of six, with its reason. All outputs use these words and marks.
//!
//! The state is not a fact of a story: it depends on the time and on whether a process runs. `live` decides it from the
//! [`crate::Ending`] of the story and other evidence; this module only names the possible answers.

use serde::{Deserialize, Serialize};

use crate::step::Millis;

/// The state of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SessionState {
    /// It waits for you.
    Blocked,
    /// The model, a tool or something in the background is running.
    Working,
    /// It waits for a limit or a retry, and continues by itself.
    Paused,
    /// The turn is finished and the process is there.
    Done,
    /// Nothing runs; the last turn finished, or you stopped it.
    Ended,
    /// The last turn never finished: it gave up, or its process is gone.
    Failed,
}

/// The reason for a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StateReason {
    /// Blocked: a call needs your permission.
    Permission,
    /// Blocked: a question needs your answer.
    Question,
    /// Blocked: a plan needs your approval.
    Plan,
    /// Working: a turn is in progress.
    Turn,
    /// Working: the turn is finished, and a command or an agent runs in the background.
    Background,
    /// Paused: a request failed and is retried.
    Retry,
    /// Paused: a limit of the plan or the budget is reached.
    Limit,
    /// Done: it is your turn.
    YourTurn,
    /// Ended: the last turn finished.
    Finished,
    /// Ended: you stopped the last turn.
    Stopped,
    /// Failed: an error ended the last turn.
    Error,
    /// Failed: nothing runs, and the last turn has no end.
    Gone,
}

/// The state of a session at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionStatus {
    /// Its reason, which implies the state.
    pub reason: StateReason,
    /// Since when, in milliseconds since 1970.
    pub since: Option<Millis>,
    /// Whether more than the lines of the session says so. Without a registered process and without hook events, that
    /// a session runs is only probable.
    pub is_certain: bool,
}

impl SessionState {
    /// All states, in the order of lists.
    pub const ALL: [Self; 6] = [Self::Blocked, Self::Working, Self::Paused, Self::Done, Self::Ended, Self::Failed];

    /// Its name in every output.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Blocked => "blocked",
            Self::Working => "working",
            Self::Paused => "paused",
            Self::Done => "done",
            Self::Ended => "ended",
            Self::Failed => "failed",
        }
    }

    /// Its mark where there is no room for the word.
    pub const fn shape(self) -> &'static str {
        match self {
            Self::Blocked => "◆",
            Self::Working => "◌",
            Self::Paused => "‖",
            Self::Done => "✓",
            Self::Ended => "○",
            Self::Failed => "✕",
        }
    }

    /// Its meaning.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Blocked => "it waits for you",
            Self::Working => "the model, a tool or something in the background is running",
            Self::Paused => "it waits for a limit or a retry, and continues by itself",
            Self::Done => "the turn is finished and the process is there",
            Self::Ended => "nothing runs; the last turn finished, or you stopped it",
            Self::Failed => "the last turn never finished: it gave up, or its process is gone",
        }
    }

    /// Whether something runs or waits, rather than being over.
    pub const fn is_under_way(self) -> bool {
        match self {
            Self::Blocked | Self::Working | Self::Paused => true,
            Self::Done | Self::Ended | Self::Failed => false,
        }
    }
}

impl StateReason {
    /// All reasons, in the order of their states.
    pub const ALL: [Self; 12] = [
        Self::Permission,
        Self::Question,
        Self::Plan,
        Self::Turn,
        Self::Background,
        Self::Retry,
        Self::Limit,
        Self::YourTurn,
        Self::Finished,
        Self::Stopped,
        Self::Error,
        Self::Gone,
    ];

    /// The state that it is a reason for.
    pub const fn state(self) -> SessionState {
        match self {
            Self::Permission | Self::Question | Self::Plan => SessionState::Blocked,
            Self::Turn | Self::Background => SessionState::Working,
            Self::Retry | Self::Limit => SessionState::Paused,
            Self::YourTurn => SessionState::Done,
            Self::Finished | Self::Stopped => SessionState::Ended,
            Self::Error | Self::Gone => SessionState::Failed,
        }
    }

    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Permission => "permission",
            Self::Question => "question",
            Self::Plan => "plan",
            Self::Turn => "turn",
            Self::Background => "background",
            Self::Retry => "retry",
            Self::Limit => "limit",
            Self::YourTurn => "your_turn",
            Self::Finished => "finished",
            Self::Stopped => "stopped",
            Self::Error => "error",
            Self::Gone => "gone",
        }
    }

    /// What it adds to the word of the state, for people; `None` if that says it all.
    pub const fn detail(self) -> Option<&'static str> {
        match self {
            Self::Permission => Some("needs your permission"),
            Self::Question => Some("asks a question"),
            Self::Plan => Some("has a plan to approve"),
            Self::Background => Some("in the background"),
            Self::Retry => Some("retries a request"),
            Self::Limit => Some("limit reached"),
            Self::Stopped => Some("stopped by you"),
            Self::Error => Some("an error ended the last turn"),
            Self::Gone => Some("the last turn has no end"),
            Self::Turn | Self::YourTurn | Self::Finished => None,
        }
    }

    /// Whether a question or a plan waits for an answer.
    pub const fn is_question(self) -> bool {
        matches!(self, Self::Question | Self::Plan)
    }
}

impl SessionStatus {
    /// The state.
    pub const fn state(self) -> SessionState {
        self.reason.state()
    }

    /// The word of the state, with a question mark if it is uncertain.
    pub fn word(self) -> String {
        let mark = if self.is_certain { "" } else { "?" };
        format!("{}{mark}", self.state().word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_written_to_json() {
        let json = |value: serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        for state in SessionState::ALL {
            assert_eq!(json(serde_json::to_value(state).unwrap()), state.word());
        }
        for reason in StateReason::ALL {
            assert_eq!(json(serde_json::to_value(reason).unwrap()), reason.name());
        }
    }

    #[test]
    fn every_state_has_a_reason_a_word_and_a_shape_of_its_own() {
        use std::collections::BTreeSet;
        let reached: BTreeSet<_> = StateReason::ALL.into_iter().map(StateReason::state).collect();
        assert_eq!(reached, SessionState::ALL.into_iter().collect());
        let words: BTreeSet<_> = SessionState::ALL.into_iter().map(SessionState::word).collect();
        let shapes: BTreeSet<_> = SessionState::ALL.into_iter().map(SessionState::shape).collect();
        assert_eq!((words.len(), shapes.len()), (6, 6));
    }

    #[test]
    fn an_uncertain_state_is_marked() {
        let status = |is_certain| SessionStatus { reason: StateReason::Background, since: None, is_certain };
        assert_eq!((status(true).word().as_str(), status(false).word().as_str()), ("working", "working?"));
    }
}
