//! Random noise without regard to JSON.

use super::scan::replaced;
use crate::rng::Rng;

/// Flips one to eight bits.
pub fn flipped_bits(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for _ in 0..rng.between(1, 8) {
        let index = rng.below(out.len());
        let bit = rng.below(8);
        if let Some(byte) = out.get_mut(index) {
            *byte ^= 1 << bit;
        }
    }
    out
}

/// Inserts one to sixteen random bytes.
pub fn inserted_bytes(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let noise = rng.next_u64().to_le_bytes().repeat(2);
    let count = rng.between(1, 16);
    let place = rng.between(0, bytes.len());
    replaced(bytes, place..place, noise.get(..count).unwrap_or_default())
}

/// Deletes a short span.
pub fn deleted_bytes(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let start = rng.below(bytes.len());
    let end = (start + rng.log_between(1, 4096)).min(bytes.len());
    replaced(bytes, start..end, b"")
}

/// Duplicates a short span.
pub fn repeated_span(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let start = rng.below(bytes.len());
    let end = (start + rng.log_between(1, 4096)).min(bytes.len());
    let span = bytes.get(start..end).unwrap_or_default();
    replaced(bytes, end..end, span)
}
