//! `recount cat` from the outside: bytes, filters, messages.

use crate::sandbox::Sandbox;
use serde_json::json;
use testkit::{Session, entry};

/// Eight lines: a prompt, two calls with their results, a system line, a title, a reply.
fn session() -> Session {
    let mut session = Session::new();
    session.prompt("what is here?");
    let calls = session.parallel_calls([("Bash", json!({"command": "ls"})), ("Task", json!({"prompt": "look"}))]);
    session.result(&calls[1], "seen", json!({}));
    session.result(&calls[0], "up.py", json!({"stdout": "up.py"}));
    session.push(entry::system("turn_duration").with("durationMs", 12));
    session.push(entry::ai_title("Uploads"));
    session.reply("One file.");
    session
}

/// The numbers of the printed lines.
fn selected(arguments: &[&str]) -> Vec<usize> {
    let sandbox = Sandbox::new();
    let session = session();
    sandbox.write("a.jsonl", session.jsonl());
    let output = sandbox.recount(&["cat", "a.jsonl"]).args(arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let number = |line: &str| 1 + session.lines().iter().position(|known| known == line).unwrap();
    let numbers: Vec<_> = text.lines().map(number).collect();
    assert_eq!(output.status.code(), Some(i32::from(numbers.is_empty())), "{arguments:?}");
    numbers
}

#[test]
fn without_filters_the_file_is_printed_unchanged() {
    let sandbox = Sandbox::new();
    let mut hostile = b"\xef\xbb\xbf{\"type\":\"mode\"}\r\n\n\n{\n \"type\": \"mode\"\n}\nbad \xff\xfe\0\n".to_vec();
    hostile.extend(std::iter::repeat_n(b'x', 700_000));
    hostile.extend(b"\n{\"type\":\"us");
    for bytes in [&hostile[..], b"", b"\n", b"{}", b"{\"a\":1}\r\n"] {
        sandbox.write("a.jsonl", bytes);
        let output = sandbox.recount(&["cat", "a.jsonl"]).output().unwrap();
        assert!(output.status.success() && output.stdout == bytes, "{:?}", bytes.len());
        let output = sandbox.recount(&["cat", "-"]).write_stdin(bytes).output().unwrap();
        assert!(output.status.success() && output.stdout == bytes, "{:?}", bytes.len());
        let all = sandbox.recount(&["cat", "a.jsonl", "--lines", "1.."]).output().unwrap();
        assert!(all.stdout == bytes, "{:?}", bytes.len());
    }
}

#[test]
fn a_tool_is_found_by_all_its_names() {
    let sandbox = Sandbox::new();
    let mut session = Session::new();
    session.prompt("look around, and stop");
    for tool in ["Agent", "Task", "KillShell", "TaskStop", "mcp__garden__dig"] {
        session.call(tool, json!({}));
    }
    sandbox.write("a.jsonl", session.jsonl());
    for (name, lines) in [
        ("Agent", &[1, 2][..]),
        ("Task", &[1, 2]),
        ("KillBash", &[3, 4]),
        ("taskstop", &[3, 4]),
        ("garden", &[5]),
        ("mcp__garden__dig", &[5]),
    ] {
        let chosen: String = lines.iter().flat_map(|line| [session.lines()[*line].as_ref(), "\n"]).collect();
        sandbox.recount(&["cat", "a.jsonl", "--tool", name]).assert().success().stdout(chosen);
    }
}

#[test]
fn filters_choose_lines() {
    let cases: [(&[&str], &[usize]); 20] = [
        (&["--type", "user"], &[1, 4, 5]),
        (&["--type", "system/turn_duration", "--type", "ai-title"], &[6, 7]),
        (&["--type", "system/other"], &[]),
        (&["--role", "assistant"], &[2, 3, 8]),
        (&["--role", "system"], &[6]),
        (&["--tool", "Bash"], &[2, 5]),
        (&["--tool", "Task"], &[3, 4]),
        (&["--tool", "Agent"], &[3, 4]),
        (&["--tool", "Bash", "--tool", "Task"], &[2, 3, 4, 5]),
        (&["--tool", "Bash", "--type", "user"], &[5]),
        (&["--tool", "Bash", "--lines", "4.."], &[5]),
        (&["--lines", "2..3"], &[2, 3]),
        (&["--lines", "8"], &[8]),
        (&["--lines", "9.."], &[]),
        (&["--since", "2026-08-08T09:15:25.5Z"], &[5, 6, 8]),
        (&["--until", "2026-08-08T09:15:23.118Z"], &[1, 2]),
        (&["--since", "2026-08-08", "--until", "2026-08-08"], &[1, 2, 3, 4, 5, 6, 8]),
        (&["--since", "2026-08-09"], &[]),
        (&["--until", "2026-08-07"], &[]),
        (&["--uuid", "ffffffff"], &[]),
    ];
    for (arguments, lines) in cases {
        assert_eq!(selected(arguments), lines, "{arguments:?}");
    }
}

#[test]
fn entries_are_found_by_their_id() {
    let sandbox = Sandbox::new();
    let lines = ["11111111-1", "11111111-2", "22222222-3"].map(|uuid| entry::user("hi").uuid(uuid).line() + "\n");
    sandbox.write("a.jsonl", lines.concat());
    let printed = |arguments: &[&str]| sandbox.recount(&["cat", "a.jsonl"]).args(arguments).output().unwrap().stdout;
    assert_eq!(printed(&["--uuid", "11111111-2"]), lines[1].as_bytes());
    assert_eq!(printed(&["--uuid", "1111", "--uuid", "2222"]), lines.concat().as_bytes());
}

#[test]
fn a_line_with_several_entries_is_printed_as_a_whole() {
    let sandbox = Sandbox::new();
    let line = "{\"type\":\"mode\"}{\"type\":\"tag\"}\n";
    sandbox.write("a.jsonl", format!("{{\"type\":\"summary\"}}\n{line}"));
    sandbox.recount(&["cat", "a.jsonl", "--type", "tag"]).assert().code(0).stdout(line);
}

#[test]
fn filters_skip_malformed_lines_which_can_still_be_printed() {
    let sandbox = Sandbox::new();
    sandbox.write("a.jsonl", "{\"type\":\"mode\"}\nbroken\n\n");
    let output = sandbox.recount(&["cat", "a.jsonl", "--type", "mode"]).output().unwrap();
    insta::assert_snapshot!(sandbox.shown(&output), @r#"
    exit 0
    {"type":"mode"}
    recount: skipped 1 malformed line: a.jsonl
    hint: `recount check` says which; --lines prints them
    "#);
    sandbox.recount(&["cat", "a.jsonl", "--lines", "2"]).assert().code(0).stdout("broken\n").stderr("");
}

#[test]
fn nothing_found_exits_with_1() {
    let sandbox = Sandbox::new();
    sandbox.write("a.jsonl", session().jsonl());
    let output = sandbox.recount(&["cat", "a.jsonl", "--tool", "Edit"]).output().unwrap();
    insta::assert_snapshot!(sandbox.shown(&output), @r"
    exit 1
    recount: no line matches: a.jsonl
    hint: `recount check` lists the types and tools of a file
    ");
}

#[test]
fn sessions_are_looked_up_in_the_roots() {
    let sandbox = Sandbox::new();
    let text = session().jsonl();
    sandbox.write(".claude/projects/-shop/4c1e0f7a-1.jsonl", &text);
    sandbox.write("other/projects/-shop/4c99aaaa-2.jsonl", "{}\n");
    sandbox.recount(&["cat", "4c"]).assert().code(0).stdout(text.clone());
    sandbox.recount(&["cat", "last"]).assert().code(0).stdout(text);
    sandbox.recount(&["cat", "4c99", "--root", "other"]).assert().code(0).stdout("{}\n");
    let output = sandbox.recount(&["cat", "4c", "--root", "other"]).output().unwrap();
    insta::assert_snapshot!(sandbox.shown(&output), @r"
    exit 2
    recount: 2 sessions match: 4c
    hint: give more of the id or the title, or the path:
          [HERE]/.claude/projects/-shop/4c1e0f7a-1.jsonl
          [HERE]/other/projects/-shop/4c99aaaa-2.jsonl
    ");
    let output = sandbox.recount(&["cat", "fix login"]).output().unwrap();
    insta::assert_snapshot!(sandbox.shown(&output), @r"
    exit 2
    recount: no such session: fix login
    hint: looked at the ids and titles of 1 session; give an id, the beginning of one, a file, `last`, or words of a title
    ");
    let output = sandbox.recount(&["cat", "other"]).output().unwrap();
    insta::assert_snapshot!(sandbox.shown(&output), @r"
    exit 2
    recount: a folder, not a session: other
    hint: name one file in it; `recount check` reads whole folders
    ");
}

#[test]
fn pretty_is_for_eyes() {
    let sandbox = Sandbox::new();
    sandbox.write("a.jsonl", "{\"type\":\"mode\",\"mode\":\"normal\"}\nbro\x1b[31mken\n");
    let output = sandbox.recount(&["cat", "a.jsonl", "--pretty"]).output().unwrap();
    insta::assert_snapshot!(sandbox.shown(&output), @r#"
    exit 0
    {
      "type": "mode",
      "mode": "normal"
    }
    bro\u{1b}[31mken
    "#);
    let colours = sandbox.recount(&["cat", "a.jsonl", "--pretty"]).env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(colours.stdout.contains(&b'\x1b'));
    let plain = sandbox
        .recount(&["cat", "a.jsonl", "--pretty"])
        .env("CLICOLOR_FORCE", "1")
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    assert_eq!(plain.stdout, output.stdout);
}

#[test]
fn wrong_usage_exits_with_2() {
    let sandbox = Sandbox::new();
    sandbox.write("a.jsonl", "{}\n");
    for wrong in [&["--lines", "0"][..], &["--since", "soon"], &["--role", "boss"], &["b"]] {
        sandbox.recount(&["cat", "a.jsonl"]).args(wrong).assert().code(2);
    }
    sandbox.recount(&["cat"]).assert().code(2);
    let output = sandbox.recount(&["cat", "a.jsonl", "--since", "soon"]).output().unwrap();
    insta::assert_snapshot!(sandbox.shown(&output), @r"
    exit 2
    recount: --since soon: expected a time such as today, yesterday, monday, last week, 7d, 2h, 2026-08-08, 09:15 or 2026-08-08T09:15:00Z
    ");
}
