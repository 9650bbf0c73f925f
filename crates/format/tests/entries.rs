//! One example of every entry type, subtype, attachment type, progress kind and stream message, and how it is read:
//! `fixtures/entries.jsonl`, one example per line.

use std::fmt::Write as _;

use format::Scratch;

const EXAMPLES: &str = include_str!("fixtures/entries.jsonl");

#[test]
fn examples_are_read_as_shown() {
    let mut scratch = Scratch::default();
    let mut shown = String::new();
    for line in EXAMPLES.lines() {
        scratch.reset();
        let reading = format::read(line.as_bytes(), &scratch);
        let [entry] = reading.entries.as_slice() else { panic!("not one entry: {line}") };
        let _ = writeln!(shown, "{line}\n{:#?}", entry.body);
        for note in &entry.notes {
            let _ = writeln!(shown, "note: {note:?}");
        }
        shown.push('\n');
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn examples_are_understood_completely() {
    let mut scratch = Scratch::default();
    // Unknown kinds are at the end, to show how they are kept.
    for line in EXAMPLES.lines().filter(|line| !line.contains("hologram")) {
        scratch.reset();
        let reading = format::read(line.as_bytes(), &scratch);
        assert!(reading.malformed.is_none() && !reading.repairs.any(), "{line}");
        for entry in &reading.entries {
            assert!(entry.notes.is_empty(), "{line}\n{:#?}", entry.notes);
            assert_eq!(entry.foreign, None, "{line}");
        }
    }
}

#[test]
fn the_order_of_fields_changes_nothing() {
    let (first, second) = (Scratch::default(), Scratch::default());
    for (line, same) in [
        (
            r#"{"message":{"role":"assistant","content":[{"type":"text","text":"hi","odd":1}]},"type":"assistant"}"#,
            r#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"hi","odd":1}]}}"#,
        ),
        (
            r#"{"attachment":{"type":"todo","content":[]},"type":"attachment"}"#,
            r#"{"type":"attachment","attachment":{"type":"todo","content":[]}}"#,
        ),
        // A misplaced message is noted like any other field.
        (
            r#"{"message":{"role":"user","odd":1},"type":"mode","mode":"plan"}"#,
            r#"{"type":"mode","message":{"role":"user","odd":1},"mode":"plan"}"#,
        ),
        (r#"{"attachment":{"type":"todo"},"type":"tag"}"#, r#"{"type":"tag","attachment":{"type":"todo"}}"#),
        (r#"{"message":"hi","type":"user"}"#, r#"{"type":"user","message":"hi"}"#),
        (r#"{"message":{"odd":1},"type":"hologram"}"#, r#"{"type":"hologram","message":{"odd":1}}"#),
    ] {
        let (line, same) = (format::read(line.as_bytes(), &first), format::read(same.as_bytes(), &second));
        assert_eq!(line, same);
    }
}
