//! A session in a list of exported sessions.

use serde::{Deserialize, Serialize};
use story::step::Millis;
use story::{SessionState, SessionStatus, StateReason};

/// A session in the list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Listed {
    /// The link to its page, relative to the list.
    pub href: String,
    /// Its title; never empty.
    pub title: String,
    /// Its project, the repository in which it ran; empty if unknown.
    pub project: String,
    /// The git branch.
    pub branch: Option<String>,
    /// When it was last active.
    pub last: Option<Millis>,
    /// Its state when it was exported.
    pub state: Option<SessionState>,
    /// The reason of that state.
    pub state_reason: Option<StateReason>,
    /// Since when.
    pub state_since: Option<Millis>,
    /// Whether more than its lines says so.
    pub state_is_certain: bool,
    /// The number of turns.
    pub turns: u32,
    /// The number of failed calls.
    pub failed: u32,
    /// Its cost, if known.
    pub cost: Option<String>,
    /// The size of its files.
    pub bytes: u64,
    /// The beginnings of its prompts.
    pub prompts: Vec<String>,
}

impl Listed {
    /// Sets its state.
    #[must_use]
    pub fn in_state(self, status: SessionStatus) -> Self {
        let SessionStatus { reason, since, is_certain } = status;
        Self {
            state: Some(reason.state()),
            state_reason: Some(reason),
            state_since: since,
            state_is_certain: is_certain,
            ..self
        }
    }

    /// Its state; `None` for one of an export that recorded no states.
    pub fn status(&self) -> Option<SessionStatus> {
        let reason = self.state_reason?;
        Some(SessionStatus { reason, since: self.state_since, is_certain: self.state_is_certain })
    }
}
