//! Hooks: quiet when they succeed, prominent when they fail or block something.

use format::entry::attachment::{
    AsyncHookResponse, HookBlockingError, HookContext, HookDecision, HookOutcome, HookStop,
};
use format::entry::system::{HookResult, HookRun, StopHookSummary};

use super::{context, say, words};
use crate::preview::preview;
use crate::step::{ContextKind, NoticeKind, Severity, StepKind};

fn hook(severity: Severity, pieces: [&str; 2]) -> Option<StepKind> {
    say(NoticeKind::Hook, severity, &words::dotted(pieces))
}

/// A hook's complaint without the prefix that the program adds.
fn complaint(text: &str) -> &str {
    let text = text.trim_start();
    text.strip_prefix("Failed with non-blocking status code:").unwrap_or(text).trim_start()
}

/// The reason that a failed hook gives, from the first field that has one.
fn reason<'a>(places: [&'a str; 3], exit_code: Option<i64>, or: &'a str) -> String {
    let said = places.into_iter().map(complaint).find(|said| !said.is_empty());
    match (said, exit_code) {
        (Some(said), _) => said.to_owned(),
        (None, Some(code)) => format!("exit code {code}"),
        (None, None) => or.to_owned(),
    }
}

pub(super) fn stop_summary(summary: &StopHookSummary<'_>) -> Option<StepKind> {
    let errors = words::list(summary.hook_errors.iter().map(|error| complaint(error)));
    let stop_reason = words::of(summary.stop_reason);
    if summary.prevented_continuation == Some(true) {
        let why = if stop_reason.is_empty() { errors.as_str() } else { stop_reason };
        return hook(Severity::Error, ["Stop hook stopped the turn", why]);
    }
    if !errors.is_empty() {
        return hook(Severity::Warning, ["Stop", &errors]);
    }
    let commands = words::list(summary.hook_infos.iter().map(|info| words::of(info.command.or(info.prompt_text))));
    hook(Severity::Normal, ["Stop", &commands])
}

/// A hook of a stream that has ended.
pub(super) fn response(run: &HookRun<'_>) -> Option<StepKind> {
    let name = words::of(run.hook_name.or(run.hook_event));
    match run.outcome {
        Some(HookResult::Cancelled) => hook(Severity::Expected, [name, "cancelled"]),
        Some(HookResult::Error) => {
            let places = [words::of(run.stderr), words::of(run.output), words::of(run.stdout)];
            hook(Severity::Warning, [name, &reason(places, run.exit_code, "failed")])
        }
        Some(HookResult::Success | HookResult::Other(_)) | None => hook(Severity::Normal, [name, ""]),
    }
}

pub(super) fn success(outcome: &HookOutcome<'_>) -> Option<StepKind> {
    hook(Severity::Normal, [outcome_name(outcome), words::of(outcome.command)])
}

pub(super) fn non_blocking_error(outcome: &HookOutcome<'_>) -> Option<StepKind> {
    let places = [words::of(outcome.stderr), words::of(outcome.content), words::of(outcome.stdout)];
    hook(Severity::Warning, [outcome_name(outcome), &reason(places, outcome.exit_code, "failed")])
}

pub(super) fn cancelled(outcome: &HookOutcome<'_>) -> Option<StepKind> {
    let command = words::of(outcome.command);
    if outcome.timed_out == Some(true) {
        let limit = words::duration(outcome.timeout_ms.or(outcome.duration_ms));
        let after = if limit.is_empty() { String::new() } else { format!(" after {limit}") };
        return hook(Severity::Warning, [outcome_name(outcome), &format!("{} timed out{after}", preview(command))]);
    }
    hook(Severity::Expected, [outcome_name(outcome), &words::dotted([command, "cancelled"])])
}

fn outcome_name<'a>(outcome: &HookOutcome<'a>) -> &'a str {
    words::of(outcome.hook_name.or(outcome.hook_event))
}

pub(super) fn blocking_error(error: &HookBlockingError<'_>) -> Option<StepKind> {
    let why = error.blocking_error.as_ref();
    let said = words::of(why.and_then(|why| why.blocking_error));
    let places = [said, words::of(why.and_then(|why| why.command)), ""];
    hook(Severity::Error, [words::of(error.hook_name.or(error.hook_event)), &reason(places, None, "blocked")])
}

pub(super) fn additional_context(said: &HookContext<'_>) -> Option<StepKind> {
    let text = words::list(said.content.iter().map(|text| text.as_str()));
    if text.is_empty() {
        return None;
    }
    context(ContextKind::Hook, &words::with(words::of(said.hook_name.or(said.hook_event)), &text))
}

/// A message that a hook shows to the user.
pub(super) fn system_message(said: &HookContext<'_>) -> Option<StepKind> {
    let text = words::list(said.content.iter().map(|text| text.as_str()));
    hook(Severity::Normal, [words::of(said.hook_name.or(said.hook_event)), &text])
}

/// A hook that allows a call is as quiet as one that just ran.
pub(super) fn permission_decision(decided: &HookDecision<'_>) -> Option<StepKind> {
    let name = words::of(decided.hook_name.or(decided.hook_event));
    match words::of(decided.decision) {
        "deny" => say(NoticeKind::Permission, Severity::Warning, &words::dotted([name, "not allowed"])),
        decision => hook(Severity::Normal, [name, decision]),
    }
}

pub(super) fn stopped_continuation(stop: &HookStop<'_>) -> Option<StepKind> {
    let name = words::of(stop.hook_name.or(stop.hook_event));
    hook(Severity::Error, [&format!("{name} hook stopped the turn"), words::of(stop.message)])
}

pub(super) fn async_response(answer: &AsyncHookResponse<'_>) -> Option<StepKind> {
    let name = words::of(answer.hook_name.or(answer.hook_event));
    match answer.exit_code {
        None | Some(0) => hook(Severity::Normal, [name, "answered later"]),
        failed => {
            let places = [words::of(answer.stderr), words::of(answer.stdout), ""];
            hook(Severity::Warning, [name, &reason(places, failed, "failed")])
        }
    }
}
