//! `recount check` from the outside: exit codes, messages, both reports.

use crate::sandbox::Sandbox;
use serde_json::{Value, json};
use testkit::{Session, entry};

fn session() -> Session {
    let mut session = Session::new();
    session.prompt("what is here?");
    let call = session.call("Bash", json!({"command": "ls"}));
    session.result(&call, "up.py", json!({"stdout": "up.py", "stderr": "", "interrupted": false, "isImage": false}));
    let call = session.call("mcp__garden__water", json!({"bed": 3}));
    session.failure(&call, "no water");
    session.push(entry::system("turn_duration").with("durationMs", 12));
    session.reply("One file.");
    session
}

#[test]
fn a_sound_root_is_reported_and_exits_with_0() {
    let sandbox = Sandbox::new();
    sandbox.write("root/projects/-shop/4c1e0f7a.jsonl", session().jsonl());
    let agent = session().subagent(Some("a3f1")).jsonl() + &entry::user("look").line();
    sandbox.write("root/projects/-shop/4c1e0f7a/subagents/agent-a3f1.jsonl", agent);
    let output = sandbox.recount(&["check"]).env("CLAUDE_CONFIG_DIR", sandbox.path("root")).output().unwrap();
    let shown = sandbox.shown(&output);
    let (summary, report) = shown.split_once(" kB\n").unwrap();
    assert!(summary.starts_with("exit 0\n1 session, 1 subagent · 8 lines · "), "{summary}");
    insta::assert_snapshot!(report, @r"
    written by Claude Code 2.1.226

    Entries 8
      user             4
      assistant        3
      system           1
        turn_duration  1

    Blocks 5
      tool_result  2
      tool_use     2
      text         1

    Tools 2
                            calls  results  typed  failed
      Bash                      1        1      1       ·
      mcp__garden (1 tool)      1        1      1       1
      all                       2        2      2       1

    Everything is read and understood.
    ");
}

#[test]
fn damage_exits_with_1_and_says_where() {
    let sandbox = Sandbox::new();
    let text = format!(
        "{}{{\"type\":\"mo\x1b]0;owned\x07de\n{{\"type\":\"brand-\\u001b[2Jnew\",\"n\":1}}\n{{\"type\":\"us",
        session().jsonl()
    );
    sandbox.write("a.jsonl", text);
    let output = sandbox.recount(&["check", "a.jsonl"]).output().unwrap();
    let shown = sandbox.shown(&output);
    assert!(shown.starts_with("exit 1\n"), "{shown}");
    let tail = &shown[shown.find("Not understood").unwrap()..];
    insta::assert_snapshot!(tail, @r"
    Not understood
      entry  brand-\u{1b}[2Jnew  1  first in a.jsonl:9
      Data that this recount does not know occurs once, written by Claude Code 2.1.226; it knows the
      format up to 2.1.326. Nothing is lost: the lines stay as they are, and `recount show --detail raw`
      and `recount cat` print them. Update recount. If it is the newest, report the names above with the
      version of Claude Code.

    Malformed 2
    a.jsonl:8: the line ends in the middle of a value (byte 25)
    a.jsonl:10: the line ends in the middle of a value (byte 12, perhaps still being written)

    2 lines are malformed; some of the rest is not understood.
    ");
}

#[test]
fn new_data_comes_with_advice() {
    let sandbox = Sandbox::new();
    let new = "{\"type\":\"brand-new\"}\n";
    let line = entry::user("look").with("version", "2.9.1").with("brandNewField", 1).line();
    sandbox.write("a.jsonl", session().jsonl() + new + &line + new);
    let shown = sandbox.shown(&sandbox.recount(&["check", "a.jsonl"]).output().unwrap());
    let paragraph = shown.split("Data that").nth(1).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(
        paragraph.split(" Everything").next().unwrap(),
        "this recount does not know occurs 3 times, written by 2 versions of Claude Code, 2.1.226 to 2.9.1 (2.9.1 2 times); \
         it knows the format up to 2.1.326. Nothing is lost: the lines stay as they are, and `recount show --detail raw` and \
         `recount cat` print them. Update recount. If it is the newest, report the names above with the version of Claude \
         Code."
    );
    let output = sandbox.recount(&["check", "--json", "a.jsonl"]).output().unwrap();
    let unknown = serde_json::from_slice::<Value>(&output.stdout).unwrap()["unknown"].clone();
    assert_eq!(unknown["count"], 3);
    assert_eq!(unknown["versions"], json!([{"version": "2.1.226", "count": 1}, {"version": "2.9.1", "count": 2}]));
    assert_eq!(unknown["known_version"], "2.1.326");
    assert!(unknown["advice"].as_str().unwrap().contains("Nothing is lost"));
    sandbox.write("b.jsonl", session().jsonl());
    let output = sandbox.recount(&["check", "--json", "b.jsonl"]).output().unwrap();
    let unknown = serde_json::from_slice::<Value>(&output.stdout).unwrap()["unknown"].clone();
    assert_eq!((&unknown["count"], &unknown["advice"]), (&json!(0), &Value::Null));
}

#[test]
fn a_price_list_that_is_older_than_a_model_is_named() {
    let sandbox = Sandbox::new();
    let text = session().jsonl();
    let model = text.split("\"model\":\"").nth(1).unwrap().split('"').next().unwrap();
    sandbox.write("a.jsonl", text.replace(model, "claude-opus-9"));
    let shown = sandbox.shown(&sandbox.recount(&["check", "a.jsonl"]).output().unwrap());
    assert!(
        shown.contains("\nPrices\n  The price list of ") && shown.contains("is older than claude-opus-9"),
        "{shown}"
    );
    let json = |name: &str| -> Value {
        let output = sandbox.recount(&["check", "--json", name]).output().unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["outdated_prices"].clone()
    };
    assert_eq!(json("a.jsonl")["models"], json!(["claude-opus-9"]));
    sandbox.write("b.jsonl", text);
    assert_eq!(json("b.jsonl"), Value::Null);
}

#[test]
fn unknowns_are_a_note_unless_strict() {
    let sandbox = Sandbox::new();
    sandbox.write("a.jsonl", session().jsonl() + "{\"type\":\"brand-new\"}\n");
    sandbox.recount(&["check", "a.jsonl"]).assert().code(0);
    sandbox.recount(&["check", "a.jsonl", "--strict"]).assert().code(1);
    sandbox.write("b.jsonl", session().jsonl());
    sandbox.recount(&["check", "b.jsonl", "--strict"]).assert().code(0);
}

#[test]
fn each_failure_has_its_own_message() {
    let sandbox = Sandbox::new();
    sandbox.write("fine.jsonl", session().jsonl());
    sandbox.write("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    sandbox.write("Cargo.toml", "[package]\nname = \"x\"\n");
    sandbox.write("empty.jsonl", "");
    sandbox.write("codex.jsonl", "{\"type\":\"session_meta\",\"payload\":{}}\n");
    sandbox.write("bare/notes.txt", "");
    sandbox.write("data/rows.jsonl", "{\"a\":1}\n");
    sandbox.write("12.key", "secret");
    let paths = ["gone", "picture.png", "Cargo.toml", "empty.jsonl", "codex.jsonl", "bare", "12.key"];
    let output = sandbox.recount(&["check"]).args(paths).output().unwrap();
    insta::assert_snapshot!(sandbox.shown(&output), @r"
    exit 2
    recount: no such file or folder: gone
    hint: check the spelling; without a path, all sessions of the config roots are read
    recount: no sessions in this folder: bare
    hint: a session is a *.jsonl file; a config root has them below projects/ (name it with --root)
    recount: contains secrets, so it is not opened: 12.key
    hint: recount reads sessions only, never keys or account data
    recount: not a transcript: picture.png
    hint: expected JSON lines as in ~/.claude/projects/*/*.jsonl, or output of `claude --output-format stream-json`
    recount: not a transcript: Cargo.toml
    hint: expected JSON lines as in ~/.claude/projects/*/*.jsonl, or output of `claude --output-format stream-json`
    recount: empty: empty.jsonl
    hint: a session gets its first line with the first prompt
    recount: written by Codex, not by Claude Code: codex.jsonl
    hint: recount reads Claude Code's sessions only
    ");

    let output = sandbox.recount(&["check", "gone", "data"]).output().unwrap();
    insta::assert_snapshot!(sandbox.shown(&output), @r"
    exit 2
    recount: no such file or folder: gone
    hint: check the spelling; without a path, all sessions of the config roots are read
    recount: no transcript among the files found: 1 read
    hint: sessions are in ~/.claude/projects; name a file to see what is wrong with it
    ");

    let output = sandbox.recount(&["check", "gone", "data", "fine.jsonl"]).output().unwrap();
    let shown = sandbox.shown(&output);
    assert!(shown.starts_with("exit 2\n1 session "), "what is fine is reported: {shown}");
    assert!(shown.contains("recount: no such file or folder: gone\nhint: "), "{shown}");
}

#[test]
fn without_any_root_it_says_where_it_looked() {
    let sandbox = Sandbox::new();
    let output = sandbox.recount(&["check"]).output().unwrap();
    insta::assert_snapshot!(sandbox.shown(&output), @r"
    exit 2
    recount: no sessions found: looked in [HERE]/.claude, [HERE]/.config/claude
    hint: set CLAUDE_CONFIG_DIR, or name a file, a folder, or another root with --root
    ");
}

#[cfg(target_os = "linux")]
#[test]
fn read_errors_are_reported() {
    // A file that can be opened but not read, by any user.
    let output = Sandbox::new().recount(&["check", "/proc/self/mem"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.starts_with("recount: cannot read: /proc/self/mem: "), "{message}");
}

#[test]
fn wrong_usage_exits_with_2() {
    let sandbox = Sandbox::new();
    for arguments in
        [&["check", "--bogus"][..], &["check", "--threads", "0"], &["bogus"], &["check", "a", "--root", "b"]]
    {
        sandbox.recount(arguments).assert().code(2);
    }
}

#[test]
fn standard_input_is_read() {
    let sandbox = Sandbox::new();
    let assert = sandbox.recount(&["check", "-", "--json"]).write_stdin(session().jsonl()).assert().code(0);
    let report: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    assert_eq!(report["entries"]["total"], 7);
}

#[test]
fn json_does_not_depend_on_the_number_of_threads() {
    let sandbox = Sandbox::new();
    for number in 0..20 {
        let damage = format!(
            "{{\"type\":\"new-{}\",\"x\":1}}\n{{\"broken\n{{\"type\":\"mode\",\"mode\":7,\"colour\":1}}\n",
            number % 3
        );
        sandbox.write(&format!("s/{number:02}.jsonl"), session().jsonl() + &damage);
    }
    let report = |threads: &str| {
        let assert = sandbox.recount(&["check", "--json", "--threads", threads, "s"]).assert().code(1);
        serde_json::from_slice::<Value>(&assert.get_output().stdout).unwrap()
    };
    let one = report("1");
    assert_eq!(one, report("4"));
    insta::assert_snapshot!(serde_json::to_string_pretty(&one["unknown"]).unwrap(), @r#"
    {
      "advice": "Data that this recount does not know occurs 60 times, written by Claude Code 2.1.226; it knows the format up to 2.1.326. Nothing is lost: the lines stay as they are, and `recount show --detail raw` and `recount cat` print them. Update recount. If it is the newest, report the names above with the version of Claude Code.",
      "count": 60,
      "fields": [
        {
          "count": 20,
          "field": "colour",
          "first": {
            "file": "s/00.jsonl",
            "line": 10
          },
          "record": "mode"
        }
      ],
      "kinds": [
        {
          "count": 7,
          "first": {
            "file": "s/00.jsonl",
            "line": 8
          },
          "name": "new-0",
          "of": "entry"
        },
        {
          "count": 7,
          "first": {
            "file": "s/01.jsonl",
            "line": 8
          },
          "name": "new-1",
          "of": "entry"
        },
        {
          "count": 6,
          "first": {
            "file": "s/02.jsonl",
            "line": 8
          },
          "name": "new-2",
          "of": "entry"
        }
      ],
      "known_version": "2.1.326",
      "values": [
        {
          "count": 20,
          "expected": "text",
          "field": "mode",
          "first": {
            "file": "s/00.jsonl",
            "line": 10
          },
          "record": "mode"
        }
      ],
      "versions": [
        {
          "count": 60,
          "version": "2.1.226"
        }
      ]
    }
    "#);
    assert_eq!(one["malformed"]["count"], 20);
    assert_eq!(one["malformed"]["lines"][19]["file"], "s/19.jsonl");
}

#[test]
fn json_has_all_the_documented_fields() {
    let sandbox = Sandbox::new();
    sandbox.write("a.jsonl", session().jsonl() + "{\"type\":\"us");
    let assert = sandbox.recount(&["check", "--json", "a.jsonl", "gone"]).assert().code(2);
    let report: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    let shown = serde_json::to_string_pretty(&report).unwrap().replace(&report["bytes"].to_string(), "[BYTES]");
    insta::assert_snapshot!("check_json", shown);
    let documented = include_str!("../../../../docs/check-json.md");
    for field in report.as_object().unwrap().keys() {
        assert!(documented.contains(&format!("| `{field}`")), "{field} is not documented");
    }
}

#[test]
fn a_closed_pipe_is_no_failure() {
    use std::process::{Command, Stdio};
    let sandbox = Sandbox::new();
    sandbox.write("a.jsonl", session().jsonl());
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("recount"))
        .args(["check", "--json", "a.jsonl"])
        .current_dir(sandbox.path(""))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// A file with the name of a transcript may be a link to any other file.
#[test]
fn what_is_no_transcript_is_left_alone_and_named() {
    let sandbox = Sandbox::new();
    let mut session = Session::new();
    session.prompt("plant tulips");
    sandbox.write("root/projects/-w/5e550000-0000-4000-8000-000000000001.jsonl", session.jsonl());
    sandbox.write("netrc", "machine example.com\nlogin ana\npassword chrysanthemum\n");
    let link = sandbox.path("root/projects/-w/5e550000-0000-4000-8000-000000000002.jsonl");
    let recount = |arguments: &[&str]| {
        let mut command = sandbox.recount(arguments);
        let output = command.env("CLAUDE_CONFIG_DIR", sandbox.path("root")).output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).unwrap())
    };
    let holds = |name: &str, word: &str| {
        let folder = std::fs::read_dir(sandbox.path(name)).unwrap();
        folder.flatten().any(|file| {
            let bytes = std::fs::read(file.path()).unwrap_or_default();
            bytes.windows(word.len()).any(|window| window == word.as_bytes())
        })
    };
    // It may be there from the start, or take the place of a session that is indexed.
    for is_new in [true, false] {
        if !is_new {
            let mut session = Session::new();
            session.prompt("water roses");
            std::fs::remove_file(&link).unwrap();
            std::fs::write(&link, session.jsonl()).unwrap();
            assert_eq!(recount(&["search", "roses"]).0, Some(0));
            std::fs::remove_file(&link).unwrap();
        }
        std::fs::hard_link(sandbox.path("netrc"), &link).unwrap();
        for index in [&[][..], &["--no-index"]] {
            let (code, listed) = recount(&[&["ls", "--json"], index].concat());
            assert_eq!(code, Some(0), "{listed}");
            let listed: Value = serde_json::from_str(&listed).unwrap();
            assert_eq!(listed["sessions"].as_array().unwrap().len(), 1, "{listed}");
            assert_eq!(recount(&[&["search", "chrysanthemum"], index].concat()).0, Some(1));
            assert_eq!(recount(&[&["search", "tulips"], index].concat()).0, Some(0));
        }
        // It is the newest file.
        let (code, shown) = recount(&["show", "last"]);
        assert!(code == Some(0) && shown.contains("plant tulips"), "{shown}");
        let site = sandbox.path(&format!("site-{is_new}"));
        assert_eq!(recount(&["export", "json", site.to_str().unwrap()]).0, Some(0));
        let exported = std::fs::read_to_string(site.join("index.json")).unwrap();
        assert!(!exported.contains("000000000002"), "{exported}");
        let (_, report) = recount(&["check"]);
        assert!(report.contains("not transcripts") && report.contains("000000000002.jsonl"), "{report}");
        assert!(!report.contains("chrysanthemum"), "{report}");
        assert!(
            holds(".cache/recount", "tulips") && !holds(".cache/recount", "chrysanthemum"),
            "the index has words of it"
        );
    }
    // A file that is named is read, and named in the error.
    let (code, error) = recount(&["show", link.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{error}");
}
