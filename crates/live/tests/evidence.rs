//! The evidence that a session runs: its process, wherever its lines are.

#![allow(clippy::unwrap_used, reason = "these are tests")]

use std::fs;
use std::path::Path;

use live::evidence::{Evidence, Place};
use live::hooks::{Event, HookEventKind, deliver};
use live::process::{Life, Processes};
use sources::Root;
use story::{Ending, OpenCall, SessionState, SessionStatus, StateReason, TurnState};

const NOW: i64 = 1_786_179_600_000;

/// Process 7 runs.
struct Only7;

impl Processes for Only7 {
    fn life(&self, pid: u32) -> Life {
        if pid == 7 { Life::Since("1".to_owned()) } else { Life::Gone }
    }
}

/// A command that began this many milliseconds ago.
fn in_command(ago: i64) -> Ending {
    let at = Some(NOW - ago);
    let call = OpenCall { tool: "Bash".to_owned(), since: at, ..OpenCall::default() };
    Ending { turn: Some(TurnState::Open), open: vec![call], last: at, ..Ending::default() }
}

fn status(evidence: &Evidence, session: &str, path: Option<&Path>, ago: i64) -> (SessionState, bool) {
    let place = Place { session, path, is_here: true };
    let status = evidence.status(&place, &in_command(ago), NOW);
    (status.state(), status.is_certain)
}

#[test]
fn of_copies_with_one_id_the_one_at_home_runs() {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    let folder = tempfile::tempdir().unwrap();
    let [home, other, bare] = ["home", "other", "bare"].map(|name| folder.path().join(name));
    fs::create_dir_all(home.join("sessions")).unwrap();
    fs::create_dir_all(other.join("sessions")).unwrap();
    let register = |pid: u32, session: &str| {
        let file = format!(
            r#"{{"pid":{pid},"sessionId":"{session}","procStart":"1","status":"busy","statusUpdatedAt":{NOW}}}"#
        );
        fs::write(home.join(format!("sessions/{pid}.json")), file).unwrap();
    };
    register(7, "runs");
    register(8, "died");
    let roots = [&home, &other, &bare].map(|path| Root { path: path.clone(), named: true });
    let (evidence, events) = Evidence::read(&roots, None, &Only7);
    events.unwrap();
    let file = |root: &Path, id: &str| root.join(format!("projects/p/{id}.jsonl"));
    let asked = |root: &Path, id: &str, ago| status(&evidence, id, Some(&file(root, id)), ago);
    assert_eq!(asked(&home, "runs", DAY), (SessionState::Working, true));
    assert_eq!(asked(&other, "runs", DAY), (SessionState::Failed, true), "a copy does not run");
    assert_eq!(asked(&bare, "runs", DAY), (SessionState::Failed, true));
    assert_eq!(asked(&home, "died", 1), (SessionState::Failed, true), "it left its file behind");
    assert_eq!(asked(&home, "new", 1), (SessionState::Working, false), "not every process registers");
    assert_eq!(status(&evidence, "runs", None, 1), (SessionState::Working, false), "standard input");
    let path = file(&home, "runs");
    let elsewhere = Place { session: "runs", path: Some(&path), is_here: false };
    let status = evidence.status(&elsewhere, &in_command(DAY), NOW);
    assert_eq!(status.reason, StateReason::Gone, "another machine");
}

#[test]
fn stored_hook_events_are_evidence() {
    let folder = tempfile::tempdir().unwrap();
    let event =
        |kind, at| Event { at, kind, session: "s".to_owned(), tool: Some("Bash".to_owned()), ..Event::default() };
    deliver(folder.path(), &event(HookEventKind::PreToolUse, NOW - 2_000)).unwrap();
    let read = || Evidence::read(&[], Some(folder.path()), &Only7).0;
    assert_eq!(status(&Evidence::default(), "s", None, 2_000), (SessionState::Working, false));
    assert_eq!(status(&read(), "s", None, 2_000), (SessionState::Working, true));
    deliver(folder.path(), &event(HookEventKind::PermissionRequest, NOW - 1_000)).unwrap();
    let place = Place { session: "s", path: None, is_here: true };
    let asked = read().status(&place, &in_command(2_000), NOW);
    let expected = SessionStatus { reason: StateReason::Permission, since: Some(NOW - 1_000), is_certain: true };
    assert_eq!(asked, expected);
    assert_eq!(status(&read(), "another", None, 2_000), (SessionState::Working, false));
}
