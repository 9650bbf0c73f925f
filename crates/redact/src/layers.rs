//! Looks through the layers of a text: what is escaped, percent-encoded or in base64 inside it is searched, too.

use std::ops::Range;

use base64::Engine;

use crate::check;
use crate::view::{View, percent, unescape};

/// Escapes within escapes are looked through this many times, base64 within base64 as well.
pub(crate) const DEPTH: usize = 4;
/// The shortest run of characters that is decoded.
const SHORTEST_RUN: usize = 24;
/// Data that is no text is only searched from this length on: pictures are, names of files are not.
const SHORTEST_DATA: usize = 200;
/// The shortest text in data that is searched like one.
const SHORTEST_TEXT: usize = 12;
/// Escapes that are this near belong to one text.
const NEAR: usize = 1024;
/// So much around escapes is decoded with them.
const AROUND: usize = 512;

/// Finds things in one view.
pub(crate) trait Finder {
    /// What it found.
    type Hit: Copy;

    /// Adds what it finds in a view; `is_text` is false for data such as pictures.
    fn find(&self, view: &View, is_text: bool, found: &mut Vec<Located<Self::Hit>>);
}

/// Something found in a view.
#[derive(Debug, Clone)]
pub(crate) struct Located<H> {
    pub(crate) range: Range<usize>,
    pub(crate) hit: H,
}

/// Something found in a text, with the bytes it was made of.
#[derive(Debug)]
pub(crate) enum Found<H> {
    /// The thing itself: its decoded value, and where it stands, in one piece for each line.
    Plain {
        hit: H,
        value: Vec<u8>,
        /// Where the lines of the value begin, but for the first.
        lines: Vec<usize>,
        origin: Vec<Range<usize>>,
    },
    /// A run of base64 with something in it.
    Encoded { origin: Vec<Range<usize>>, run: Run, inside: Vec<Found<H>> },
}

/// A run of base64 and what it stands for.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) decoded: Vec<u8>,
    pub(crate) is_text: bool,
    is_url_safe: bool,
    is_padded: bool,
}

impl Run {
    /// Encodes other bytes in the same form.
    pub(crate) fn encode(&self, bytes: &[u8]) -> String {
        let alphabet = if self.is_url_safe { &check::URL_SAFE } else { &check::STANDARD };
        let mut text = alphabet.encode(bytes);
        while self.is_padded && text.len() % 4 != 0 {
            text.push('=');
        }
        text
    }
}

impl<H> Found<H> {
    /// Where it stands, in one piece for each line.
    pub(crate) fn origin(&self) -> &[Range<usize>] {
        let (Self::Plain { origin, .. } | Self::Encoded { origin, .. }) = self;
        origin
    }

    /// Turns positions in the text of `view` into positions in the bytes that the view was made of.
    fn lift(&mut self, view: &View) {
        let (Self::Plain { origin, .. } | Self::Encoded { origin, .. }) = self;
        *origin = origin.iter().flat_map(|range| view.origin(range.clone())).collect();
    }
}

/// Everything in a view, layer by layer, with its place in the bytes that the view was made of.
pub(crate) fn explore<F: Finder>(finder: &F, view: &View, is_text: bool, depth: usize) -> Vec<Found<F::Hit>> {
    let mut located = Vec::new();
    finder.find(view, is_text, &mut located);
    let mut found: Vec<Found<F::Hit>> = located
        .into_iter()
        .map(|located| Found::Plain {
            value: view.slice(located.range.clone()).to_vec(),
            lines: view.breaks_in(&located.range),
            origin: vec![located.range],
            hit: located.hit,
        })
        .collect();
    if let Some(depth) = depth.checked_sub(1).filter(|_| is_text) {
        for region in regions(view.text(), b'\\', is_meaningful) {
            let decoded = view.derive(region, b'\\', unescape);
            found.extend(explore(finder, &decoded, true, depth));
        }
        for region in regions(view.text(), b'%', is_percent) {
            let decoded = view.derive(region, b'%', percent);
            found.extend(explore(finder, &decoded, true, depth));
        }
        for range in runs(view) {
            found.extend(run(view, range.clone()).and_then(|run| inside(finder, range, run, depth)));
        }
    }
    for found in &mut found {
        found.lift(view);
    }
    found
}

/// What is found in a run of base64.
fn inside<F: Finder>(finder: &F, range: Range<usize>, run: Run, depth: usize) -> Option<Found<F::Hit>> {
    let view = if run.is_text { View::from_text(&run.decoded) } else { View::from_binary(run.decoded.clone()) };
    let mut inside = explore(finder, &view, run.is_text, depth);
    if !run.is_text {
        // Pictures and documents hold texts, such as comments and the names of their authors.
        for text in texts(&run.decoded) {
            inside.extend(explore(finder, &View::from_text(text), true, depth));
        }
    }
    (!inside.is_empty()).then(|| Found::Encoded { origin: vec![range], run, inside })
}

/// The texts in data: what is long enough not to be there by chance.
fn texts(data: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_printed = |byte: &u8| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r');
    data.split(move |byte| !is_printed(byte)).filter(|text| text.len() >= SHORTEST_TEXT)
}

/// Whether an escape hides more than the end of a line.
fn is_meaningful(escape: &[u8]) -> bool {
    matches!(escape.get(1), Some(b'"' | b'\\' | b'/' | b'u' | b'n'))
}

fn is_percent(escape: &[u8]) -> bool {
    percent(escape).is_some()
}

/// The parts of a text that have escapes, with what is around them.
fn regions(text: &[u8], trigger: u8, counts: fn(&[u8]) -> bool) -> Vec<Range<usize>> {
    let mut regions: Vec<Range<usize>> = Vec::new();
    for at in memchr::memchr_iter(trigger, text) {
        if !counts(text.get(at..text.len().min(at + 3)).unwrap_or_default()) {
            continue;
        }
        let end = (at + AROUND).min(text.len());
        match regions.last_mut() {
            Some(last) if at <= last.end + NEAR => last.end = end,
            _ => regions.push(at.saturating_sub(AROUND)..end),
        }
    }
    regions
}

/// Runs of characters that may be base64; those of wrapped lines are one.
fn runs(view: &View) -> Vec<Range<usize>> {
    let text = view.text();
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut at = SHORTEST_RUN - 1;
    let mut done = 0;
    while let Some(&byte) = text.get(at) {
        if !is_base64(byte) {
            at += SHORTEST_RUN;
            continue;
        }
        // Most words are short, wherever their lines end.
        let after =
            text.get(at..).unwrap_or_default().iter().take(SHORTEST_RUN).take_while(|&&it| is_base64(it)).count();
        let head = text.get(at.saturating_sub(SHORTEST_RUN)..at).unwrap_or_default();
        if after + head.iter().rev().take_while(|&&it| is_base64(it)).count() < SHORTEST_RUN {
            // What goes on at the next place to look at is a run of its own.
            at += SHORTEST_RUN;
            continue;
        }
        let line = view.line_start(at).max(done)..view.line_end(at);
        let before =
            text.get(line.start..at).unwrap_or_default().iter().rev().take_while(|&&byte| is_base64(byte)).count();
        let after = text.get(at..line.end).unwrap_or_default().iter().take_while(|&&byte| is_base64(byte)).count();
        let mut range = at - before..at + after;
        let padding =
            text.get(range.end..line.end).unwrap_or_default().iter().take(2).take_while(|&&byte| byte == b'=').count();
        range.end += padding;
        done = range.end;
        at = range.end + SHORTEST_RUN;
        if range.len() >= SHORTEST_RUN {
            runs.push(range);
        }
    }
    join(view, &mut runs);
    runs
}

/// Joins runs that fill lines of equal length, and the shorter one after them.
fn join(view: &View, runs: &mut Vec<Range<usize>>) {
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(runs.len());
    let mut width = 0;
    for range in runs.drain(..) {
        match joined.last_mut() {
            Some(last)
                if last.end == range.start && view.is_break(range.start) && width >= 40 && range.len() <= width =>
            {
                // The last line of a block is shorter; nothing is joined to it.
                if range.len() < width {
                    width = 0;
                }
                last.end = range.end;
            }
            _ => {
                width = range.len();
                joined.push(range);
            }
        }
    }
    // The last line of a wrapped block may be shorter than what is worth decoding on its own.
    for range in &mut joined {
        if view.is_break(range.end) && range.len() >= 2 * SHORTEST_RUN {
            let line = view.line_end(range.end);
            let rest = view.slice(range.end..line);
            let is_tail = rest.len() < SHORTEST_RUN && rest.iter().all(|&byte| is_base64(byte) || byte == b'=');
            if is_tail {
                range.end = line;
            }
        }
    }
    *runs = joined;
}

/// Whether each byte is a character of base64, in either alphabet: a question that is asked of nearly all bytes.
#[expect(clippy::indexing_slicing, reason = "a table of all bytes, made when this is compiled")]
const BASE64: [bool; 256] = {
    let mut belongs = [false; 256];
    let mut byte = u8::MAX;
    while byte > 0 {
        belongs[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_');
        byte -= 1;
    }
    belongs
};

fn is_base64(byte: u8) -> bool {
    BASE64.get(usize::from(byte)).copied().unwrap_or_default()
}

/// Decodes a run, if it is text, or data that is long enough to be a picture.
fn run(view: &View, range: Range<usize>) -> Option<Run> {
    let text = view.slice(range);
    // A name or a path is rarely text in base64; the first bytes tell.
    if text.len() < SHORTEST_DATA && !check::decode_first(text.get(..SHORTEST_RUN)?, begins_text) {
        return None;
    }
    let decoded = check::decode(text)?;
    let is_url_safe = check::is_url_safe(text);
    let is_padded = text.last() == Some(&b'=');
    let is_text = check::is_text(&decoded);
    (is_text || decoded.len() >= SHORTEST_DATA / 4 * 3).then_some(Run { decoded, is_text, is_url_safe, is_padded })
}

/// Whether bytes begin a text; the last character may be cut off.
fn begins_text(bytes: &[u8]) -> bool {
    let valid = match std::str::from_utf8(bytes) {
        Ok(_) => bytes,
        Err(error) if error.error_len().is_none() => bytes.get(..error.valid_up_to()).unwrap_or_default(),
        Err(_) => return false,
    };
    check::is_text(valid)
}
