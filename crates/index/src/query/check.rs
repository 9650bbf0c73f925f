//! Whether texts hold what was looked for, word by word.

use super::Query;
use crate::words::{Term, note};

/// Reads the texts of one entry and says whether they hold what was looked for. Filters are not its matter.
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
    /// All that may and all that may not occur, in this order.
    terms: Vec<Term>,
    /// Which of them did.
    seen: Vec<bool>,
}

impl<'q> Check<'q> {
    /// Nothing is read yet.
    pub fn new(query: &'q Query) -> Self {
        let mut terms = query.terms();
        terms.extend(query.not.iter().map(|wanted| wanted.term.clone()));
        Self { query, seen: vec![false; terms.len()], terms }
    }

    /// Reads a text.
    pub fn read(&mut self, text: &str) {
        note(text, &self.terms, &mut self.seen);
    }

    /// Forgets what was read, for the next entry.
    pub fn clear(&mut self) {
        self.seen.fill(false);
    }

    /// Whether all that must occur did, and nothing that must not.
    pub fn holds(&self) -> bool {
        self.count() == self.query.groups.len() && !self.is_excluded()
    }

    /// Of how much that must occur something did: how good a partial match it is.
    pub fn count(&self) -> usize {
        let mut seen = self.seen.iter();
        let held = |size: usize| seen.by_ref().take(size).fold(false, |any, seen| any | seen);
        self.query.groups.iter().map(Vec::len).map(held).filter(|held| *held).count()
    }

    /// Whether something occurred that must not.
    pub fn is_excluded(&self) -> bool {
        self.seen.iter().rev().take(self.query.not.len()).any(|seen| *seen)
    }
}
