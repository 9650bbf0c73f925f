//! Situations, and the states of sessions in them.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "these are tests")]

mod hooked;
mod rules;

use live::glance::{Glance, Moments};
use live::hooks::Heard;
use live::registry::{Registered, Status};
use live::state::{Doing, Process, Sources, State};
use story::{Ending, Source, StateReason, StoryBuilder};
use testkit::{Session, entry, object};

const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;

fn build(session: &Session) -> StoryBuilder {
    let mut builder = StoryBuilder::default();
    let source = builder.add_source(Source::default());
    let jsonl = session.jsonl();
    for line in format::lines(jsonl.as_bytes()) {
        builder.push(source, line);
    }
    builder
}

fn tail(session: &Session) -> Ending {
    Ending::of(build(session).story())
}

/// A session with a prompt.
fn asked() -> Session {
    let mut session = Session::new();
    session.prompt("make the uploader retry");
    session
}

fn says(status: Option<Status>) -> Registered {
    Registered { pid: 7, session: "s".to_owned(), status, since: Some(1), ..Registered::default() }
}

/// The state of a session at a time after its last line: what it does in words, and whether that is certain.
fn stands(session: &Session, process: Process<'_>, heard: Option<&Heard>, later: i64) -> (String, bool) {
    let state = State::of(&Sources { tail: &tail(session), process, heard }, session.now() + later);
    let status = state.status();
    let words = match (&state.doing, status.reason) {
        (Doing::Working(call) | Doing::Permission(call), reason) => {
            format!("{} {}", label(reason), call.as_ref().map(|call| call.subject.clone()).unwrap_or_default())
        }
        (Doing::Plan(_), reason) => label(reason),
        (doing, reason) => format!("{} {}", label(reason), doing.what()),
    };
    (words.trim_end().to_owned(), status.is_certain)
}

/// The state, and its reason if that is more specific.
fn label(reason: StateReason) -> String {
    let state = reason.state().word();
    match reason {
        StateReason::Turn | StateReason::YourTurn | StateReason::Finished => state.to_owned(),
        reason => format!("{state}: {}", reason.name()),
    }
}

#[track_caller]
fn assert_stands(session: &Session, process: Process<'_>, later: i64, words: &str, sure: bool) {
    assert_eq!(stands(session, process, None, later), (words.to_owned(), sure));
}

/// A command without a result.
fn in_command() -> Session {
    let mut session = asked();
    session.call("Bash", object! {"command" => "make test"});
    session
}

#[test]
fn a_slow_command_is_not_taken_for_a_question() {
    for later in [SECOND, MINUTE, 20 * MINUTE] {
        assert_stands(&in_command(), Process::Unknown, later, "working make test", false);
        assert_stands(&in_command(), Process::Alive(&says(Some(Status::Busy))), later, "working make test", true);
    }
}

#[test]
fn a_command_that_needs_permission_is_named() {
    let waiting = says(Some(Status::Waiting));
    assert_stands(&in_command(), Process::Alive(&waiting), SECOND, "blocked: permission make test", true);
}

#[test]
fn a_long_edit_probably_waits() {
    let mut session = asked();
    session.call("Edit", object! {"file_path" => "/w/up.py", "old_string" => "a", "new_string" => "b"});
    assert_stands(&session, Process::Unknown, SECOND, "working /w/up.py", false);
    assert_stands(&session, Process::Unknown, MINUTE, "blocked: permission /w/up.py", false);
    // Unless the process is busy.
    assert_stands(&session, Process::Alive(&says(Some(Status::Busy))), MINUTE, "working /w/up.py", true);
}

#[test]
fn a_question_waits_for_an_answer() {
    let mut session = asked();
    let question =
        object! {"question" => "Which limit?", "header" => "Limit", "options" => Vec::<testkit::Json>::new()};
    session.call("AskUserQuestion", object! {"questions" => vec![question]});
    assert_stands(&session, Process::Unknown, SECOND, "blocked: question Which limit?", false);
    assert_stands(
        &session,
        Process::Alive(&says(Some(Status::Waiting))),
        SECOND,
        "blocked: question Which limit?",
        true,
    );
    assert_stands(&session, Process::Gone, SECOND, "failed: gone", true);
}

#[test]
fn a_plan_waits_for_approval() {
    let mut session = asked();
    session.call("ExitPlanMode", object! {"plan" => "1. Retry."});
    assert_stands(&session, Process::Unknown, SECOND, "blocked: plan", false);
}

#[test]
fn a_tool_asks_by_whichever_name_it_was_called() {
    let open = |tool: &str| {
        let mut session = asked();
        let question = object! {"question" => "Which limit?"};
        session.call(tool, object! {"plan" => "1. Retry.", "questions" => vec![question]});
        session
    };
    for tool in ["exit_plan_mode", "ExitPlanModeV2"] {
        assert_stands(&open(tool), Process::Unknown, SECOND, "blocked: plan", false);
    }
    assert_stands(&open("ask_user_question"), Process::Unknown, SECOND, "blocked: question Which limit?", false);
    // There is no plan yet: it waits for permission to make one.
    let session = open("EnterPlanMode");
    let sources = Sources { tail: &tail(&session), process: Process::Unknown, heard: None };
    let state = State::of(&sources, session.now() + SECOND);
    assert_eq!(
        (label(state.status().reason), state.doing.what().trim()),
        ("blocked: permission".to_owned(), "EnterPlanMode")
    );
}

/// The kinds of these tools' calls on the board's timeline.
fn bars(tools: &[&str]) -> Vec<&'static str> {
    let mut session = asked();
    for tool in tools {
        session.call(tool, object! {});
    }
    let moments = Moments { since: 0, midnight: 0 };
    Glance::of(build(&session).story(), None, moments).bars.iter().map(|bar| bar.kind.name()).collect()
}

#[test]
fn a_tool_is_drawn_alike_by_all_its_names() {
    assert_eq!(bars(&["Bash", "PowerShell", "KillBash", "KillShell", "TaskStop", "TaskOutput"]), ["command"; 6]);
    assert_eq!(bars(&["Agent", "Task", "Workflow"]), ["agent"; 3]);
    assert_eq!(bars(&["AskUserQuestion", "ask_user_question", "exit_plan_mode", "EnterPlanMode"]), ["human"; 4]);
    assert_eq!(bars(&["WebSearch", "web_search", "WebFetch"]), ["web"; 3]);
    assert_eq!(
        bars(&["Read", "Grep", "LS", "LSP", "Write", "TodoWrite", "mcp__garden__dig", "Swim"]),
        ["read", "read", "read", "read", "edit", "other", "other", "other"]
    );
}

#[test]
fn after_its_last_words_it_is_your_turn() {
    let mut session = asked();
    session.reply("Done.");
    assert_stands(&session, Process::Unknown, SECOND, "done Done.", false);
    assert_stands(&session, Process::Alive(&says(Some(Status::Idle))), 60 * MINUTE, "done Done.", true);
    assert_stands(&session, Process::Alive(&says(None)), 60 * MINUTE, "done Done.", true);
    assert_stands(&session, Process::Unknown, 60 * MINUTE, "ended", true);
    assert_stands(&session, Process::Gone, SECOND, "ended", true);
}

#[test]
fn the_transcript_may_lag_behind_the_process() {
    let mut session = asked();
    session.reply("Done.");
    // The next prompt has not been written yet.
    assert_stands(&session, Process::Alive(&says(Some(Status::Busy))), SECOND, "working", true);
    // Nor has the call that needs permission.
    let waiting = Registered { waiting_for: Some("permission prompt".to_owned()), ..says(Some(Status::Waiting)) };
    assert_stands(&session, Process::Alive(&waiting), SECOND, "blocked: permission permission prompt", true);
    // The result has not been written yet.
    assert_stands(&in_command(), Process::Alive(&says(Some(Status::Idle))), SECOND, "done", true);
}

#[test]
fn an_interrupted_session_is_stopped() {
    let mut session = in_command();
    session.push(entry::interruption_of_tool_use());
    assert_stands(&session, Process::Gone, SECOND, "ended: stopped", true);
    assert_stands(&session, Process::Alive(&says(Some(Status::Idle))), SECOND, "done", true);
}

#[test]
fn a_process_that_died_while_working_is_gone() {
    assert_stands(&in_command(), Process::Gone, SECOND, "failed: gone", true);
    assert_stands(&in_command(), Process::Unknown, 61 * MINUTE, "failed: gone", true);
}

/// The program's message about failed requests.
fn api_error(attempt: i64) -> testkit::entry::Entry {
    let error = object! {"status" => 529, "error" => object! {"type" => "overloaded_error", "message" => "Overloaded"}};
    entry::system("api_error")
        .with("level", "error")
        .with("error", error)
        .with("retryInMs", 537.9)
        .with("retryAttempt", attempt)
        .with("maxRetries", 10)
}

#[test]
fn failed_requests_are_retried() {
    let mut session = asked();
    session.push(api_error(1));
    session.push(api_error(2));
    let (words, sure) = stands(&session, Process::Alive(&says(Some(Status::Busy))), None, SECOND);
    assert!(words.starts_with("paused: retry ") && words.contains("verloaded") && sure, "{words}");
    // A success ends the retries.
    session.reply("Done.");
    assert_stands(&session, Process::Alive(&says(Some(Status::Idle))), SECOND, "done Done.", true);
}

#[test]
fn a_limit_shows_when_it_resets() {
    let mut session = asked();
    let limit = entry::assistant().text("You've hit your session limit · resets 11pm").model("<synthetic>");
    session.push(limit.with("isApiErrorMessage", true).with("error", "rate_limit"));
    let words = "paused: limit You've hit your session limit · resets 11pm";
    assert_stands(&session, Process::Alive(&says(Some(Status::Idle))), MINUTE, words, true);
    assert_stands(&session, Process::Unknown, MINUTE, words, false);
}

#[test]
fn background_commands_may_outlive_the_turn() {
    let mut session = asked();
    let call = session.call("Bash", object! {"command" => "npm run dev", "run_in_background" => true});
    let result = object! {"stdout" => "", "stderr" => "", "interrupted" => false, "backgroundTaskId" => "b1"};
    session.result(&call, "Command running in background with ID: b1", result);
    session.reply("It runs.");
    assert_stands(&session, Process::Unknown, SECOND, "working: background Bash npm run dev", false);
    assert_stands(
        &session,
        Process::Alive(&says(Some(Status::Idle))),
        SECOND,
        "working: background Bash npm run dev",
        true,
    );
    assert_stands(&session, Process::Gone, SECOND, "ended", true);
}

#[test]
fn a_session_driven_by_a_program_has_no_status() {
    // Without a status, the transcript decides.
    assert_stands(&in_command(), Process::Alive(&says(None)), MINUTE, "working make test", false);
    let mut session = asked();
    session.call("ExitPlanMode", object! {"plan" => "1. Retry."});
    assert_stands(&session, Process::Alive(&says(None)), MINUTE, "blocked: plan", true);
}
