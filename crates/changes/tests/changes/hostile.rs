//! Any session is processed, and no patch contains more than it should.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::desk::Desk;
use changes::ChangeFilter;
use render::terminal::TerminalLook;

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => (0_i64..12).prop_map(Value::from),
        1 => prop::sample::select(&[-1, i64::MIN, i64::MAX, i64::MAX - 1][..]).prop_map(Value::from),
        1 => Just(Value::Null),
    ]
}

fn text() -> impl Strategy<Value = String> {
    let words = ["a", "\n", " a", "-a", "+a", "\\ No newline", "\t", "\r", "é", "\u{1b}[31m", "</script>", "  "];
    prop::collection::vec(prop::sample::select(words.to_vec()), 0..6).prop_map(|words| words.concat())
}

fn hunk() -> impl Strategy<Value = Value> {
    (number(), number(), prop::collection::vec(text(), 0..8))
        .prop_map(|(old, new, lines)| json!({"oldStart": old, "newStart": new, "lines": lines}))
}

fn result() -> impl Strategy<Value = (String, Value, Value)> {
    let tool = prop::sample::select(&["Edit", "Write", "MultiEdit", "NotebookEdit", "Read"][..]);
    let path = prop::sample::select(&["/p/a", "/p/b", "..", "", "/", "/p", "c:\\x", "/p/\n\u{1b}\"\\"][..]);
    let whole = prop::option::of(text());
    (tool, path, prop::collection::vec(hunk(), 0..4), text(), text(), whole, number(), any::<bool>()).prop_map(
        |(tool, path, hunks, old, new, whole, number, flag)| {
            let input = json!({
                "file_path": path, "notebook_path": path, "old_string": old, "new_string": new, "content": new,
                "edits": [{"old_string": old, "new_string": new, "replace_all": flag}], "replace_all": flag,
            });
            let kind = match tool {
                "Read" => "text",
                _ if flag => "create",
                _ => "update",
            };
            let result = json!({
                "type": kind, "filePath": path, "oldString": old, "newString": new, "originalFile": whole,
                "structuredPatch": hunks, "content": new, "original_file": whole, "updated_file": new,
                "file": {"filePath": path, "content": new, "startLine": number, "totalLines": number},
            });
            (tool.to_owned(), input, result)
        },
    )
}

proptest! {
    #[test]
    fn any_session_is_processed(calls in prop::collection::vec(result(), 0..12), since in prop::option::of(1_u64..4)) {
        let mut desk = Desk::default();
        for (at, (tool, input, result)) in calls.iter().enumerate() {
            if at % 4 == 3 {
                desk.prompt("go on");
            }
            desk.call(tool, input);
            desk.result("done", result);
        }
        let changes = desk.changes_of(&ChangeFilter { since_turn: since, ..ChangeFilter::default() });
        let look = TerminalLook { width: 40, is_terminal: true, theme: None, locale: human::Locale::default(), bill: content::Bill::default(), status: None };
        let mut shown = Vec::new();
        render::changes::write_changes(&mut shown, &changes, &look).unwrap();
        render::changes::write_stat(&mut shown, &changes, &look).unwrap();
        render::changes::write_patch(&mut shown, &changes, &look).unwrap();
        let shown = String::from_utf8(shown).unwrap();
        prop_assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{:?}", shown);
        let mut page = Vec::new();
        page::write_changes(&mut page, &changes).unwrap();
        prop_assert!(!page.contains(&0x1b));
        let mut json = Vec::new();
        wire::write(&mut json, &wire::diff::ChangesOut::of(&changes), wire::JsonLayout::Compact).unwrap();
        let document: Value = serde_json::from_slice(&json).unwrap();
        prop_assert_eq!(document["files"].as_array().unwrap().len(), changes.files.len());
        changes.patch();
    }
}

#[test]
fn names_are_quoted() {
    let mut desk = Desk::default();
    desk.create("a\n+++ b/etc/passwd\t\"\u{202e}é\\", "x\n");
    let patch = desk.changes().patch();
    let name = r#""b/a\012+++ b/etc/passwd\011\"\342\200\256é\\""#;
    assert!(patch.contains(&format!("+++ {name}")), "{patch}");
    assert!(patch.lines().all(|line| line.starts_with(['d', 'n', '-', '+', '@'])), "{patch}");
}

#[test]
fn other_lines_are_skipped() {
    let mut desk = Desk::default();
    desk.create("a", "x\n");
    desk.push_raw("{\"type\":");
    desk.create("b", "x\n");
    assert_eq!(desk.changes().files.len(), 2);
}

/// Many small edits of a long file take linear time.
#[test]
fn a_long_file_may_have_many_edits() {
    let mut desk = Desk::default();
    let content = "x\n".repeat(200_000);
    desk.create("a", &content);
    for number in 0..3_000 {
        let at = (number * 7_919) % 190_000 + 4;
        let lines = [" x", " x", " x", "+y", " x", " x", " x"];
        let hunk = json!({"oldStart": at - 3, "newStart": at - 3, "lines": lines});
        desk.call("Edit", &json!({"file_path": "/p/a", "old_string": "x", "new_string": "x\ny"}));
        desk.result("done", &json!({"filePath": "/p/a", "structuredPatch": [hunk]}));
    }
    let started = std::time::Instant::now();
    let changes = desk.changes();
    assert_eq!(changes.files.len(), 1);
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}
