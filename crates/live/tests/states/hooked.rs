//! The same situations with hook events, one by one.

use live::hooks::{Event, Heard};
use live::registry::{Registered, Status};
use live::state::Process;
use serde_json::{Value, json};
use testkit::Session;
use testkit::entry::{self, ToolUse};

use super::{MINUTE, SECOND, asked, in_command, says, stands};

/// The input of a hook at a given time.
fn hook_event(at: i64, event: &str, more: &Value) -> Event {
    let mut input = json!({"session_id": "s", "transcript_path": "/t/s.jsonl", "cwd": "/w", "hook_event_name": event});
    input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    Event::read(input.to_string().as_bytes(), at).unwrap()
}

/// The state from events after the last line of a session: time in milliseconds, kind and fields.
fn heard(session: &Session, events: &[(i64, &str, Value)]) -> Heard {
    let mut heard = Heard::default();
    for (at, event, more) in events {
        heard.take(hook_event(session.now() + at, event, more));
    }
    heard
}

#[track_caller]
fn assert_stands(session: &Session, process: Process<'_>, heard: &Heard, later: i64, words: &str) {
    assert_eq!(stands(session, process, Some(heard), later), (words.to_owned(), true));
}

/// The status of the process, at a time after the last line.
fn said(session: &Session, status: Status, at: i64) -> Registered {
    Registered { since: Some(session.now() + at), ..says(Some(status)) }
}

fn make_test(id: &str) -> Value {
    json!({"tool_name": "Bash", "tool_input": {"command": "make test"}, "tool_use_id": id})
}

/// A permission request, which carries no call id.
fn may(tool: &str, input: &Value) -> Value {
    json!({"tool_name": tool, "tool_input": input})
}

fn may_make_test() -> Value {
    may("Bash", &json!({"command": "make test"}))
}

fn of_agent(more: &Value) -> Value {
    let mut more = more.clone();
    more["agent_id"] = json!("a1");
    more
}

/// A session that wants to run a command, with its call.
fn with_call() -> (Session, ToolUse) {
    let mut session = asked();
    let call = session.call("Bash", json!({"command": "make test"}));
    (session, call)
}

#[test]
fn a_slow_command_is_working() {
    let (session, call) = with_call();
    let heard = heard(&session, &[(0, "PreToolUse", make_test(&call.id))]);
    for later in [SECOND, MINUTE, 20 * MINUTE] {
        assert_stands(&session, Process::Unknown, &heard, later, "working make test");
        assert_stands(&session, Process::Alive(&says(None)), &heard, later, "working make test");
    }
}

#[test]
fn an_edit_without_a_request_is_working() {
    let mut session = asked();
    let input = json!({"file_path": "/w/up.py", "old_string": "a", "new_string": "b"});
    let calls = session.parallel_calls([("Read", json!({"file_path": "/w/a.py"})), ("Edit", input.clone())]);
    let edit = json!({"tool_name": "Edit", "tool_input": input, "tool_use_id": calls[1].id});
    let heard = heard(&session, &[(0, "PreToolUse", edit)]);
    session.wait(3 * SECOND);
    session.result(&calls[0], "1\tx", json!({}));
    // The transcript has continued since, without the result of this call.
    assert_stands(&session, Process::Unknown, &heard, 10 * SECOND, "working /w/up.py");
    let (words, sure) = stands(&session, Process::Unknown, None, 10 * SECOND);
    assert_eq!((words.as_str(), sure), ("blocked: permission /w/up.py", false), "as it looks without hooks");
}

#[test]
fn hooks_silent_since_before_a_call_are_no_evidence() {
    let mut session = asked();
    let heard = heard(&session, &[(0, "UserPromptSubmit", json!({"prompt": "go"}))]);
    session.wait(MINUTE);
    session.call("Edit", json!({"file_path": "/w/up.py", "old_string": "a", "new_string": "b"}));
    let (words, sure) = stands(&session, Process::Unknown, Some(&heard), 10 * SECOND);
    assert_eq!((words.as_str(), sure), ("blocked: permission /w/up.py", false));
}

#[test]
fn a_request_is_for_the_command_itself() {
    let (session, call) = with_call();
    let events = [(0, "PreToolUse", make_test(&call.id)), (20, "PermissionRequest", may_make_test())];
    let heard = heard(&session, &events);
    for process in [Process::Unknown, Process::Alive(&says(None)), Process::Alive(&says(Some(Status::Busy)))] {
        assert_stands(&session, process, &heard, 10 * MINUTE, "blocked: permission make test");
    }
    let waiting = said(&session, Status::Waiting, 25);
    assert_stands(&session, Process::Alive(&waiting), &heard, 10 * MINUTE, "blocked: permission make test");
}

#[test]
fn a_request_may_arrive_before_its_call() {
    let (session, call) = with_call();
    let events = [(20, "PermissionRequest", may_make_test()), (21, "PreToolUse", make_test(&call.id))];
    assert_stands(&session, Process::Unknown, &heard(&session, &events), MINUTE, "blocked: permission make test");
    let ended = [&events[..], &[(30 * SECOND, "PostToolUse", make_test(&call.id))]].concat();
    assert_stands(&session, Process::Unknown, &heard(&session, &ended), MINUTE, "working");
}

#[test]
fn a_request_may_arrive_after_the_end_of_its_call() {
    // Another hook allowed it immediately.
    let (session, call) = with_call();
    let events = [
        (0, "PreToolUse", make_test(&call.id)),
        (30, "PostToolUse", make_test(&call.id)),
        (31, "PermissionRequest", may_make_test()),
    ];
    assert_stands(&session, Process::Unknown, &heard(&session, &events), SECOND, "working");
}

#[test]
fn a_call_that_ended_does_not_wait() {
    let (session, call) = with_call();
    for (event, words) in
        [("PostToolUse", "working"), ("PostToolUseFailure", "working"), ("PermissionDenied", "working")]
    {
        let events = [
            (0, "PreToolUse", make_test(&call.id)),
            (20, "PermissionRequest", may_make_test()),
            (9 * SECOND, event, make_test(&call.id)),
        ];
        assert_stands(&session, Process::Unknown, &heard(&session, &events), 10 * SECOND, words);
    }
}

#[test]
fn an_allowed_call_works_once_the_process_is_busy() {
    // No event reports that the user allowed it.
    let (session, call) = with_call();
    let events = [(0, "PreToolUse", make_test(&call.id)), (20, "PermissionRequest", may_make_test())];
    let busy = said(&session, Status::Busy, 5 * SECOND);
    assert_stands(&session, Process::Alive(&busy), &heard(&session, &events), MINUTE, "working make test");
}

#[test]
fn a_rejection_shows_in_the_transcript() {
    // No event reports this either.
    let (mut session, call) = with_call();
    let events = [(0, "PreToolUse", make_test(&call.id)), (20, "PermissionRequest", may_make_test())];
    let heard = heard(&session, &events);
    session.wait(5 * SECOND);
    session.push(
        entry::tool_result(&call)
            .error("The user doesn't want to proceed with this tool use. The tool use was rejected")
            .with_result("User rejected tool use"),
    );
    session.push(entry::interruption_of_tool_use());
    assert_stands(&session, Process::Unknown, &heard, SECOND, "done");
    let idle = said(&session, Status::Idle, 0);
    assert_stands(&session, Process::Alive(&idle), &heard, SECOND, "done");
}

#[test]
fn a_new_call_means_the_last_was_answered() {
    let (session, call) = with_call();
    let other = json!({"tool_name": "Bash", "tool_input": {"command": "make lint"}, "tool_use_id": "toolu_2"});
    let events = [
        (0, "PreToolUse", make_test(&call.id)),
        (20, "PermissionRequest", may_make_test()),
        (8 * SECOND, "PreToolUse", other),
    ];
    assert_stands(&session, Process::Unknown, &heard(&session, &events), 10 * SECOND, "working make lint");
}

#[test]
fn two_calls_may_wait_at_once() {
    let mut session = asked();
    let [test, lint] = ["make test", "make lint"].map(|command| json!({"command": command}));
    let calls = session.parallel_calls([("Bash", test.clone()), ("Bash", lint.clone())]);
    let call =
        |at: usize, input: &Value| json!({"tool_name": "Bash", "tool_input": input, "tool_use_id": calls[at].id});
    let events = [
        (0, "PreToolUse", call(0, &test)),
        (5, "PermissionRequest", may("Bash", &test)),
        (8, "PreToolUse", call(1, &lint)),
        (12, "PermissionRequest", may("Bash", &lint)),
        (20 * SECOND, "PostToolUse", call(0, &test)),
        (30 * SECOND, "PostToolUse", call(1, &lint)),
    ];
    for (number, words) in [(4, "blocked: permission make test"), (5, "blocked: permission make lint"), (6, "working")]
    {
        assert_stands(&session, Process::Unknown, &heard(&session, &events[..number]), MINUTE, words);
    }
}

#[test]
fn a_subagent_may_ask() {
    let mut session = asked();
    let task = json!({"description": "look", "prompt": "look", "subagent_type": "Explore"});
    let call = session.call("Agent", task.clone());
    let task = json!({"tool_name": "Agent", "tool_input": task, "tool_use_id": call.id});
    let events = [
        (0, "PreToolUse", task),
        (100, "SubagentStart", json!({"agent_id": "a1", "agent_type": "Explore"})),
        (SECOND, "PreToolUse", of_agent(&make_test("toolu_a"))),
        (SECOND + 20, "PermissionRequest", of_agent(&may_make_test())),
        (30 * SECOND, "PostToolUse", of_agent(&make_test("toolu_a"))),
    ];
    let [works, asks, goes_on] = [3, 4, 5].map(|number| heard(&session, &events[..number]));
    assert_stands(&session, Process::Unknown, &works, MINUTE, "working Explore: look");
    assert_stands(&session, Process::Unknown, &asks, MINUTE, "blocked: permission make test");
    assert_stands(&session, Process::Unknown, &goes_on, MINUTE, "working Explore: look");
    // The conversation may continue without an answer.
    session.wait(10 * SECOND);
    session.reply("It is still looking.");
    assert_stands(&session, Process::Unknown, &asks, MINUTE, "blocked: permission make test");
}

#[test]
fn an_ended_subagent_does_not_ask() {
    let session = asked();
    let events = [
        (0, "PermissionRequest", of_agent(&may_make_test())),
        (SECOND, "SubagentStop", json!({"agent_id": "a1", "agent_type": "Explore"})),
    ];
    assert_stands(&session, Process::Unknown, &heard(&session, &events), MINUTE, "working");
}

#[test]
fn a_question_has_its_options() {
    let mut session = asked();
    let options = json!([{"label": "3", "description": "few"}, {"label": "10", "description": "many"}]);
    let input = json!({"questions": [{"question": "Which limit?", "header": "Limit", "options": options}]});
    for tool in ["AskUserQuestion", "ask_user_question"] {
        let event = json!({"tool_name": tool, "tool_input": input});
        let heard = heard(&session, &[(0, "PreToolUse", event)]);
        assert_stands(&session, Process::Unknown, &heard, MINUTE, "blocked: question Which limit? (3 / 10)");
    }
    let call = session.call("AskUserQuestion", input.clone());
    let question = json!({"tool_name": "AskUserQuestion", "tool_input": input, "tool_use_id": call.id});
    let only_call = heard(&session, &[(0, "PreToolUse", question.clone())]);
    assert_stands(&session, Process::Unknown, &only_call, MINUTE, "blocked: question Which limit? (3 / 10)");
    let events = [(0, "PreToolUse", question.clone()), (9, "PermissionRequest", may("AskUserQuestion", &input))];
    assert_stands(
        &session,
        Process::Unknown,
        &heard(&session, &events),
        MINUTE,
        "blocked: question Which limit? (3 / 10)",
    );
    let answered = [&events[..], &[(SECOND, "PostToolUse", question)]].concat();
    assert_stands(&session, Process::Unknown, &heard(&session, &answered), MINUTE, "working");
}

#[test]
fn a_plan_waits_for_approval() {
    let mut session = asked();
    let input = json!({"plan": "1. Retry."});
    session.call("ExitPlanMode", input.clone());
    let heard = heard(&session, &[(9, "PermissionRequest", may("ExitPlanMode", &input))]);
    assert_stands(&session, Process::Alive(&says(Some(Status::Busy))), &heard, MINUTE, "blocked: plan");
}

#[test]
fn older_versions_only_notify() {
    let (session, call) = with_call();
    let notification =
        json!({"notification_type": "permission_prompt", "message": "Claude needs your permission to use Bash"});
    let events = [(0, "PreToolUse", make_test(&call.id)), (6 * SECOND, "Notification", notification.clone())];
    assert_stands(&session, Process::Unknown, &heard(&session, &events), MINUTE, "blocked: permission make test");
    let alone = heard(&session, &[(6 * SECOND, "Notification", notification)]);
    let words = "blocked: permission Claude needs your permission to use Bash";
    assert_stands(&session, Process::Unknown, &alone, MINUTE, words);
}

#[test]
fn a_server_may_have_a_question() {
    let session = in_command();
    let dialog = json!({"notification_type": "elicitation_dialog", "message": "Which account?"});
    let events = [(SECOND, "Notification", dialog), (9 * SECOND, "ElicitationResult", json!({"action": "accept"}))];
    assert_stands(
        &session,
        Process::Unknown,
        &heard(&session, &events[..1]),
        MINUTE,
        "blocked: question Which account?",
    );
    let (words, _) = stands(&session, Process::Unknown, Some(&heard(&session, &events)), MINUTE);
    assert_eq!(words, "working");
}

#[test]
fn last_words_may_arrive_before_they_are_written() {
    let (session, call) = with_call();
    let events = [
        (0, "PreToolUse", make_test(&call.id)),
        (SECOND, "PostToolUse", make_test(&call.id)),
        (3 * SECOND, "Stop", json!({"last_assistant_message": "All tests pass.", "background_tasks": []})),
    ];
    let heard = heard(&session, &events);
    assert_stands(&session, Process::Unknown, &heard, 4 * SECOND, "done All tests pass.");
    // The process has not reported that it is idle yet.
    assert_stands(&session, Process::Alive(&says(Some(Status::Busy))), &heard, 4 * SECOND, "done All tests pass.");
    assert_stands(&session, Process::Gone, &heard, 4 * SECOND, "ended");
}

#[test]
fn a_session_may_be_idle_for_a_while() {
    let mut session = asked();
    session.reply("Done.");
    let events = [
        (0, "Stop", json!({"last_assistant_message": "Done."})),
        (MINUTE, "Notification", json!({"notification_type": "idle_prompt", "message": "Claude is waiting"})),
    ];
    assert_stands(&session, Process::Unknown, &heard(&session, &events), 2 * MINUTE, "done Done.");
}

#[test]
fn a_prompt_may_arrive_before_it_is_written() {
    let mut session = asked();
    session.reply("Done.");
    let events = [(0, "Stop", json!({})), (MINUTE, "UserPromptSubmit", json!({"prompt": "and lint"}))];
    let idle = said(&session, Status::Idle, 10);
    assert_stands(&session, Process::Alive(&idle), &heard(&session, &events), 2 * MINUTE, "working");
}

#[test]
fn background_tasks_may_outlive_the_turn() {
    let mut session = asked();
    session.reply("It runs.");
    let tasks = json!([
        {"id": "b1", "type": "shell", "status": "running", "description": "the server", "command": "npm run dev"},
        {"id": "b2", "type": "shell", "status": "completed", "command": "true"}
    ]);
    let stop = json!({"last_assistant_message": "It runs.", "background_tasks": tasks});
    assert_stands(
        &session,
        Process::Unknown,
        &heard(&session, &[(0, "Stop", stop)]),
        MINUTE,
        "working: background the server",
    );
}

#[test]
fn a_background_subagent_is_working() {
    let mut session = asked();
    session.reply("It looks.");
    let events = [(0, "Stop", json!({})), (SECOND, "PreToolUse", of_agent(&make_test("toolu_a")))];
    let working = "working: background";
    assert_stands(&session, Process::Unknown, &heard(&session, &events), MINUTE, working);
    let over = [&events[..], &[(SECOND + 9, "SubagentStop", of_agent(&json!({})))]].concat();
    assert_stands(&session, Process::Unknown, &heard(&session, &over), MINUTE, "done It looks.");
    let asks = [&events[..], &[(SECOND + 9, "PermissionRequest", of_agent(&may_make_test()))]].concat();
    assert_stands(&session, Process::Unknown, &heard(&session, &asks), MINUTE, "blocked: permission make test");
}

#[test]
fn a_limit_shows_when_it_resets() {
    let session = asked();
    let limit = json!({"error": "rate_limit", "last_assistant_message": "You've hit your limit · resets 11pm"});
    let limited = heard(&session, &[(SECOND, "StopFailure", limit)]);
    assert_stands(&session, Process::Unknown, &limited, MINUTE, "paused: limit You've hit your limit · resets 11pm");
    let failed = heard(&session, &[(SECOND, "StopFailure", json!({"error": "server_error"}))]);
    assert_stands(&session, Process::Unknown, &failed, MINUTE, "failed: error server_error");
}

#[test]
fn retries_are_only_in_the_transcript() {
    let mut session = asked();
    let heard = heard(&session, &[(0, "UserPromptSubmit", json!({}))]);
    session.wait(SECOND);
    session.push(super::api_error(1));
    let (words, _) = stands(&session, Process::Alive(&says(Some(Status::Busy))), Some(&heard), SECOND);
    assert!(words.starts_with("paused: retry "), "{words}");
}

#[test]
fn an_interrupted_turn_has_ended() {
    let (mut session, call) = with_call();
    let mut failure = make_test(&call.id);
    failure["is_interrupt"] = json!(true);
    let events = [(0, "PreToolUse", make_test(&call.id)), (SECOND, "PostToolUseFailure", failure)];
    assert_stands(&session, Process::Unknown, &heard(&session, &events), MINUTE, "done");
    // While the model thinks there is no event, but the transcript shows it.
    let before = heard(&session, &events[..1]);
    session.wait(SECOND);
    session.push(entry::interruption_of_tool_use());
    assert_stands(&session, Process::Unknown, &before, MINUTE, "done");
    assert_stands(&session, Process::Gone, &before, MINUTE, "ended: stopped");
}

#[test]
fn events_older_than_the_transcript_are_ignored() {
    let mut session = asked();
    let heard = heard(&session, &[(0, "PermissionRequest", may_make_test())]);
    session.wait(MINUTE);
    session.reply("Done.");
    assert_stands(&session, Process::Unknown, &heard, SECOND, "done Done.");
}

#[test]
fn events_older_than_the_process_are_ignored() {
    let (session, call) = with_call();
    let heard = heard(&session, &[(0, "PreToolUse", make_test(&call.id))]);
    let waiting = Registered {
        waiting_for: Some("permission prompt".to_owned()),
        ..said(&session, Status::Waiting, 30 * SECOND)
    };
    assert_stands(&session, Process::Alive(&waiting), &heard, MINUTE, "blocked: permission make test");
    let idle = said(&session, Status::Idle, 30 * SECOND);
    assert_stands(&session, Process::Alive(&idle), &heard, MINUTE, "done");
}

#[test]
fn an_ended_session_has_finished() {
    let mut session = asked();
    session.reply("Done.");
    let events = [(0, "Stop", json!({})), (SECOND, "SessionEnd", json!({"reason": "prompt_input_exit"}))];
    let ended = heard(&session, &events);
    let alive = said(&session, Status::Idle, 10);
    for process in [Process::Unknown, Process::Gone, Process::Alive(&alive)] {
        assert_stands(&session, process, &ended, 2 * SECOND, "ended");
    }
    // In the middle of a turn it was the user who ended it.
    let in_the_middle = in_command();
    let ended = heard(&in_the_middle, &[(SECOND, "SessionEnd", json!({"reason": "other"}))]);
    assert_stands(&in_the_middle, Process::Unknown, &ended, 2 * SECOND, "ended: stopped");
}

#[test]
fn a_resumed_session_has_not_finished() {
    let mut session = asked();
    session.reply("Done.");
    let events = [(0, "SessionEnd", json!({"reason": "other"})), (MINUTE, "SessionStart", json!({"source": "resume"}))];
    assert_stands(&session, Process::Unknown, &heard(&session, &events), 2 * MINUTE, "done Done.");
    let ended = heard(&session, &events[..1]);
    session.wait(MINUTE);
    session.prompt("and lint");
    let (words, _) = stands(&session, Process::Unknown, Some(&ended), SECOND);
    assert_eq!(words, "working", "hooks were removed, and it was resumed");
}

#[test]
fn a_dead_process_does_not_wait() {
    let (session, call) = with_call();
    let events = [(0, "PreToolUse", make_test(&call.id)), (20, "PermissionRequest", may_make_test())];
    let heard = heard(&session, &events);
    assert_stands(&session, Process::Gone, &heard, MINUTE, "failed: gone");
    // Others of its root are registered, it is not, and there was no sign of life for long.
    assert_eq!(stands(&session, Process::Unlisted, Some(&heard), 61 * MINUTE), ("failed: gone".to_owned(), true));
}

#[test]
fn a_wait_lasts_while_you_are_away_but_not_for_days() {
    let (session, call) = with_call();
    let events = [(0, "PreToolUse", make_test(&call.id)), (20, "PermissionRequest", may_make_test())];
    let heard = heard(&session, &events);
    let at_hour = |hour: i64| stands(&session, Process::Unknown, Some(&heard), hour * 60 * MINUTE);
    let (waiting, is_certain) = at_hour(0);
    assert!(waiting.starts_with("blocked") && is_certain, "{waiting}");
    assert_eq!(at_hour(12), (waiting, false));
    assert_eq!(at_hour(25), ("failed: gone".to_owned(), true));
}

#[test]
fn a_conversation_may_be_compacted() {
    let mut session = asked();
    session.reply("Done.");
    let events = |trigger: &str| {
        [(0, "PreCompact", json!({"trigger": trigger})), (MINUTE, "SessionStart", json!({"source": "compact"}))]
    };
    let (auto, manual) = (events("auto"), events("manual"));
    let compacting = "working compacting the conversation";
    assert_stands(&session, Process::Unknown, &heard(&session, &auto[..1]), SECOND, compacting);
    assert_stands(&session, Process::Unknown, &heard(&session, &auto), 2 * MINUTE, "working");
    assert_stands(&session, Process::Unknown, &heard(&session, &manual), 2 * MINUTE, "done Done.");
}

#[test]
fn unknown_events_are_only_a_sign_of_life() {
    let mut session = asked();
    session.reply("Done.");
    let events = [(0, "Stop", json!({})), (SECOND, "FileChanged", json!({"file_path": "/w/x"}))];
    assert_stands(&session, Process::Unknown, &heard(&session, &events), MINUTE, "done Done.");
}
