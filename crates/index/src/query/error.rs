//! Errors in queries, with their position.

use std::ops::Range;

/// An error in a query.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct QueryError {
    /// The range of the error in the query, in bytes.
    pub range: Range<usize>,
    /// The problem.
    pub message: String,
    /// What to type instead.
    pub hint: String,
}

impl QueryError {
    /// An error at a range of the query. Also used by callers that parse the values of filters (`after:`).
    pub fn new(range: Range<usize>, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { range, message: message.into(), hint: hint.into() }
    }
}
