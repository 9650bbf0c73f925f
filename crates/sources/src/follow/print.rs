//! A fingerprint of bytes that can be computed incrementally and stored in between.
//!
//! It detects changes of a file, but not deliberate forgery: an attacker who could forge it can write the file anyway.

use std::io::{self, Read};

use serde::{Deserialize, Serialize};

/// The fingerprint of all bytes so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Print {
    state: u64,
    length: u64,
    /// The bytes after the last whole word, padded with zeros.
    pending: [u8; 8],
}

/// An odd number without a pattern.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Print {
    /// Adds bytes.
    pub(super) fn add(&mut self, mut bytes: &[u8]) {
        let filled = usize::try_from(self.length % 8).unwrap_or(0);
        self.length += bytes.len() as u64;
        if filled > 0 {
            let (first, rest) = bytes.split_at_checked(8 - filled).unwrap_or((bytes, &[]));
            for (place, byte) in self.pending.iter_mut().skip(filled).zip(first) {
                *place = *byte;
            }
            bytes = rest;
            if filled + first.len() < 8 {
                return;
            }
            self.word(self.pending);
        }
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.word(*word);
        }
        self.pending = [0; 8];
        for (place, byte) in self.pending.iter_mut().zip(rest) {
            *place = *byte;
        }
    }

    fn word(&mut self, word: [u8; 8]) {
        self.state = (self.state.rotate_left(23) ^ u64::from_le_bytes(word)).wrapping_mul(FACTOR);
    }

    /// The fingerprint of all bytes of a reader.
    pub(super) fn of(reader: &mut impl Read) -> io::Result<Self> {
        let mut print = Self::default();
        let mut buffer = vec![0; 64 << 10];
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => return Ok(print),
                Ok(length) => print.add(buffer.get(..length).unwrap_or_default()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// The fingerprint of a few bytes, as a number.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let mut print = Print::default();
    print.add(bytes);
    print.word(print.pending);
    print.state ^ print.length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_do_not_matter() {
        let bytes: Vec<u8> = (0..=255).cycle().take(1000).collect();
        let mut whole = Print::default();
        whole.add(&bytes);
        for step in 1..20 {
            let mut print = Print::default();
            bytes.chunks(step).for_each(|piece| print.add(piece));
            assert_eq!(print, whole, "{step} at a time");
        }
        assert_eq!(Print::of(&mut bytes.as_slice()).unwrap(), whole);
    }

    #[test]
    fn every_byte_and_its_place_matter() {
        let bytes = b"{\"type\":\"user\",\"uuid\":\"4c1e\"}\n".repeat(3);
        for at in 0..bytes.len() {
            let mut other = bytes.clone();
            other[at] ^= 1;
            assert_ne!(hash(&bytes), hash(&other), "{at}");
        }
        assert_ne!(hash(b"a\0"), hash(b"a"));
        assert_ne!(hash(b""), hash(b"\0\0\0\0\0\0\0\0"));
    }
}
