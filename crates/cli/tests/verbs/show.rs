//! `recount show` from the outside: content, formats, and error messages.

use crate::sandbox::{Sandbox, steers, without_colours};
use serde_json::{Value, json};
use testkit::{Session, entry};

/// Two turns: one with a failure and an edit, one with an interruption.
fn session() -> Session {
    let mut session = Session::new();
    session.prompt("make the uploader retry");
    session.reply("I will **look** first.");
    let call = session.call("Bash", json!({"command": "make test"}));
    session.failure(&call, "Exit code 2\nno rule to make target");
    let call =
        session.call("Edit", json!({"file_path": "/home/ana/work/shop/up.py", "old_string": "a", "new_string": "b"}));
    let patch = json!([{"oldStart": 3, "oldLines": 1, "newStart": 3, "newLines": 1, "lines": ["-a", "+b"]}]);
    let result =
        json!({"filePath": "/home/ana/work/shop/up.py", "oldString": "a", "newString": "b", "structuredPatch": patch});
    session.result(&call, "The file has been updated.", result);
    session.reply("Done.");
    session.prompt("now test it");
    session.push(entry::interruption());
    session.push(entry::custom_title("Retry the uploader"));
    session
}

fn show(arguments: &[&str]) -> String {
    let sandbox = Sandbox::new();
    sandbox.write("a.jsonl", session().jsonl());
    let output = sandbox.recount(&["show", "a.jsonl"]).args(arguments).env("COLUMNS", "80").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_session_is_shown() {
    insta::assert_snapshot!(show(&[]));
}

#[test]
fn everything_is_opened() {
    insta::assert_snapshot!(show(&["--detail", "full"]));
}

#[test]
fn each_level_shows_more_and_prompts_count_failures() {
    // A prompt, a reply, a call, and a line of its patch.
    let words = ["make the uploader retry", "Done.", "up.py", "3 - a\n"];
    for (level, shown) in [("prompts", 1), ("talk", 2), ("steps", 3), ("full", 4), ("raw", 4)] {
        let text = show(&["--detail", level]);
        for (number, word) in words.iter().enumerate() {
            assert_eq!(text.contains(word), number < shown, "{level}: {word}");
        }
        assert_eq!(text.contains("exit 2"), level != "prompts", "{level}: the failure");
        let is_counted = text.lines().any(|line| line.starts_with("── 1 ") && line.contains("1 failed"));
        assert_eq!(is_counted, level == "prompts", "{level}: the number of failures in the heading of the turn");
        assert_eq!(text.contains("\"type\":"), level == "raw", "{level}: the lines themselves");
    }
}

#[test]
fn turns_and_tools_are_chosen() {
    let second = show(&["--turn", "2"]);
    assert!(second.contains("now test it") && !second.contains("make the uploader retry"));
    let edits = show(&["--tools", "Edit,Write"]);
    assert!(edits.contains("up.py") && !edits.contains("make test"));
    assert!(show(&["--until", "2000-01-01"]).lines().count() < 6);
}

#[test]
fn every_line_is_accounted_for() {
    let text = show(&["--accounting"]);
    let number = |row: &str| row.split_whitespace().last().unwrap().parse::<usize>().unwrap();
    let rows: Vec<usize> = text.lines().map(number).collect();
    let (all, parts) = rows.split_last().unwrap();
    assert_eq!(*all, session().lines().len());
    assert_eq!(parts.iter().sum::<usize>(), *all);
}

#[test]
fn the_story_is_one_json_object() {
    let document: Value = serde_json::from_str(&show(&["--format", "json"])).unwrap();
    assert_eq!(document["schema"], "recount.story/2");
    assert_eq!(document["session"]["title"]["text"], "Retry the uploader");
    let turns = document["threads"][0]["turns"].as_array().unwrap();
    assert_eq!(turns.len(), 2);
    assert_eq!(turns[1]["state"], "interrupted");
}

#[test]
fn nothing_in_a_session_steers_the_terminal() {
    let sandbox = Sandbox::new();
    let mut session = Session::new();
    let evil = "a\u{1b}]0;owned\u{7}b\u{1b}[2Jc\u{9b}31md\u{202e}e\r\u{8}f";
    session.prompt(evil);
    session.reply(&format!("**{evil}**\n\n```sh\n{evil}\n```"));
    let call = session.call("Bash", json!({"command": evil}));
    session.result(&call, evil, json!({"stdout": evil, "stderr": ""}));
    session.push(entry::custom_title(evil));
    sandbox.write("a.jsonl", session.jsonl());
    for detail in ["prompts", "talk", "steps", "full", "raw"] {
        for colours in ["0", "1"] {
            let arguments = ["show", "a.jsonl", "--detail", detail];
            let output = sandbox.recount(&arguments).env("CLICOLOR_FORCE", colours).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            // Only our own colours are left.
            let rest = without_colours(&text);
            assert!(!rest.contains(steers), "{detail}: {rest:?}");
        }
    }
}

#[test]
fn sessions_are_found_by_words_of_their_titles() {
    let sandbox = Sandbox::new();
    sandbox.write("root/projects/-shop/4c1e0f7a-2b3c-4d5e-8f90-a1b2c3d4e5f6.jsonl", session().jsonl());
    let found = sandbox.recount(&["show", "--root", "root", "uploader", "retry"]).output().unwrap();
    assert_eq!(found.status.code(), Some(0), "{}", String::from_utf8_lossy(&found.stderr));
    let unknown = sandbox.recount(&["show", "--root", "root", "retry", "downloads"]).output().unwrap();
    assert_eq!(unknown.status.code(), Some(2));
    let said = String::from_utf8(unknown.stderr).unwrap();
    assert!(said.contains("no such session: retry downloads") && said.contains("Retry the uploader"), "{said}");
}

#[test]
fn what_cannot_be_shown_is_reported() {
    let sandbox = Sandbox::new();
    sandbox.write("a.jsonl", session().jsonl());
    let cases: [(&[&str], i32, &str); 4] = [
        (&["gone.jsonl"], 2, "no such file or folder: gone.jsonl"),
        (&["a.jsonl", "--thread", "nobody"], 2, "no such thread: nobody"),
        (&["a.jsonl", "--turn", "0"], 2, "expected numbers from 1 on"),
        (&["a.jsonl", "--since", "soon"], 2, "--since soon"),
    ];
    for (arguments, code, message) in cases {
        let output = sandbox.recount(&["show"]).args(arguments).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.contains(message), "{arguments:?}: {said}");
    }
}

#[test]
fn a_session_without_a_step_shows_its_head() {
    let sandbox = Sandbox::new();
    let line =
        "{\"type\":\"mode\",\"mode\":\"normal\",\"sessionId\":\"5e55\",\"timestamp\":\"2026-08-08T09:00:00.000Z\"}\n";
    sandbox.write("bookkeeping.jsonl", line);
    sandbox.write("empty.jsonl", "");
    for file in ["bookkeeping.jsonl", "empty.jsonl"] {
        for form in ["terminal", "md", "html"] {
            let output = sandbox.recount(&["show", file, "--format", form, "--thread", "all"]).output().unwrap();
            let shown = String::from_utf8(output.stdout).unwrap();
            assert_eq!(output.status.code(), Some(0), "{file} {form}");
            assert!(shown.contains("Untitled"), "{file} {form}: {shown}");
            assert!(
                shown.contains("Nothing to show: its lines contain no prompt, reply or call."),
                "{file} {form}: {shown}"
            );
        }
        let output = sandbox.recount(&["show", file, "--json"]).output().unwrap();
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(document["session"]["title"]["source"], "untitled", "{file}");
        assert_eq!(document["threads"], json!([]), "{file}");
    }
}

/// An agent that serves the program itself is hidden in its session, but not in its own file.
#[test]
fn the_file_of_any_agent_is_shown() {
    let sandbox = Sandbox::new();
    let file = "4c1e/subagents/agent-aprompt_suggestion-dcd338.jsonl";
    sandbox.write(
        file,
        concat!(
            r#"{"type":"user","uuid":"u1","isSidechain":true,"agentId":"aprompt_suggestion-dcd338","sessionId":"4c1e","message":{"role":"user","content":"Suggest what to ask next."}}"#,
            "\n",
            r#"{"type":"assistant","uuid":"a1","parentUuid":"u1","isSidechain":true,"agentId":"aprompt_suggestion-dcd338","sessionId":"4c1e","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"run the tests"}]}}"#,
            "\n",
        ),
    );
    for thread in ["main", "all"] {
        for form in ["terminal", "md", "html", "json"] {
            let output = sandbox.recount(&["show", file, "--thread", thread, "--format", form]).output().unwrap();
            let shown = String::from_utf8(output.stdout).unwrap();
            assert!(shown.contains("run the tests"), "{thread} {form}: {shown}");
        }
    }
}

#[test]
fn a_session_can_be_piped_in() {
    let sandbox = Sandbox::new();
    let output = sandbox.recount(&["show", "-"]).write_stdin(session().jsonl()).output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().contains("make the uploader retry"));
}

#[test]
fn markdown_has_its_images_beside_it() {
    let sandbox = Sandbox::new();
    let mut session = Session::new();
    let image = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}});
    let content = json!([{"type": "text", "text": "what is [Image #1]?"}, image]);
    session.push(entry::user(content).with("imagePasteIds", json!([1])));
    session.reply("A *picture*.");
    sandbox.write("a.jsonl", session.jsonl());
    let arguments = ["show", "a.jsonl", "--format", "md", "--images", "files"];
    sandbox.recount(&arguments).assert().code(2);
    sandbox.recount(&arguments).args(["-o", "told.md"]).assert().code(0);
    let markdown = std::fs::read_to_string(sandbox.path("told.md")).unwrap();
    assert!(markdown.contains("A *picture*.") && markdown.contains("told.images/image-1.png"), "{markdown}");
    assert_eq!(std::fs::read(sandbox.path("told.images/image-1.png")).unwrap(), b"hi");
}
