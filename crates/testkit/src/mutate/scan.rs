//! Finds lines and JSON values in bytes without validating them.

use crate::rng::Rng;
use std::ops::Range;

/// The type of a value, by its first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    String,
    Number,
    Literal,
    Container,
}

/// A value in a line and, inside an object, where its key begins.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) shape: Shape,
    pub(super) range: Range<usize>,
    pub(super) key: Option<Range<usize>>,
}

/// The ranges of all lines, without their newlines.
pub(super) fn lines(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    for line in bytes.split(|byte| *byte == b'\n') {
        ranges.push(start..start + line.len());
        start += line.len() + 1;
    }
    if ranges.last().is_some_and(Range::is_empty) {
        ranges.pop();
    }
    ranges
}

/// A random line that is not empty.
pub(super) fn random_line(bytes: &[u8], rng: &mut Rng) -> Option<Range<usize>> {
    let all: Vec<_> = lines(bytes).into_iter().filter(|line| !line.is_empty()).collect();
    all.get(rng.below(all.len())).cloned()
}

/// All values of the JSON text in `range`, in the order in which they end. Text that is not JSON gives anything that
/// looks like a value.
pub(super) fn values(bytes: &[u8], range: Range<usize>) -> Vec<Value> {
    let mut found = Vec::new();
    let mut open: Vec<(usize, Option<Range<usize>>, bool)> = Vec::new();
    let mut key: Option<Range<usize>> = None;
    let mut key_expected = false;
    let mut index = range.start;
    while let Some(&byte) = bytes.get(..range.end).and_then(|text| text.get(index)) {
        let start = index;
        index += 1;
        match byte {
            b'"' => {
                index = end_of_string(bytes, index, range.end);
                if key_expected {
                    key = Some(start..index);
                    key_expected = false;
                } else {
                    found.push(Value { shape: Shape::String, range: start..index, key: key.take() });
                }
            }
            b'{' | b'[' => {
                open.push((start, key.take(), byte == b'{'));
                key_expected = byte == b'{';
            }
            b'}' | b']' => {
                if let Some((begin, key, _)) = open.pop() {
                    found.push(Value { shape: Shape::Container, range: begin..index, key });
                }
                key_expected = false;
            }
            b',' => key_expected = open.last().is_some_and(|(_, _, object)| *object),
            b'-' | b'0'..=b'9' => {
                index = end_of_word(bytes, index, range.end);
                found.push(Value { shape: Shape::Number, range: start..index, key: key.take() });
            }
            b'a'..=b'z' => {
                index = end_of_word(bytes, index, range.end);
                found.push(Value { shape: Shape::Literal, range: start..index, key: key.take() });
            }
            _ => {}
        }
    }
    found
}

fn end_of_string(bytes: &[u8], mut index: usize, end: usize) -> usize {
    while index < end {
        match bytes.get(index) {
            Some(b'\\') => index += 2,
            Some(b'"') => return index + 1,
            _ => index += 1,
        }
    }
    end
}

fn end_of_word(bytes: &[u8], mut index: usize, end: usize) -> usize {
    while index < end
        && bytes.get(index).is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-'))
    {
        index += 1;
    }
    index
}

/// The bytes with `range` replaced.
pub(super) fn replaced(bytes: &[u8], range: Range<usize>, replacement: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + replacement.len());
    out.extend_from_slice(bytes.get(..range.start).unwrap_or(bytes));
    out.extend_from_slice(replacement);
    out.extend_from_slice(bytes.get(range.end..).unwrap_or_default());
    out
}

/// A random value of a random line that `wanted` accepts.
pub(super) fn random_value(bytes: &[u8], rng: &mut Rng, wanted: impl Fn(&Value) -> bool) -> Option<Value> {
    let line = random_line(bytes, rng)?;
    let mut fitting: Vec<_> = values(bytes, line).into_iter().filter(|value| wanted(value)).collect();
    if fitting.is_empty() {
        return None;
    }
    let index = rng.below(fitting.len());
    Some(fitting.swap_remove(index))
}

/// A position inside a string value: after its opening quote, not within an escape.
pub(super) fn place_in_string(bytes: &[u8], rng: &mut Rng) -> Option<usize> {
    let value = random_value(bytes, rng, |value| value.shape == Shape::String && value.range.len() >= 2)?;
    let last = value.range.end - 1;
    let mut index = value.range.start + 1;
    let target = rng.between(index, last);
    while index < target {
        index += if bytes.get(index) == Some(&b'\\') { escape_length(bytes, index) } else { 1 };
    }
    // Not in the middle of a UTF-8 sequence either.
    while index < last && bytes.get(index).is_some_and(|byte| (0x80..0xc0).contains(byte)) {
        index += 1;
    }
    Some(index.min(last))
}

fn escape_length(bytes: &[u8], index: usize) -> usize {
    if bytes.get(index + 1) == Some(&b'u') { 6 } else { 2 }
}
