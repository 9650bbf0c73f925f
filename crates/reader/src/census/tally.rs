//! Counters by name, safe for names from untrusted input.

use std::collections::HashMap;
use std::collections::btree_map::{BTreeMap, Entry};

use rustc_hash::FxBuildHasher;

/// Counts that can be merged in any order.
pub trait Merge {
    /// Adds the counts of `other`.
    fn absorb(&mut self, other: Self);
}

impl Merge for u64 {
    fn absorb(&mut self, other: Self) {
        *self += other;
    }
}

impl<K: Ord, T: Merge> Merge for BTreeMap<K, T> {
    fn absorb(&mut self, other: Self) {
        for (key, count) in other {
            match self.entry(key) {
                Entry::Occupied(mut known) => known.get_mut().absorb(count),
                Entry::Vacant(free) => {
                    free.insert(count);
                }
            }
        }
    }
}

/// Counts by name.
///
/// Long names are truncated, and past a limit new names are counted together as [`Tally::OTHERS`], so that a hostile
/// file cannot exhaust memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally<T> {
    counts: HashMap<Box<str>, T, FxBuildHasher>,
}

impl<T> Default for Tally<T> {
    fn default() -> Self {
        Self { counts: HashMap::default() }
    }
}

impl<T> Tally<T> {
    /// Limit on the number of distinct names.
    pub const MOST: usize = 5_000;
    /// Limit on the length of a name, in bytes.
    pub const LONGEST: usize = 120;
    /// The name that collects everything past the limit.
    pub const OTHERS: &'static str = "(others)";

    /// The names and counts in the order of the names.
    pub fn by_name(&self) -> Vec<(&str, &T)> {
        let mut all: Vec<_> = self.counts.iter().map(|(name, count)| (&**name, count)).collect();
        all.sort_unstable_by_key(|(name, _)| *name);
        all
    }

    /// The names and counts, largest first.
    pub fn by_size<K: Ord>(&self, size: impl Fn(&T) -> K) -> Vec<(&str, &T)> {
        let mut all = self.by_name();
        all.sort_by_key(|(_, count)| std::cmp::Reverse(size(count)));
        all
    }

    /// The counts in no particular order.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.counts.values()
    }

    /// The count for `name`.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.counts.get(name)
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }
}

impl<T: Default> Tally<T> {
    /// Changes the count for `name`, which starts at its default.
    pub fn update(&mut self, name: &str, change: impl FnOnce(&mut T)) {
        let name = cut(name, Self::LONGEST);
        // The same names recur often: a lookup must not copy the name.
        if let Some(count) = self.counts.get_mut(name) {
            return change(count);
        }
        let name = if self.counts.len() < Self::MOST { name } else { Self::OTHERS };
        change(self.counts.entry(name.into()).or_default());
    }
}

impl Tally<u64> {
    /// Counts one more of `name`.
    pub fn add(&mut self, name: &str) {
        self.update_by(name, 1);
    }

    /// Counts some more of `name`, if any.
    pub fn update_by(&mut self, name: &str, more: u64) {
        if more > 0 {
            self.update(name, |count| *count += more);
        }
    }
}

impl<T: Merge + Default> Merge for Tally<T> {
    fn absorb(&mut self, other: Self) {
        for (name, count) in other.counts {
            self.update(&name, |known| known.absorb(count));
        }
    }
}

/// The start of a text, at most `longest` bytes.
fn cut(text: &str, longest: usize) -> &str {
    let end = (0..=longest.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut_between_characters() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("aü", 2), "a");
        assert_eq!(cut("", 2), "");
    }

    #[test]
    fn names_beyond_the_limit_are_counted_together() {
        let most = Tally::<u64>::MOST;
        let mut tally = Tally::default();
        for number in 0..most + 10 {
            tally.add(&format!("name {number}"));
        }
        tally.add("name 0");
        assert_eq!((tally.get("name 0"), tally.get(Tally::<u64>::OTHERS)), (Some(&2), Some(&10)));
        assert_eq!(tally.values().sum::<u64>(), most as u64 + 11);
    }

    #[test]
    fn largest_first_then_by_name() {
        let mut tally = Tally::default();
        for name in ["b", "a", "c", "c"] {
            tally.add(name);
        }
        assert_eq!(tally.by_size(|count| *count), [("c", &2), ("a", &1), ("b", &1)]);
    }
}
