use super::*;
use crate::{Session, entry};
use serde_json::{Value, json};

fn sample() -> Vec<u8> {
    let mut session = Session::new();
    session.prompt("naïve \"quotes\"\nand lines");
    let call = session.call("Bash", json!({"command": "ls", "timeout": 1000}));
    session.result(&call, "a\nb", json!({"stdout": "a\nb", "interrupted": false}));
    session.push(entry::system("turn_duration").with("durationMs", 48211));
    session.jsonl().into_bytes()
}

fn parses(bytes: &[u8]) -> usize {
    bytes.split(|byte| *byte == b'\n').filter(|line| serde_json::from_slice::<Value>(line).is_ok()).count()
}

fn contains(bytes: &[u8], needle: &[u8]) -> bool {
    bytes.windows(needle.len()).any(|window| window == needle)
}

/// Runs a mutator with several seeds and passes each result to `check`.
fn every_time(mutator: Mutator, check: impl Fn(&[u8], &[u8])) {
    let before = sample();
    for seed in 0..40 {
        check(&before, &mutator(&before, &mut Rng::new(seed)));
    }
}

#[test]
fn no_mutator_panics_on_any_bytes_and_each_is_repeatable() {
    let inputs: [&[u8]; 8] = [b"", b"\n", b"{", b"\"", b"\\", b"{\"a\":1}", b"\xff\xfe\n\n{}", b"[[[]]"];
    for (name, mutator) in MUTATORS {
        for input in inputs.iter().copied().chain([sample().as_slice()]) {
            for seed in 0..20 {
                let once = mutator(input, &mut Rng::new(seed));
                assert_eq!(once, mutator(input, &mut Rng::new(seed)), "{name}");
            }
        }
        assert!(named(name).is_some());
    }
}

#[test]
fn most_mutators_change_the_sample() {
    for (name, mutator) in MUTATORS {
        let changed = (0..40).filter(|seed| mutator(&sample(), &mut Rng::new(*seed)) != sample()).count();
        assert!(changed >= 20, "{name} changed the sample {changed} times of 40");
    }
}

#[test]
fn surrogates_stay_json_but_not_text() {
    every_time(lone_surrogate, |_, after| {
        assert!(std::str::from_utf8(after).is_ok());
        assert_eq!(parses(after), 3);
    });
}

#[test]
fn invalid_utf8_is_invalid() {
    every_time(invalid_utf8, |_, after| assert!(std::str::from_utf8(after).is_err()));
}

#[test]
fn separators_do_not_break_lines() {
    every_time(line_separators_in_strings, |before, after| {
        assert!(std::str::from_utf8(after).is_ok());
        assert_eq!(after.split(|b| *b == b'\n').count(), before.split(|b| *b == b'\n').count());
    });
}

#[test]
fn marks_and_line_ends() {
    every_time(byte_order_mark, |_, after| assert!(contains(after, b"\xef\xbb\xbf")));
    every_time(carriage_returns, |_, after| assert_eq!(parses(after), 4));
    assert!(contains(&carriage_returns(&sample(), &mut Rng::new(1)), b"\r\n"));
    every_time(missing_final_newline, |_, after| assert!(!after.ends_with(b"\n")));
    every_time(nul_bytes, |_, after| assert!(after.contains(&0)));
    every_time(empty_lines, |_, after| assert_eq!(parses(after), 4));
}

#[test]
fn lines_are_truncated_glued_and_spread() {
    every_time(cut_line, |before, after| assert!(after.len() < before.len()));
    every_time(glued_lines, |_, after| assert!(contains(after, b"}{")));
    every_time(pretty_printed_line, |before, after| {
        assert!(after.split(|b| *b == b'\n').count() > before.split(|b| *b == b'\n').count());
    });
    every_time(duplicated_line, |_, after| assert_eq!(parses(after), 5));
    every_time(swapped_lines, |before, after| assert_eq!((parses(after), after.len()), (4, before.len())));
    every_time(interleaved_lines, |before, after| assert!(after.len() > before.len()));
}

#[test]
fn values_change_and_lines_stay_json() {
    let mutators =
        [spaces_after_colons, numbers_as_strings, null_value, swapped_value_type, unknown_member, duplicate_key];
    for mutator in mutators {
        every_time(mutator, |_, after| assert_eq!(parses(after), 4, "{}", String::from_utf8_lossy(after)));
    }
    every_time(removed_member, |_, after| assert_eq!(parses(after), 4, "{}", String::from_utf8_lossy(after)));
    every_time(spaces_after_colons, |_, after| assert!(contains(after, b"\": ")));
    every_time(huge_string, |_, after| assert!(after.len() > 65_536));
}

#[test]
fn nesting_has_the_requested_depth() {
    let nested = nested_value(b"{\"a\":1}\n", &mut Rng::new(5), 200_000);
    let deepest = nested.iter().scan(0_i64, |depth, byte| {
        *depth += match byte {
            b'{' | b'[' => 1,
            b'}' | b']' => -1,
            _ => 0,
        };
        Some(*depth)
    });
    assert!(deepest.max() >= Some(200_000));
}

#[test]
fn mutations_depend_on_the_seed() {
    let sample = sample();
    assert_eq!(mutate(&sample, 3), mutate(&sample, 3));
    assert!((0..50).filter(|seed| mutate(&sample, *seed) != sample).count() > 45);
}
