//! Hostile changes to bytes: damage by crashes, other writers, old bugs and transfers, and cases that only a fuzzer
//! finds.
//!
//! Each mutator is a function of the bytes and a random number generator and never panics, whatever the bytes are.
//! [`mutate`] picks some by seed.

mod encoding;
mod lines;
mod noise;
mod scan;
mod values;

pub use encoding::{
    byte_order_mark, carriage_returns, invalid_utf8, line_separators_in_strings, lone_surrogate, nul_bytes,
};
pub use lines::{
    cut_line, duplicated_line, empty_lines, glued_lines, interleaved_lines, missing_final_newline, pretty_printed_line,
    swapped_lines,
};
pub use noise::{deleted_bytes, flipped_bits, inserted_bytes, repeated_span};
pub use values::{
    deep_nesting, duplicate_key, floats_for_integers, huge_string, nested_value, null_value, numbers_as_strings,
    removed_member, spaces_after_colons, swapped_value_type, unknown_member,
};

use crate::rng::Rng;

/// A named change to bytes.
pub type Mutator = fn(&[u8], &mut Rng) -> Vec<u8>;

/// All mutators by name, in the order of their numbers.
pub const MUTATORS: &[(&str, Mutator)] = &[
    ("lone_surrogate", lone_surrogate),
    ("invalid_utf8", invalid_utf8),
    ("byte_order_mark", byte_order_mark),
    ("carriage_returns", carriage_returns),
    ("line_separators_in_strings", line_separators_in_strings),
    ("nul_bytes", nul_bytes),
    ("empty_lines", empty_lines),
    ("missing_final_newline", missing_final_newline),
    ("cut_line", cut_line),
    ("glued_lines", glued_lines),
    ("interleaved_lines", interleaved_lines),
    ("duplicated_line", duplicated_line),
    ("swapped_lines", swapped_lines),
    ("pretty_printed_line", pretty_printed_line),
    ("spaces_after_colons", spaces_after_colons),
    ("deep_nesting", deep_nesting),
    ("numbers_as_strings", numbers_as_strings),
    ("floats_for_integers", floats_for_integers),
    ("null_value", null_value),
    ("removed_member", removed_member),
    ("unknown_member", unknown_member),
    ("duplicate_key", duplicate_key),
    ("swapped_value_type", swapped_value_type),
    ("huge_string", huge_string),
    ("flipped_bits", flipped_bits),
    ("inserted_bytes", inserted_bytes),
    ("deleted_bytes", deleted_bytes),
    ("repeated_span", repeated_span),
];

/// Applies one to four mutators chosen by `seed`.
///
/// ```
/// let line = testkit::entry::user("hi").line();
/// let damaged = testkit::mutate::mutate(line.as_bytes(), 7);
/// assert_eq!(damaged, testkit::mutate::mutate(line.as_bytes(), 7));
/// ```
pub fn mutate(bytes: &[u8], seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let mut mutated = bytes.to_vec();
    for _ in 0..=rng.below(4) {
        if let Some((_, mutator)) = MUTATORS.get(rng.below(MUTATORS.len())) {
            mutated = mutator(&mutated, &mut rng);
        }
    }
    mutated
}

/// The mutator with this name, for the command line and for pinning down a failing test.
pub fn named(name: &str) -> Option<Mutator> {
    MUTATORS.iter().find(|(known, _)| *known == name).map(|(_, mutator)| *mutator)
}

#[cfg(test)]
mod tests;
