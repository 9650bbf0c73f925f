//! A block of text: classifies many bytes at once and converts them to lower case.

use super::name::Run;

/// The size of a block, in bytes.
pub(super) const BLOCK: usize = 64;

const EIGHT: usize = 8;

/// The classes of the bytes of a block. Masks have one bit per byte, the lowest for the first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    /// ASCII letters and digits.
    pub(super) words: u64,
    /// Lower-case ASCII letters.
    pub(super) small: u64,
    /// ASCII digits.
    pub(super) digits: u64,
    /// Characters that may join words: `_` and `-`.
    pub(super) joins: u64,
    /// Bytes of characters beyond ASCII.
    pub(super) high: u64,
}

impl Block {
    /// Reads the block at the start of a text, padded with spaces.
    #[inline]
    pub(super) fn read(text: &[u8]) -> Self {
        if let Some(block) = text.first_chunk() {
            return Self::read_all(block);
        }
        let mut padded = [b' '; BLOCK];
        padded.iter_mut().zip(text).for_each(|(to, from)| *to = *from);
        Self::read_all(&padded)
    }

    /// Simple steps over arrays, which the compiler vectorizes.
    #[inline]
    fn read_all(block: &[u8; BLOCK]) -> Self {
        let is_between = |byte: u8, first: u8, last: u8| u8::from(byte.wrapping_sub(first) <= last - first);
        let letter = |byte: u8| is_between(byte | 0x20, b'a', b'z');
        let digit = |byte: u8| is_between(byte, b'0', b'9');
        Self {
            words: mask(&block.map(|byte| letter(byte) | digit(byte))),
            small: mask(&block.map(|byte| is_between(byte, b'a', b'z'))),
            digits: mask(&block.map(digit)),
            joins: mask(&block.map(|byte| u8::from(byte == b'_') | u8::from(byte == b'-'))),
            high: if block.is_ascii() { 0 } else { mask(&block.map(|byte| byte >> 7)) },
        }
    }

    /// Keeps only the first bytes.
    #[inline]
    pub(super) fn keep(&mut self, count: usize) {
        self.words &= low_bits(count);
        self.high &= low_bits(count);
    }

    /// The length of the prefix within which all names end.
    #[inline]
    pub(super) fn ended(&self) -> usize {
        let names = self.words | self.joins;
        let ended = BLOCK - names.leading_ones() as usize;
        // A block of dashes contains no word and needs no end.
        if self.words & !low_bits(ended) == 0 { BLOCK } else { ended }
    }

    /// Whether a name that ends within the block is all ASCII.
    #[inline]
    pub(super) fn is_ascii_name(&self, at: usize) -> bool {
        let end = at + (!((self.words | self.joins) >> at)).trailing_zeros() as usize;
        end > at && self.high.checked_shr(u32::try_from(end).unwrap_or(u32::MAX)).is_none_or(|high| high & 1 == 0)
    }

    /// A run that is shorter than a block.
    #[inline]
    pub(super) fn run(&self, at: usize, count: usize) -> Run {
        let of = |mask: u64| u128::from((mask >> at) & low_bits(count));
        Run {
            count,
            upper: of(self.words & !self.small & !self.digits),
            lower: of(self.small),
            digits: of(self.digits),
        }
    }
}

/// A mask of the lowest bits.
#[inline]
pub(super) fn low_bits(count: usize) -> u64 {
    if count < BLOCK { (1 << count) - 1 } else { u64::MAX }
}

/// Converts bytes that are 0 or 1 into a mask.
#[inline]
fn mask(bytes: &[u8; BLOCK]) -> u64 {
    let mut mask = 0;
    for (index, eight) in bytes.as_chunks::<EIGHT>().0.iter().enumerate() {
        let bits = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        mask |= bits << (index * EIGHT);
    }
    mask
}
