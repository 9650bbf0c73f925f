//! Damage to values: other types, other numbers, missing, duplicate, too deep, too long.

use super::scan::{Shape, Value, random_line, random_value, replaced, values};
use crate::rng::Rng;

/// Inserts spaces after colons and commas of a line, as other JSON writers do.
pub fn spaces_after_colons(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let Some(line) = random_line(bytes, rng) else { return bytes.to_vec() };
    let mut out = bytes.get(..line.start).unwrap_or_default().to_vec();
    let (mut in_string, mut escaped) = (false, false);
    for &byte in bytes.get(line.clone()).unwrap_or_default() {
        out.push(byte);
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b':' | b',' if !in_string => out.push(b' '),
            _ => {}
        }
    }
    out.extend_from_slice(bytes.get(line.end..).unwrap_or_default());
    out
}

/// Replaces a value by arrays and objects nested up to 2,000 deep; in one of eight cases up to 200,000.
pub fn deep_nesting(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let deepest = if rng.chance(12) { 200_000 } else { 2_000 };
    let depth = rng.log_between(16, deepest);
    nested_value(bytes, rng, depth)
}

/// Replaces a value by arrays and objects nested `depth` deep.
pub fn nested_value(bytes: &[u8], rng: &mut Rng, depth: usize) -> Vec<u8> {
    let (open, close) = if rng.chance(50) { ("[", "]") } else { ("{\"a\":", "}") };
    let nested = format!("{}1{}", open.repeat(depth), close.repeat(depth));
    match random_value(bytes, rng, |_| true) {
        Some(value) => replaced(bytes, value.range, nested.as_bytes()),
        None => nested.into_bytes(),
    }
}

/// Writes a number as a string.
pub fn numbers_as_strings(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    change_value(bytes, rng, is_number, |text, _| [b"\"", text, b"\""].concat())
}

/// Writes a number with a fraction, an exponent, or too large for 64 bits.
pub fn floats_for_integers(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    change_value(bytes, rng, is_number, |text, rng| match rng.below(4) {
        0 => [text, b".0"].concat(),
        1 => b"2076.1500000000001".to_vec(),
        2 => b"1e400".to_vec(),
        _ => b"-9223372036854775809".to_vec(),
    })
}

/// Writes `null` for a value.
pub fn null_value(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    change_value(bytes, rng, |_| true, |_, _| b"null".to_vec())
}

/// Writes a value of another type: a string for an object, an object for a string, ….
pub fn swapped_value_type(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    match random_value(bytes, rng, |_| true) {
        Some(value) => {
            let others: &[&str] = match value.shape {
                Shape::String => &["{}", "[]", "17", "true", "{\"type\":\"text\"}"],
                Shape::Number => &["\"17\"", "[]", "{}", "false"],
                Shape::Literal => &["\"true\"", "0", "{}", "[null]"],
                Shape::Container => &["\"text\"", "1", "null", "[]", "{}"],
            };
            replaced(bytes, value.range, rng.pick::<str>(others).as_bytes())
        }
        None => bytes.to_vec(),
    }
}

/// Duplicates a key with another value.
pub fn duplicate_key(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let second = rng.pick::<str>(&["null", "\"second\"", "[]", "{}", "2"]);
    match random_value(bytes, rng, |value| value.key.is_some()) {
        Some(Value { range, key: Some(key), .. }) => {
            let name = bytes.get(key).unwrap_or_default();
            let copy = [b",", name, b":", second.as_bytes()].concat();
            replaced(bytes, range.end..range.end, &copy)
        }
        _ => bytes.to_vec(),
    }
}

/// Removes a key and its value.
pub fn removed_member(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    match random_value(bytes, rng, |value| value.key.is_some()) {
        Some(Value { range, key: Some(key), .. }) => {
            if bytes.get(range.end) == Some(&b',') {
                replaced(bytes, key.start..range.end + 1, b"")
            } else if key.start > 0 && bytes.get(key.start - 1) == Some(&b',') {
                replaced(bytes, key.start - 1..range.end, b"")
            } else {
                replaced(bytes, key.start..range.end, b"")
            }
        }
        _ => bytes.to_vec(),
    }
}

/// Adds a key that no version writes.
pub fn unknown_member(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    match random_value(bytes, rng, |value| value.key.is_some()) {
        Some(Value { key: Some(key), .. }) => {
            replaced(bytes, key.start..key.start, b"\"neverSeen\":{\"type\":\"novel\",\"list\":[1,\"two\",null]},")
        }
        _ => bytes.to_vec(),
    }
}

/// Replaces a string by one of 64 KB to 1 MB.
pub fn huge_string(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let pattern = rng.pick::<str>(&["x", "\\n", "\\\"", "\u{e9}", "\\u00e9", "\\\\"]);
    let length = rng.log_between(65_536, 1_048_576);
    let text = format!("\"{}\"", pattern.repeat(length / pattern.len()));
    change_value(bytes, rng, |value| value.shape == Shape::String, |_, _| text.clone().into_bytes())
}

fn is_number(value: &Value) -> bool {
    value.shape == Shape::Number
}

/// Changes one matching value, on the first line that has one.
fn change_value(
    bytes: &[u8],
    rng: &mut Rng,
    wanted: impl Fn(&Value) -> bool,
    change: impl Fn(&[u8], &mut Rng) -> Vec<u8>,
) -> Vec<u8> {
    let found = random_value(bytes, rng, &wanted).or_else(|| {
        super::scan::lines(bytes).into_iter().flat_map(|line| values(bytes, line)).find(|value| wanted(value))
    });
    match found {
        Some(value) => {
            let changed = change(bytes.get(value.range.clone()).unwrap_or_default(), rng);
            replaced(bytes, value.range, &changed)
        }
        None => bytes.to_vec(),
    }
}
