//! Walks through a text and emits its words in one pass, in the same way for indexing and searching.
//!
//! Most words are a few plain ASCII letters between spaces. They are recognized in blocks; all others (`retryPolicy`,
//! `sha256`, `naïve`, `日本語`) are split letter by letter in [`name`](super::name) and [`dense`](super::dense).

use std::ops::Range;

use super::block::{Block, low_bits};
use super::letter::{CharacterKind, kind};

/// Receives the words. All words are folded, and at most [`TOKEN`](super::TOKEN) bytes long.
pub(super) trait Sink {
    /// A part in its place: the first bytes of `bytes`, which are ASCII in any case. More bytes follow, because copying
    /// a few more is faster than copying the exact number.
    fn ascii(&mut self, bytes: &[u8], range: Range<usize>);

    /// A part in its place.
    fn part(&mut self, word: &[u8], range: Range<usize>);

    /// A letter in its place with its successor, if any.
    fn dense(&mut self, pair: Pair<'_>);

    /// A name as a whole, whose parts were emitted as well. `first` is the length of the first part in bytes.
    fn whole(&mut self, word: &[u8], first: usize, range: Range<usize>);

    /// Whether no more words are needed.
    fn is_full(&self) -> bool {
        false
    }
}

/// A letter of a dense script and its successor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<'a> {
    /// Both letters.
    pub word: &'a str,
    /// The start of the first letter in the text.
    pub start: usize,
    /// The end of the first letter.
    pub middle: usize,
    /// The end of the second letter; equal to `middle` if there is none.
    pub end: usize,
}

/// The state of a walk through a text.
pub(super) struct Walk<'a, S> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) sink: &'a mut S,
    /// The folded letters of the current name.
    pub(super) glued: String,
    /// The positions of the run's letters, in the text and among the folded letters, unless all are ASCII.
    pub(super) places: Vec<(usize, usize)>,
}

/// Emits all words of a text to `sink`.
pub(super) fn walk<S: Sink>(text: &str, sink: &mut S) {
    let bytes = text.as_bytes();
    let mut walk = Walk { text, bytes, sink, glued: String::new(), places: Vec::new() };
    let mut at = 0;
    // Escape sequences, which a terminal does not display, are not words and separate words.
    while let Some(escape) = text.get(at..).and_then(|rest| rest.find('\x1b')) {
        walk.stretch(at, at + escape);
        at += escape + escape_length(bytes.get(at + escape..).unwrap_or_default());
    }
    walk.stretch(at, bytes.len());
}

impl<S: Sink> Walk<'_, S> {
    /// Emits the words of a stretch without escape sequences.
    fn stretch(&mut self, mut from: usize, to: usize) {
        while from < to && !self.sink.is_full() {
            let mut block = Block::read(self.bytes.get(from..).unwrap_or_default());
            block.keep(to - from);
            from = self.block(&block, from);
        }
    }

    /// Emits the words that end within a block. Returns the position to continue from.
    #[inline]
    fn block(&mut self, block: &Block, from: usize) -> usize {
        let ended = block.ended();
        if ended == 0 {
            return self.other(from + block.words.trailing_zeros() as usize);
        }
        let mut rest = (block.words | block.high) & low_bits(ended);
        let mut at = 0;
        while rest != 0 {
            let start = rest & rest.wrapping_neg();
            // The addition carries through all letters of the word, to the byte after it.
            let end = block.words.wrapping_add(start) & !block.words;
            let word = end.wrapping_sub(start);
            // The bytes that prevent the word from being one part: all but lower-case letters after the initial, or all
            // but digits, or all but capitals. The minimum of the three avoids a branch that could not be predicted.
            let others = word & !(block.small | start);
            let others = others.min(word & !block.digits).min(word & (block.small | block.digits));
            let joined = end & (block.joins | block.high);
            at = start.trailing_zeros() as usize;
            if others | joined == 0 {
                self.ascii(from + at, end.trailing_zeros() as usize - at);
                rest &= !word;
                continue;
            }
            at = if block.is_ascii_name(at) {
                self.name_in_block(block, from, at)
            } else {
                self.other(from + at) - from
            };
            rest &= !low_bits(at);
        }
        from + at.max(ended)
    }

    /// Emits an ASCII part.
    #[inline]
    pub(super) fn ascii(&mut self, at: usize, length: usize) {
        self.sink.ascii(self.bytes.get(at..).unwrap_or_default(), at..at + length);
    }

    /// Emits a name or a run of a dense script, or skips other characters. Returns the end.
    #[inline(never)]
    fn other(&mut self, mut at: usize) -> usize {
        while let Some(letter) = self.letter(at) {
            match kind(letter) {
                CharacterKind::Upper | CharacterKind::Lower | CharacterKind::Digit => return self.name(at),
                CharacterKind::Dense => return self.dense(at),
                CharacterKind::Mark | CharacterKind::Other if letter.is_ascii() => break,
                CharacterKind::Mark | CharacterKind::Other => at += letter.len_utf8(),
            }
        }
        at
    }

    /// The character at a position.
    #[inline]
    pub(super) fn letter(&self, at: usize) -> Option<char> {
        match self.bytes.get(at) {
            Some(&byte) if byte.is_ascii() => Some(char::from(byte)),
            _ => self.text.get(at..).and_then(|rest| rest.chars().next()),
        }
    }
}

/// The length of an escape sequence in bytes. Titles and links are text; only their introducers count.
fn escape_length(bytes: &[u8]) -> usize {
    let inside = |from: usize, set: fn(&u8) -> bool| bytes.iter().skip(from).take_while(|byte| set(byte)).count();
    let (parameters, last) = match bytes.get(1) {
        Some(b'[') => (inside(2, |byte| matches!(byte, b'!'..=b'?')) + 1, b'@'..=b'~'),
        Some(b']' | b'P' | b'X' | b'^' | b'_') => return 2,
        _ => (inside(1, |byte| matches!(byte, b'!'..=b'/')), b'0'..=b'~'),
    };
    let is_ended = bytes.get(1 + parameters).is_some_and(|byte| last.contains(byte));
    1 + parameters + usize::from(is_ended)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::words::small;

    /// Records everything that is emitted.
    #[derive(Debug, Default, PartialEq)]
    struct Seen(Vec<(&'static str, String, Range<usize>)>);

    impl Seen {
        fn put(&mut self, what: &'static str, word: &[u8], range: Range<usize>) {
            self.0.push((what, str::from_utf8(word).unwrap().to_owned(), range));
        }
    }

    impl Sink for Seen {
        fn ascii(&mut self, bytes: &[u8], range: Range<usize>) {
            self.put("part", small(&bytes[..range.len()], &mut [0; 64]), range);
        }

        fn part(&mut self, word: &[u8], range: Range<usize>) {
            self.put("part", word, range);
        }

        fn dense(&mut self, pair: Pair<'_>) {
            self.put("pair", pair.word.as_bytes(), pair.start..pair.end);
        }

        fn whole(&mut self, word: &[u8], first: usize, range: Range<usize>) {
            // The first part starts where the whole starts.
            let part = self.0.iter().rev().find(|(what, _, part)| *what == "part" && part.start == range.start);
            assert_eq!(part.map(|(_, part, _)| part.len()), Some(first));
            self.put("whole", word, range);
        }
    }

    /// The same walk, letter by letter.
    fn slowly(text: &str) -> Seen {
        let (mut seen, bytes, mut at) = (Seen::default(), text.as_bytes(), 0);
        let mut walk = Walk { text, bytes, sink: &mut seen, glued: String::new(), places: Vec::new() };
        while at < bytes.len() {
            let is_escape = bytes[at] == b'\x1b';
            at = if is_escape { at + escape_length(&bytes[at..]) } else { walk.other(at).max(at + 1) };
        }
        seen
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn blocks_are_only_faster(text in "([a-zA-Z0-9]{1,9}[ _./-]?|[_ -]{0,3}|[a-c]{50,70}|[aB1]{1,30}|é|日本|\u{301}|\u{1b}\\[1m|→){0,40}") {
            let mut seen = Seen::default();
            walk(&text, &mut seen);
            prop_assert_eq!(seen, slowly(&text));
        }
    }
}
