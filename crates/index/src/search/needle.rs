//! The search term in a text: words, or a pattern.

use std::ops::Range;

use regex::Regex;

use crate::query::Query;
use crate::words::{Term, find};

/// The search term.
#[derive(Debug, Clone, Copy)]
pub enum Needle<'q> {
    /// All words of a query.
    Words(&'q Query),
    /// Every match of a pattern.
    Pattern(&'q Regex),
}

/// A match in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextMatch {
    pub(super) range: Range<usize>,
    /// The group of the query that it matches.
    pub(super) group: usize,
}

/// Finds matches in the texts of an entry.
#[derive(Debug)]
pub(super) struct Finder<'q> {
    how: How<'q>,
    /// The weight of each group. The sum is one.
    weights: Vec<f32>,
    /// Which groups were found.
    pub(super) held: Vec<bool>,
    /// Whether an excluded term was found.
    is_excluded: bool,
}

#[derive(Debug)]
enum How<'q> {
    Words {
        terms: Vec<Term>,
        /// The group of each term; `None` for excluded terms.
        groups: Vec<Option<usize>>,
    },
    Pattern(&'q Regex),
}

/// More matches than can be displayed.
const MOST: usize = 10_000;

impl<'q> Finder<'q> {
    pub(super) fn new(needle: Needle<'q>) -> Self {
        let (how, count) = match needle {
            Needle::Pattern(pattern) => (How::Pattern(pattern), 1),
            Needle::Words(query) => {
                let (mut terms, mut groups) = (Vec::new(), Vec::new());
                for (number, group) in query.groups.iter().enumerate() {
                    terms.extend(group.iter().map(|wanted| wanted.term.clone()));
                    groups.resize(terms.len(), Some(number));
                }
                terms.extend(query.not.iter().map(|wanted| wanted.term.clone()));
                groups.resize(terms.len(), None);
                (How::Words { terms, groups }, query.groups.len())
            }
        };
        let mut finder = Self { how, weights: Vec::new(), held: vec![false; count], is_excluded: false };
        finder.weigh(&vec![1.0; count]);
        finder
    }

    /// Sets the weights of the groups.
    pub(super) fn weigh(&mut self, weights: &[f32]) {
        let sum: f32 = weights.iter().sum();
        self.weights = weights.iter().map(|weight| weight / sum.max(f32::MIN_POSITIVE)).collect();
    }

    /// Resets the finder for the next entry.
    pub(super) fn clear(&mut self) {
        self.held.fill(false);
        self.is_excluded = false;
    }

    /// The matches in a text, in order and without overlaps.
    pub(super) fn places(&mut self, text: &str) -> Vec<TextMatch> {
        let mut places: Vec<TextMatch> = match &self.how {
            How::Words { terms, .. } if terms.is_empty() => return Vec::new(),
            How::Words { terms, groups } => {
                let mut places = Vec::new();
                for found in find(text, terms) {
                    match groups.get(found.term).copied().flatten() {
                        Some(group) => places.push(TextMatch { range: found.range, group }),
                        None => self.is_excluded = true,
                    }
                }
                places
            }
            How::Pattern(pattern) => {
                let found = pattern.find_iter(text).filter(|found| !found.is_empty()).take(MOST);
                found.map(|found| TextMatch { range: found.range(), group: 0 }).collect()
            }
        };
        for place in &places {
            if let Some(held) = self.held.get_mut(place.group) {
                *held = true;
            }
        }
        let mut end = 0;
        places.retain(|place| {
            let is_behind = place.range.start >= end;
            end = end.max(place.range.end);
            is_behind
        });
        places.truncate(MOST);
        places
    }

    /// The share of the query that was found, from 0 to 1; 0 if an excluded term occurred.
    pub(super) fn share(&self) -> f32 {
        if self.is_excluded {
            return 0.0;
        }
        if self.held.iter().all(|held| *held) {
            return 1.0;
        }
        self.weights.iter().zip(&self.held).filter(|(_, held)| **held).map(|(weight, _)| weight).sum()
    }

    /// Whether there is no search term; every entry then matches.
    pub(super) fn is_empty(&self) -> bool {
        self.held.is_empty()
    }
}
