//! Where bytes are cut into pieces, so that equal content gives equal pieces whatever stands before it.
//!
//! Pieces end at line ends, and whether one ends after a line depends on that line alone: two files that share a run
//! of lines soon come to the same cuts in it.

/// A piece is at least so long, unless the file ends.
const SHORTEST: usize = 4 << 10;

/// How much longer than that it is on average.
const USUAL: u64 = 16 << 10;

/// A piece is at most so long. A line that is longer is cut into pieces of this length.
pub(crate) const LONGEST: usize = 128 << 10;

/// Whether a piece of this length ends after a line that hashes to `hash`.
///
/// The longer the line, the likelier it is, so that pieces of short and of long lines are of one size.
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
