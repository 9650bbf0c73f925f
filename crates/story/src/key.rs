//! Ids as 64-bit hashes: small enough to store for every entry.

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize, Serializer};

/// A 64-bit hash of an id or a text. In a session of a million entries, the chance of a collision is one in forty
/// million.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct Key(#[serde(with = "postcard::fixint::le")] pub(crate) u64);

impl Key {
    pub(crate) fn of(text: &str) -> Self {
        Self::of_bytes(text.as_bytes())
    }

    pub(crate) fn of_bytes(bytes: &[u8]) -> Self {
        let key = Self::NONE.and(bytes.len() as u64);
        let Some(last) = bytes.last_chunk::<16>() else {
            let mut short = [0; 16];
            short.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
            return key.stirred(&short);
        };
        // The last chunk may overlap the one before it.
        let (chunks, rest) = bytes.as_chunks::<16>();
        let key = chunks.iter().fold(key, Self::stirred);
        if rest.is_empty() { key } else { key.stirred(last) }
    }

    /// The key of the words of a text, ignoring white space.
    pub(crate) fn of_words(text: &str) -> Self {
        text.split_ascii_whitespace().fold(Self::NONE, |key, word| key.and(Self::of(word).0))
    }

    /// The key of nothing.
    pub(crate) const NONE: Self = Self(0x9e37_79b9_7f4a_7c15);

    /// Extends the key.
    pub(crate) fn and(self, more: u64) -> Self {
        Self(fold(self.0 ^ more, FACTOR))
    }

    fn stirred(self, chunk: &[u8; 16]) -> Self {
        let number = u128::from_le_bytes(*chunk);
        #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
        let (low, high) = (number as u64, (number >> 64) as u64);
        Self(fold(low ^ self.0, high ^ FACTOR))
    }
}

const FACTOR: u64 = 0xa4c1_f326_80f7_0c55;

/// Combines both halves of a product, so that every bit of both factors counts.
#[expect(clippy::cast_possible_truncation, reason = "the two halves")]
const fn fold(one: u64, other: u64) -> u64 {
    let product = (one as u128).wrapping_mul(other as u128);
    (product as u64) ^ ((product >> 64) as u64)
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}", self.0)
    }
}

/// A map by key.
pub(crate) type KeyMap<T> = FxHashMap<Key, T>;

/// Serializes a map in the order of its keys, so that equal maps give equal bytes.
pub(crate) fn in_order<T: Serialize, S: Serializer>(map: &KeyMap<T>, serializer: S) -> Result<S::Ok, S::Error> {
    let mut entries: Vec<_> = map.iter().collect();
    entries.sort_unstable_by_key(|(key, _)| **key);
    serializer.collect_map(entries)
}

/// A large map by key, optimized for lookups of recent keys.
///
/// Inserting into a large map is slow, since its slots are not in the processor's cache. So new keys wait in a short
/// list and go to the map in batches, for which the processor fetches several slots in parallel.
#[derive(Debug)]
pub(crate) struct KeyIndex<T> {
    recent: Vec<(Key, T)>,
    all: KeyMap<T>,
}

impl<T> Default for KeyIndex<T> {
    fn default() -> Self {
        Self { recent: Vec::new(), all: KeyMap::default() }
    }
}

impl<T: Copy> KeyIndex<T> {
    const RECENT: usize = 64;

    pub(crate) fn reserve(&mut self, more: usize) {
        self.all.reserve(more);
    }

    pub(crate) fn get(&self, key: Key) -> Option<T> {
        let recent = self.recent.iter().rev().find(|(known, _)| *known == key).map(|(_, value)| *value);
        recent.or_else(|| self.all.get(&key).copied())
    }

    /// All keys and values, in no particular order.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (Key, T)> {
        let mut newer = FxHashSet::default();
        let recent: Vec<_> = self.recent.iter().rev().filter(|(key, _)| newer.insert(*key)).copied().collect();
        let older = self.all.iter().map(|(key, value)| (*key, *value)).filter(move |(key, _)| !newer.contains(key));
        older.chain(recent)
    }

    /// The latest value of a key wins.
    pub(crate) fn insert(&mut self, key: Key, value: T) {
        self.recent.push((key, value));
        if self.recent.len() >= Self::RECENT {
            self.all.extend(self.recent.drain(..));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_texts_have_different_keys() {
        let texts = ["", "\0", "a", "toolu_01", "toolu_02", "4c1ef9d2-8a3b-4c5d-9e6f-0123456789ab"];
        let long = ["x".repeat(15), "x".repeat(16), "x".repeat(17), "x".repeat(32), "x".repeat(33)];
        let keys: std::collections::HashSet<Key> =
            texts.into_iter().chain(long.iter().map(String::as_str)).map(Key::of).collect();
        assert_eq!(keys.len(), texts.len() + long.len());
    }

    #[test]
    fn many_ids_do_not_collide() {
        let keys: std::collections::HashSet<Key> =
            (0..200_000).map(|number| Key::of(&format!("4c1ef9d2-8a3b-4c5d-9e6f-{number:012x}"))).collect();
        assert_eq!(keys.len(), 200_000);
    }

    #[test]
    fn an_index_finds_old_and_new_keys() {
        let mut index = KeyIndex::default();
        let keys: Vec<Key> = (0..2000).map(|number| Key::NONE.and(number)).collect();
        for round in 0..2 {
            for (number, key) in keys.iter().enumerate() {
                assert_eq!(index.get(*key), (round > 0).then_some(number));
                index.insert(*key, number + round);
                assert_eq!(index.get(*key), Some(number + round));
            }
        }
        assert!(keys.iter().enumerate().all(|(number, key)| index.get(*key) == Some(number + 1)));
        index.insert(keys[7], 0);
        index.insert(keys[7], 1);
        let mut entries: Vec<_> = index.entries().collect();
        entries.sort_unstable_by_key(|(_, number)| *number);
        assert_eq!(entries.len(), keys.len());
        assert!(entries.iter().all(|(key, number)| index.get(*key) == Some(*number)));
    }

    #[test]
    fn white_space_does_not_count() {
        assert_eq!(Key::of_words("add  retries\n"), Key::of_words(" add retries"));
        assert_ne!(Key::of_words("add retries"), Key::of_words("addretries"));
        assert_ne!(Key::of_words("a b"), Key::of_words("b a"));
    }
}
