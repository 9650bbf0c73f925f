//! Search queries: `retry "rate limit" -test up* tool:Bash OR tool:Edit after:3d`.
//!
//! | query | meaning |
//! |---|---|
//! | `retry limit` | both words, in one entry |
//! | `"rate limit"` | adjacent words; an unclosed quote extends to the end |
//! | `retr*` | words with this prefix |
//! | `-test`, `-"unit test"` | entries without it |
//! | `slow OR lazy cache` | one of the words around `OR`, and `cache` |
//! | `project:api`, `-tool:"Web Fetch"` | entries that satisfy the filter, or do not; see [`Condition`] |
//!
//! A filter that is given twice accepts either value (`tool:Bash tool:Edit`), but all times must hold. Filters are in
//! lower case and have no space before their value, so that `std::fs`, `http://host`, `12:30` and `Type: error` are
//! words. `AND` between words has no effect.

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

/// A parsed query.
///
/// ```
/// use index::query::Query;
/// use index::texts::Column;
///
/// let query: Query = "retry* -test is:error".parse().unwrap();
/// assert!(query.match_expression(&[Column::Said]).unwrap().starts_with(r#"{said} : (("retry" * OR "#));
///
/// let error = "retry projct:api".parse::<Query>().unwrap_err();
/// assert_eq!((error.range, error.message.as_str()), (6..12, "unknown filter projct:"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// One term of each group must occur.
    pub groups: Vec<Vec<QueryTerm>>,
    /// None of these may occur.
    pub not: Vec<QueryTerm>,
    /// All of these must hold.
    pub filters: Vec<Filter>,
    /// Ranges without letters or digits, such as `=>`, which are ignored.
    pub ignored: Vec<Range<usize>>,
}

/// A word or phrase of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryTerm {
    /// The search term.
    pub term: Term,
    /// Its range in the query.
    pub range: Range<usize>,
}

impl Query {
    /// The terms that must occur, for highlighting them.
    pub fn terms(&self) -> Vec<Term> {
        self.groups.iter().flatten().map(|wanted| wanted.term.clone()).collect()
    }
}
