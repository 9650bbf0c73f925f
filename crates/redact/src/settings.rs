//! What is kept, what is replaced beyond the rules, and under which names.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use crate::rule::Category;

/// What is kept, what is replaced beyond the rules, and under which names.
#[derive(Clone, Default)]
pub struct Settings {
    /// Categories that are left as they are.
    pub keep: BTreeSet<Category>,
    /// Words of your own, replaced wherever they stand as whole words, in upper or lower case.
    pub words: Vec<String>,
    /// Regular expressions of your own; whatever matches is replaced.
    pub patterns: Vec<String>,
    /// Names of users that are known without a home directory in the session.
    pub users: Vec<String>,
    /// Names of computers, as this machine's.
    pub hosts: Vec<String>,
    /// Values that are never replaced.
    pub allow: BTreeSet<String>,
    /// [Fingerprints](crate::Finding::fingerprint) of values that are never replaced.
    pub allow_fingerprints: BTreeSet<String>,
    /// Where the numbers of pseudonyms come from, if they are not simply counted.
    pub pseudonyms: Option<Arc<dyn Pseudonyms>>,
}

/// Gives private things their numbers, so that `user-17` is the same person in every session of a team.
pub trait Pseudonyms: Send + Sync {
    /// The number of a value, or `None` to count.
    fn number(&self, category: Category, value: &str) -> Option<u64>;
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Words, patterns and allowed values are private themselves.
        f.debug_struct("Settings").field("keep", &self.keep).finish_non_exhaustive()
    }
}

/// Settings that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BadSettings {
    /// A pattern is no regular expression.
    #[error("the pattern {number} is not a regular expression: {reason}")]
    Pattern {
        /// Its number among the patterns, from 1.
        number: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The table of rules cannot be used.
    #[error("the rules cannot be used: {0}")]
    Rules(String),
}
