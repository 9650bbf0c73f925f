//! Splits bytes into lines.
//!
//! Only `\n` ends a line: U+2028, U+0085 and a lone carriage return are text.
//! Every byte belongs to exactly one line, so concatenating the lines reproduces the input.

use memchr::{memchr, memchr2};

/// A line: its bytes with the line ending, and its position.
///
/// When one JSON object spans several physical lines (pretty-printed files), they form one `Line`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'b> {
    /// The bytes, line ending included.
    pub bytes: &'b [u8],
    /// The number of its first line, counted from 1.
    pub number: u64,
    /// The offset of its first byte.
    pub offset: u64,
    /// The number of physical lines it covers: 1 unless an object spans several.
    pub span: u64,
    /// Whether the input ended before the line did, so that more of the line may follow.
    pub unfinished: bool,
}

/// Finds lines in input that arrives in pieces.
///
/// The caller owns the buffer. It passes the bytes after the last line, and passes more of them while no line is
/// complete.
///
/// ```
/// let mut framer = format::Framer::default();
/// let input = b"{\"a\":1}\n{\"b\":2}";
/// let first = framer.next(input, true).unwrap();
/// assert_eq!((first.bytes, first.number, first.offset), (&b"{\"a\":1}\n"[..], 1, 0));
/// let second = framer.next(&input[first.bytes.len()..], true).unwrap();
/// assert_eq!((second.bytes, second.number, second.unfinished), (&b"{\"b\":2}"[..], 2, true));
/// assert_eq!(framer.next(b"", true), None);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Framer {
    /// The lines and bytes returned so far.
    lines: u64,
    offset: u64,
    /// How much of the buffer is known to contain no line ending.
    scanned: usize,
    /// The object that is being assembled from several lines.
    spread: Option<Spread>,
    /// Objects that begin before this offset are not assembled: an earlier attempt failed.
    given_up_until: u64,
}

/// The maximum size of an object that spans lines, unless it is the whole file.
///
/// Beyond this size the lines are more likely damaged than pretty-printed, and they must not pile up in memory.
const LARGEST_SPREAD: usize = 16 << 20;

impl Framer {
    /// Resumes after `lines` lines and `offset` bytes.
    pub fn after(lines: u64, offset: u64) -> Self {
        Self { lines, offset, ..Self::default() }
    }

    /// The next line of `buffer`; `None` if the buffer contains no complete line.
    ///
    /// `at_end` means that nothing follows the buffer; its remaining bytes are then a line too.
    pub fn next<'b>(&mut self, buffer: &'b [u8], at_end: bool) -> Option<Line<'b>> {
        loop {
            let rest = buffer.get(self.scanned..)?;
            let end = match memchr(b'\n', rest) {
                Some(at) => self.scanned + at + 1,
                None if !at_end => {
                    // A spanning object resumes at the line where it stopped.
                    if self.spread.is_none() {
                        self.scanned = buffer.len();
                    }
                    return None;
                }
                None if buffer.is_empty() => return None,
                None if rest.is_empty() && self.spread.is_some() => return Some(self.give_up(buffer)),
                None => buffer.len(),
            };
            let line = buffer.get(self.scanned_line_start()..end)?;
            match self.spread.take() {
                None => match Spread::begin(line) {
                    Some(spread) if self.offset >= self.given_up_until => {
                        self.spread = Some(spread);
                        self.scanned = end;
                    }
                    _ => return Some(self.hand_out(buffer.get(..end)?, 1)),
                },
                Some(mut spread) => {
                    let verdict = spread.add(line);
                    let lines = spread.lines;
                    self.spread = Some(spread);
                    match verdict {
                        Verdict::Complete => return Some(self.hand_out(buffer.get(..end)?, lines)),
                        Verdict::Open if end <= LARGEST_SPREAD || self.offset == 0 => self.scanned = end,
                        Verdict::Open | Verdict::Broken => return Some(self.give_up(buffer)),
                    }
                }
            }
        }
    }

    /// The start of the line being scanned, in the buffer.
    fn scanned_line_start(&self) -> usize {
        if self.spread.is_some() { self.scanned } else { 0 }
    }

    /// Returns the first line alone, because the lines after it do not complete it.
    fn give_up<'b>(&mut self, buffer: &'b [u8]) -> Line<'b> {
        self.given_up_until = self.offset + self.scanned as u64;
        let end = memchr(b'\n', buffer).map_or(buffer.len(), |at| at + 1);
        self.hand_out(buffer.get(..end).unwrap_or(buffer), 1)
    }

    fn hand_out<'b>(&mut self, bytes: &'b [u8], span: u64) -> Line<'b> {
        let line =
            Line { bytes, number: self.lines + 1, offset: self.offset, span, unfinished: bytes.last() != Some(&b'\n') };
        self.lines += span;
        self.offset += bytes.len() as u64;
        self.scanned = 0;
        self.spread = None;
        line
    }
}

/// All lines of `input`.
pub fn lines(input: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let mut framer = Framer::default();
    let mut rest = input;
    std::iter::from_fn(move || {
        let line = framer.next(rest, true)?;
        rest = rest.get(line.bytes.len()..).unwrap_or_default();
        Some(line)
    })
}

/// A JSON value that spans line endings.
#[derive(Debug, Clone)]
struct Spread {
    /// The number of open brackets.
    depth: usize,
    /// The last byte that is not white space.
    last: u8,
    lines: u64,
}

/// The effect of one more line on a spanning value.
enum Verdict {
    Open,
    Complete,
    Broken,
}

impl Spread {
    /// A value that begins in `line` and is unfinished at its end.
    ///
    /// Pretty-printers break lines after brackets, commas and colons; lines of a
    /// transcript begin and end with braces, so the check costs nothing there.
    fn begin(line: &[u8]) -> Option<Self> {
        let trimmed = line.trim_ascii();
        let trimmed = trimmed.strip_prefix(b"\xef\xbb\xbf").unwrap_or(trimmed).trim_ascii_start();
        let opens = matches!(trimmed.first(), Some(b'{' | b'['));
        let breaks = matches!(trimmed.last(), Some(b'{' | b'[' | b',' | b':'));
        if !(opens && breaks) {
            return None;
        }
        let mut spread = Self { depth: 0, last: b' ', lines: 0 };
        matches!(spread.add(trimmed), Verdict::Open).then_some(spread)
    }

    fn add(&mut self, line: &[u8]) -> Verdict {
        self.lines += 1;
        let mut rest = line.trim_ascii();
        // An object in a position that allows no value is the next line of a transcript.
        if rest.starts_with(b"{") && !matches!(self.last, b' ' | b'[' | b',' | b':') {
            return Verdict::Broken;
        }
        self.last = rest.last().copied().unwrap_or(self.last);
        while let Some((&byte, tail)) = rest.split_first() {
            rest = tail;
            match byte {
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => match self.depth.checked_sub(1) {
                    Some(0) if rest.is_empty() => return Verdict::Complete,
                    Some(depth) if depth > 0 => self.depth = depth,
                    _ => return Verdict::Broken,
                },
                b'"' => match after_string(rest) {
                    Some(tail) => rest = tail,
                    None => return Verdict::Broken,
                },
                _ => {}
            }
        }
        Verdict::Open
    }
}

/// The text after a string whose opening quote is already consumed; `None` if the string does not end.
fn after_string(mut text: &[u8]) -> Option<&[u8]> {
    loop {
        let at = memchr2(b'"', b'\\', text)?;
        let escape = text.get(at) == Some(&b'\\');
        text = text.get(at + 1 + usize::from(escape)..)?;
        if !escape {
            return Some(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(input: &str) -> Vec<(String, u64, u64)> {
        lines(input.as_bytes())
            .map(|line| (String::from_utf8_lossy(line.bytes).into_owned(), line.number, line.span))
            .collect()
    }

    fn owned(lines: &[(&str, u64, u64)]) -> Vec<(String, u64, u64)> {
        lines.iter().map(|&(text, number, span)| (text.to_owned(), number, span)).collect()
    }

    #[test]
    fn only_newlines_end_lines() {
        assert_eq!(
            split("{\"a\":\"\u{2028}\u{85}\r\"}\r\n\n{}\n"),
            owned(&[("{\"a\":\"\u{2028}\u{85}\r\"}\r\n", 1, 1), ("\n", 2, 1), ("{}\n", 3, 1)])
        );
        assert_eq!(split(""), owned(&[]));
    }

    #[test]
    fn a_pretty_printed_object_is_one_line() {
        let object = "{\n  \"type\": \"mode\",\n  \"x\": [\n    {\"a\": 1},\n    {\"b\": \"}\"}\n  ]\n}\n";
        assert_eq!(split(&format!("{{}}\n{object}{{}}\n")), owned(&[("{}\n", 1, 1), (object, 2, 7), ("{}\n", 9, 1)]));
    }

    #[test]
    fn a_wrapped_array_is_one_line_of_any_size() {
        let array = format!("[\n{}{{\"type\":\"b\"}}\n]\n", "{\"type\":\"a\"},\n".repeat(2_000_000));
        assert!(array.len() > LARGEST_SPREAD);
        assert_eq!(lines(array.as_bytes()).count(), 1);
    }

    #[test]
    fn a_cut_line_does_not_swallow_the_next() {
        for cut in ["{\"type\":\"us", "{\"a\":[", "{\"a\":1,", "{\"a\":", "{"] {
            let input = format!("{cut}\n{{\"type\":\"mode\"}}\n{{\"type\":\"tag\"}}\n");
            let lines = split(&input);
            assert_eq!(lines.len(), 3, "{cut}: {lines:?}");
            assert_eq!(lines[1].0, "{\"type\":\"mode\"}\n");
        }
    }

    #[test]
    fn openers_without_end_cost_linear_time() {
        let input = "{\n".repeat(300_000);
        assert_eq!(split(&input).len(), 300_000);
    }

    #[test]
    fn input_in_pieces_gives_the_same_lines() {
        let input = "{\"a\":1}\n{\n \"b\": 2\n}\n[\n1,\n{\"c\"\n\n{}\n{\"d\":\"\\\"\n\"";
        let whole = split(input);
        for size in 1..7 {
            let (mut framer, mut buffer, mut found) = (Framer::default(), Vec::new(), Vec::new());
            let mut pieces = input.as_bytes().chunks(size);
            loop {
                let piece = pieces.next();
                buffer.extend_from_slice(piece.unwrap_or_default());
                while let Some(line) = framer.next(&buffer, piece.is_none()) {
                    found.push((String::from_utf8_lossy(line.bytes).into_owned(), line.number, line.span));
                    let length = line.bytes.len();
                    buffer.drain(..length);
                }
                if piece.is_none() {
                    break;
                }
            }
            assert_eq!(found, whole, "pieces of {size}");
        }
    }
}
