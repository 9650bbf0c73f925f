//! What is wrong with a query, and where.

use std::ops::Range;

/// Why something cannot be looked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct QueryError {
    /// The bytes of the query that are wrong.
    pub range: Range<usize>,
    /// What is wrong with them.
    pub message: String,
    /// What to type instead.
    pub hint: String,
}

impl QueryError {
    /// An error at a place of the query. Who reads the values of filters (`after:`) can point at them, too.
    pub fn new(range: Range<usize>, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { range, message: message.into(), hint: hint.into() }
    }
}
