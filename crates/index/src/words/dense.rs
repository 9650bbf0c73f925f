//! Dense scripts, which do not separate words: each letter forms a word with the one that follows it.
//!
//! `日本語` is `日本`, `本語`, `語`. A search term is then a phrase of its pairs, and a single letter is the beginning of a
//! pair, or the last letter of its run.

use super::letter::{CharacterKind, kind};
use super::walk::{Pair, Sink, Walk};

impl<S: Sink> Walk<'_, S> {
    /// Emits the pairs of the run at a position. Returns its end.
    pub(super) fn dense(&mut self, start: usize) -> usize {
        self.glued.clear();
        let mut at = start;
        let Some((mut first, mut middle)) = self.composed(at) else { return start + 1 };
        loop {
            let second = self.composed(middle);
            self.glued.clear();
            self.glued.push(first);
            self.glued.extend(second.map(|(letter, _)| letter));
            let end = second.map_or(middle, |(_, end)| end);
            self.sink.dense(Pair { word: &self.glued, start: at, middle, end });
            let Some((letter, end)) = second else { return middle };
            (at, first, middle) = (middle, letter, end);
        }
    }

    /// A dense letter composed from its pieces, as in file names on macOS, and its end.
    fn composed(&self, at: usize) -> Option<(char, usize)> {
        let mut letter = self.letter(at).filter(|letter| kind(*letter) == CharacterKind::Dense)?;
        let mut end = at + letter.len_utf8();
        while let Some(next) = self.letter(end) {
            letter = match compose(letter, next) {
                Some(composed) => composed,
                None if kind(next) == CharacterKind::Mark => letter,
                None => break,
            };
            end += next.len_utf8();
        }
        Some((letter, end))
    }
}

/// A kana with its sound mark, or a syllable of Hangul from its pieces.
fn compose(letter: char, next: char) -> Option<char> {
    let (code, next) = (letter as u32, next as u32);
    let composed = match (code, next) {
        (0x3046, 0x3099) => 0x3094,
        (0x30a6, 0x3099) => 0x30f4,
        (0x304b..=0x3068 | 0x306f..=0x307b | 0x30ab..=0x30c8 | 0x30cf..=0x30db, 0x3099) => code + 1,
        (0x306f..=0x307b | 0x30cf..=0x30db, 0x309a) => code + 2,
        (0x1100..=0x1112, 0x1161..=0x1175) => 0xac00 + ((code - 0x1100) * 21 + (next - 0x1161)) * 28,
        (0xac00..=0xd7a3, 0x11a8..=0x11c2) if (code - 0xac00).is_multiple_of(28) => code + (next - 0x11a7),
        _ => return None,
    };
    char::from_u32(composed)
}
