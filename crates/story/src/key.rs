//! Ids as numbers: small enough to keep for every entry.

use std::fmt;

use rustc_hash::FxHashMap;

/// An id. Those in the form of a UUID are kept exactly; others by a hash of 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key(u128);

impl Key {
    pub(crate) fn of(id: &str) -> Self {
        Self(uuid(id).unwrap_or_else(|| hash(id.as_bytes())))
    }

    pub(crate) const fn from_hash(hash: u128) -> Self {
        Self(hash)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}", self.0)
    }
}

/// Something by its id.
pub(crate) type KeyMap<T> = FxHashMap<Key, T>;

/// The number that is written as `4c1ef9d2-…` in the usual form, so that no two spellings meet.
fn uuid(id: &str) -> Option<u128> {
    let bytes: &[u8; 36] = id.as_bytes().try_into().ok()?;
    let mut number = 0;
    for (at, byte) in bytes.iter().enumerate() {
        let digit = match (at, byte) {
            (8 | 13 | 18 | 23, b'-') => continue,
            (8 | 13 | 18 | 23, _) => return None,
            (_, b'0'..=b'9') => byte - b'0',
            (_, b'a'..=b'f') => byte - b'a' + 10,
            _ => return None,
        };
        number = number << 4 | u128::from(digit);
    }
    Some(number)
}

/// A hash of text that tells texts apart, and resists nobody.
pub(crate) fn hash(bytes: &[u8]) -> u128 {
    const FACTOR: u128 = 0x2d99_7879_26d4_6932_a4c1_f326_80f7_0c55;
    let (chunks, rest) = bytes.as_chunks::<16>();
    let mut last = [0; 16];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    let length = u128::try_from(bytes.len()).unwrap_or_default();
    let stir = |state: u128, chunk: &[u8; 16]| {
        let state = (state ^ u128::from_le_bytes(*chunk)).wrapping_mul(FACTOR);
        state ^ (state >> 67)
    };
    stir(chunks.iter().fold(length ^ FACTOR, stir), &last)
}

/// A hash of the words of a text: white space does not count.
pub(crate) fn hash_of_words(text: &str) -> u128 {
    let mut words = text.split_whitespace();
    let mut state = words.next().map_or(0, |word| hash(word.as_bytes()));
    for word in words {
        state = state.rotate_left(5) ^ hash(word.as_bytes());
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_told_apart() {
        let uuid = "4c1ef9d2-8a3b-4c5d-9e6f-0123456789ab";
        assert_eq!(format!("{:?}", Key::of(uuid)), "4c1ef9d28a3b4c5d9e6f0123456789ab");
        assert_ne!(Key::of(uuid), Key::of(&uuid.to_uppercase()));
        assert_ne!(Key::of("toolu_01"), Key::of("toolu_02"));
        assert_ne!(Key::of(""), Key::of("\0"));
        assert_ne!(Key::of(&"x".repeat(36)), Key::of(&"x".repeat(35)));
    }

    #[test]
    fn white_space_does_not_count() {
        assert_eq!(hash_of_words("add  retries\n"), hash_of_words(" add retries"));
        assert_ne!(hash_of_words("add retries"), hash_of_words("addretries"));
        assert_ne!(hash_of_words("a b"), hash_of_words("b a"));
    }
}
