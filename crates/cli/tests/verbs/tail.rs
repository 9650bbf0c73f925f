//! `recount tail` from the outside.

#![cfg(unix)]

use std::fs::{self, OpenOptions};
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::{Session, entry};

use crate::sandbox::{Sandbox, steers};

const ID: &str = "5e551011-5a1b-4c00-9e21-7d1de0c11e47";
const FILE: &str = ".claude/projects/-w-shop/5e551011-5a1b-4c00-9e21-7d1de0c11e47.jsonl";
const PATIENCE: Duration = Duration::from_secs(30);

fn session(id: &str) -> Session {
    Session::new().with_id(id).in_directory("/w/shop")
}

/// A session with one turn.
fn begun() -> (Sandbox, Session) {
    let sandbox = Sandbox::new();
    let mut session = session(ID);
    session.prompt("water the garden");
    session.reply("It is wet now.");
    sandbox.write(FILE, session.jsonl());
    (sandbox, session)
}

fn append(sandbox: &Sandbox, file: &str, bytes: &[u8]) {
    let mut file = OpenOptions::new().append(true).create(true).open(sandbox.path(file)).unwrap();
    file.write_all(bytes).unwrap();
}

/// The lines of a session after the first `count`.
fn since(session: &Session, count: usize) -> String {
    session.lines()[count..].join("\n") + "\n"
}

/// `recount tail -f`, running until it is dropped.
struct Following {
    child: Child,
    out: Receiver<String>,
    err: Receiver<String>,
    seen: Vec<String>,
}

impl Following {
    fn new(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("recount"));
        command.arg("tail").args(arguments).current_dir(sandbox.path("")).env_clear();
        command.env("HOME", sandbox.path("")).env("TZ", "UTC").stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (out, err) = (lines(child.stdout.take().unwrap()), lines(child.stderr.take().unwrap()));
        Self { child, out, err, seen: Vec::new() }
    }

    /// The next line, which has to contain this text.
    fn expect(&mut self, text: &str) -> String {
        let line = self.out.recv_timeout(PATIENCE).unwrap_or_else(|_| "(nothing)".to_owned());
        self.seen.push(line.clone());
        assert!(line.contains(text), "{text} is not the next: {:#?}", self.seen);
        line
    }

    /// Waits for a text on standard error.
    fn is_told(&self, text: &str) {
        let line = self.err.recv_timeout(PATIENCE).unwrap();
        assert!(line.contains(text), "{line}");
    }

    fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &pid]).status().unwrap().success());
    }

    fn ended(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < deadline, "it goes on");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Ends the process, and checks that it printed nothing else.
    fn finish(mut self) {
        self.signal("-TERM");
        assert_eq!(self.ended().code(), Some(0));
        assert_eq!(self.out.iter().collect::<Vec<_>>(), [""; 0], "after {:#?}", self.seen);
        assert_eq!(self.err.iter().collect::<Vec<_>>(), [""; 0]);
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lines(pipe: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || BufReader::new(pipe).lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    lines
}

#[test]
fn the_last_steps_are_printed() {
    let (sandbox, mut session) = begun();
    let call = session.call("Bash", json!({"command": "make\n test"}));
    session.failure(&call, "Exit code 2\nno rule");
    session.call("Read", json!({"file_path": "/w/shop/src/bed.rs"}));
    sandbox.write(FILE, session.jsonl());
    let shown = sandbox.shown(&sandbox.recount(&["tail", "last"]).output().unwrap());
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 5, "{shown}");
    assert_eq!(lines[0], "exit 0");
    assert_eq!(lines[1], "2026-08-08 09:15:22  you     water the garden");
    assert_eq!(lines[2], "2026-08-08 09:15:23  claude  It is wet now.");
    assert!(lines[3].contains("Bash make test · exit 2"), "{shown}");
    assert!(lines[4].ends_with("Read src/bed.rs …"), "{shown}");
    let shown = sandbox.shown(&sandbox.recount(&["tail", "water the garden", "-n", "1"]).output().unwrap());
    assert_eq!(shown.lines().count(), 2, "{shown}");
    assert!(shown.contains("Read src/bed.rs …"), "{shown}");
}

#[test]
fn nothing_to_print_and_wrong_usage() {
    let sandbox = Sandbox::new();
    sandbox.write(FILE, "");
    let code = |arguments: &[&str]| sandbox.recount(arguments).output().unwrap().status.code();
    assert_eq!(code(&["tail", "last"]), Some(1));
    assert_eq!(code(&["tail"]), Some(2));
    assert_eq!(code(&["tail", "nowhere"]), Some(2));
    assert_eq!(code(&["tail", "last", "--all"]), Some(2));
    assert_eq!(code(&["tail", "-", "-f"]), Some(2));
    fs::remove_dir_all(sandbox.path(".claude/projects/-w-shop")).unwrap();
    assert_eq!(code(&["tail", "--all"]), Some(1));
}

#[test]
fn lines_are_printed_whole_however_they_are_written() {
    let (sandbox, mut session) = begun();
    let mut tail = Following::new(&sandbox, &["last", "-f"]);
    tail.expect("water the garden");
    tail.expect("It is wet now.");
    let count = session.lines().len();
    session.prompt("and the ünïcode beds 水");
    session.reply("Done.");
    let text = since(&session, count);
    let whole = text.find('\n').unwrap();
    // Every piece but the last ends in the middle of a line.
    for piece in text.as_bytes()[..whole].chunks(whole / 5) {
        append(&sandbox, FILE, piece);
        thread::sleep(Duration::from_millis(60));
    }
    thread::sleep(Duration::from_millis(400));
    assert!(tail.out.try_recv().is_err(), "a line that is not complete waits");
    append(&sandbox, FILE, &text.as_bytes()[whole..]);
    tail.expect("you     and the ünïcode beds 水");
    tail.expect("claude  Done.");
    tail.finish();
}

#[test]
fn a_torn_line_does_not_hide_the_next() {
    let (sandbox, mut session) = begun();
    let mut tail = Following::new(&sandbox, &["last", "-f", "-n", "1"]);
    tail.expect("It is wet now.");
    let count = session.lines().len();
    session.reply("Still here.");
    append(&sandbox, FILE, b"{\"type\":\"user\",\"message\":{\"content\":\"to\n");
    append(&sandbox, FILE, since(&session, count).as_bytes());
    tail.expect("Still here.");
    tail.finish();
}

#[test]
fn a_later_result_has_its_own_line() {
    let (sandbox, mut session) = begun();
    let mut tail = Following::new(&sandbox, &["last", "-f", "-n", "1"]);
    tail.expect("It is wet now.");
    let count = session.lines().len();
    let call = session.call("Bash", json!({"command": "make test"}));
    append(&sandbox, FILE, since(&session, count).as_bytes());
    assert!(tail.expect("Bash make test").ends_with(" …"));
    let count = session.lines().len();
    session.wait(4000);
    session.result(&call, "4 beds", json!({"stdout": "4 beds", "stderr": "", "interrupted": false}));
    append(&sandbox, FILE, since(&session, count).as_bytes());
    assert!(tail.expect("Bash make test · ").contains("5.0 s"));
    tail.finish();
}

#[test]
fn a_cut_is_survived() {
    let (sandbox, mut session) = begun();
    let mut tail = Following::new(&sandbox, &["last", "-f"]);
    tail.expect("water the garden");
    tail.expect("It is wet now.");
    // The last line is removed, and another takes its place.
    fs::write(sandbox.path(FILE), format!("{}\n", session.lines()[0])).unwrap();
    tail.is_told("truncated or rewritten");
    let count = session.lines().len();
    session.reply("It is dry again.");
    append(&sandbox, FILE, since(&session, count).as_bytes());
    tail.expect("It is dry again.");
    fs::write(sandbox.path(FILE), "").unwrap();
    tail.is_told("truncated or rewritten");
    // The whole file is written again, with one more line.
    session.reply("And wet.");
    append(&sandbox, FILE, session.jsonl().as_bytes());
    tail.expect("And wet.");
    tail.finish();
}

#[test]
fn a_replacement_is_survived() {
    let (sandbox, mut session) = begun();
    let mut tail = Following::new(&sandbox, &["last", "-f"]);
    tail.expect("water the garden");
    tail.expect("It is wet now.");
    session.reply("More.");
    // Another file with the same name, with a line before the old ones.
    let title = r#"{"type":"custom-title","customTitle":"Beds","sessionId":"x"}"#;
    sandbox.write("new", format!("{title}\n{}", session.jsonl()));
    fs::rename(sandbox.path("new"), sandbox.path(FILE)).unwrap();
    tail.expect("More.");
    tail.is_told("truncated or rewritten");
    tail.finish();
}

#[test]
fn a_move_to_another_folder_is_survived() {
    let (sandbox, mut session) = begun();
    let mut tail = Following::new(&sandbox, &["last", "-f"]);
    tail.expect("water the garden");
    tail.expect("It is wet now.");
    let other = format!(".claude/projects/-w-other/{ID}.jsonl");
    fs::create_dir_all(sandbox.path(".claude/projects/-w-other")).unwrap();
    fs::rename(sandbox.path(FILE), sandbox.path(&other)).unwrap();
    let count = session.lines().len();
    session.reply("Moved.");
    append(&sandbox, &other, since(&session, count).as_bytes());
    tail.expect("Moved.");
    tail.is_told("moved: ");
    // The file disappears and comes back.
    fs::rename(sandbox.path(&other), sandbox.path("away")).unwrap();
    tail.is_told("gone: ");
    session.reply("Back.");
    sandbox.write(FILE, session.jsonl());
    tail.expect("Back.");
    tail.is_told("moved: ");
    tail.finish();
}

#[test]
fn a_new_subagent_is_shown_by_its_name() {
    let (sandbox, mut session) = begun();
    let mut tail = Following::new(&sandbox, &["last", "-f", "-n", "1"]);
    tail.expect("It is wet now.");
    let count = session.lines().len();
    session.call("Agent", json!({"description": "find beds", "prompt": "look", "subagent_type": "Explore"}));
    append(&sandbox, FILE, since(&session, count).as_bytes());
    tail.expect("Agent Explore: find beds");
    let mut agent = session.subagent(Some("a3f19c27be5540d18"));
    agent.prompt("look around");
    let folder = FILE.replace(".jsonl", "/subagents");
    sandbox.write(&format!("{folder}/agent-a3f19c27be5540d18.meta.json"), r#"{"agentType":"Explore"}"#);
    sandbox.write(&format!("{folder}/agent-a3f19c27be5540d18.jsonl"), agent.jsonl());
    tail.expect("Explore › asked   look around");
    let count = agent.lines().len();
    agent.reply("Four beds.");
    append(&sandbox, &format!("{folder}/agent-a3f19c27be5540d18.jsonl"), since(&agent, count).as_bytes());
    tail.expect("Explore › claude  Four beds.");
    tail.finish();
}

#[test]
fn a_closed_output_ends_it() {
    let (sandbox, _) = begun();
    let mut tail = Following::new(&sandbox, &["last", "-f"]);
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("recount"));
    command.args(["tail", "last", "-f"]).env_clear().env("HOME", sandbox.path("")).stdout(Stdio::piped());
    let mut closed = command.spawn().unwrap();
    // There is nothing more to print.
    drop(closed.stdout.take());
    let deadline = Instant::now() + PATIENCE;
    let status = loop {
        match closed.try_wait().unwrap() {
            Some(status) => break status,
            None if Instant::now() > deadline => {
                closed.kill().unwrap();
                panic!("it goes on");
            }
            None => thread::sleep(Duration::from_millis(20)),
        }
    };
    assert_eq!(status.code(), Some(0));
    tail.expect("water the garden");
    tail.expect("It is wet now.");
    tail.signal("-INT");
    assert_eq!(tail.ended().code(), Some(0));
}

#[test]
fn hostile_text_does_not_reach_the_terminal() {
    let sandbox = Sandbox::new();
    let mut session = session(ID);
    session.prompt("a\u{1b}]0;evil\u{7}b\n\u{202e}c\r\nd\u{9b}2J");
    session.call("Bash", json!({"command": "printf '\u{1b}[2J'"}));
    session.call("mcp__\u{1b}[2J__x", json!({"y": "\u{1b}c"}));
    sandbox.write(FILE, session.jsonl());
    let shown = sandbox.shown(&sandbox.recount(&["tail", "last"]).output().unwrap());
    assert_eq!(shown.lines().count(), 4, "{shown}");
    assert_eq!(shown.chars().find(|c| steers(*c)), None, "{shown:?}");
}

#[test]
fn programs_get_an_object_per_line() {
    let (sandbox, mut session) = begun();
    let mut tail = Following::new(&sandbox, &["last", "-f", "--json", "-n", "1"]);
    let mut next = |text: &str| -> Value { serde_json::from_str(&tail.expect(text)).unwrap() };
    let reply = next("It is wet now.");
    assert_eq!((&reply["schema"], &reply["event"]), (&json!("recount.tail/2"), &json!("step")));
    assert_eq!((&reply["session"], &reply["project"]), (&json!(ID), &json!("/w/shop")));
    assert_eq!((&reply["step"]["kind"], &reply["step"]["text"]), (&json!("reply"), &json!("It is wet now.")));
    assert_eq!(reply["step"]["at"], "2026-08-08T09:15:23.118Z");
    let count = session.lines().len();
    let call = session.call("Bash", json!({"command": "make"}));
    append(&sandbox, FILE, since(&session, count).as_bytes());
    let made = next("make");
    assert_eq!((&made["event"], &made["step"]["state"]), (&json!("step"), &json!("pending")));
    let count = session.lines().len();
    session.failure(&call, "Exit code 2\nno rule");
    append(&sandbox, FILE, since(&session, count).as_bytes());
    let result = next("make");
    assert_eq!((&result["event"], &result["step"]["state"]), (&json!("result"), &json!("failed")));
    assert_eq!(made["step"]["tool_use_id"], result["step"]["tool_use_id"]);
}

#[test]
fn all_active_and_new_sessions_are_followed() {
    let (sandbox, mut first) = begun();
    let old = ".claude/projects/-w-old/01d01011-5a1b-4c00-9e21-7d1de0c11e47.jsonl";
    let mut asleep = session("01d01011-5a1b-4c00-9e21-7d1de0c11e47").in_directory("/w/old");
    asleep.prompt("long ago");
    sandbox.write(old, asleep.jsonl());
    let ago = std::time::SystemTime::now() - Duration::from_secs(24 * 3600);
    OpenOptions::new().append(true).open(sandbox.path(old)).unwrap().set_modified(ago).unwrap();
    let mut tail = Following::new(&sandbox, &["--all", "-f"]);
    tail.expect("shop/5e551011  you     water the garden");
    tail.expect("shop/5e551011  claude  It is wet now.");
    // A session begins.
    let new = ".claude/projects/-w-new/2e201011-5a1b-4c00-9e21-7d1de0c11e47.jsonl";
    let mut session = session("2e201011-5a1b-4c00-9e21-7d1de0c11e47").in_directory("/w/new");
    session.push(entry::custom_title("Fresh"));
    session.prompt("begin");
    sandbox.write(new, session.jsonl());
    tail.expect("new/2e201011  you     begin");
    // A session continues, and its old steps are not printed again.
    let count = asleep.lines().len();
    asleep.reply("awake");
    append(&sandbox, old, since(&asleep, count).as_bytes());
    tail.expect("old/01d01011  claude  awake");
    let count = first.lines().len();
    first.reply("Dry.");
    append(&sandbox, FILE, since(&first, count).as_bytes());
    tail.expect("shop/5e551011  claude  Dry.");
    tail.finish();
}
