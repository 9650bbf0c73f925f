//! Damage to the encoding: surrogates, UTF-8, line ends, control bytes.

use super::scan::{lines, place_in_string, random_line, replaced};
use crate::rng::Rng;

/// Inserts the escape of half a surrogate pair into a string, as truncating a text inside an emoji did up to 2.1.131.
pub fn lone_surrogate(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let escape = rng.pick::<str>(&["\\ud83d", "\\ude00", "\\uD83D", "\\udfff\\ud800", "\\ud83d\\n"]);
    insert_in_string(bytes, rng, escape.as_bytes())
}

/// Inserts bytes that are not UTF-8 into a string.
pub fn invalid_utf8(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    const BROKEN: [&[u8]; 6] = [b"\xff", b"\xc3", b"\xe2\x82", b"\xf0\x9f\x98", b"\xed\xa0\xbd", b"\xc0\xaf"];
    let broken = rng.pick::<[u8]>(&BROKEN);
    insert_in_string(bytes, rng, broken)
}

/// Inserts U+2028, U+2029, U+0085 or U+FEFF, unescaped, into a string: some programs treat them as line ends.
pub fn line_separators_in_strings(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let separator = rng.pick::<str>(&["\u{2028}", "\u{2029}", "\u{85}", "\u{feff}", "\u{b}", "\u{c}"]);
    insert_in_string(bytes, rng, separator.as_bytes())
}

/// Inserts NUL bytes into a line or replaces a line by them, as a system crash does.
pub fn nul_bytes(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let count = rng.between(1, 64);
    let nuls = vec![0; count];
    match random_line(bytes, rng) {
        Some(line) if rng.chance(50) => replaced(bytes, line, &nuls),
        Some(line) => {
            let place = rng.between(line.start, line.end);
            replaced(bytes, place..place, &nuls)
        }
        None => nuls,
    }
}

/// Inserts a UTF-8 byte order mark at the start, or before a later line.
pub fn byte_order_mark(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let place = match random_line(bytes, rng) {
        Some(line) if rng.chance(25) => line.start,
        _ => 0,
    };
    replaced(bytes, place..place, b"\xef\xbb\xbf")
}

/// Ends all lines, or some, with CRLF.
pub fn carriage_returns(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let all = rng.chance(50);
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 100 + 1);
    for line in lines(bytes) {
        out.extend_from_slice(bytes.get(line.clone()).unwrap_or_default());
        if all || rng.chance(50) {
            out.push(b'\r');
        }
        out.extend_from_slice(bytes.get(line.end..=line.end).unwrap_or_default());
    }
    out
}

fn insert_in_string(bytes: &[u8], rng: &mut Rng, inserted: &[u8]) -> Vec<u8> {
    match place_in_string(bytes, rng) {
        Some(place) => replaced(bytes, place..place, inserted),
        None => [bytes, inserted].concat(),
    }
}
