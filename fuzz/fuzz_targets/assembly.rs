//! Runs `invariants::assembly` on any bytes.

#![no_main]

#[path = "../../crates/format/tests/invariants/mod.rs"]
mod invariants;

libfuzzer_sys::fuzz_target!(|input: &[u8]| invariants::assembly(input));
