//! `recount hooks` and `recount hook` from the outside.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::{Output, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use testkit::Session;

use crate::sandbox::Sandbox;

const SETTINGS: &str = ".claude/settings.json";
const COPY: &str = ".claude/settings.json.recount-backup";
const EVENTS: &str = ".local/state/recount/events.jsonl";

fn hooks(sandbox: &Sandbox, arguments: &[&str]) -> Output {
    sandbox.recount(&[&["hooks"], arguments].concat()).output().unwrap()
}

fn shown(sandbox: &Sandbox, output: &Output) -> String {
    let program = assert_cmd::cargo::cargo_bin!("recount");
    sandbox.shown(output).replace(program.to_str().unwrap(), "[RECOUNT]")
}

fn text(sandbox: &Sandbox, name: &str) -> String {
    fs::read_to_string(sandbox.path(name)).unwrap()
}

/// Sends an event, as Claude Code does.
fn send_event(sandbox: &Sandbox, event: impl AsRef<[u8]>) -> Output {
    let output = sandbox.recount(&["hook"]).write_stdin(event.as_ref()).output().unwrap();
    assert_eq!((output.status.code(), &*output.stdout, &*output.stderr), (Some(0), &b""[..], &b""[..]));
    output
}

#[test]
fn the_change_is_shown_and_not_made_without_a_terminal() {
    let sandbox = Sandbox::new();
    let settings = "{\n  \"model\": \"opus\"\n}\n";
    sandbox.write(SETTINGS, settings);
    let asked = shown(&sandbox, &hooks(&sandbox, &["install"]));
    let expected = "exit 2\nthis will\n  change [HERE]/.claude/settings.json, and keep a copy as \
                    [HERE]/.claude/settings.json.recount-backup\n";
    assert!(asked.starts_with(expected), "{asked}");
    assert!(asked.contains("      - ") && asked.contains("      +   \"hooks\": {\n"), "{asked}");
    assert!(asked.contains("\"command\": \"[RECOUNT] hook\"") && asked.contains("\"async\": true"), "{asked}");
    assert!(
        asked.ends_with("recount: cannot ask: standard input is not a terminal\nhint: use --yes to confirm\n"),
        "{asked}"
    );
    let printed = hooks(&sandbox, &["install", "--print"]);
    let printed: Value = serde_json::from_slice(&printed.stdout).unwrap();
    assert_eq!(printed["hooks"].as_object().unwrap().len(), 12);
    assert_eq!((text(&sandbox, SETTINGS).as_str(), sandbox.path(COPY).exists()), (settings, false));
}

#[test]
fn hooks_are_removed_without_a_trace() {
    let sandbox = Sandbox::new();
    let settings = "{ \"zeta\": 1.50,\n\t\"hooks\": {\"Stop\": [], \"PreToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"bell\"}]}]}, \"alpha\": \"ü\"}";
    sandbox.write(SETTINGS, settings);
    fs::set_permissions(sandbox.path(SETTINGS), fs::Permissions::from_mode(0o640)).unwrap();
    assert_eq!(hooks(&sandbox, &["install", "--yes"]).status.code(), Some(0));
    let after = text(&sandbox, SETTINGS);
    assert!(after.starts_with("{ \"zeta\": 1.50,\n\t\"hooks\": {\"Stop\": ["), "{after}");
    assert_eq!(text(&sandbox, COPY), settings);
    let mode = fs::metadata(sandbox.path(SETTINGS)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    assert_eq!(shown(&sandbox, &hooks(&sandbox, &["install", "--yes"])), "exit 1\nalready installed\n");
    assert_eq!(text(&sandbox, SETTINGS), after);

    assert_eq!(hooks(&sandbox, &["remove", "--yes"]).status.code(), Some(0));
    assert_eq!(text(&sandbox, SETTINGS), settings);
    assert_eq!(shown(&sandbox, &hooks(&sandbox, &["remove", "--yes"])), "exit 1\nnothing is installed\n");
}

#[test]
fn a_copy_is_never_overwritten() {
    let sandbox = Sandbox::new();
    sandbox.write(COPY, "older");
    sandbox.write(SETTINGS, "{}");
    assert_eq!(hooks(&sandbox, &["install", "--yes"]).status.code(), Some(0));
    assert_eq!((text(&sandbox, COPY).as_str(), text(&sandbox, &format!("{COPY}-2")).as_str()), ("older", "{}"));
    assert_eq!(hooks(&sandbox, &["remove", "--yes"]).status.code(), Some(0));
    assert_eq!(text(&sandbox, SETTINGS), "{}");
}

#[test]
fn the_file_behind_a_link_is_changed() {
    let sandbox = Sandbox::new();
    sandbox.write("dotfiles/claude.json", "{}\n");
    fs::create_dir(sandbox.path(".claude")).unwrap();
    symlink("../dotfiles/claude.json", sandbox.path(SETTINGS)).unwrap();
    assert_eq!(hooks(&sandbox, &["install", "--yes"]).status.code(), Some(0));
    assert!(fs::symlink_metadata(sandbox.path(SETTINGS)).unwrap().is_symlink());
    assert!(text(&sandbox, "dotfiles/claude.json").contains("PermissionRequest"));
}

#[test]
fn invalid_settings_are_left_alone() {
    for odd in ["// mine\n{}", "{\"hooks\": 3}", "[]", "", "{\"a\": 1,}"] {
        let sandbox = Sandbox::new();
        sandbox.write(SETTINGS, odd);
        let refused = shown(&sandbox, &hooks(&sandbox, &["install", "--yes"]));
        assert!(refused.starts_with("exit 2\nrecount: not valid settings, left unchanged: "), "{refused}");
        assert_eq!((text(&sandbox, SETTINGS).as_str(), sandbox.path(COPY).exists()), (odd, false));
    }
    let sandbox = Sandbox::new();
    let missing = shown(&sandbox, &hooks(&sandbox, &["install", "--yes", "--root", "nowhere"]));
    assert_eq!(missing, "exit 2\nrecount: not a folder: nowhere\n");
}

#[test]
fn status_says_where_and_whether_events_arrive() {
    let sandbox = Sandbox::new();
    sandbox.write("other/settings.json", "{}");
    let before = shown(&sandbox, &hooks(&sandbox, &["status"]));
    assert!(
        before.starts_with("exit 1\n[HERE]/.claude/settings.json: not installed\nno event has arrived yet"),
        "{before}"
    );
    assert_eq!(hooks(&sandbox, &["install", "--yes"]).status.code(), Some(0));
    send_event(&sandbox, r#"{"hook_event_name":"Stop","session_id":"s"}"#);
    let after = shown(&sandbox, &hooks(&sandbox, &["status", "--root", "other"]));
    let expected = "exit 0\n[HERE]/.claude/settings.json: installed, runs [RECOUNT] hook\n[HERE]/other/settings.json: \
                    not installed\nthe last event arrived ";
    assert!(after.starts_with(expected), "{after}");
    sandbox.write(SETTINGS, text(&sandbox, SETTINGS).replace("recount hook", "gone/recount hook"));
    let moved = shown(&sandbox, &hooks(&sandbox, &["status"]));
    assert!(moved.contains("which no longer exists: `recount hooks install` corrects it"), "{moved}");
}

#[test]
fn the_installed_command_stores_events() {
    let sandbox = Sandbox::new();
    assert_eq!(hooks(&sandbox, &["install", "--yes"]).status.code(), Some(0));
    let settings: Value = serde_json::from_str(&text(&sandbox, SETTINGS)).unwrap();
    let command = settings["hooks"]["Stop"][0]["hooks"][0]["command"].as_str().unwrap();
    let mut shell = assert_cmd::Command::new("/bin/sh");
    shell.args(["-c", command]).env_clear().env("HOME", sandbox.path(""));
    shell.write_stdin(r#"{"hook_event_name":"Stop","session_id":"s1"}"#).assert().code(0);
    assert!(text(&sandbox, EVENTS).contains("\"session\":\"s1\""));
}

#[test]
fn a_hook_ends_well_and_silently_for_any_input() {
    let sandbox = Sandbox::new();
    let deep = format!(r#"{{"hook_event_name":"Stop","x":{}"#, "[".repeat(200_000));
    let odd: [&[u8]; 6] = [b"", b"garbage", b"\xff\x00", b"[1,2]", b"{\"session_id\":\"s\"}", deep.as_bytes()];
    for odd in odd {
        send_event(&sandbox, odd);
    }
    assert!(!sandbox.path(".local").exists(), "nothing was stored");
    let output = sandbox.recount(&["hook", "--invented", "-x", "y"]).write_stdin("{}").output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len(), output.stderr.len()), (Some(0), 0, 0));
    // A home folder that is not writable, and none at all.
    sandbox.write("file", "");
    for (name, value) in [("XDG_STATE_HOME", sandbox.path("file")), ("HOME", "/nowhere".into())] {
        let event = r#"{"hook_event_name":"Stop","session_id":"s"}"#;
        let output = sandbox.recount(&["hook"]).env(name, value).write_stdin(event).output().unwrap();
        assert_eq!((output.status.code(), output.stdout.len(), output.stderr.len()), (Some(0), 0, 0));
    }
}

#[test]
fn a_hook_without_input_does_not_wait_forever() {
    let sandbox = Sandbox::new();
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("recount"));
    command.arg("hook").env_clear().env("HOME", sandbox.path(""));
    let began = Instant::now();
    // The other end of the pipe stays open.
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.take();
    assert!(child.wait().unwrap().success());
    assert!(began.elapsed() < Duration::from_secs(30));
    drop(stdin);
    let closed = std::process::Command::new("/bin/sh")
        .args(["-c", "exec \"$0\" hook <&-"])
        .arg(assert_cmd::cargo::cargo_bin!("recount"))
        .env("HOME", sandbox.path(""))
        .output()
        .unwrap();
    assert_eq!((closed.status.code(), closed.stderr.len()), (Some(0), 0));
}

#[test]
fn hook_events_are_on_the_board() {
    let sandbox = Sandbox::new();
    let now = i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap();
    let mut session = Session::new().with_id("aaaa").in_directory("/w/shop").starting_at(now - 60_000);
    session.prompt("make the uploader retry");
    let input = json!({"command": "make \u{1b}[2Jtest"});
    let call = session.call("Bash", input.clone());
    sandbox.write(".claude/projects/-w-shop/aaaa.jsonl", session.jsonl());
    let state = || {
        let output = sandbox.recount(&["watch", "--json"]).output().unwrap();
        let board: Value = serde_json::from_slice(&output.stdout).unwrap();
        let card = &board["sessions"][0];
        (card["state"].as_str().unwrap().to_owned(), card["state_is_certain"].as_bool().unwrap())
    };
    assert_eq!(state(), ("working".to_owned(), false));
    let event_of = |event: &str| json!({"hook_event_name": event, "session_id": "aaaa", "tool_name": "Bash", "tool_input": input, "tool_use_id": call.id});
    send_event(&sandbox, event_of("PreToolUse").to_string());
    assert_eq!(state(), ("working".to_owned(), true));
    send_event(&sandbox, event_of("PermissionRequest").to_string());
    assert_eq!(state(), ("blocked".to_owned(), true));
    assert!(!text(&sandbox, EVENTS).contains("u001b"), "what steers terminals is not kept");
    send_event(&sandbox, event_of("PostToolUse").to_string());
    assert_eq!(state(), ("working".to_owned(), true));
}
