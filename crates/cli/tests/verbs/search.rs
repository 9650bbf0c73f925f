//! `recount search` from the outside: results, their display, and the message if there are none.

use std::process::Output;

use serde_json::{Value, json};
use testkit::{Session, entry};

use crate::sandbox::{Sandbox, steers, without_colours};

/// A session about retrying, with a failure and an edit.
fn uploader() -> Session {
    let mut session = Session::new();
    session.prompt("make the uploader retry, please");
    session.reply("I will look at the retryPolicy first.");
    let call = session.call("Bash", json!({"command": "make test"}));
    session.failure(&call, "Exit code 2\nno rule to make target");
    let path = "/home/ana/work/shop/up.py";
    let call = session.call("Edit", json!({"file_path": path, "old_string": "a", "new_string": "b"}));
    let hunks = json!([{"oldStart": 3, "oldLines": 1, "newStart": 3, "newLines": 1, "lines": ["-a", "+b"]}]);
    let result = json!({"filePath": path, "oldString": "a", "newString": "b", "structuredPatch": hunks});
    session.result(&call, "The file has been updated.", result);
    session.prompt("now test the uploader with \u{1b}[2Jhostile\u{202e} bytes");
    session.push(entry::custom_title("Retry the uploader"));
    session
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(".claude/projects/-home-ana-work-shop/aaaa1111.jsonl", uploader().jsonl());
    let mut other = Session::new();
    other.prompt("water the garden");
    other.reply("The garden has been watered, the uploader has not.");
    sandbox.write(".claude/projects/-home-ana-garden/bbbb2222.jsonl", other.jsonl());
    sandbox
}

fn run(sandbox: &Sandbox, arguments: &[&str]) -> Output {
    sandbox.recount(&["search"]).args(arguments).env("COLUMNS", "100").output().unwrap()
}

fn shown(arguments: &[&str]) -> String {
    let sandbox = sandbox();
    sandbox.shown(&run(&sandbox, arguments))
}

#[test]
fn results_are_grouped_by_session() {
    insta::assert_snapshot!(shown(&["uploader"]));
}

#[test]
fn without_the_index_the_same_is_shown() {
    assert_eq!(shown(&["policy"]), shown(&["policy", "--no-index"]));
    assert_eq!(shown(&["-c", "uploader"]), shown(&["-c", "uploader", "--no-index"]));
    assert_eq!(shown(&["-l", "uploader"]), shown(&["-l", "uploader", "--no-index"]));
    assert_eq!(shown(&["-l", "uploader"]), shown(&["-l", "--regex", "upload[er]+"]));
}

#[test]
fn an_empty_result_is_reported() {
    insta::assert_snapshot!(shown(&["xylophone"]), @r#"
    exit 1
    recount: nothing found: xylophone
    "#);
    insta::assert_snapshot!(shown(&["uploader", "project:nowhere"]), @r#"
    exit 1
    recount: nothing found: uploader project:nowhere
    hint: filters, --in, --mine, --project, --since and --until narrow the search
    "#);
}

#[test]
fn partial_matches_are_marked() {
    insta::assert_snapshot!(shown(&["why", "was", "the", "garden", "flooded"]), @r#"
    exit 1
    No entry contains all words. These contain most of them:

    water the garden · /home/ana/work/shop · 8 Aug 2026 09:15 · bbbb2222
      you · turn 1 · 09:15 · recount show bbbb2222 --turn 1
        water the garden
      Claude · turn 1 · 09:15 · recount show bbbb2222 --turn 1
        The garden has been watered, the uploader has not.
    "#);
}

#[test]
fn mistakes_are_pointed_at() {
    insta::assert_snapshot!(shown(&["retry", "projct:shop"]), @r#"
    exit 2
    recount: unknown filter projct:
      retry projct:shop
            ^^^^^^
    hint: did you mean project:? In quotes, "projct:shop" is words
    "#);
    insta::assert_snapshot!(shown(&["retry after:soon"]), @r#"
    exit 2
    recount: this is not a time: soon
      retry after:soon
            ^^^^^^^^^^
    hint: expected a time such as today, yesterday, monday, last week, 7d, 2h, 2026-08-08, 09:15 or 2026-08-08T09:15:00Z
    "#);
    insta::assert_snapshot!(shown(&["--regex", "retry("]), @r#"
    exit 2
    recount: this is not a regular expression: retry(: unclosed group
    hint: in a pattern, characters such as ( [ . * are special; put \ before them
    "#);
}

#[test]
fn excluded_words_are_not_options() {
    let sandbox = sandbox();
    let files = |arguments: &[&str]| {
        let output = run(&sandbox, arguments);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(!files(&["uploader", "-l", "-please", "-test", "-retry"]).contains("aaaa1111"));
    assert!(files(&["uploader", "-lock", "-l"]).contains("aaaa1111"));
    assert_eq!(files(&["-c", "garden", "-watered"]), "1 entry in 1 session\n");
    assert_eq!(files(&["uploader", "-l", "-n", "1"]).lines().count(), 1);
    assert_eq!(files(&["uploader", "-l", "-n1", "-nothing"]).lines().count(), 1);
}

#[test]
fn places_are_narrowed() {
    let found = |arguments: &[&str]| shown(arguments).starts_with("exit 0");
    assert!(found(&["--mine", "retry"]));
    assert!(!found(&["--mine", "policy"]));
    assert!(found(&["--in", "replied,done", "policy"]));
    assert!(found(&["tool:Bash", "is:error", "target"]));
    assert!(!found(&["uploader", "--since", "2099-01-01"]));
    assert!(found(&["uploader", "--until", "2099-01-01", "--rank"]));
}

#[test]
fn lines_around_are_shown() {
    let sandbox = Sandbox::new();
    let mut session = Session::new();
    session.prompt("one\ntwo\nthree seed\nfour\nfive");
    sandbox.write(".claude/projects/-w/aaaa1111.jsonl", session.jsonl());
    let text = sandbox.shown(&run(&sandbox, &["seed", "-C1"]));
    assert!(text.contains("    two\n    three seed\n    four\n"), "{text}");
    assert!(!text.contains("    one") && !text.contains("    five"), "{text}");
}

#[test]
fn json_has_the_position_of_each_match() {
    let sandbox = sandbox();
    let output = run(&sandbox, &["policy", "--json"]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["schema"], "recount.search/2");
    assert_eq!(document["sessions"][0]["session"], "aaaa1111");
    let hit = &document["sessions"][0]["hits"][0];
    assert_eq!((&hit["line"], &hit["turn"], &hit["role"]), (&json!(2), &json!(1), &json!("assistant")));
    assert_eq!(hit["snippets"][0]["in"], "replied");
    let (text, mark) = (hit["snippets"][0]["text"].as_str().unwrap(), &hit["snippets"][0]["marks"][0]);
    let at = |end: usize| usize::try_from(mark[end].as_u64().unwrap()).unwrap();
    assert_eq!(&text[at(0)..at(1)], "Policy");
    let nothing = run(&sandbox, &["xylophone", "--json"]);
    assert_eq!(nothing.status.code(), Some(1));
    assert_eq!(serde_json::from_slice::<Value>(&nothing.stdout).unwrap()["sessions"], json!([]));
}

#[test]
fn nothing_in_a_session_steers_the_terminal() {
    let sandbox = sandbox();
    for arguments in [&["hostile"][..], &["hostile", "-C2"], &["--regex", "hostile"]] {
        let mut command = sandbox.recount(&["search"]);
        let output = command.args(arguments).env("CLICOLOR_FORCE", "1").output().unwrap();
        let text = without_colours(&String::from_utf8(output.stdout).unwrap());
        assert!(text.contains("hostile") && !text.contains(steers), "{text:?}");
    }
}

#[test]
fn without_a_place_for_the_index_all_is_read() {
    let sandbox = sandbox();
    sandbox.write("cache", "this is no folder");
    let output =
        sandbox.recount(&["search", "-l", "policy"]).env("XDG_CACHE_HOME", sandbox.path("cache")).output().unwrap();
    let text = sandbox.shown(&output);
    assert!(text.starts_with("exit 0\n[HERE]/.claude/projects/-home-ana-work-shop/aaaa1111.jsonl\n"), "{text}");
    assert!(text.contains("all sessions are read instead"), "{text}");
}

#[test]
fn new_lines_are_found_at_once() {
    let sandbox = sandbox();
    assert_eq!(run(&sandbox, &["-l", "turnip"]).status.code(), Some(1));
    let mut session = Session::new();
    session.prompt("plant a turnip");
    sandbox.write(".claude/projects/-w/cccc3333.jsonl", session.jsonl());
    assert_eq!(run(&sandbox, &["-l", "turnip"]).status.code(), Some(0));
}
