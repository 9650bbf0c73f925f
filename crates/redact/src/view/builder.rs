//! Puts a view together piece by piece.

use super::escape::{Decoded, Decoder, sequence_length, unescape};
use super::{Span, View};

/// What stands at the beginning or end of a line without being part of what was wrapped: frames and bars of terminals.
const FRAMES: [&[u8]; 4] = ["│".as_bytes(), "┃".as_bytes(), "║".as_bytes(), "▏".as_bytes()];
const ARROW: &[u8] = "→".as_bytes();

/// A view that is being made.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    view: View,
    /// Nothing but indentation has come since the last end of a line.
    at_line_start: bool,
    /// A number stands alone at the beginning of the line; if a tab follows it is a line number.
    number: Option<Number>,
    last_number: Option<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Number {
    at: usize,
    value: u32,
}

impl Builder {
    /// Adds bytes that stand at `raw` as they are.
    pub(crate) fn copy(&mut self, mut bytes: &[u8], mut raw: usize) {
        if self.at_line_start {
            let indent = indentation(bytes);
            bytes = bytes.get(indent..).unwrap_or_default();
            raw += indent;
            if let Some(after) = self.line_number(bytes) {
                bytes = bytes.get(after..).unwrap_or_default();
                raw += after;
            }
        }
        if bytes.is_empty() {
            return;
        }
        self.at_line_start = false;
        let at = self.view.text.len();
        let goes_on = self.view.spans.last().is_some_and(|span| {
            span.escape == 0 && span.raw + (at - span.at) == raw && self.view.breaks.last() != Some(&at)
        });
        if !goes_on {
            self.view.spans.push(Span { at, raw, escape: 0 });
        }
        self.view.text.extend_from_slice(bytes);
    }

    /// Adds what an escape of `length` bytes at `raw` stands for.
    fn escape(&mut self, decoded: &[u8], raw: usize, length: usize) {
        let number = self.number.take();
        if self.at_line_start && matches!(decoded, b"\t" | b"\r" | b" ") {
            return;
        }
        if let (b"\t", Some(number)) = (decoded, number)
            && self.view.text.get(number.at..).is_some_and(|text| text.iter().all(u8::is_ascii_digit))
            && self.continues_counting(number.value)
        {
            self.shorten(number.at);
            return;
        }
        self.at_line_start = false;
        self.view.spans.push(Span { at: self.view.text.len(), raw, escape: length });
        self.view.text.extend_from_slice(decoded);
    }

    /// Ends a line: what follows is joined to it, without its indentation.
    pub(crate) fn new_line(&mut self) {
        self.drop_blank_escapes();
        let floor = self.floor();
        let mut end = self.view.text.len();
        let mut has_backslash = false;
        while end > floor {
            let kept = self.view.text.get(floor..end).unwrap_or_default();
            end -= match kept.last() {
                Some(b' ' | b'\r' | b'\t') => 1,
                Some(b'\\') if !has_backslash => {
                    has_backslash = true;
                    1
                }
                _ => match FRAMES.iter().find(|frame| kept.ends_with(frame)) {
                    Some(frame) => frame.len(),
                    None => break,
                },
            };
        }
        self.view.text.truncate(end);
        self.gap();
        self.at_line_start = true;
        self.number = None;
    }

    /// Removes escapes for white space from the end.
    fn drop_blank_escapes(&mut self) {
        let floor = self.view.breaks.last().copied().unwrap_or(0);
        while let Some(span) = self.view.spans.last().filter(|span| span.escape > 0 && span.at >= floor) {
            if !matches!(self.view.text.get(span.at..), Some(b"\r" | b"\t" | b" " | b"")) {
                break;
            }
            let at = span.at;
            self.shorten(at);
        }
    }

    /// Begins a string, whose first line may be indented and numbered like the others.
    pub(crate) fn begin(&mut self) {
        self.at_line_start = true;
        self.number = None;
        self.last_number = None;
    }

    /// Marks that something was left out here.
    pub(crate) fn gap(&mut self) {
        let at = self.view.text.len();
        if self.view.breaks.last() != Some(&at) && at > 0 {
            self.view.breaks.push(at);
        }
    }

    /// Adds text in which `trigger` begins an escape.
    pub(crate) fn decoded(&mut self, bytes: &[u8], raw: usize, trigger: u8, decode: Decoder) {
        let mut at = 0;
        while let Some(found) = memchr::memchr(trigger, bytes.get(at..).unwrap_or_default()) {
            let stop = at + found;
            self.copy(bytes.get(at..stop).unwrap_or_default(), raw + at);
            at = stop + self.one_escape(bytes.get(stop..).unwrap_or_default(), raw + stop, decode);
        }
        self.copy(bytes.get(at..).unwrap_or_default(), raw + at);
    }

    /// Adds what the escape at the beginning of `bytes` stands for; returns its length.
    fn one_escape(&mut self, bytes: &[u8], raw: usize, decode: Decoder) -> usize {
        let Some((length, decoded)) = decode(bytes) else {
            self.copy(bytes.get(..1).unwrap_or_default(), raw);
            return 1;
        };
        match decoded {
            Decoded::NewLine => self.new_line(),
            Decoded::Terminal => {
                self.gap();
                // The first byte of the sequence is an escape of its own; the rest of it is plain.
                return length + sequence_length(bytes.get(length.saturating_sub(1)..).unwrap_or_default()) - 1;
            }
            Decoded::Char(char) => {
                let mut buffer = [0; 4];
                let text = char.encode_utf8(&mut buffer);
                self.escape(text.as_bytes(), raw, length);
            }
            Decoded::Byte(byte) => self.escape(&[byte], raw, length),
        }
        length
    }

    /// Adds what the escape of JSON at the beginning of `bytes` stands for, ends of lines as they are.
    pub(crate) fn plain_escape(&mut self, bytes: &[u8], raw: usize) -> usize {
        if let Some((length, decoded)) = unescape(bytes) {
            let mut buffer = [0; 4];
            let char = match decoded {
                Decoded::Char(char) => char,
                Decoded::Byte(byte) => char::from(byte),
                Decoded::NewLine => '\n',
                Decoded::Terminal => '\u{1b}',
            };
            self.escape(char.encode_utf8(&mut buffer).as_bytes(), raw, length);
            length
        } else {
            self.copy(bytes.get(..1).unwrap_or_default(), raw);
            1
        }
    }

    /// A builder for a view of so many bytes.
    pub(crate) fn for_bytes(length: usize) -> Self {
        let view = View { text: Vec::with_capacity(length), ..View::default() };
        Self { view, ..Self::default() }
    }

    pub(crate) fn finish(self) -> View {
        self.view
    }

    /// The length of a line number (`12→`) at the beginning of `bytes`.
    fn line_number(&mut self, bytes: &[u8]) -> Option<usize> {
        let digits = bytes.iter().take(8).take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 || digits > 7 {
            return None;
        }
        let value = std::str::from_utf8(bytes.get(..digits)?).ok()?.parse().ok()?;
        let rest = bytes.get(digits..)?;
        if rest.starts_with(ARROW) {
            return Some(digits + ARROW.len());
        }
        if rest.first() == Some(&b'\t') && self.continues_counting(value) {
            return Some(digits + 1);
        }
        if rest.is_empty() {
            self.number = Some(Number { at: self.view.text.len(), value });
        }
        None
    }

    /// Whether a number before a tab numbers the lines, rather than being the first column of a table.
    fn continues_counting(&mut self, value: u32) -> bool {
        let last = self.last_number.replace(value);
        value == 1 || last.is_some_and(|last| last.checked_add(1) == Some(value))
    }

    /// Removes text that was added last.
    fn shorten(&mut self, length: usize) {
        self.view.text.truncate(length);
        while self.view.spans.last().is_some_and(|span| span.at >= length) {
            self.view.spans.pop();
        }
    }

    /// Up to here the text may not be shortened, because spans and breaks lead to it.
    fn floor(&self) -> usize {
        let span = self.view.spans.last().map_or(0, |span| span.at + usize::from(span.escape > 0));
        span.max(self.view.breaks.last().copied().unwrap_or(0)).min(self.view.text.len())
    }
}

/// The length of spaces, tabs and frames at the beginning.
fn indentation(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        at += match rest.first() {
            Some(b' ' | b'\t' | b'\r') => 1,
            Some(0xe2) => match FRAMES.iter().find(|frame| rest.starts_with(frame)) {
                Some(frame) => frame.len(),
                None => break,
            },
            _ => break,
        };
    }
    at
}
