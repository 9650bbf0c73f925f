//! `recount ls` and `recount projects`.

use std::fs;

use serde_json::{Value, json};

use crate::sandbox::{Sandbox, steers};
use crate::usage::root::{GARDEN, SHOP, sandbox};

fn run(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let output = sandbox.recount(arguments).env("COLUMNS", "120").env("RECOUNT_NOW", NOW).output().unwrap();
    sandbox.shown(&output)
}

/// Texts about other years would name the year.
const NOW: &str = "2026-11-18T12:00:00Z";

fn listed(sandbox: &Sandbox, arguments: &[&str]) -> Value {
    let output = sandbox.recount(arguments).arg("--json").output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

fn names(list: &Value) -> Vec<&str> {
    list["sessions"].as_array().unwrap().iter().map(|session| session["session"].as_str().unwrap()).collect()
}

#[test]
fn sessions_are_listed_the_latest_first() {
    let sandbox = sandbox();
    insta::assert_snapshot!(run(&sandbox, &["ls"]), @"
    exit 0
    session   last active       project  title                  turns  calls  failed  tokens        cost  active  state
    9b2d6e10  8 Aug 2026 10:05  garden   Untitled, 8 Aug 10:00      1      0           25.5k  ≥$0.01 + ?   5 min  ended
    4c1e0f7a  6 Aug 2026 09:20  shop     Untitled, 2 Aug 22:30      1      1            318k       $2.35   1 min  ended
    ");
    insta::assert_snapshot!(run(&sandbox, &["ls", "--tree"]), @"
    exit 0
    session   last active       project  title                  turns  calls  failed  tokens        cost  active  state
    9b2d6e10  8 Aug 2026 10:05  garden   Untitled, 8 Aug 10:00      1      0           25.5k  ≥$0.01 + ?   5 min  ended
    4c1e0f7a  6 Aug 2026 09:20  shop     Untitled, 2 Aug 22:30      1      1            318k       $2.35   1 min  ended
      a3f1    6 Aug 2026 09:20  Explore  └ Explore                         0            120k       $0.20
    ");
    let narrow = sandbox.recount(&["ls"]).env("COLUMNS", "60").env("RECOUNT_NOW", NOW).output().unwrap();
    insta::assert_snapshot!(sandbox.shown(&narrow), @"
    exit 0
    session   last active       title          turns        cost
    9b2d6e10  8 Aug 2026 10:05  Untitled, 8 …      1  ≥$0.01 + ?
    4c1e0f7a  6 Aug 2026 09:20  Untitled, 2 …      1       $2.35
    ");
}

#[test]
fn projects_are_listed_with_what_sessions_did_there() {
    let sandbox = sandbox();
    insta::assert_snapshot!(run(&sandbox, &["projects", "--sort", "cost"]), @"
    exit 0
    project  last active       sessions  turns  calls  failed  tokens        cost  active
    shop     6 Aug 2026 09:20         1      1      1            318k       $2.35   1 min
    garden   8 Aug 2026 10:05         1      1      0           25.5k  ≥$0.01 + ?   5 min
    ");
}

#[test]
fn sessions_are_chosen_and_sorted() {
    let sandbox = sandbox();
    assert_eq!(names(&listed(&sandbox, &["ls"])), [GARDEN, SHOP]);
    assert_eq!(names(&listed(&sandbox, &["ls", "--reverse"])), [SHOP, GARDEN]);
    assert_eq!(names(&listed(&sandbox, &["ls", "--sort", "cost"])), [SHOP, GARDEN]);
    assert_eq!(names(&listed(&sandbox, &["ls", "--project", "shop"])), [SHOP]);
    assert_eq!(names(&listed(&sandbox, &["ls", "--model", "opus-5"])), [SHOP]);
    assert_eq!(names(&listed(&sandbox, &["ls", "--branch", "roses"])), [GARDEN]);
    assert_eq!(names(&listed(&sandbox, &["ls", "--since", "2026-08-07"])), [GARDEN]);
    assert_eq!(names(&listed(&sandbox, &["ls", "--until", "2026-08-07"])), [SHOP]);
    assert_eq!(names(&listed(&sandbox, &["ls", "--has", "agents"])), [SHOP]);
    let first = listed(&sandbox, &["ls", "--limit", "1"]);
    assert_eq!((names(&first), &first["left_out"]), (vec![GARDEN], &json!(1)));
    let nothing = run(&sandbox, &["ls", "--has", "compaction"]);
    assert!(nothing.starts_with("exit 1\nrecount: no session matches\n"), "{nothing}");
}

#[test]
fn json_has_all_fields() {
    let sandbox = sandbox();
    let list = listed(&sandbox, &["ls", "--tree", "--project", "shop"]);
    assert_eq!(list["schema"], "recount.sessions/2");
    let session = &list["sessions"][0];
    assert_eq!((&session["calls"], &session["agents"], &session["tokens"]), (&json!(1), &json!(1), &json!(318_010)));
    assert_eq!((&session["cost_usd"], &session["is_archived"]), (&json!(2.34505), &json!(false)));
    assert_eq!(session["subagents"][0]["agent"], "a3f1");
    assert_eq!(session["subagents"][0]["tokens"], 120_000);
    let csv = sandbox.recount(&["ls", "--csv"]).output().unwrap();
    let csv = String::from_utf8(csv.stdout).unwrap();
    assert!(csv.starts_with("session,session_id,path,machine,") && csv.lines().count() == 3, "{csv}");
    let projects = listed(&sandbox, &["projects"]);
    assert_eq!((&projects["schema"], &projects["projects"][0]["sessions"]), (&json!("recount.projects/2"), &json!(1)));
}

#[test]
fn it_makes_no_difference_whether_there_is_an_index() {
    let sandbox = sandbox();
    let without = run(&sandbox, &["ls", "--no-index"]);
    assert!(!sandbox.path(".cache/recount").exists());
    assert_eq!(run(&sandbox, &["ls"]), without);
    assert!(sandbox.path(".cache/recount/index.db").is_file());
    assert_eq!(run(&sandbox, &["ls"]), without);
    // A damaged index is not an error: it is rebuilt.
    fs::write(sandbox.path(".cache/recount/index.db"), "no database").unwrap();
    assert_eq!(run(&sandbox, &["ls"]), without);
    // If it cannot be stored, there is a message, and the list is the same.
    fs::remove_dir_all(sandbox.path(".cache")).unwrap();
    sandbox.write(".cache", "a file");
    let shown = run(&sandbox, &["ls"]);
    assert!(shown.starts_with(&without) && shown.contains("all sessions are read instead"), "{shown}");
}

#[test]
fn nothing_from_a_transcript_steers_the_terminal() {
    let sandbox = Sandbox::new();
    let evil = "\u{1b}[2J\u{202e}title\u{7}";
    let line = json!({
        "type": "user", "uuid": "u", "sessionId": evil, "cwd": format!("/tmp/{evil}"), "gitBranch": evil,
        "timestamp": "2026-08-06T09:20:00Z", "message": {"role": "user", "content": evil},
    });
    sandbox.write(".claude/projects/-p/s.jsonl", format!("{line}\n"));
    for arguments in [&["ls"][..], &["ls", "--tree"], &["ls", "--csv"], &["projects"], &["projects", "--csv"]] {
        let shown = run(&sandbox, arguments);
        assert!(shown.starts_with("exit 0"), "{shown}");
        let steering = shown.chars().find(|c| steers(*c) && !matches!(c, '\n' | '\r'));
        assert_eq!(steering, None, "{arguments:?}: {shown:?}");
    }
}

#[test]
fn a_root_is_listed_only_while_it_is_named() {
    let sandbox = sandbox();
    let line = json!({
        "type": "user", "uuid": "u", "cwd": "/w/attic", "timestamp": "2026-08-09T09:20:00Z",
        "message": {"role": "user", "content": "Sort the attic."},
    });
    sandbox.write("old/projects/-w-attic/attic.jsonl", format!("{line}\n"));
    // The working directory makes no difference.
    fs::create_dir(sandbox.path("work")).unwrap();
    for (folder, root) in [(".", "old"), ("work", "../old"), (".", "./old/")] {
        let mut command = sandbox.recount(&["ls", "--json", "--root", root]);
        let output = command.current_dir(sandbox.path(folder)).output().unwrap();
        let list: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(names(&list), ["attic", GARDEN, SHOP], "{folder} {root}");
    }
    assert_eq!(names(&listed(&sandbox, &["ls"])), [GARDEN, SHOP]);
    assert_eq!(listed(&sandbox, &["projects"])["projects"].as_array().unwrap().len(), 2);
}

#[test]
fn unreadable_files_are_named() {
    let sandbox = Sandbox::new();
    let shown = run(&sandbox, &["ls"]);
    assert!(shown.starts_with("exit 2\nrecount: "), "{shown}");
    let shown = run(&sandbox, &["ls", "--since", "soon"]);
    assert!(shown.starts_with("exit 2\nrecount: --since soon: "), "{shown}");
}
