//! Cuts bytes into pieces such that equal content gives equal pieces, regardless of what precedes it.
//!
//! Pieces end at line ends, and whether one ends after a line depends on that line alone: two files that share a run of
//! lines soon reach the same cuts in it.

/// The minimum length of a piece, except at the end of a file.
const SHORTEST: usize = 4 << 10;

/// The average length beyond the minimum.
const USUAL: u64 = 16 << 10;

/// The maximum length of a piece. A longer line is cut into pieces of this length.
pub(crate) const LONGEST: usize = 128 << 10;

/// Whether a piece of this length ends after a line with this `hash`.
///
/// The probability grows with the length of the line, so that pieces of short and of long lines have similar sizes.
pub(crate) fn ends_after(piece: usize, line: usize, hash: u64) -> bool {
    let chance = (line as u64).saturating_mul((1 << 32) / USUAL);
    piece >= LONGEST || piece >= SHORTEST && hash >> 32 < chance
}

/// A hash of a line, fast rather than strong.
pub(crate) fn hash(line: &[u8]) -> u64 {
    /// An odd number without a pattern.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let (words, rest) = line.as_chunks::<8>();
    let mut last = [0; 8];
    last.iter_mut().zip(rest).for_each(|(place, byte)| *place = *byte);
    let mut state = line.len() as u64;
    for word in words.iter().chain([&last]) {
        state = (state.rotate_left(23) ^ u64::from_le_bytes(*word)).wrapping_mul(FACTOR);
    }
    state ^ state >> 29
}
