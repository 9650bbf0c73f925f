//! What somebody looks for: `retry "rate limit" -test up* tool:Bash OR tool:Edit after:3d`.
//!
//! | written | means |
//! |---|---|
//! | `retry limit` | both words, in one entry |
//! | `"rate limit"` | words side by side; a quote that is not closed goes to the end |
//! | `retr*` | words that begin so |
//! | `-test`, `-"unit test"` | entries without it |
//! | `slow OR lazy cache` | one of the words around `OR`, and `cache` |
//! | `project:api`, `-tool:"Web Fetch"` | entries of which that is true, or not; see [`Condition`] |
//!
//! The same filter given twice means either (`tool:Bash tool:Edit`); times must all be true. Filters are written in small
//! letters and right before their value, so that `std::fs`, `http://host`, `12:30` and `Type: error` are words. `AND`
//! between words changes nothing.

mod check;
mod error;
mod expression;
mod filter;
mod piece;
mod read;

use std::ops::Range;

pub use check::Check;
pub use error::QueryError;
pub use filter::{Condition, Field, Filter};

use crate::words::Term;

/// What somebody looks for.
///
/// ```
/// use index::query::Query;
/// use index::texts::Column;
///
/// let query: Query = "retry* -test is:error".parse().unwrap();
/// assert!(query.match_expression(&[Column::Said]).unwrap().starts_with(r#"{said} : (("retry" * OR "#));
///
/// let error = "retry projct:api".parse::<Query>().unwrap_err();
/// assert_eq!((error.range, error.message.as_str()), (6..12, "there is no filter projct:"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// Of each of these, one must occur.
    pub groups: Vec<Vec<Wanted>>,
    /// None of these may occur.
    pub not: Vec<Wanted>,
    /// All of these must be true.
    pub filters: Vec<Filter>,
    /// What was typed in vain, since it has neither letters nor digits: `=>`.
    pub ignored: Vec<Range<usize>>,
}

/// A word or phrase that was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// What is looked for.
    pub term: Term,
    /// Where it was typed.
    pub range: Range<usize>,
}

impl Query {
    /// What must occur, for marking it where it does.
    pub fn terms(&self) -> Vec<Term> {
        self.groups.iter().flatten().map(|wanted| wanted.term.clone()).collect()
    }
}
