//! Names: runs of letters and digits, split at capitals and digits, and joined by `_` and `-`.

use super::block::{BLOCK, Block};
use super::fold::fold;
use super::letter::{CharacterKind, kind};
use super::walk::{Sink, Walk};
use super::{TOKEN, cut, small};

/// Longer runs are keys or hashes: one word, of which only the beginning is kept.
const LONG: usize = 128;

/// A run of at least this many letters with digits among them may be random.
const RANDOM: usize = 20;

/// The result of splitting a run.
struct Parts {
    /// The length of the first part, in bytes.
    first: usize,
    /// Whether it looks like words, not like a number or key.
    is_words: bool,
}

/// A run of letters and digits. Masks have one bit per character, the lowest for the first.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Run {
    /// The number of characters.
    pub(super) count: usize,
    pub(super) upper: u128,
    pub(super) lower: u128,
    pub(super) digits: u128,
}

impl<S: Sink> Walk<'_, S> {
    /// Emits the parts and wholes of an ASCII name that ends within its block. Returns its end.
    pub(super) fn name_in_block(&mut self, block: &Block, from: usize, start: usize) -> usize {
        let mut glued = [0; BLOCK];
        let mut length = 0;
        let (mut at, mut runs, mut is_worth_joining) = (start, 0, (block.digits >> start) & 1 == 0);
        let mut first = 0;
        loop {
            let count = (!(block.words >> at)).trailing_zeros() as usize;
            let parts = self.ascii_run(block.run(at, count), from + at);
            first = if runs == 0 { parts.first } else { first };
            is_worth_joining &= parts.is_words;
            runs += 1;
            if let Some(to) = glued.get_mut(length..length + count) {
                small(self.bytes.get(from + at..from + at + count).unwrap_or_default(), to);
                length += count;
            }
            at += count;
            match self.joined(from + at) {
                Some(next) => at = next - from,
                None => break,
            }
        }
        if runs > 1 && is_worth_joining {
            self.sink.whole(glued.get(..length).unwrap_or_default(), first, from + start..from + at);
        }
        at
    }

    /// Emits an ASCII run that is shorter than a block.
    fn ascii_run(&mut self, run: Run, start: usize) -> Parts {
        let letters = self.bytes.get(start..start + run.count).unwrap_or_default();
        if run.is_time(letters) {
            self.ascii(start, 2);
            self.ascii(start + 3, 2);
            return Parts { first: 2, is_words: false };
        }
        let (mut cuts, is_words) = run.cuts(letters, &[]);
        if cuts == 0 {
            self.ascii(start, run.count);
            return Parts { first: run.count, is_words };
        }
        let first = cuts.trailing_zeros() as usize;
        let mut last = 0;
        while cuts != 0 {
            let next = cuts.trailing_zeros() as usize;
            self.ascii(start + last, next - last);
            last = next;
            cuts &= cuts - 1;
        }
        self.ascii(start + last, run.count - last);
        let mut lower = [0; BLOCK];
        self.sink.whole(small(letters, &mut lower), first, start..start + run.count);
        Parts { first, is_words }
    }

    /// Emits the parts and wholes of any name. Returns its end.
    pub(super) fn name(&mut self, start: usize) -> usize {
        let mut glued = std::mem::take(&mut self.glued);
        glued.clear();
        let is_number = self.bytes.get(start).is_some_and(u8::is_ascii_digit);
        let (mut at, mut runs, mut is_worth_joining) = (start, 0, !is_number);
        let mut first_part = 0;
        loop {
            if glued.len() > TOKEN {
                is_worth_joining = false;
                glued.clear();
            }
            let first = glued.len();
            let (run, end) = self.run(at, &mut glued);
            let letters = glued.get(first..).unwrap_or_default().as_bytes();
            let parts = parts(self.sink, run, letters, at..end, &self.places);
            first_part = if runs == 0 { parts.first } else { first_part };
            is_worth_joining &= parts.is_words;
            runs += 1;
            at = end;
            match self.joined(end) {
                Some(next) => at = next,
                None => break,
            }
        }
        if runs > 1 && is_worth_joining && glued.len() <= TOKEN {
            self.sink.whole(glued.as_bytes(), first_part, start..at);
        }
        self.glued = glued;
        at
    }

    /// The position where a name continues after a run: after one `-`, or any number of `_`.
    fn joined(&self, end: usize) -> Option<usize> {
        let next = match self.bytes.get(end)? {
            b'-' => end + 1,
            b'_' => end + self.bytes.iter().skip(end).take_while(|byte| **byte == b'_').count(),
            _ => return None,
        };
        matches!(kind(self.letter(next)?), CharacterKind::Upper | CharacterKind::Lower | CharacterKind::Digit)
            .then_some(next)
    }

    /// Reads a run and folds its letters, as many as can matter. Also returns its end.
    fn run(&mut self, start: usize, glued: &mut String) -> (Run, usize) {
        let mut run = Run::default();
        self.places.clear();
        let first = glued.len();
        let mut at = start;
        while let Some(letter) = self.letter(at) {
            let mask = match kind(letter) {
                CharacterKind::Upper => Some(&mut run.upper),
                CharacterKind::Lower => Some(&mut run.lower),
                CharacterKind::Digit => Some(&mut run.digits),
                CharacterKind::Mark => None,
                CharacterKind::Dense | CharacterKind::Other => break,
            };
            if let Some(mask) = mask {
                if run.count < LONG {
                    *mask |= 1 << run.count;
                    self.places.push((at, glued.len() - first));
                    fold(letter, glued);
                }
                run.count += 1;
            }
            at += letter.len_utf8();
        }
        (run, at)
    }
}

/// Emits the parts of a run, and the run as a whole if it has several.
///
/// `places` contains the position of each letter, in the text and among the folded letters.
#[inline]
fn parts(
    sink: &mut impl Sink,
    run: Run,
    letters: &[u8],
    range: std::ops::Range<usize>,
    places: &[(usize, usize)],
) -> Parts {
    if run.is_time(letters) {
        let place = |index: usize| places.get(index).map_or(range.end, |place| place.0);
        sink.part(letters.get(..2).unwrap_or_default(), range.start..place(2));
        sink.part(letters.get(3..).unwrap_or_default(), place(3)..range.end);
        return Parts { first: 2, is_words: false };
    }
    let (mut cuts, is_words) = run.cuts(letters, places);
    if cuts == 0 {
        let part = cut(letters);
        sink.part(part, range);
        return Parts { first: part.len(), is_words };
    }
    let end_of_first = places.get(cuts.trailing_zeros() as usize).copied().unwrap_or_default().1;
    let first = cut(letters.get(..end_of_first).unwrap_or_default()).len();
    let mut last = (range.start, 0);
    while cuts != 0 {
        let next = places.get(cuts.trailing_zeros() as usize).copied().unwrap_or_default();
        sink.part(cut(letters.get(last.1..next.1).unwrap_or_default()), last.0..next.0);
        last = next;
        cuts &= cuts - 1;
    }
    sink.part(cut(letters.get(last.1..).unwrap_or_default()), last.0..range.end);
    sink.whole(cut(letters), first, range);
    Parts { first, is_words }
}

impl Run {
    /// `12T10`, as in `2026-08-12T10:30`: a day and an hour, which are searched separately.
    #[inline]
    fn is_time(self, letters: &[u8]) -> bool {
        self.count == 5
            && self.digits == 0b11011
            && letters.len() == 5
            && letters.get(2).is_some_and(|t| t | 0x20 == b't')
    }

    /// The positions where a run is split: `retry|Policy`, `HTTP|Server|2`, `base|64|Encode`, but not `URLs`, `3d` and
    /// `e29b`.
    ///
    /// Also returns whether it looks like words: no part of it has letters after digits.
    #[inline]
    fn cuts(self, glued: &[u8], places: &[(usize, usize)]) -> (u128, bool) {
        if self.count > LONG {
            return (0, false);
        }
        let Self { upper, lower, digits, .. } = self;
        let mut capitals = upper & ((lower << 1) | (((upper | digits) << 1) & (lower >> 1)));
        // Do not split before the last capital of a plural.
        let mut plurals = capitals & (upper << 1) & (lower >> 1) & !(lower >> 2);
        while plurals != 0 {
            let s = plurals.trailing_zeros() as usize + 1;
            if glued.get(places.get(s).map_or(s, |place| place.1)) == Some(&b's') {
                capitals &= !(plurals & plurals.wrapping_neg());
            }
            plurals &= plurals - 1;
        }
        let letters = upper | lower;
        let mixed = letters & (digits << 1) & !capitals;
        let numbers = digits & (letters << 1);
        if mixed == 0 {
            return (capitals | numbers, true);
        }
        let cuts = capitals | unmixed(numbers, mixed, capitals);
        let is_random = self.count >= RANDOM && (cuts.count_ones() as usize + 1) * 4 > self.count;
        (if is_random { 0 } else { cuts }, false)
    }
}

/// The numbers at the end of their parts, with no letter after them.
fn unmixed(mut numbers: u128, mixed: u128, capitals: u128) -> u128 {
    let mut ending = 0;
    while numbers != 0 {
        let number = numbers & numbers.wrapping_neg();
        let below = number - 1;
        // The part extends from the last capital before the number to the first one after it.
        let begin = (u128::BITS - (capitals & below).leading_zeros()).saturating_sub(1);
        let behind = capitals & !below;
        let part = (behind & behind.wrapping_neg()).wrapping_sub(1) & (u128::MAX << begin);
        if part & mixed == 0 {
            ending |= number;
        }
        numbers ^= number;
    }
    ending
}
