//! `recount file` from the outside: which sessions touched a file, and how.

use serde_json::{Value, json};
use testkit::Session;

use crate::sandbox::Sandbox;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let mut session = Session::new();
    let path = "/home/ana/work/shop/up.py";
    session.prompt("make the uploader retry");
    let call = session.call("Read", json!({"file_path": path}));
    session.result(&call, "1\ta", json!({"type": "text", "file": {"filePath": path, "content": "a", "numLines": 1}}));
    let call = session.call("Edit", json!({"file_path": path, "old_string": "a", "new_string": "b"}));
    let hunks = json!([{"oldStart": 3, "oldLines": 2, "newStart": 3, "newLines": 2, "lines": [" x", "-a", "+b"]}]);
    let result = json!({"filePath": path, "oldString": "a", "newString": "b", "structuredPatch": hunks});
    session.result(&call, "The file has been updated.", result);
    session.prompt("and again");
    let call = session.call("Edit", json!({"file_path": path, "old_string": "q", "new_string": "r"}));
    session.failure(&call, "<tool_use_error>String to replace not found in file.</tool_use_error>");
    let call = session.call("Write", json!({"file_path": "/home/ana/other/up.py", "content": "one\ntwo\n"}));
    session.result(
        &call,
        "File created successfully",
        json!({"type": "create", "filePath": "/home/ana/other/up.py", "content": "one\ntwo\n", "structuredPatch": []}),
    );
    sandbox.write(".claude/projects/-home-ana-work-shop/aaaa1111.jsonl", session.jsonl());
    sandbox
}

fn shown(arguments: &[&str]) -> String {
    let sandbox = sandbox();
    sandbox.shown(&sandbox.recount(&["file"]).args(arguments).env("COLUMNS", "100").output().unwrap())
}

#[test]
fn all_files_that_match_are_shown() {
    insta::assert_snapshot!(shown(&["up.py"]), @r#"
    exit 0
    /home/ana/other/up.py
      make the uploader retry · /home/ana/work/shop · 8 Aug 2026 09:15 · aaaa1111
        wrote +2 −0 · turn 2 · 09:15 · recount show aaaa1111 --turn 2

    /home/ana/work/shop/up.py
      make the uploader retry · /home/ana/work/shop · 8 Aug 2026 09:15 · aaaa1111
        failed to edit · turn 2 · 09:15 · recount show aaaa1111 --turn 2
        edited +1 −1 · turn 1 · 09:15 · recount show aaaa1111 --turn 1
        read · turn 1 · 09:15 · recount show aaaa1111 --turn 1
    "#);
}

#[test]
fn edits_are_shown() {
    insta::assert_snapshot!(shown(&["shop/up.py", "--patch"]), @r#"
    exit 0
    /home/ana/work/shop/up.py
      make the uploader retry · /home/ana/work/shop · 8 Aug 2026 09:15 · aaaa1111
        failed to edit · turn 2 · 09:15 · recount show aaaa1111 --turn 2
        edited +1 −1 · turn 1 · 09:15 · recount show aaaa1111 --turn 1
          3   x
          4 - a
          4 + b
        read · turn 1 · 09:15 · recount show aaaa1111 --turn 1
    "#);
}

#[test]
fn a_file_without_history_is_reported() {
    insta::assert_snapshot!(shown(&["p.py"]), @r#"
    exit 1
    recount: no session has touched it: p.py
    hint: a part of a path matches whole names only: `main.rs` or `src/main.rs`, not `ain.rs`
    "#);
    assert!(shown(&["up.py", "--since", "2099-01-01"]).starts_with("exit 1\n"));
}

#[test]
fn json_has_all_sessions_unless_a_limit_is_given() {
    let sandbox = Sandbox::new();
    for number in 0..21 {
        let mut session = Session::seeded(number);
        session.prompt("write it");
        let call = session.call("Write", json!({"file_path": "/home/ana/up.py", "content": "one\n"}));
        let result =
            json!({"type": "create", "filePath": "/home/ana/up.py", "content": "one\n", "structuredPatch": []});
        session.result(&call, "File created successfully", result);
        sandbox.write(&format!(".claude/projects/-home-ana/aaaa{number:04}.jsonl"), session.jsonl());
    }
    let file = |arguments: &[&str]| -> Value {
        let output = sandbox.recount(&["file", "up.py", "--json"]).args(arguments).output().unwrap();
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        document["files"][0].clone()
    };
    let (all, some) = (file(&[]), file(&["--limit", "3"]));
    assert_eq!((all["sessions"].as_array().unwrap().len(), &all["more"]), (21, &json!(false)));
    assert_eq!((some["sessions"].as_array().unwrap().len(), &some["more"]), (3, &json!(true)));
    let shown = sandbox.shown(&sandbox.recount(&["file", "up.py"]).output().unwrap());
    assert_eq!(shown.matches("write it").count(), 20, "{shown}");
}

#[test]
fn json_has_the_edits() {
    let sandbox = sandbox();
    let output = sandbox.recount(&["file", "shop/up.py", "--json"]).output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["schema"], "recount.file/1");
    let touches = document["files"][0]["sessions"][0]["touches"].as_array().unwrap();
    let kinds: Vec<_> =
        touches.iter().map(|touch| (touch["touch"].as_str().unwrap(), touch["failed"] == true)).collect();
    assert_eq!(kinds, [("edit", true), ("edit", false), ("read", false)]);
    assert_eq!((&touches[1]["added"], &touches[1]["patch"][0]["lines"][2]), (&json!(1), &json!("+b")));
}
