//! Lines of JSON as views, and the strings in them.
//!
//! Structure stays as it is written, so that a key is seen beside its value; strings are decoded; adjacent strings of an
//! array are joined, because patches and outputs are stored as lists of lines.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use super::escape::unescape;
use super::{Builder, StringSpan, View};

/// A view of a line of JSON; `None` if its strings and brackets do not fit together.
pub(crate) fn from_json(line: &[u8]) -> Option<View> {
    view_of(line, |_| {})
}

/// The same, with the strings of the line.
pub(crate) fn from_json_with_strings(line: &[u8]) -> Option<(View, Vec<StringSpan>)> {
    let mut strings = Vec::new();
    let view = view_of(line, |string| strings.push(string))?;
    Some((view, strings))
}

fn view_of(line: &[u8], mut seen: impl FnMut(StringSpan)) -> Option<View> {
    let mut builder = Builder::for_bytes(line.len());
    let mut copied = 0;
    let mut joins = false;
    walk(line, |event| match event {
        Event::String(string) => {
            if !joins {
                builder.copy(line.get(copied..string.start).unwrap_or_default(), copied);
            }
            joins = false;
            content(&mut builder, line, &string);
            copied = string.end;
            seen(string);
        }
        Event::Joined(string) => {
            builder.new_line();
            joins = true;
            copied = string;
        }
    })?;
    builder.copy(line.get(copied..).unwrap_or_default(), copied);
    Some(builder.finish())
}

/// Adds the content of a string; of a line of a patch without its marker.
fn content(builder: &mut Builder, line: &[u8], string: &StringSpan) {
    let mut start = string.start;
    let is_patch = string.key.is_some_and(|(from, to)| line.get(from..to) == Some(b"lines"));
    if is_patch && !string.is_key && matches!(line.get(start), Some(b'+' | b'-' | b' ')) {
        start += 1;
    }
    if !string.is_key {
        builder.begin();
    }
    builder.decoded(line.get(start..string.end).unwrap_or_default(), start, b'\\', unescape);
}

/// The strings of a line of JSON, in their order, as far as it can be read.
pub(crate) fn strings(line: &[u8]) -> Vec<StringSpan> {
    let mut found = Vec::new();
    walk(line, |event| {
        if let Event::String(string) = event {
            found.push(string);
        }
    });
    found
}

/// Where bytes of a line stand, as `message.content[0].text`, by their offsets.
pub(crate) fn paths(line: &[u8], offsets: impl Iterator<Item = usize>) -> FxHashMap<usize, String> {
    let mut offsets: Vec<usize> = offsets.collect();
    offsets.sort_unstable();
    offsets.dedup();
    let mut paths = FxHashMap::default();
    let mut left = offsets.into_iter().peekable();
    let mut open: Vec<(bool, usize)> = Vec::new();
    let mut names: Vec<Option<(usize, usize)>> = Vec::new();
    let mut expects_key = false;
    let mut at = 0;
    while let Some(&byte) = line.get(at).filter(|_| left.peek().is_some()) {
        crate::work::done(1);
        at += 1;
        match byte {
            b'{' | b'[' => {
                open.push((byte == b'[', 0));
                names.push(None);
                expects_key = byte == b'{';
            }
            b'}' | b']' => {
                open.pop();
                names.pop();
            }
            b',' => {
                if let Some((is_array, index)) = open.last_mut() {
                    *index += 1;
                    expects_key = !*is_array;
                }
            }
            b':' => expects_key = false,
            b'"' => {
                let Some(length) = line.get(at..).and_then(string_length) else { break };
                if let Some(name) = names.last_mut().filter(|_| expects_key) {
                    *name = Some((at, at + length));
                }
                at += length + 1;
            }
            _ => {}
        }
        while let Some(offset) = left.next_if(|offset| *offset < at) {
            paths.insert(offset, written(line, &open, &names));
        }
    }
    // A damaged line ends early.
    paths.extend(left.map(|offset| (offset, written(line, &open, &names))));
    paths
}

fn written(line: &[u8], open: &[(bool, usize)], names: &[Option<(usize, usize)>]) -> String {
    const DEEPEST: usize = 24;
    const LONGEST: usize = 40;
    let mut path = String::new();
    for ((is_array, index), name) in open.iter().zip(names).take(DEEPEST) {
        if *is_array {
            let _ = write!(path, "[{index}]");
        } else if let Some((start, end)) = name {
            let name = line.get(*start..*end).unwrap_or_default();
            // A key that is no plain name may be private itself.
            let is_plain =
                name.len() <= LONGEST && name.iter().all(|&byte| byte.is_ascii_alphanumeric() || byte == b'_');
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(if is_plain { std::str::from_utf8(name).unwrap_or("…") } else { "…" });
        }
    }
    path
}

enum Event {
    String(StringSpan),
    /// The next string follows the last one in an array; its content begins here.
    Joined(usize),
}

/// An object or array that is open.
#[derive(Clone, Copy)]
struct Container {
    is_array: bool,
    key: Option<(usize, usize)>,
}

/// Walks the strings of a line. Nothing recurses; memory grows with the depth only.
fn walk(line: &[u8], mut found: impl FnMut(Event)) -> Option<()> {
    let mut open: Vec<Container> = Vec::new();
    let mut expects_key = false;
    let mut key = None;
    let mut at = 0;
    while let Some(&byte) = line.get(at) {
        crate::work::done(1);
        at += 1;
        match byte {
            b'{' | b'[' => {
                open.push(Container { is_array: byte == b'[', key });
                expects_key = byte == b'{';
            }
            b'}' | b']' => {
                let closed = open.pop()?;
                if closed.is_array != (byte == b']') {
                    return None;
                }
                key = open.last().and_then(|container| container.key);
                expects_key = false;
            }
            b',' => {
                let container = open.last()?;
                expects_key = !container.is_array;
                key = container.key;
            }
            b':' => expects_key = false,
            b'"' => {
                let end = at + string_length(line.get(at..)?)?;
                let is_key = expects_key;
                found(Event::String(StringSpan { start: at, end, is_key, key, depth: open.len() }));
                if is_key {
                    key = Some((at, end));
                }
                at = end + 1;
                if open.last()?.is_array
                    && let Some(next) = next_in_array(line, at)
                {
                    found(Event::Joined(next));
                    at = next - 1;
                }
            }
            _ if open.is_empty() && !byte.is_ascii_whitespace() => return None,
            _ => {}
        }
    }
    open.is_empty().then_some(())
}

/// The length of the content of a string.
fn string_length(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let found = at + memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes.get(found) == Some(&b'"') {
            return Some(found);
        }
        at = found + 2;
    }
}

/// Where the content of the next string of the array begins, if a string follows.
fn next_in_array(line: &[u8], at: usize) -> Option<usize> {
    let comma = at + line.get(at..)?.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    if line.get(comma) != Some(&b',') {
        return None;
    }
    let quote = comma + 1 + line.get(comma + 1..)?.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    (line.get(quote) == Some(&b'"')).then_some(quote + 1)
}
