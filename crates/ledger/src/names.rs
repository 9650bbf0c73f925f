//! Names as small numbers: sessions, agents, models.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize, Serializer};

/// Names in the order of their first use.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(from = "Vec<String>")]
pub(crate) struct Names {
    numbers: FxHashMap<Arc<str>, u32>,
    names: Vec<Arc<str>>,
}

impl Names {
    /// The number of a name, existing or new.
    pub(crate) fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        let name: Arc<str> = name.into();
        self.names.push(Arc::clone(&name));
        self.numbers.insert(name, number);
        number
    }

    /// The name with a number.
    pub(crate) fn name(&self, number: u32) -> &str {
        self.names.get(number as usize).map_or("", |name| name)
    }

    /// The number in `there` of a name with this number here.
    pub(crate) fn moved(&self, number: u32, there: &mut Self) -> u32 {
        there.number(self.name(number))
    }

    /// All names, in the order of their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }
}

impl From<Vec<String>> for Names {
    fn from(names: Vec<String>) -> Self {
        let mut all = Self::default();
        for name in &names {
            all.number(name);
        }
        all
    }
}

impl Serialize for Names {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// The hash of an id, the same on every machine and in every version.
///
/// Processes eight bytes at a time, since every line has three ids. Among a hundred million ids, the chance of a
/// collision is one in four thousand.
pub(crate) fn hash(parts: &[&[u8]]) -> u64 {
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |state: u64, word: u64| {
        let mixed = (state ^ word).wrapping_mul(FACTOR);
        mixed ^ (mixed >> 32)
    };
    parts.iter().fold(START, |state, part| {
        let (words, rest) = part.as_chunks::<8>();
        let state = words.iter().fold(state, |state, word| mix(state, u64::from_le_bytes(*word)));
        let last = rest.iter().fold(0, |last, byte| last << 8 | u64::from(*byte));
        // The length distinguishes parts that end with the same bytes, and one part from two.
        mix(mix(state, last), part.len() as u64)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn different_ids_have_different_hashes() {
        let ids: Vec<String> = (0..200_000).map(|id| format!("msg_01{id:022x}")).collect();
        let hashes: HashSet<u64> = ids.iter().map(|id| hash(&[id.as_bytes()])).collect();
        assert_eq!(hashes.len(), ids.len());
        let parts: [&[&[u8]]; 7] = [&[], &[b""], &[b"a"], &[b"a", b""], &[b"", b"a"], &[b"a\0"], &[b"aaaaaaaa"]];
        let hashes: HashSet<u64> = parts.iter().map(|parts| hash(parts)).collect();
        assert_eq!(hashes.len(), parts.len());
    }
}
