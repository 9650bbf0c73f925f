//! `recount demo` from the outside.

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
fn the_sample_session_is_shown() {
    let shown = demo(&Sandbox::new(), &["--thread", "all"]);
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
    let mut rest = shown.as_str();
    for moment in moments {
        let (_, after) =
            rest.split_once(moment).unwrap_or_else(|| panic!("{moment} is not shown, or not here:\n{shown}"));
        rest = after;
    }
}

#[test]
fn the_sample_session_is_complete_in_every_format() {
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

/// A demo that plays until it is dropped.
#[cfg(unix)]
pub(crate) struct Playing(std::process::Child);

#[cfg(unix)]
impl Playing {
    pub(crate) fn new(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("recount"));
        command.args(["demo", "--live"]).args(arguments).current_dir(sandbox.path("")).env_clear();
        command.env("HOME", sandbox.path("")).env("PATH", "/usr/bin:/bin").env("TMPDIR", sandbox.path("tmp"));
        Self(command.stdout(std::process::Stdio::piped()).spawn().unwrap())
    }

    /// The folder that it prints.
    pub(crate) fn folder(&mut self) -> String {
        use std::io::BufRead as _;
        let mut line = String::new();
        std::io::BufReader::new(self.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        line.trim().strip_prefix("Made-up sessions are played in ").unwrap().to_owned()
    }

    fn end(mut self, signal: &str) -> Option<i32> {
        let pid = self.0.id().to_string();
        assert!(std::process::Command::new("kill").args([signal, &pid]).status().unwrap().success());
        self.0.wait().unwrap().code()
    }
}

#[cfg(unix)]
impl Drop for Playing {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
#[cfg(unix)]
fn played_sessions_are_well_formed() {
    let sandbox = Sandbox::new();
    let play = |folder: &str| {
        let mut command = sandbox.recount(&["demo", "--live", folder, "--speed", "500", "--one-round"]);
        command.env("PATH", "/usr/bin:/bin").output().unwrap()
    };
    assert_eq!(play("played").status.code(), Some(0));
    let check = |sandbox: &Sandbox| {
        let output = sandbox.recount(&["check", "--strict", "--json", "played"]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    let once = check(&sandbox);
    assert_eq!(once["sources"]["transcripts"], 6, "{once}");
    assert_eq!(std::fs::read_dir(sandbox.path("played/sessions")).unwrap().count(), 0, "no process is left");
    // A second run in the same folder adds other sessions.
    assert_eq!(play("played").status.code(), Some(0));
    assert_eq!(check(&sandbox)["sources"]["transcripts"], 12);
}

#[test]
#[cfg(unix)]
fn other_folders_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("mine/letter", "dear Ana");
    std::fs::create_dir_all(sandbox.path(".claude/projects")).unwrap();
    std::fs::create_dir_all(sandbox.path(".claude/new")).unwrap();
    for folder in ["mine", ".claude", ".claude/new"] {
        let output = sandbox.recount(&["demo", "--live", folder, "--one-round"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{folder}");
    }
    assert_eq!(std::fs::read_dir(sandbox.path("mine")).unwrap().count(), 1);
    assert_eq!(std::fs::read_dir(sandbox.path(".claude/new")).unwrap().count(), 0);
}

/// The child processes of this one.
#[cfg(target_os = "linux")]
fn children(pid: u32) -> Vec<String> {
    let list = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    list.split_whitespace().map(str::to_owned).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn no_process_is_left_however_it_ends() {
    use std::time::{Duration, Instant};
    for signal in ["-INT", "-KILL"] {
        let sandbox = Sandbox::new();
        let playing = Playing::new(&sandbox, &["played", "--speed", "10"]);
        let deadline = Instant::now() + Duration::from_secs(60);
        let wait_until = |is_so: &dyn Fn() -> bool| {
            while !is_so() {
                assert!(Instant::now() < deadline, "{signal}");
                std::thread::sleep(Duration::from_millis(20));
            }
        };
        let pid = playing.0.id();
        wait_until(&|| children(pid).len() >= 3);
        let started = children(pid);
        playing.end(signal);
        // A process that has ended may be a zombie.
        let is_gone = |pid: &String| {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with('Z'))
        };
        wait_until(&|| started.iter().all(is_gone));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_board_shows_the_played_sessions() {
    use std::collections::BTreeSet;
    use std::time::{Duration, Instant};
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("tmp")).unwrap();
    let mut playing = Playing::new(&sandbox, &["--speed", "12"]);
    let folder = playing.folder();
    let wanted =
        ["background", "finished", "plan", "question", "retry", "permission", "turn", "your_turn"].map(str::to_owned);
    let wanted = BTreeSet::from(wanted);
    let mut seen = BTreeSet::new();
    let deadline = Instant::now() + Duration::from_secs(90);
    while !seen.is_superset(&wanted) {
        assert!(Instant::now() < deadline, "only {seen:?}");
        let output = sandbox.recount(&["watch", "--json"]).env("CLAUDE_CONFIG_DIR", &folder).output().unwrap();
        let Ok(board) = serde_json::from_slice::<serde_json::Value>(&output.stdout) else { continue };
        let sessions = board["sessions"].as_array().cloned().unwrap_or_default();
        seen.extend(sessions.iter().filter_map(|card| Some(card["state_reason"].as_str()?.to_owned())));
        assert!(sessions.iter().all(|card| card["state_reason"] != "gone"), "{board}");
    }
    assert_eq!(playing.end("-TERM"), Some(0));
    assert!(!std::path::Path::new(&folder).exists(), "what it made goes with it");
}

#[test]
fn nothing_is_played_among_the_sessions_of_the_user() {
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.path(".claude/projects")).unwrap();
    let output = sandbox.recount(&["demo", "--live", ".claude/played"]).output().unwrap();
    let shown = sandbox.shown(&output);
    let expected =
        "exit 2\nrecount: inside of a config root of yours: .claude/played\nhint: name a folder elsewhere, or none\n";
    assert_eq!(shown, expected);
}
