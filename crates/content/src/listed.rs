//! A session as lists of exported sessions show it.

use serde::{Deserialize, Serialize};
use story::step::Millis;

/// A session in the list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Listed {
    /// Where its page is, from the list.
    pub href: String,
    /// What it is called.
    pub title: String,
    /// The project that it worked in; empty if that is not known.
    pub project: String,
    /// The git branch.
    pub branch: Option<String>,
    /// When it was last active.
    pub last: Option<Millis>,
    /// How many turns it has.
    pub turns: u32,
    /// How many calls failed.
    pub failed: u32,
    /// What it cost, if that is known.
    pub cost: Option<String>,
    /// How large its files are.
    pub bytes: u64,
    /// The first words of what was asked.
    pub prompts: Vec<String>,
}
