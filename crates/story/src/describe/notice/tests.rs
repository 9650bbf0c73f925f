use std::fmt::Write as _;

use format::entry::stream::{ControlCall, ResultKind, StreamEvent};
use format::entry::system::SystemEvent;
use format::{Body, Entry, Scratch};

use super::*;
use crate::step::{Compaction, Detail, Extent, RunOutcome, Trigger};

/// One example of every type, subtype and attachment.
const EXAMPLES: &str = include_str!("../../../../format/tests/fixtures/entries.jsonl");

/// The result of describing a line.
fn outcome_of(line: &str) -> EntryOutcome {
    let scratch = Scratch::default();
    let reading = format::read(line.as_bytes(), &scratch);
    let [entry] = reading.entries.as_slice() else { panic!("not one entry: {line}") };
    of_entry(entry)
}

fn of_entry(entry: &Entry<'_>) -> EntryOutcome {
    match &entry.body {
        Body::System(event) => system(event),
        Body::Attachment(entry) => {
            entry.attachment.as_ref().map_or(EntryOutcome::Bookkeeping, |inner| attachment(inner))
        }
        Body::Assistant(assistant) => {
            let content = assistant.message.as_ref().and_then(|message| message.content.as_ref());
            let text = content.and_then(|content| content.texts().next());
            text.and_then(|text| synthetic(&text, assistant)).into()
        }
        body => other(body).into(),
    }
}

/// The name that the entry is counted under.
fn name(body: &Body<'_>) -> String {
    let below = match body {
        Body::System(system) => system.event.as_ref().map(SystemEvent::kind),
        Body::Attachment(entry) => entry.attachment.as_ref().map(|attachment| attachment.kind()),
        Body::Progress(progress) => progress.data.as_ref().map(|data| data.kind()),
        Body::StreamEvent(part) => part.event.as_ref().map(StreamEvent::kind),
        Body::Result(result) => result.kind.map(ResultKind::as_str),
        Body::ControlRequest(control) => control.request.as_ref().map(ControlCall::kind),
        _ => None,
    };
    below.map_or_else(|| body.kind().to_owned(), |below| format!("{}/{below}", body.kind()))
}

fn shown(outcome: &EntryOutcome) -> String {
    let EntryOutcome::Step(step) = outcome else { return "-".to_owned() };
    let what = match step {
        StepKind::Notice(notice) => format!("{:?} {:?}: {}", notice.kind, notice.severity, notice.text),
        StepKind::Context(context) => format!("Context {:?}: {}", context.kind, context.preview),
        StepKind::Output(output) => format!("Output, error {}: {}", output.is_error, output.preview),
        StepKind::Compaction(compaction) => format!(
            "Compaction {:?} {:?}, {:?} to {:?} tokens, {} preserved: {}",
            compaction.trigger,
            compaction.extent,
            compaction.tokens_before,
            compaction.tokens_after,
            compaction.preserved,
            compaction.preview
        ),
        StepKind::Outcome(outcome) => format!(
            "Outcome {}, error {}, {:?} ms, {:?} turns, {:?} USD, denied {:?}, errors {:?}: {}",
            outcome.kind,
            outcome.is_error,
            outcome.duration_ms,
            outcome.turns,
            outcome.cost_usd,
            outcome.denied,
            outcome.errors,
            outcome.preview
        ),
        other => format!("{other:?}"),
    };
    format!("[{:?}] {}", step.detail(), what.trim_end())
}

fn notice(line: &str) -> Notice {
    match outcome_of(line) {
        EntryOutcome::Step(StepKind::Notice(notice)) => *notice,
        other => panic!("{other:?}: {line}"),
    }
}

fn said(line: &str) -> (NoticeKind, Severity, String) {
    let notice = notice(line);
    (notice.kind, notice.severity, notice.text.into())
}

fn expected(kind: NoticeKind, severity: Severity, text: &str) -> (NoticeKind, Severity, String) {
    (kind, severity, text.to_owned())
}

#[test]
fn every_kind_of_entry_has_its_outcome() {
    let scratch = Scratch::default();
    let mut table = String::new();
    for line in EXAMPLES.lines() {
        let reading = format::read(line.as_bytes(), &scratch);
        for entry in &reading.entries {
            let synthetic = matches!(&entry.body, Body::Assistant(_)) && of_entry(entry) != EntryOutcome::Bookkeeping;
            if !matches!(&entry.body, Body::User(_) | Body::Assistant(_)) || synthetic {
                let _ = writeln!(table, "{} | {}", name(&entry.body), shown(&of_entry(entry)));
            }
        }
    }
    insta::assert_snapshot!(table);
}

#[test]
fn a_recap_loses_its_hint_and_nothing_else() {
    let recap = |content: &str| {
        let line = format!(r#"{{"type":"system","subtype":"away_summary","content":"{content}"}}"#);
        notice(&line).text.to_string()
    };
    assert_eq!(recap("3 of 4 pass. (disable recaps in /config)"), "3 of 4 pass.");
    assert_eq!(recap("3 of 4 (slow) pass."), "3 of 4 (slow) pass.");
    assert_eq!(recap("3 of 4 pass (all but one)"), "3 of 4 pass (all but one)");
}

#[test]
fn hooks_are_quiet_until_they_fail() {
    let stop = |rest: &str| {
        said(&format!(
            r#"{{"type":"system","subtype":"stop_hook_summary","hookInfos":[{{"command":"make lint"}}],{rest}}}"#
        ))
    };
    assert_eq!(
        stop(r#""hookErrors":[],"preventedContinuation":false"#),
        expected(NoticeKind::Hook, Severity::Normal, "Stop · make lint")
    );
    assert_eq!(
        stop(r#""hookErrors":["Failed with non-blocking status code: no make"]"#),
        expected(NoticeKind::Hook, Severity::Warning, "Stop · no make")
    );
    assert_eq!(
        stop(r#""hookErrors":[],"preventedContinuation":true,"stopReason":"tests are red""#),
        expected(NoticeKind::Hook, Severity::Error, "Stop hook stopped the turn · tests are red")
    );

    let response =
        |rest: &str| said(&format!(r#"{{"type":"system","subtype":"hook_response","hook_name":"Stop",{rest}}}"#));
    assert_eq!(response(r#""outcome":"success","stdout":"{}""#), expected(NoticeKind::Hook, Severity::Normal, "Stop"));
    assert_eq!(
        response(r#""outcome":"error","exit_code":2"#),
        expected(NoticeKind::Hook, Severity::Warning, "Stop · exit code 2")
    );

    let quiet = outcome_of(
        r#"{"type":"attachment","attachment":{"type":"hook_success","hookName":"PostToolUse:Edit","command":"ruff"}}"#,
    );
    let EntryOutcome::Step(quiet) = quiet else { panic!("told") };
    assert_eq!(quiet.detail(), Detail::Full);
}

#[test]
fn old_hook_lines_are_read_without_their_colours() {
    let untyped = |content: &str| outcome_of(&format!(r#"{{"type":"system","content":"{content}","level":"info"}}"#));
    assert_eq!(untyped(r"Running \u001b[1mStop\u001b[22m..."), EntryOutcome::Bookkeeping);
    assert_eq!(untyped(""), EntryOutcome::Bookkeeping);
    assert_eq!(
        untyped(r"\u001b[1mStop\u001b[22m [make] completed successfully: ok"),
        say(NoticeKind::Hook, Severity::Normal, "Stop [make] completed successfully: ok").into()
    );
    assert_eq!(
        untyped("Claude Opus 4 limit reached, now using Sonnet 4"),
        say(NoticeKind::Limit, Severity::Warning, "Claude Opus 4 limit reached, now using Sonnet 4").into()
    );
}

#[test]
fn retries_warn_until_there_are_none_left() {
    let retry = |rest: &str| said(&format!(r#"{{"type":"system","subtype":"api_retry",{rest}}}"#));
    let api = |severity, text| expected(NoticeKind::ApiError, severity, text);
    assert_eq!(
        retry(r#""attempt":3,"max_retries":10,"error_status":429,"error":"rate_limit""#),
        api(Severity::Warning, "429 rate limit, retry 3 of 10")
    );
    assert_eq!(
        retry(r#""attempt":2,"max_retries":10,"error_status":null,"no_response":{"waited_ms":60000}"#),
        api(Severity::Warning, "no answer after 1 min, retry 2 of 10")
    );
    assert_eq!(
        retry(r#""attempt":11,"max_retries":10,"error_status":529,"error":"overloaded""#),
        api(Severity::Error, "529 overloaded, given up")
    );
    assert_eq!(
        said(
            r#"{"type":"system","subtype":"api_error","error":{"status":500,"error":{"error":{"type":"api_error","message":"Internal server error"}}}}"#
        ),
        api(Severity::Error, "500 Internal server error, given up")
    );
}

/// An assistant's line.
fn spoken(text: &str, model: &str, rest: &str) -> EntryOutcome {
    outcome_of(&format!(
        r#"{{"type":"assistant","message":{{"model":"{model}","content":[{{"type":"text","text":"{text}"}}]}}{rest}}}"#
    ))
}

#[test]
fn the_program_speaks_in_the_assistants_role() {
    let program = |text: &str| match spoken(text, "<synthetic>", "") {
        EntryOutcome::Step(StepKind::Notice(notice)) => (notice.kind, notice.severity, notice.text.to_string()),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        program("You've hit your limit · resets 11pm"),
        expected(NoticeKind::Limit, Severity::Error, "You've hit your limit · resets 11pm")
    );
    assert_eq!(
        program("Claude AI usage limit reached|1754640000"),
        expected(NoticeKind::Limit, Severity::Error, "Claude AI usage limit reached · resets 8 Aug 2025 08:00 UTC")
    );
    assert_eq!(
        program(
            r#"API Error: 529 {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}"#
        ),
        expected(NoticeKind::ApiError, Severity::Error, "529 overloaded")
    );
    assert_eq!(program("API Error: 529 {torn"), expected(NoticeKind::ApiError, Severity::Error, "529 {torn"));
    assert_eq!(
        program("API Error (Connection error.) · Retrying in 5 seconds…"),
        expected(NoticeKind::ApiError, Severity::Warning, "Connection error.")
    );
    assert_eq!(program("Execution stopped"), expected(NoticeKind::Info, Severity::Normal, "Execution stopped"));
}

#[test]
fn filler_is_hidden_and_speech_is_left_alone() {
    let filler = |text: &str| match spoken(text, "<synthetic>", "") {
        EntryOutcome::Step(StepKind::Context(context)) => context.kind == ContextKind::Filler,
        other => panic!("{other:?}"),
    };
    assert!(filler("No response requested."));
    assert!(filler("(no content)"));
    assert!(filler(""));
    assert_eq!(spoken("You've hit your limit", "claude-opus-5", ""), EntryOutcome::Bookkeeping);
    let limited = spoken("Come back later", "claude-opus-5", r#","isApiErrorMessage":true,"error":"rate_limit""#);
    assert_eq!(limited, say(NoticeKind::Limit, Severity::Error, "Come back later").into());
}

#[test]
fn limits_are_shown_when_they_are_near() {
    let event = |info: &str| outcome_of(&format!(r#"{{"type":"rate_limit_event","rate_limit_info":{{{info}}}}}"#));
    assert_eq!(event(r#""status":"allowed","rateLimitType":"five_hour","utilization":0.2"#), EntryOutcome::Bookkeeping);
    assert_eq!(
        event(r#""status":"allowed_warning","rateLimitType":"seven_day_opus","utilization":0.82"#),
        say(NoticeKind::Limit, Severity::Warning, "weekly limit of opus is near · 82 % used").into()
    );
    assert_eq!(
        event(r#""status":"rejected","rateLimitType":"five_hour","resetsAt":1786190000"#),
        say(NoticeKind::Limit, Severity::Error, "5-hour limit reached · resets 8 Aug 2026 11:53 UTC").into()
    );
    assert_eq!(
        event(r#""requests_limit":1000,"requests_remaining":0"#),
        say(NoticeKind::Limit, Severity::Warning, "rate limit reached").into()
    );
}

#[test]
fn compactions_say_what_they_kept() {
    let compaction = |line: &str| match outcome_of(line) {
        EntryOutcome::Step(StepKind::Compaction(compaction)) => *compaction,
        other => panic!("{other:?}"),
    };
    let bare = Compaction {
        trigger: Trigger::Unknown,
        tokens_before: None,
        tokens_after: None,
        preview: Box::default(),
        summary: None,
        preserved: 0,
        extent: Extent::Whole,
    };
    assert_eq!(compaction(r#"{"type":"system","subtype":"compact_boundary"}"#), bare);
    let kept = r#"{"type":"system","subtype":"compact_boundary","compactMetadata":{"trigger":"manual","preTokens":9,
        "preservedSegment":{"headUuid":"a","tailUuid":"a"}}}"#;
    let manual = Compaction { trigger: Trigger::Manual, tokens_before: Some(9), preserved: 1, ..bare.clone() };
    assert_eq!(compaction(&kept.replace('\n', " ")), manual);
    let small = r#"{"type":"system","subtype":"microcompact_boundary","microcompactMetadata":{"trigger":"auto","preTokens":90,"tokensSaved":30}}"#;
    let results = Compaction {
        trigger: Trigger::Auto,
        tokens_before: Some(90),
        tokens_after: Some(60),
        extent: Extent::Results,
        ..bare
    };
    assert_eq!(compaction(small), results);
}

#[test]
fn foreground_tasks_are_shown_by_their_calls() {
    let ended = |rest: &str| {
        outcome_of(&format!(r#"{{"type":"system","subtype":"task_notification","summary":"npm test",{rest}}}"#))
    };
    assert_eq!(ended(r#""status":"failed","output_file":"""#), EntryOutcome::Bookkeeping);
    assert_eq!(
        ended(r#""status":"failed","output_file":"/t/b7.output","usage":{"total_tokens":45215,"duration_ms":72000}"#),
        say(NoticeKind::Task, Severity::Error, "npm test · failed · 1 min 12 s · 45.2k tokens").into()
    );
}

#[test]
fn the_end_of_a_run_has_its_figures() {
    let outcome = |line: &str| match outcome_of(line) {
        EntryOutcome::Step(StepKind::Outcome(outcome)) => *outcome,
        other => panic!("{other:?}"),
    };
    let RunOutcome { kind, is_error, preview, cost_usd, duration_ms, turns, denied, .. } = outcome(
        r#"{"type":"result","subtype":"success","is_error":false,"result":"All\ndone.","num_turns":2,"duration_ms":2450.6,"total_cost_usd":0.5,"permission_denials":[{"tool_name":"Bash"}]}"#,
    );
    assert_eq!((&*kind, is_error, &*preview), ("success", false, "All done."));
    assert_eq!((cost_usd, duration_ms, turns, denied.len()), (Some(0.5), Some(2450), Some(2), 1));
    let failed =
        outcome(r#"{"type":"result","subtype":"error_max_turns","errors":["too many turns"],"duration_ms":-1}"#);
    assert!(failed.is_error);
    assert_eq!((&*failed.preview, failed.duration_ms), ("too many turns", None));
    assert_eq!(outcome_of(r#"{"type":"result","toolUseId":"t","content":"other program"}"#), EntryOutcome::Bookkeeping);
}

#[test]
fn numbers_are_human_readable() {
    let durations = [0.0, 812.0, 4_100.0, 48_211.5, 60_000.0, 72_000.0, 7_500_000.0, f64::MAX, -1.0, f64::NAN];
    let durations = durations.map(|millis| words::duration(Some(millis)));
    assert_eq!(durations, ["0 ms", "812 ms", "4.1 s", "48 s", "1 min", "1 min 12 s", "2 h 5 min", "", "", ""]);
    let numbers = [-5, 812, 1_000, 45_215, 100_000, 999_949, 999_950, 1_234_567, i64::MAX].map(words::short);
    assert_eq!(numbers, ["-5", "812", "1k", "45.2k", "100k", "1M", "1M", "1.2M", "9,223,372,036G"]);
    assert_eq!(&*crate::preview::preview("\u{1b}[1mred\u{1b}[0m \u{1b}]x \u{1b}"), "red x");
    assert_eq!(words::file_name(r"C:\work\up.py"), "up.py");
}
