//! Counters by name, for names that anybody may have written.

use std::collections::BTreeMap;
use std::collections::hash_map::{Entry, HashMap};

use rustc_hash::FxBuildHasher;

/// Something that two counts of different things can be put together from, in any order.
pub trait Merge {
    /// Adds what `other` counted.
    fn merge(&mut self, other: Self);
}

impl Merge for u64 {
    fn merge(&mut self, other: Self) {
        *self += other;
    }
}

impl<K: Ord, T: Merge> Merge for BTreeMap<K, T> {
    fn merge(&mut self, other: Self) {
        for (key, count) in other {
            match self.entry(key) {
                std::collections::btree_map::Entry::Occupied(mut known) => known.get_mut().merge(count),
                std::collections::btree_map::Entry::Vacant(free) => {
                    free.insert(count);
                }
            }
        }
    }
}

/// Counts by name.
///
/// Long names are cut, and from a certain number on new ones are counted
/// together as [`Tally::OTHERS`]: a hostile file must not fill the memory.
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
    /// How many different names are kept.
    pub const MOST: usize = 5_000;
    /// How long a name may be, in bytes.
    pub const LONGEST: usize = 120;
    /// What the names beyond are called.
    pub const OTHERS: &'static str = "(others)";

    /// The names and counts in the order of the names.
    pub fn by_name(&self) -> Vec<(&str, &T)> {
        let mut all: Vec<_> = self.counts.iter().map(|(name, count)| (&**name, count)).collect();
        all.sort_unstable_by_key(|(name, _)| *name);
        all
    }

    /// The names and counts, the largest first.
    pub fn by_size<K: Ord>(&self, size: impl Fn(&T) -> K) -> Vec<(&str, &T)> {
        let mut all = self.by_name();
        all.sort_by_key(|(_, count)| std::cmp::Reverse(size(count)));
        all
    }

    /// The counts in no order.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.counts.values()
    }

    /// The count for `name`.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.counts.get(name)
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }
}

impl<T: Default> Tally<T> {
    /// The counter for `name`.
    pub fn at(&mut self, name: &str) -> &mut T {
        let name = cut(name, Self::LONGEST);
        let name = if self.counts.contains_key(name) || self.counts.len() < Self::MOST { name } else { Self::OTHERS };
        // The name is copied only when it is new, which the entry API cannot do for borrowed keys.
        if !self.counts.contains_key(name) {
            self.counts.insert(name.into(), T::default());
        }
        self.counts.entry(name.into()).or_default()
    }
}

impl<T: Merge + Default> Merge for Tally<T> {
    fn merge(&mut self, other: Self) {
        for (name, count) in other.counts {
            if self.counts.len() >= Self::MOST {
                self.at(&name).merge(count);
                continue;
            }
            match self.counts.entry(name) {
                Entry::Occupied(mut known) => known.get_mut().merge(count),
                Entry::Vacant(free) => {
                    free.insert(count);
                }
            }
        }
    }
}

/// The beginning of a text, at most `longest` bytes of it.
fn cut(text: &str, longest: usize) -> &str {
    text.get(..text.floor_char_boundary(longest)).unwrap_or(text)
}
