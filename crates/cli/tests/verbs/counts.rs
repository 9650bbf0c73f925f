//! What counts as a compaction, and how counted things are written.

use serde_json::{Value, json};
use testkit::{Session, entry};

use crate::sandbox::Sandbox;

fn rows(sandbox: &Sandbox) -> Vec<Value> {
    let output = sandbox.recount(&["ls", "--json"]).output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    document["sessions"].as_array().unwrap().clone()
}

#[test]
fn dropped_results_are_no_compaction() {
    let mut session = Session::new();
    session.prompt("look after the garden");
    session.reply("Sure.");
    let dropped = json!({"trigger": "auto", "preTokens": 9000, "tokensSaved": 4000, "compactedToolIds": ["toolu_1"]});
    session.push(entry::system("microcompact_boundary").with("microcompactMetadata", dropped));
    session.reply("Done.");
    let sandbox = Sandbox::new();
    sandbox.write(".claude/projects/-garden/aaaa1111.jsonl", session.jsonl());
    assert_eq!(rows(&sandbox)[0]["compactions"], 0);
    let shown = sandbox.shown(&sandbox.recount(&["show", "aaaa1111"]).output().unwrap());
    assert!(shown.contains("old results dropped") && !shown.contains("1 compaction"), "{shown}");
}

#[test]
fn one_session_is_not_sessions() {
    let mut session = Session::new();
    session.prompt("look after the garden");
    let sandbox = Sandbox::new();
    sandbox.write(".claude/projects/-garden/aaaa1111.jsonl", session.jsonl());
    let shown = sandbox.shown(&sandbox.recount(&["show", "last~5"]).output().unwrap());
    assert!(shown.contains("there is only 1 session: last~5"), "{shown}");
}
