//! The state of a session, in every document that gives one.

use serde::Serialize;
use story::readable::Moment;
use story::{SessionState, SessionStatus, StateReason};

/// The state of a session.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct StateOut {
    /// The state.
    pub state: SessionState,
    /// Its reason, which is more specific.
    pub state_reason: StateReason,
    /// Since when.
    pub state_since: Option<Moment>,
    /// Whether more than the lines of the session says so: a registered process, hook events, or the end of the session.
    pub state_is_certain: bool,
}

impl From<SessionStatus> for StateOut {
    fn from(status: SessionStatus) -> Self {
        let SessionStatus { reason, since, is_certain } = status;
        Self {
            state: reason.state(),
            state_reason: reason,
            state_since: since.map(Moment),
            state_is_certain: is_certain,
        }
    }
}
