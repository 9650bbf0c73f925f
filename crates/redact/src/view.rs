//! A text as it is searched: decoded, with line breaks left out, and with the way back to the bytes it was made of.
//!
//! A token that a terminal has wrapped is one run of characters in a view. A *break* marks each place where bytes were
//! left out: the end of a line with the indentation, frame or line number that follows it, an escape sequence of a
//! terminal, or the gap between two strings of an array.

mod builder;
mod escape;
mod json;

use std::ops::Range;

pub(crate) use builder::Builder;
pub(crate) use escape::{percent, unescape};
pub(crate) use json::{from_json, from_json_with_strings, paths, strings};

/// A decoded text.
#[derive(Debug, Default)]
pub(crate) struct View {
    text: Vec<u8>,
    spans: Vec<Span>,
    breaks: Vec<usize>,
}

/// Where a run of the text comes from; it ends where the next one begins.
#[derive(Debug, Clone, Copy)]
struct Span {
    at: usize,
    raw: usize,
    /// The length of the escape that the run was decoded from; 0 for bytes that stand there as they are.
    escape: usize,
}

/// A string of a line of JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StringSpan {
    /// Its content in the line, without quotes.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether it is the key of a member.
    pub(crate) is_key: bool,
    /// The key of the member that it is the value of, or of the array that holds it.
    pub(crate) key: Option<(usize, usize)>,
    /// The number of objects and arrays around it.
    pub(crate) depth: usize,
}

impl StringSpan {
    pub(crate) fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

impl View {
    /// A view of plain text.
    pub(crate) fn from_text(bytes: &[u8]) -> Self {
        let mut builder = Builder::for_bytes(bytes.len());
        let mut at = 0;
        while let Some(found) = memchr::memchr2(b'\n', escape::ESCAPE, bytes.get(at..).unwrap_or_default()) {
            let stop = at + found;
            builder.copy(bytes.get(at..stop).unwrap_or_default(), at);
            let rest = bytes.get(stop..).unwrap_or_default();
            at = stop
                + if let Some(b'\n') = rest.first() {
                    builder.new_line();
                    1
                } else {
                    builder.gap();
                    escape::sequence_length(rest)
                };
        }
        builder.copy(bytes.get(at..).unwrap_or_default(), at);
        builder.finish()
    }

    /// A part of a string of JSON, decoded, with all of its line breaks.
    pub(crate) fn plain(line: &[u8], range: Range<usize>) -> Self {
        let mut builder = Builder::default();
        let bytes = line.get(range.clone()).unwrap_or_default();
        let mut at = 0;
        while let Some(found) = memchr::memchr(b'\\', bytes.get(at..).unwrap_or_default()) {
            let stop = at + found;
            builder.copy(bytes.get(at..stop).unwrap_or_default(), range.start + at);
            at = stop + builder.plain_escape(bytes.get(stop..).unwrap_or_default(), range.start + stop);
        }
        builder.copy(bytes.get(at..).unwrap_or_default(), range.start + at);
        builder.finish()
    }

    /// A view of bytes as they are, for data that is no text.
    pub(crate) fn from_binary(bytes: Vec<u8>) -> Self {
        let spans = vec![Span { at: 0, raw: 0, escape: 0 }];
        Self { text: bytes, spans, breaks: Vec::new() }
    }

    /// The text that is searched.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// A piece of the text.
    pub(crate) fn slice(&self, range: Range<usize>) -> &[u8] {
        self.text.get(range).unwrap_or_default()
    }

    /// Decodes a part of the text once more; `trigger` is the byte that begins an escape. Offsets of the new view lead
    /// to this one.
    pub(crate) fn derive(&self, range: Range<usize>, trigger: u8, decode: escape::Decoder) -> Self {
        let mut builder = Builder::default();
        let mut at = range.start;
        let first = self.breaks.partition_point(|&place| place <= range.start);
        let inside = self.breaks.get(first..).unwrap_or_default().iter().copied();
        for stop in inside.take_while(|&place| place < range.end).chain([range.end]) {
            builder.decoded(self.slice(at..stop), at, trigger, decode);
            at = stop;
            if stop < range.end {
                builder.gap();
            }
        }
        builder.finish()
    }

    /// The lines of the text.
    pub(crate) fn lines(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = [0].into_iter().chain(self.breaks.iter().copied());
        let ends = self.breaks.iter().copied().chain([self.text.len()]);
        starts.zip(ends).map(|(start, end)| start..end)
    }

    /// The first break after `at`, or the end of the text.
    pub(crate) fn line_end(&self, at: usize) -> usize {
        let next = self.breaks.partition_point(|&place| place <= at);
        self.breaks.get(next).copied().unwrap_or(self.text.len())
    }

    /// The last break at or before `at`, or the beginning of the text.
    pub(crate) fn line_start(&self, at: usize) -> usize {
        let next = self.breaks.partition_point(|&place| place <= at);
        next.checked_sub(1).and_then(|index| self.breaks.get(index)).copied().unwrap_or(0)
    }

    /// Whether bytes were left out just before `at`.
    pub(crate) fn is_break(&self, at: usize) -> bool {
        self.breaks.binary_search(&at).is_ok()
    }

    /// The breaks inside a range, counted from its beginning.
    pub(crate) fn breaks_in(&self, range: &Range<usize>) -> Vec<usize> {
        let first = self.breaks.partition_point(|&place| place <= range.start);
        let inside = self.breaks.get(first..).unwrap_or_default().iter();
        inside.take_while(|&&place| place < range.end).map(|place| place - range.start).collect()
    }

    /// The bytes that a range was made of: one piece for each line it lies on.
    pub(crate) fn origin(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let mut pieces: Vec<Range<usize>> = Vec::new();
        let first = self.spans.partition_point(|span| span.at <= range.start).saturating_sub(1);
        for (index, span) in self.spans.iter().enumerate().skip(first) {
            if span.at >= range.end {
                break;
            }
            let end = self.spans.get(index + 1).map_or(self.text.len(), |next| next.at).min(range.end);
            let start = span.at.max(range.start);
            if start >= end {
                continue;
            }
            let piece = if span.escape == 0 {
                span.raw + (start - span.at)..span.raw + (end - span.at)
            } else {
                span.raw..span.raw + span.escape
            };
            match pieces.last_mut() {
                Some(last) if last.end == piece.start && !self.is_break(start) => last.end = piece.end,
                _ => pieces.push(piece),
            }
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(view: &View) -> &str {
        std::str::from_utf8(view.text()).unwrap()
    }

    #[test]
    fn a_wrapped_token_is_one_run() {
        for wrapped in ["ab\n  cd", "ab\r\ncd", "ab   │\n│ cd", "     1→ab\n     2→cd", "ab\u{1b}[0mcd", "ab \\\ncd"]
        {
            let view = View::from_text(wrapped.as_bytes());
            assert!(text(&view).ends_with("abcd"), "{wrapped:?}: {:?}", text(&view));
        }
    }

    #[test]
    fn ranges_lead_back_to_the_bytes_they_were_made_of() {
        let line = br#"{"a":"x\u0041\tab\n   cd","lines":["+ef","+gh"]}"#;
        let view = from_json(line).unwrap();
        assert_eq!(text(&view), "{\"a\":\"xA\tabcd\",\"lines\":[\"efgh\"]}");
        let at = text(&view).find("abcd").unwrap();
        let pieces: Vec<&[u8]> = view.origin(at..at + 4).into_iter().map(|range| &line[range]).collect();
        assert_eq!(pieces, [b"ab", b"cd"]);
        let at = text(&view).find('A').unwrap();
        assert_eq!(&line[view.origin(at..at + 1)[0].clone()], b"\\u0041");
        let at = text(&view).find("efgh").unwrap();
        let pieces: Vec<&[u8]> = view.origin(at..at + 4).into_iter().map(|range| &line[range]).collect();
        assert_eq!(pieces, [b"ef", b"gh"]);
    }

    #[test]
    fn line_numbers_are_left_out_and_columns_are_not() {
        assert_eq!(text(&from_json(br#"["     1\tab\n     2\tcd"]"#).unwrap()), "[\"abcd\"]");
        assert_eq!(text(&View::from_text(b"ab\n17\tcd\n3\tef")), "ab17\tcd3\tef");
    }

    #[test]
    fn what_is_no_json_has_no_view_of_json() {
        for line in ["{\"a\":\"b\"", "{\"a\"}]", "plain", "{} x"] {
            assert!(from_json(line.as_bytes()).is_none(), "{line}");
        }
    }

    #[test]
    fn a_place_is_named_by_its_keys() {
        let line = br#"{"message":{"content":[{"text":"a"},{"text":"bc"}]}}"#;
        let at = line.windows(2).position(|pair| pair == b"bc").unwrap();
        let names = paths(line, [at, 2, 1000].into_iter());
        assert_eq!(names[&at], "message.content[1].text");
        assert_eq!((names[&2].as_str(), names[&1000].as_str()), ("message", ""));
    }
}
