//! Texts that are stored in pieces: deltas of a stream, adjacent blocks of text, outputs in chunks.
//!
//! The ends of adjacent pieces are joined into chains, and chains are searched like one text. Only the ends are kept, so
//! memory is bounded, and each byte is searched a fixed number of times.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHasher};

use crate::view::{StringSpan, View};

/// So much of either end of a string takes part.
const END: usize = 1024;
/// A chain is searched when it is this long; so much of it is then kept.
const LONGEST_CHAIN: usize = 65_536;
const KEPT: usize = 8192;
/// So many chains are open at a time.
const MOST_CHAINS: usize = 256;
/// Keys whose values are texts that may be stored in pieces.
const TEXTS: [&[u8]; 10] =
    [b"text", b"thinking", b"partial_json", b"content", b"output", b"stdout", b"stderr", b"data", b"chunk", b"delta"];

/// A line, known by its bytes.
pub(crate) type LineKey = u64;

/// The key of a line.
pub(crate) fn line_key(line: &[u8]) -> LineKey {
    let mut hasher = FxHasher::default();
    line.hash(&mut hasher);
    hasher.finish()
}

/// Texts of several strings, joined.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    text: Vec<u8>,
    pieces: Vec<Piece>,
    /// The same value is only reported once, although the end of a long chain is searched again.
    searched: usize,
}

#[derive(Debug)]
struct Piece {
    line: LineKey,
    start: usize,
    view: View,
}

impl Chain {
    /// A view of the joined text.
    pub(crate) fn view(&self) -> View {
        View::from_text(&self.text)
    }

    /// Where ranges of the joined text stand: line by line. `None` if they stand in one string, where they are found
    /// anyway, or were reported before.
    pub(crate) fn origin(&self, ranges: &[Range<usize>]) -> Option<Vec<(LineKey, Range<usize>)>> {
        if ranges.last().is_none_or(|last| last.end <= self.searched) {
            return None;
        }
        let mut origin = Vec::new();
        let mut pieces = Vec::new();
        for range in ranges {
            let first = self.pieces.partition_point(|piece| piece.start <= range.start).saturating_sub(1);
            for (index, piece) in self.pieces.iter().enumerate().skip(first) {
                if piece.start >= range.end {
                    break;
                }
                let from = range.start.max(piece.start) - piece.start;
                let to = (range.end - piece.start).min(piece.view.text().len());
                if from < to {
                    pieces.push(index);
                    origin.extend(piece.view.origin(from..to).into_iter().map(|range| (piece.line, range)));
                }
            }
        }
        let spans = pieces.first() != pieces.last();
        spans.then_some(origin)
    }

    fn append(&mut self, line: LineKey, view: View) {
        let start = self.text.len();
        self.text.extend_from_slice(view.text());
        self.pieces.push(Piece { line, start, view });
    }

    /// Keeps the end, in whole pieces, which may belong to something that goes on.
    fn shorten(&mut self) {
        let floor = self.text.len().saturating_sub(KEPT);
        let first = self.pieces.partition_point(|piece| piece.start < floor);
        let cut = self.pieces.get(first).map_or(self.text.len(), |piece| piece.start);
        self.searched = self.text.len() - cut;
        self.text.drain(..cut);
        self.pieces.drain(..first);
        for piece in &mut self.pieces {
            piece.start -= cut;
        }
    }
}

/// The chains that may go on.
#[derive(Debug, Default)]
pub(crate) struct Chains {
    open: FxHashMap<u64, Chain>,
    order: Vec<u64>,
}

impl Chains {
    /// Adds the texts of a line with these strings; `done` gets chains that are complete.
    pub(crate) fn add(&mut self, line: &[u8], strings: &[StringSpan], mut done: impl FnMut(&Chain)) {
        let is_delta = memchr::memmem::find(line, b"_delta\"").is_some();
        let mut key = None;
        let source = if is_delta { stream(line, strings) } else { 0 };
        for string in strings {
            let Some((from, to)) = string.key.filter(|_| !string.is_key && string.start < string.end) else { continue };
            let Some(kind) = TEXTS.iter().position(|text| line.get(from..to) == Some(*text)) else { continue };
            let mut hasher = DefaultHasher::new();
            (kind, source).hash(&mut hasher);
            let key = *key.get_or_insert_with(|| line_key(line));
            self.string(hasher.finish(), is_delta, key, line, string.range(), &mut done);
        }
    }

    fn string(
        &mut self,
        channel: u64,
        is_delta: bool,
        key: LineKey,
        line: &[u8],
        range: Range<usize>,
        done: &mut impl FnMut(&Chain),
    ) {
        if self.order.len() >= MOST_CHAINS && !self.open.contains_key(&channel) {
            self.finish(&mut *done);
        }
        let order = &mut self.order;
        let chain = self.open.entry(channel).or_insert_with(|| {
            order.push(channel);
            Chain::default()
        });
        let is_long = range.len() > 2 * END;
        let head = View::plain(line, range.start..if is_long { range.start + END } else { range.end });
        let joins = is_delta
            || (chain.text.last().copied().is_some_and(goes_on) && head.text().first().copied().is_some_and(goes_on));
        if !joins {
            complete(chain, done);
            *chain = Chain::default();
        }
        if joins || !is_long {
            chain.append(key, head);
        }
        if is_long {
            complete(chain, done);
            *chain = Chain::default();
            chain.append(key, View::plain(line, tail(line, &range)..range.end));
        }
        if chain.text.len() > LONGEST_CHAIN {
            complete(chain, done);
            chain.shorten();
        }
    }

    /// Hands out all chains, in the order in which they began.
    pub(crate) fn finish(&mut self, mut done: impl FnMut(&Chain)) {
        for channel in self.order.drain(..) {
            if let Some(chain) = self.open.remove(&channel) {
                complete(&chain, &mut done);
            }
        }
    }
}

fn complete(chain: &Chain, done: &mut impl FnMut(&Chain)) {
    if chain.pieces.len() > 1 {
        done(chain);
    }
}

/// Where the end of a long string begins: not within an escape.
fn tail(line: &[u8], range: &Range<usize>) -> usize {
    let start = range.end - END;
    let slashes =
        line.get(range.start..start).unwrap_or_default().iter().rev().take_while(|&&byte| byte == b'\\').count();
    start + slashes % 2
}

/// Whether a token may go on with this byte.
fn goes_on(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'+' | b'/' | b'=' | b'%' | b'~' | b':')
}

/// What tells the streams apart that deltas belong to: session, parent and block.
fn stream(line: &[u8], strings: &[StringSpan]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for string in strings.iter().filter(|string| !string.is_key) {
        let key = string.key.and_then(|(from, to)| line.get(from..to));
        if matches!(key, Some(b"session_id" | b"sessionId" | b"parent_tool_use_id")) {
            line.get(string.range()).hash(&mut hasher);
        }
    }
    if let Some(at) = memchr::memmem::find(line, b"\"index\":") {
        let number = line.get(at + 8..).unwrap_or_default();
        number.iter().take(12).take_while(|byte| byte.is_ascii_digit()).for_each(|digit| digit.hash(&mut hasher));
    }
    hasher.finish()
}
