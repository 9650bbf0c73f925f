//! What is listed and found, for programs: one form for commands and the server.
//!
//! | module | for |
//! |---|---|
//! | `list` | sessions, their agents, and projects (`docs/ls-json.md`) |
//! | `found` | what a search found (`docs/search.md`) |
//!
//! With the feature `schema` all of them have a JSON Schema.

mod found;
mod list;

use std::path::Path;

use jiff::Timestamp;
use serde::Serialize;
use story::step::Millis;

use crate::catalogue::Used;

pub use found::{FoundAgentOut, FoundOut};
pub use list::{AgentOut, ProjectOut, ProjectsOut, SessionOut, SessionsOut};

/// What was used.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UsedOut {
    tokens: u64,
    cost_usd: f64,
    /// Only a first count of tokens was written down for some of it.
    cost_is_at_least: bool,
    /// Some of it has no known price.
    cost_is_partial: bool,
}

impl UsedOut {
    /// What was used, for programs.
    pub fn of(used: &Used) -> Self {
        let Used { tokens, cost, is_low, is_partial } = *used;
        Self { tokens, cost_usd: cost.dollars(), cost_is_at_least: is_low, cost_is_partial: is_partial }
    }
}

/// A moment, UTC, with milliseconds.
pub fn moment(at: Option<Millis>) -> Option<String> {
    Timestamp::from_millisecond(at?).ok().map(|at| format!("{at:.3}"))
}

/// The name of a file. JSON has no words for names that are not Unicode: what cannot be written is replaced.
pub fn path(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
