//! Writes the words of a text in the form that the full-text table stores.

use std::ops::Range;

use super::walk::{Pair, Sink, walk};
use super::{BREAK, TOKEN, mark, small};

/// Appends the words of a text, each followed by a space, as the module describes.
///
/// A break separates appended texts, so that no phrase matches across them.
///
/// ```
/// let mut out = String::new();
/// index::words::prepare("let retryPolicy = HTTP_2;", &mut out);
/// assert_eq!(out, "let retry policy http 2 \u{e000} \u{e005}retrypolicy \u{e004}http2 ");
/// ```
pub fn prepare(text: &str, out: &mut String) {
    if !out.is_empty() {
        out.push_str(BREAK);
    }
    let mut writer = Writer { out, buffer: [0; BUFFER], length: 0, wholes: Wholes::EMPTY };
    walk(text, &mut writer);
    writer.flush();
    let Writer { out, wholes, .. } = writer;
    if let (Ok(wholes), false) = (str::from_utf8(&wholes.text), wholes.text.is_empty()) {
        out.push_str(BREAK);
        out.push_str(wholes);
    }
}

/// The size of the buffer for words. Appending each word to a string costs more than copying it.
const BUFFER: usize = 1024;

/// The number of bytes that are copied for a short word.
const SPARE: usize = 16;

struct Writer<'o> {
    out: &'o mut String,
    buffer: [u8; BUFFER],
    length: usize,
    wholes: Wholes,
}

impl Writer<'_> {
    #[inline(never)]
    fn flush(&mut self) {
        // The buffer contains only whole words, so it is always valid text.
        let words = self.buffer.get(..self.length).map(str::from_utf8);
        if let Some(Ok(words)) = words {
            self.out.push_str(words);
        }
        self.length = 0;
    }

    #[inline(never)]
    fn put(&mut self, word: &[u8]) {
        if self.length > BUFFER - TOKEN - 1 {
            self.flush();
        }
        let to = self.buffer.get_mut(self.length..).and_then(|rest| rest.split_at_mut_checked(word.len()));
        if let Some((to, [space, ..])) = to {
            to.copy_from_slice(word);
            *space = b' ';
            self.length += word.len() + 1;
        }
    }
}

impl Sink for Writer<'_> {
    #[inline]
    fn ascii(&mut self, bytes: &[u8], range: Range<usize>) {
        let length = range.len();
        let (Some(word), true) = (bytes.first_chunk::<SPARE>(), length < SPARE) else {
            let mut lower = [0; TOKEN];
            return self.put(small(bytes.get(..length).unwrap_or_default(), &mut lower));
        };
        if self.length > BUFFER - SPARE {
            self.flush();
        }
        if let Some(to) = self.buffer.get_mut(self.length..).and_then(|rest| rest.first_chunk_mut::<SPARE>()) {
            // For ASCII letters and digits, this converts capitals to lower case.
            *to = word.map(|byte| byte | 0x20);
            if let Some(space) = to.get_mut(length) {
                *space = b' ';
            }
            self.length += length + 1;
        }
    }

    fn part(&mut self, word: &[u8], _: Range<usize>) {
        self.put(word);
    }

    fn dense(&mut self, pair: Pair<'_>) {
        self.put(pair.word.as_bytes());
    }

    fn whole(&mut self, word: &[u8], first: usize, _: Range<usize>) {
        self.wholes.put(word, first);
    }
}

/// The names of a text as wholes. A name that recurs soon is not written again, because its position does not matter.
struct Wholes {
    text: Vec<u8>,
    /// The positions where words were last written.
    last: [u32; SLOTS],
}

const SLOTS: usize = 128;

impl Wholes {
    const EMPTY: Self = Self { text: Vec::new(), last: [0; SLOTS] };

    fn put(&mut self, word: &[u8], first: usize) {
        let byte = |at: usize| word.get(at).map_or(0, |byte| usize::from(*byte));
        let slot = byte(0) * 5 + byte(word.len() / 2) * 37 + byte(word.len().saturating_sub(1)) * 11 + word.len() * 3;
        let Some(last) = self.last.get_mut(slot % SLOTS) else { return };
        let written = self.text.get(*last as usize..).unwrap_or_default();
        let mut room = [0; 4];
        let mark = mark(first).encode_utf8(&mut room).as_bytes();
        let same = written.strip_prefix(mark).and_then(|written| written.strip_prefix(word));
        if same.is_none_or(|rest| rest.first() != Some(&b' ')) {
            *last = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
            self.text.extend_from_slice(mark);
            self.text.extend_from_slice(word);
            self.text.push(b' ');
        }
    }
}
