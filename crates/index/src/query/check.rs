//! Checks whether texts match a query, word by word.

use super::Query;
use crate::words::{Term, note};

/// Checks whether the texts of one entry match a query. Ignores filters.
///
/// ```
/// use index::query::{Check, Query};
///
/// let query: Query = "retry limit -test".parse().unwrap();
/// let mut check = Check::new(&query);
/// check.read("the retryPolicy");
/// assert!(!check.holds());
/// check.read("has no limit");
/// assert!(check.holds());
/// ```
#[derive(Debug, Clone)]
pub struct Check<'q> {
    query: &'q Query,
    /// All terms that may occur, followed by all that may not.
    terms: Vec<Term>,
    /// Which of them occurred.
    seen: Vec<bool>,
}

impl<'q> Check<'q> {
    /// A check without any text.
    pub fn new(query: &'q Query) -> Self {
        let mut terms = query.terms();
        terms.extend(query.not.iter().map(|wanted| wanted.term.clone()));
        Self { query, seen: vec![false; terms.len()], terms }
    }

    /// Reads a text.
    pub fn read(&mut self, text: &str) {
        note(text, &self.terms, &mut self.seen);
    }

    /// Resets the check for the next entry.
    pub fn clear(&mut self) {
        self.seen.fill(false);
    }

    /// Whether all required terms occurred, and no excluded one.
    pub fn holds(&self) -> bool {
        self.count() == self.query.groups.len() && !self.is_excluded()
    }

    /// The number of required groups that occurred, which measures a partial match.
    pub fn count(&self) -> usize {
        let mut seen = self.seen.iter();
        let held = |size: usize| seen.by_ref().take(size).fold(false, |any, seen| any | seen);
        self.query.groups.iter().map(Vec::len).map(held).filter(|held| *held).count()
    }

    /// Whether an excluded term occurred.
    pub fn is_excluded(&self) -> bool {
        self.seen.iter().rev().take(self.query.not.len()).any(|seen| *seen)
    }
}
