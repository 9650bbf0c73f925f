//! `recount watch` from the outside.

use std::process::{Child, Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use testkit::{Session, entry};

use crate::sandbox::{Sandbox, steers};

/// A process that is killed when it is dropped.
struct Running(Child);

impl Running {
    fn new() -> Self {
        Self(Command::new("sleep").arg("60").stdout(Stdio::null()).spawn().unwrap())
    }

    /// The content of its file in the registry.
    fn file(&self, session: &str, more: &Value) -> (String, String) {
        let pid = self.0.id();
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
        let began = stat.rsplit_once(')').unwrap().1.split_whitespace().nth(19).unwrap().to_owned();
        let mut file = json!({"pid": pid, "sessionId": session, "cwd": "/w/shop", "procStart": began});
        file.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        (format!(".claude/sessions/{pid}.json"), file.to_string())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A session that began a minute ago.
fn session(name: &str) -> Session {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
    Session::new().with_id(name).in_directory("/w/shop").starting_at(i64::try_from(now).unwrap() - 60_000)
}

fn write(sandbox: &Sandbox, name: &str, session: &Session) {
    sandbox.write(&format!(".claude/projects/-w-shop/{name}.jsonl"), session.jsonl());
}

/// Four sessions: one asks for permission, one works, one has finished, and one has no prompt yet.
fn sandbox() -> (Sandbox, [Running; 3]) {
    let sandbox = Sandbox::new();
    let running = [Running::new(), Running::new(), Running::new()];
    let mut waits = session("aaaa");
    waits.prompt("make the uploader retry");
    waits.call("Bash", json!({"command": "make \u{1b}[2Jtest"}));
    write(&sandbox, "aaaa", &waits);
    let mut works = session("bbbb");
    works.prompt("water the garden");
    write(&sandbox, "bbbb", &works);
    let mut ended = session("cccc");
    ended.prompt("say hello");
    ended.reply("Hello.");
    ended.push(entry::custom_title("Greetings"));
    write(&sandbox, "cccc", &ended);
    let files = [
        running[0].file("aaaa", &json!({"status": "waiting"})),
        running[1].file("bbbb", &json!({"status": "busy"})),
        running[2].file("dddd", &json!({"status": "idle", "name": "fresh"})),
    ];
    for (path, text) in files {
        sandbox.write(&path, text);
    }
    (sandbox, running)
}

#[test]
#[cfg(target_os = "linux")]
fn waiting_sessions_come_first() {
    let (sandbox, running) = sandbox();
    let output = sandbox.recount(&["watch", "--json"]).output().unwrap();
    let board: Value = serde_json::from_slice(&output.stdout).unwrap();
    let cards = board["sessions"].as_array().unwrap();
    let states: Vec<_> =
        cards.iter().map(|card| ["session", "state", "state_reason"].map(|key| card[key].as_str().unwrap())).collect();
    let expected = [
        ["aaaa", "blocked", "permission"],
        ["dddd", "done", "your_turn"],
        ["bbbb", "working", "turn"],
        ["cccc", "ended", "finished"],
    ];
    assert_eq!(states, expected);
    // The list of all sessions asks the same processes.
    let output = sandbox.recount(&["ls", "--json"]).output().unwrap();
    let list: Value = serde_json::from_slice(&output.stdout).unwrap();
    for listed in list["sessions"].as_array().unwrap() {
        let card = cards.iter().find(|card| card["session"] == listed["session"]).unwrap();
        for key in ["state", "state_reason", "state_since", "state_is_certain"] {
            assert_eq!(listed[key], card[key], "{key} of {}", listed["session"]);
        }
    }
    assert_eq!((&board["needs_you"], &cards[0]["what"]), (&json!(2), &json!("Bash make test")));
    assert_eq!(cards[1]["title"], "fresh");
    // A process that is gone does not wait.
    drop(running);
    let output = sandbox.recount(&["watch", "--json"]).output().unwrap();
    let board: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&board["needs_you"], board["sessions"].as_array().unwrap().len()), (&json!(0), 3));
    let states = |document: &Value| -> Vec<String> {
        document["sessions"].as_array().unwrap().iter().map(|row| row["state"].as_str().unwrap().to_owned()).collect()
    };
    let output = sandbox.recount(&["ls", "--json", "--sort", "title"]).output().unwrap();
    let mut both = [states(&board), states(&serde_json::from_slice(&output.stdout).unwrap())];
    for states in &mut both {
        states.sort();
    }
    assert_eq!(both, [["ended", "failed", "failed"], ["ended", "failed", "failed"]]);
}

#[test]
#[cfg(target_os = "linux")]
fn the_board_is_shown_as_text() {
    let (sandbox, _running) = sandbox();
    let output = sandbox.recount(&["watch"]).env("COLUMNS", "120").output().unwrap();
    let shown = sandbox.shown(&output);
    assert!(shown.starts_with("exit 0\nneeds you "), "{shown}");
    assert!(shown.contains("blocked") && shown.contains("\nworking ") && shown.contains("\nended "), "{shown}");
    assert_eq!(shown.chars().find(|c| steers(*c)), None, "{shown:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn alerts_are_printed() {
    let (sandbox, _running) = sandbox();
    sandbox.write(".config/recount/config.toml", "[alerts]\npattern = 'make.*test'\ncost-per-day = 0.000001\n");
    let board: Value = serde_json::from_slice(&sandbox.recount(&["watch", "--json"]).output().unwrap().stdout).unwrap();
    let alerts: Vec<_> = board["sessions"].as_array().unwrap().iter().map(|card| card["alerts"].clone()).collect();
    assert_eq!(alerts, [json!(["“make test”"]), json!([]), json!([]), json!([])]);
    let shown = sandbox.shown(&sandbox.recount(&["watch"]).env("COLUMNS", "120").output().unwrap());
    assert!(shown.contains("! “make test” · needs your permission · Bash make test"), "{shown}");
    // The total of all sessions, for this day.
    assert_eq!(board["notes"].as_array().unwrap().len(), 1, "{board:#}");
    let note = board["notes"][0].as_str().unwrap();
    assert!(note.starts_with("today cost $0.0") && shown.contains(&format!("! {note}\n")), "{note}\n{shown}");
    assert!(board["today"]["cost_usd"].as_f64().unwrap() > 0.0 && board["today"]["tokens"].as_u64().unwrap() > 0);
}

#[test]
fn without_active_sessions_it_says_so() {
    let sandbox = Sandbox::new();
    sandbox.write(".claude/projects/-w/aaaa.jsonl", Session::new().jsonl());
    let shown = sandbox.shown(&sandbox.recount(&["watch"]).output().unwrap());
    assert!(shown.starts_with("exit 1\nrecount: no session was active recently\n"), "{shown}");
}
