//! `recount demo` from the outside: a session for those who have none.

use crate::sandbox::Sandbox;

fn demo(sandbox: &Sandbox, arguments: &[&str]) -> String {
    std::fs::create_dir_all(sandbox.path("tmp")).unwrap();
    let mut command = sandbox.recount(&["demo"]);
    let output = command.args(arguments).env("COLUMNS", "100").env("TMPDIR", sandbox.path("tmp")).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    assert_eq!(std::fs::read_dir(sandbox.path("tmp")).unwrap().count(), 0, "nothing is left behind");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_sample_session_is_told() {
    let told = demo(&Sandbox::new(), &["--thread", "all"]);
    let moments = [
        "❯ Our nightly sync keeps dying",
        "ExitPlanMode Retries with backoff · approved",
        "❯ no new dependencies, please",
        "! PostToolUse:Edit",
        "exit 1",
        "❯ said in between",
        "10 passed in 0.05s",
        "compacted · on request",
        "in the background",
        "grafana: query_range",
        "task b4hq2x7wk completed",
        "interrupted by the user",
        "529 overloaded, retry 2 of 10",
        "committed 8f3d2c1",
        "The pull request is open",
        "agent Explore: Find callers and their error handling",
        "a branch that was left",
    ];
    let mut rest = told.as_str();
    for moment in moments {
        let (_, after) =
            rest.split_once(moment).unwrap_or_else(|| panic!("{moment} is not told, or not here:\n{told}"));
        rest = after;
    }
}

#[test]
fn the_sample_session_comes_in_every_form_and_whole() {
    let sandbox = Sandbox::new();
    assert!(demo(&sandbox, &["--format", "md"]).starts_with("# Add retries with backoff"));
    let story: serde_json::Value = serde_json::from_str(&demo(&sandbox, &["--format", "json"])).unwrap();
    assert_eq!(story["session"]["title"]["text"], "Add retries with backoff to the tide client");
    assert_eq!(demo(&sandbox, &["--format", "html", "-o", "demo.html"]), "");
    assert!(std::fs::read_to_string(sandbox.path("demo.html")).unwrap().starts_with("<!DOCTYPE html>"));
    let accounting = demo(&sandbox, &["--accounting"]);
    for nothing in ["malformed", "unknown"] {
        let row = accounting.lines().find(|row| row.starts_with(nothing)).unwrap();
        assert!(row.ends_with(" 0"), "{row}");
    }
}

#[test]
fn every_line_of_the_sample_session_is_understood() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/demo");
    Sandbox::new().recount(&["check", "--strict", folder]).assert().code(0);
}
