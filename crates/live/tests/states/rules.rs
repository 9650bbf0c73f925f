//! The rules of the six states, at their edges: what shows that a session runs, for how long, and how certain that is.

use live::hooks::{Event, Heard};
use live::registry::Status;
use live::state::{Process, Sources, State};
use serde_json::{Value, json};
use story::Ending;
use testkit::{Session, entry, object};

use super::{MINUTE, SECOND, api_error, asked, in_command, says, tail};

const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// Nothing is registered: neither in a root without a registry, nor in one that lists only other sessions.
const UNREGISTERED: [Process<'static>; 2] = [Process::Unknown, Process::Unlisted];

/// The state at a time after the last line.
fn stands(session: &Session, process: Process<'_>, heard: Option<&Heard>, later: i64) -> (String, bool) {
    super::stands(session, process, heard, last(session) + later - session.now())
}

#[track_caller]
fn assert_stands(session: &Session, process: Process<'_>, later: i64, words: &str, is_certain: bool) {
    assert_eq!(stands(session, process, None, later), (words.to_owned(), is_certain));
}

/// The time of the last line.
fn last(session: &Session) -> i64 {
    tail(session).last.unwrap()
}

fn done() -> Session {
    let mut session = asked();
    session.reply("Done.");
    session
}

fn interrupted() -> Session {
    let mut session = in_command();
    session.push(entry::interruption_of_tool_use());
    session
}

fn with_question() -> Session {
    let mut session = asked();
    session.call("AskUserQuestion", object! {"questions" => vec![object! {"question" => "Which limit?"}]});
    session
}

fn retrying() -> Session {
    let mut session = asked();
    session.push(api_error(1));
    session
}

fn limited() -> Session {
    let mut session = asked();
    let limit = entry::assistant().text("You've hit your session limit").model("<synthetic>");
    session.push(limit.with("isApiErrorMessage", true).with("error", "rate_limit"));
    session
}

/// A session with a command in the background of its last turn.
fn in_background() -> Session {
    let mut session = asked();
    let call = session.call("Bash", object! {"command" => "npm run dev", "run_in_background" => true});
    let result = object! {"stdout" => "", "stderr" => "", "interrupted" => false, "backgroundTaskId" => "b1"};
    session.result(&call, "Command running in background with ID: b1", result);
    session.reply("It runs.");
    session
}

/// An event at the time of the last line.
fn heard(session: &Session, event: &str, more: &Value) -> Heard {
    let mut heard = Heard::default();
    heard.take(event_at(last(session), event, more));
    heard
}

fn event_at(at: i64, event: &str, more: &Value) -> Event {
    let mut input = json!({"session_id": "s", "cwd": "/w", "hook_event_name": event});
    input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    Event::read(input.to_string().as_bytes(), at).unwrap()
}

#[test]
fn without_a_process_lines_of_a_quarter_of_an_hour_show_that_it_runs() {
    for process in UNREGISTERED {
        assert_stands(&asked(), process, 15 * MINUTE, "working", false);
        assert_stands(&asked(), process, 15 * MINUTE + 1, "failed: gone", true);
        let (words, is_certain) = stands(&retrying(), process, None, 15 * MINUTE);
        assert!(words.starts_with("paused: retry") && !is_certain, "{words}");
        assert_stands(&retrying(), process, 15 * MINUTE + 1, "failed: gone", true);
        assert_stands(&in_background(), process, 15 * MINUTE, "working: background Bash npm run dev", false);
        assert_stands(&in_background(), process, 15 * MINUTE + 1, "ended", true);
    }
}

#[test]
fn without_a_process_an_open_call_of_an_hour_shows_that_it_runs() {
    for process in UNREGISTERED {
        assert_stands(&in_command(), process, HOUR, "working make test", false);
        assert_stands(&in_command(), process, HOUR + 1, "failed: gone", true);
        assert_stands(&with_question(), process, HOUR, "blocked: question Which limit?", false);
        assert_stands(&with_question(), process, HOUR + 1, "failed: gone", true);
    }
}

#[test]
fn the_latest_of_several_open_calls_counts() {
    let mut session = asked();
    session.call("Agent", object! {"description" => "look", "prompt" => "look", "subagent_type" => "Explore"});
    session.wait(50 * MINUTE);
    session.call("Bash", object! {"command" => "make test"});
    let (words, _) = stands(&session, Process::Unknown, None, 20 * MINUTE);
    assert_eq!(words, "working Explore: look");
}

#[test]
fn without_a_process_a_finished_turn_is_done_only_where_none_registers() {
    assert_stands(&done(), Process::Unknown, 15 * MINUTE, "done Done.", false);
    assert_stands(&done(), Process::Unknown, 15 * MINUTE + 1, "ended", true);
    assert_stands(&interrupted(), Process::Unknown, 15 * MINUTE + 1, "ended: stopped", true);
    // It would be registered.
    assert_stands(&done(), Process::Unlisted, SECOND, "ended", true);
    assert_stands(&interrupted(), Process::Unlisted, SECOND, "ended: stopped", true);
}

#[test]
fn a_registered_process_needs_no_other_evidence() {
    let registered = [Status::Busy, Status::Waiting, Status::Idle].map(|status| says(Some(status)));
    let [busy, waiting, idle] = registered.each_ref().map(Process::Alive);
    assert_stands(&in_command(), busy, 30 * DAY, "working make test", true);
    assert_stands(&in_command(), waiting, 30 * DAY, "blocked: permission make test", true);
    assert_stands(&with_question(), waiting, 30 * DAY, "blocked: question Which limit?", true);
    assert_stands(&limited(), idle, 30 * DAY, "paused: limit You've hit your session limit", true);
    assert_stands(&done(), idle, 30 * DAY, "done Done.", true);
    assert_stands(&in_background(), idle, 30 * DAY, "working: background Bash npm run dev", true);
}

#[test]
fn a_process_that_is_gone_outweighs_fresh_lines() {
    assert_stands(&in_command(), Process::Gone, 1, "failed: gone", true);
    assert_stands(&with_question(), Process::Gone, 1, "failed: gone", true);
    assert_stands(&limited(), Process::Gone, 1, "failed: error", true);
    assert_stands(&done(), Process::Gone, 1, "ended", true);
    assert_stands(&in_background(), Process::Gone, 1, "ended", true);
    assert_stands(&interrupted(), Process::Gone, 1, "ended: stopped", true);
}

#[test]
fn hook_events_show_that_it_runs_and_are_certain() {
    let session = in_command();
    let call = json!({"tool_name": "Bash", "tool_input": {"command": "make test"}});
    for process in UNREGISTERED {
        let [runs, asks] = ["PreToolUse", "PermissionRequest"].map(|event| heard(&session, event, &call));
        let words = |heard: &Heard, later: i64| stands(&session, process, Some(heard), later);
        assert_eq!(words(&runs, HOUR), ("working make test".to_owned(), true));
        assert_eq!(words(&asks, HOUR), ("blocked: permission make test".to_owned(), true));
        assert_eq!(words(&runs, HOUR + 1), ("failed: gone".to_owned(), true));
        // A process that waits reports nothing. If others register and it does not, it has gone.
        let after_long = match process {
            Process::Unlisted => ("failed: gone".to_owned(), true),
            _ => ("blocked: permission make test".to_owned(), false),
        };
        assert_eq!(words(&asks, HOUR + 1), after_long);
        assert_eq!(words(&asks, 24 * HOUR + 1), ("failed: gone".to_owned(), true));
        let (done, prompt) = (done(), asked());
        let (stop, submitted) = (heard(&done, "Stop", &json!({})), heard(&prompt, "UserPromptSubmit", &json!({})));
        assert_eq!(stands(&done, process, Some(&stop), 15 * MINUTE), ("done Done.".to_owned(), true));
        assert_eq!(stands(&done, process, Some(&stop), 15 * MINUTE + 1), ("ended".to_owned(), true));
        assert_eq!(stands(&prompt, process, Some(&submitted), 15 * MINUTE), ("working".to_owned(), true));
    }
}

#[test]
fn a_session_of_months_ago_has_ended_or_failed() {
    let sessions = [
        (done(), "ended"),
        (in_background(), "ended"),
        (interrupted(), "ended: stopped"),
        (asked(), "failed: gone"),
        (in_command(), "failed: gone"),
        (with_question(), "failed: gone"),
        (retrying(), "failed: gone"),
        (limited(), "failed: error"),
    ];
    for (session, words) in &sessions {
        for process in UNREGISTERED.into_iter().chain([Process::Gone]) {
            assert_stands(session, process, 90 * DAY, words, true);
        }
    }
}

#[test]
fn a_run_that_reported_its_outcome_is_over() {
    let mut session = done();
    session.push(entry::metadata("result").with("subtype", "success").with("is_error", false).with("result", "Done."));
    assert_stands(&session, Process::Unknown, SECOND, "ended", true);
}

/// What the index keeps of the end of a story gives the same state as the story, whatever else is known.
#[test]
fn the_reduced_end_of_a_story_has_the_same_state() {
    let mut several = asked();
    several.parallel_calls([("Bash", json!({"command": "make"})), ("AskUserQuestion", json!({"questions": []}))]);
    let mut edit = asked();
    edit.call("Edit", object! {"file_path" => "/w/up.py", "old_string" => "a", "new_string" => "b"});
    let sessions = [
        Session::new(),
        asked(),
        done(),
        interrupted(),
        in_command(),
        with_question(),
        retrying(),
        limited(),
        in_background(),
        several,
        edit,
    ];
    let statuses = [None, Some(Status::Busy), Some(Status::Waiting), Some(Status::Idle), Some(Status::Shell)];
    let registered = statuses.map(says);
    for session in &sessions {
        let whole = tail(session);
        let mut event = Heard::default();
        event.take(event_at(session.now(), "UserPromptSubmit", &json!({})));
        let others = [Process::Gone, Process::Unlisted, Process::Unknown];
        for process in registered.iter().map(Process::Alive).chain(others) {
            for heard in [None, Some(&event)] {
                for later in [SECOND, MINUTE, 16 * MINUTE, 2 * HOUR, 90 * DAY] {
                    let now = session.now() + later;
                    let status = |tail: &Ending| State::of(&Sources { tail, process, heard }, now).status();
                    assert_eq!(status(&whole.reduced()), status(&whole), "{whole:?} {process:?} {heard:?} {later}");
                }
            }
        }
    }
}
