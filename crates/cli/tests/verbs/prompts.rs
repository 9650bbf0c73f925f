//! Sessions of which only prompts are left, in `history.jsonl`.

use std::fs;

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

const GONE: &str = "4c1e0f3a-0000-4000-8000-00000000beef";
const THERE: &str = "5d2f0f3a-0000-4000-8000-00000000cafe";

fn typed(session: &str, display: &str, pasted: &str, at: i64) -> String {
    format!(
        r#"{{"display":"{display}","pastedContents":{pasted},"timestamp":{at},"project":"/w/shop","sessionId":"{session}"}}"#
    ) + "\n"
}

fn transcript(id: &str, words: &str) -> String {
    format!(
        r#"{{"type":"user","uuid":"u1","sessionId":"{id}","cwd":"/w/shop","timestamp":"2026-03-01T12:00:00Z","message":{{"role":"user","content":"{words}"}}}}
{{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"{id}","cwd":"/w/shop","timestamp":"2026-03-01T12:01:00Z","message":{{"id":"m1","role":"assistant","model":"claude-opus-5","content":[{{"type":"text","text":"Done."}}],"usage":{{"input_tokens":10,"output_tokens":20}}}}}}
"#
    )
}

/// A home with a session of which only prompts are left, and one with a transcript.
fn home() -> Sandbox {
    let sandbox = Sandbox::new();
    let inline = r#"{"1":{"id":1,"type":"text","content":"row one\nrow two"}}"#;
    let stored =
        r#"{"2":{"id":2,"type":"text","contentHash":"9f2c1a"},"3":{"id":3,"type":"text","contentHash":"gone"}}"#;
    let lines = [
        typed(GONE, "plant the [Pasted text #1 +2 lines] today", inline, 1_772_300_000_000),
        typed(THERE, "paint the fence", "{}", 1_772_366_400_000),
        "{\"display\":\"torn\n".to_owned(),
        typed(GONE, "/model opus", "{}", 1_772_300_060_000),
        typed(GONE, "[Pasted text #2 +90 lines] and [Pasted text #3 +9 lines]", stored, 1_772_300_120_000),
        r#"{"display":"an old prompt","pastedContents":{},"timestamp":1750000000000,"project":"/w/old"}"#.to_owned()
            + "\n",
    ];
    sandbox.write("home/history.jsonl", lines.concat());
    sandbox.write("home/paste-cache/9f2c1a.txt", "the large paste");
    sandbox.write(&format!("home/projects/-w-shop/{THERE}.jsonl"), transcript(THERE, "paint the fence"));
    sandbox
}

fn run(sandbox: &Sandbox, arguments: &[&str]) -> std::process::Output {
    let home = sandbox.path("home").to_str().unwrap().to_owned();
    sandbox.recount(&[arguments, &["--root", home.as_str()]].concat()).env("COLUMNS", "140").output().unwrap()
}

fn text(sandbox: &Sandbox, arguments: &[&str]) -> String {
    sandbox.shown(&run(sandbox, arguments))
}

fn json(sandbox: &Sandbox, arguments: &[&str]) -> Value {
    let output = run(sandbox, arguments);
    serde_json::from_slice(&output.stdout).map_err(|error| format!("{error}: {}", sandbox.shown(&output))).unwrap()
}

#[test]
fn a_session_of_which_only_prompts_are_left_is_listed_once_and_marked() {
    let sandbox = home();
    let list = json(&sandbox, &["ls", "--json"]);
    let sessions = list["sessions"].as_array().unwrap();
    let facts = |session: &Value| {
        ["session", "only_left", "turns", "prompts", "state", "project"].map(|key| session[key].clone())
    };
    assert_eq!(
        sessions.iter().map(facts).collect::<Vec<_>>(),
        [
            [json!(THERE), json!(null), json!(1), json!(1), json!("ended"), json!("/w/shop")],
            [json!(GONE), json!("prompts"), json!(3), json!(3), json!("ended"), json!("/w/shop")],
        ]
    );
    let gone = &sessions[1];
    assert_eq!((&gone["tokens"], &gone["waiting_ms"]), (&json!(0), &json!(0)));
    assert_eq!(gone["first"], "2026-02-28T17:33:20.000Z");
    let path = sandbox.path("home").join("history.jsonl").join(GONE);
    assert_eq!(gone["path"], json!(path));
    let table = text(&sandbox, &["ls"]);
    assert_eq!(table.matches("only prompts").count(), 1, "{table}");
    assert!(text(&sandbox, &["ls", "--csv"]).contains(",prompts,"));
    let projects = json(&sandbox, &["projects", "--json"]);
    assert_eq!(
        (&projects["projects"][0]["project"], &projects["projects"][0]["sessions"]),
        (&json!("/w/shop"), &json!(2))
    );
    let usage = json(&sandbox, &["usage", "session", "--json"]);
    assert_eq!(usage["rows"].as_array().unwrap().len(), 1);

    // A transcript that appears wins, and the prompts are back when it is deleted.
    let transcript_path = format!("home/projects/-w-shop/{GONE}.jsonl");
    sandbox.write(&transcript_path, transcript(GONE, "plant"));
    let left = |sandbox: &Sandbox| {
        let list = json(sandbox, &["ls", "--json"]);
        list["sessions"].as_array().unwrap().iter().map(|it| it["only_left"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(left(&sandbox), [json!(null), json!(null)]);
    fs::remove_file(sandbox.path(&transcript_path)).unwrap();
    assert_eq!(left(&sandbox), [json!(null), json!("prompts")]);
}

#[test]
fn the_prompts_that_are_left_are_shown_whole_in_every_form() {
    let sandbox = home();
    let path = sandbox.path("home").join("history.jsonl").join(GONE).to_str().unwrap().to_owned();
    for arguments in [
        &["show", "4c1e0f3a"][..],
        &["show", GONE, "--detail", "prompts"],
        &["show", GONE, "--format", "md"],
        &["show", GONE, "--format", "html"],
        &["show", &path],
    ] {
        let shown = text(&sandbox, arguments);
        let kept = ["the large paste and ", "+9 lines"];
        for words in ["only prompts are left", "row one", "row two", "/model", kept[0], kept[1]] {
            assert!(shown.contains(words), "{arguments:?} {words}: {shown}");
        }
        for words in ["paint the fence", "an old prompt", "Pasted text #1"] {
            assert!(!shown.contains(words), "{arguments:?} {words}: {shown}");
        }
    }
    let shown = json(&sandbox, &["show", GONE, "--format", "json"]);
    assert_eq!((&shown["session"]["only_left"], &shown["session"]["id"]), (&json!("prompts"), &json!(GONE)));
    let turns = shown["threads"][0]["turns"].as_array().unwrap();
    let said: Vec<&Value> = turns.iter().map(|turn| &turn["steps"][0]["text"]).collect();
    assert_eq!(
        said,
        ["plant the row one\nrow two today", "/model opus", "the large paste and [Pasted text #3 +9 lines]"]
    );
    let latest = json(&sandbox, &["show", "last~1", "--format", "json"]);
    assert_eq!(latest["session"]["id"], GONE);
    let by_title = json(&sandbox, &["show", "plant the row", "--format", "json"]);
    assert_eq!(by_title["session"]["id"], GONE);
}

#[test]
fn cat_search_and_export_have_the_prompts_that_are_left() {
    let sandbox = home();
    let history = fs::read_to_string(sandbox.path("home/history.jsonl")).unwrap();
    let own: String = history.split_inclusive('\n').filter(|line| line.contains(GONE)).collect();
    assert_eq!(String::from_utf8(run(&sandbox, &["cat", GONE]).stdout).unwrap(), own);
    for arguments in [
        &["search", "row two", "--json"][..],
        &["search", "--mine", "row", "--json"],
        &["search", "role:user row", "--json"],
        &["search", "--regex", "row t.o", "--json"],
        &["search", "--no-index", "row two", "--json"],
    ] {
        let found = json(&sandbox, arguments);
        let sessions = found["sessions"].as_array().unwrap();
        assert_eq!(sessions.len(), 1, "{arguments:?} {found:#}");
        assert_eq!(sessions[0]["session"], GONE, "{arguments:?}");
    }
    // The words of a session with a transcript are found once.
    let found = json(&sandbox, &["search", "paint fence", "--json"]);
    assert_eq!(found["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(found["sessions"][0]["hits"].as_array().unwrap().len(), 1);

    let folder = sandbox.path("site").to_str().unwrap().to_owned();
    text(&sandbox, &["export", "md", &folder]);
    let pages: Vec<String> = walk(&sandbox.path("site"));
    assert!(pages.iter().any(|page| page.contains("only prompts are left") && page.contains("row two")), "{pages:?}");
    text(&sandbox, &["export", "md", &folder]);
    assert_eq!(walk(&sandbox.path("site")), pages);
}

fn walk(folder: &std::path::Path) -> Vec<String> {
    let mut pages = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for item in fs::read_dir(folder).unwrap() {
            let path = item.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                pages.extend(fs::read_to_string(path));
            }
        }
    }
    pages.sort();
    pages
}

#[test]
fn check_names_prompts_without_a_session_and_cat_reaches_them() {
    let sandbox = home();
    let report = text(&sandbox, &["check"]);
    assert!(report.contains("1  prompt does not name its session, first in "), "{report}");
    let census = json(&sandbox, &["check", "--json"]);
    let prompts = &census["prompts_without_session"];
    assert_eq!((&prompts["count"], &prompts["first"]["line"]), (&json!(1), &json!(6)));
    let history = sandbox.path("home/history.jsonl").to_str().unwrap().to_owned();
    assert!(text(&sandbox, &["cat", &history]).contains("an old prompt"));
    assert!(text(&sandbox, &["show", &history]).contains("an old prompt"));
}

#[cfg(unix)]
#[test]
fn a_paste_is_not_read_through_a_link() {
    let sandbox = home();
    sandbox.write("secret.txt", "the secret");
    let pasted =
        r#"{"1":{"id":1,"type":"text","contentHash":"link"},"2":{"id":2,"type":"text","contentHash":"../../secret"}}"#;
    sandbox.write(
        "home/history.jsonl",
        typed(GONE, "see [Pasted text #1] and [Pasted text #2]", pasted, 1_772_300_000_000),
    );
    std::os::unix::fs::symlink(sandbox.path("secret.txt"), sandbox.path("home/paste-cache/link.txt")).unwrap();
    let shown = text(&sandbox, &["show", GONE]);
    assert!(shown.contains("see [Pasted text #1] and [Pasted text #2]") && !shown.contains("the secret"), "{shown}");
}
