//! A session in a list of exported sessions.

use serde::{Deserialize, Serialize};
use story::step::Millis;

/// A session in the list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Listed {
    /// The link to its page, relative to the list.
    pub href: String,
    /// Its title.
    pub title: String,
    /// Its project; empty if unknown.
    pub project: String,
    /// The git branch.
    pub branch: Option<String>,
    /// When it was last active.
    pub last: Option<Millis>,
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
