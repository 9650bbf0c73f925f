//! Damage to lines: truncated, glued, interleaved, spread over several.

use super::scan::{lines, random_line, replaced};
use crate::rng::Rng;

/// Inserts empty lines and lines of spaces between the lines.
pub fn empty_lines(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + 16);
    for line in lines(bytes) {
        if rng.chance(30) {
            out.extend_from_slice(rng.pick::<str>(&["\n", "\n\n", "  \n", "\t\n", "\r\n"]).as_bytes());
        }
        out.extend_from_slice(bytes.get(line.clone()).unwrap_or_default());
        out.extend_from_slice(bytes.get(line.end..=line.end).unwrap_or_default());
    }
    out.push(b'\n');
    out
}

/// Removes the last newline.
pub fn missing_final_newline(bytes: &[u8], _rng: &mut Rng) -> Vec<u8> {
    bytes.strip_suffix(b"\n").unwrap_or(bytes).to_vec()
}

/// Truncates a line somewhere and continues with the next, or ends the file there.
pub fn cut_line(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let Some(line) = random_line(bytes, rng) else { return bytes.to_vec() };
    let place = rng.between(line.start, line.end.saturating_sub(1));
    if rng.chance(50) { bytes.get(..place).unwrap_or_default().to_vec() } else { replaced(bytes, place..line.end, b"") }
}

/// Removes the newline between two lines: two objects on one line.
pub fn glued_lines(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let all = lines(bytes);
    if all.len() < 2 {
        return [bytes.strip_suffix(b"\n").unwrap_or(bytes), bytes].concat();
    }
    let index = rng.below(all.len() - 1);
    all.get(index).map_or_else(|| bytes.to_vec(), |line| replaced(bytes, line.end..line.end + 1, b""))
}

/// Inserts a line into the middle of another, as two processes do that append to one file.
pub fn interleaved_lines(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let (Some(inner), Some(outer)) = (random_line(bytes, rng), random_line(bytes, rng)) else {
        return bytes.to_vec();
    };
    let mut inserted = bytes.get(inner).unwrap_or_default().to_vec();
    inserted.push(b'\n');
    let place = rng.between(outer.start, outer.end);
    replaced(bytes, place..place, &inserted)
}

/// Duplicates a line at any position.
pub fn duplicated_line(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let (Some(line), Some(before)) = (random_line(bytes, rng), random_line(bytes, rng)) else {
        return bytes.to_vec();
    };
    let mut copy = bytes.get(line).unwrap_or_default().to_vec();
    copy.push(b'\n');
    replaced(bytes, before.start..before.start, &copy)
}

/// Swaps two lines, so that children precede their parents.
pub fn swapped_lines(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let (Some(one), Some(other)) = (random_line(bytes, rng), random_line(bytes, rng)) else {
        return bytes.to_vec();
    };
    let (first, second) = if one.start <= other.start { (one, other) } else { (other, one) };
    if first == second {
        return bytes.to_vec();
    }
    let late = bytes.get(second.clone()).unwrap_or_default();
    let early = bytes.get(first.clone()).unwrap_or_default();
    replaced(&replaced(bytes, second, early), first, late)
}

/// Spreads the object of a line over several lines.
pub fn pretty_printed_line(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let Some(line) = random_line(bytes, rng) else { return bytes.to_vec() };
    let text = bytes.get(line.clone()).unwrap_or_default();
    match serde_json::from_slice::<serde_json::Value>(text).and_then(|value| serde_json::to_vec_pretty(&value)) {
        Ok(pretty) => replaced(bytes, line, &pretty),
        Err(_) => bytes.to_vec(),
    }
}
