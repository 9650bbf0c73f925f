//! Finds the words of a query in a text.
//!
//! The text is split by the same code that prepared it for the table. Therefore every true match of the table is found
//! here too, and false ones (a phrase across two names) are not.

use std::ops::Range;

use super::term::Term;
use super::walk::{Pair, Sink, walk};
use super::{TOKEN, small};

/// An occurrence of a term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TermMatch {
    /// Its byte range in the text.
    pub range: Range<usize>,
    /// The index of the term.
    pub term: usize,
}

/// Finds all occurrences of all terms, in the order of their starts. They may overlap.
///
/// ```
/// use index::words::{Term, find};
///
/// let text = "class RetryPolicy: ...";
/// let places = |word| find(text, &[Term::new(word).unwrap()]).into_iter().map(|found| &text[found.range]).collect();
/// let found: Vec<Vec<&str>> = ["retry_policy", "policy", "retry"].map(places).to_vec();
/// assert_eq!(found, [["RetryPolicy"], ["Policy"], ["Retry"]]);
/// ```
pub fn find(text: &str, terms: &[Term]) -> Vec<TermMatch> {
    let mut finder = Finder { searches: terms.iter().map(Search::new).collect(), found: Vec::new(), missing: None };
    walk(text, &mut finder);
    let mut found = finder.found;
    found.sort_unstable_by_key(|found| (found.range.start, found.range.end, found.term));
    found.dedup();
    found
}

/// Records which terms occur in a text. Terms that were recorded before are skipped, and the text is not read if none
/// is left.
pub(crate) fn note(text: &str, terms: &[Term], noted: &mut [bool]) {
    let mut searches: Vec<_> = terms.iter().map(Search::new).collect();
    searches.iter_mut().zip(&*noted).for_each(|(search, noted)| search.is_over = *noted);
    let missing = noted.iter().filter(|noted| !**noted).count();
    let mut finder = Finder { searches, found: Vec::new(), missing: Some(missing) };
    walk(text, &mut finder);
    noted.iter_mut().zip(&finder.searches).for_each(|(noted, search)| *noted |= search.is_over);
}

struct Finder<'t> {
    searches: Vec<Search<'t>>,
    found: Vec<TermMatch>,
    /// The number of missing terms, if one occurrence of each is enough.
    missing: Option<usize>,
}

/// The progress of the search for one term (Knuth, Morris and Pratt).
struct Search<'t> {
    term: &'t Term,
    /// All words of its phrase except the last.
    first: &'t [String],
    last: &'t str,
    /// How many words of `first` the latest words of the text match.
    at: usize,
    /// The number of words that still match after a mismatch.
    back: Vec<usize>,
    /// The starts of the latest words, each at its number modulo the length of `first`.
    starts: Vec<usize>,
    count: usize,
    is_over: bool,
}

impl<'t> Search<'t> {
    fn new(term: &'t Term) -> Self {
        let (last, first) = term.parts.split_last().map_or(("", &[][..]), |(last, first)| (last.as_str(), first));
        let mut back = vec![0; first.len() + 1];
        let mut length = 0;
        for (index, word) in first.iter().enumerate().skip(1) {
            while length > 0 && first.get(length) != Some(word) {
                length = back.get(length).copied().unwrap_or_default();
            }
            length += usize::from(first.get(length) == Some(word));
            if let Some(back) = back.get_mut(index + 1) {
                *back = length;
            }
        }
        Self { term, first, last, at: 0, back, starts: vec![0; first.len()], count: 0, is_over: false }
    }

    /// The start of the phrase, if this word completes it.
    fn step(&mut self, word: &[u8], start: usize) -> Option<usize> {
        let is_end = self.at == self.first.len() && fits(word, self.last, self.term.is_open);
        let Some(slot) = self.count.checked_rem(self.first.len()) else { return is_end.then_some(start) };
        let begin = self.starts.get(slot).copied().filter(|_| is_end);
        if let Some(to) = self.starts.get_mut(slot) {
            *to = start;
        }
        self.count += 1;
        let is_next = |at: usize| self.first.get(at).is_some_and(|next| next.as_bytes() == word);
        while self.at > 0 && !is_next(self.at) {
            self.at = self.back.get(self.at).copied().unwrap_or_default();
        }
        self.at += usize::from(is_next(self.at));
        begin
    }

    /// Whether a word is the whole term.
    fn is_whole(&self, word: &[u8]) -> bool {
        self.term.whole.as_ref().is_some_and(|whole| fits(word, whole, self.term.is_open))
    }
}

/// Whether a word of the text matches a wanted word.
fn fits(word: &[u8], wanted: &str, is_open: bool) -> bool {
    if is_open { word.starts_with(wanted.as_bytes()) } else { word == wanted.as_bytes() }
}

impl Finder<'_> {
    /// Advances all terms. The word ends at `end`, and its first letter at `middle`.
    fn word(&mut self, word: &[u8], start: usize, middle: usize, end: usize) {
        for (term, search) in self.searches.iter_mut().enumerate().filter(|(_, search)| !search.is_over) {
            let begin = search.step(word, start).or_else(|| search.is_whole(word).then_some(start));
            if let Some(begin) = begin {
                let end = if search.term.is_letter { middle } else { end };
                search.is_over = found(&mut self.found, &mut self.missing, TermMatch { range: begin..end, term });
            }
        }
    }
}

/// Records an occurrence. Returns whether the search is complete.
fn found(all: &mut Vec<TermMatch>, missing: &mut Option<usize>, one: TermMatch) -> bool {
    match missing {
        Some(missing) => *missing = missing.saturating_sub(1),
        None => all.push(one),
    }
    missing.is_some()
}

impl Sink for Finder<'_> {
    fn ascii(&mut self, bytes: &[u8], range: Range<usize>) {
        let word = bytes.get(..range.len()).unwrap_or_default();
        self.word(small(word, &mut [0; TOKEN]), range.start, range.end, range.end);
    }

    fn part(&mut self, word: &[u8], range: Range<usize>) {
        self.word(word, range.start, range.end, range.end);
    }

    fn dense(&mut self, pair: Pair<'_>) {
        self.word(pair.word.as_bytes(), pair.start, pair.middle, pair.end);
    }

    fn whole(&mut self, word: &[u8], _: usize, range: Range<usize>) {
        for (term, search) in self.searches.iter_mut().enumerate().filter(|(_, search)| !search.is_over) {
            let is_single = search.first.is_empty() && fits(word, search.last, search.term.is_open);
            if is_single || search.is_whole(word) {
                search.is_over = found(&mut self.found, &mut self.missing, TermMatch { range: range.clone(), term });
            }
        }
    }

    fn is_full(&self) -> bool {
        self.missing == Some(0)
    }
}
