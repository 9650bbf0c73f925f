//! Failed requests: retried, or given up (docs/format B.3.2, H.4).

use format::entry::stream::{StreamErrorReason, SubagentRetry};
use format::entry::system::{ApiError, ApiRetry};

use super::{say, words};
use crate::preview::preview;
use crate::step::{NoticeKind, Severity, StepKind};

pub(super) fn api_error(error: &ApiError<'_>) -> Option<StepKind> {
    let what = failure(error.status(), words::of(error.code()), words::of(error.message()));
    tried_again(&what, error.retry_attempt, error.max_retries)
}

pub(super) fn api_retry(retry: &ApiRetry<'_>) -> Option<StepKind> {
    let waited = retry.no_response.as_ref().map(|silence| words::duration(silence.waited_ms));
    let what = match waited.as_deref() {
        Some("") => "no answer".to_owned(),
        Some(waited) => format!("no answer after {waited}"),
        None => failure(retry.error_status, words::of(retry.error), ""),
    };
    tried_again(&what, retry.attempt, retry.max_retries)
}

pub(super) fn subagent_retry(retry: &SubagentRetry<'_>) -> Option<StepKind> {
    let what = failure(retry.error_status, words::of(retry.error_category), "");
    tried_again(&format!("subagent: {what}"), retry.attempt, retry.max_retries)
}

pub(super) fn stream_error(reason: &StreamErrorReason<'_>) -> Option<StepKind> {
    let what = failure(None, words::of(reason.kind), words::of(reason.message));
    say(NoticeKind::ApiError, Severity::Error, &what)
}

/// A retry is a warning; a failure without another try is an error.
fn tried_again(what: &str, attempt: Option<i64>, most: Option<i64>) -> Option<StepKind> {
    let what = what.trim_end_matches('.');
    let (severity, text) = match (attempt, most) {
        (Some(attempt), Some(most)) if attempt <= most => {
            (Severity::Warning, format!("{what}, retry {attempt} of {most}"))
        }
        (Some(attempt), None) => (Severity::Warning, format!("{what}, retry {attempt}")),
        (Some(_), Some(_)) | (None, _) => (Severity::Error, format!("{what}, given up")),
    };
    say(NoticeKind::ApiError, severity, &text)
}

/// The error: `529 overloaded`, `ECONNREFUSED: Connection error.`
pub(super) fn failure(status: Option<i64>, code: &str, message: &str) -> String {
    // These names only say that it is an error.
    let name = match code {
        "api_error" | "error" | "unknown" => String::new(),
        code => words::spaced(code.strip_suffix("_error").unwrap_or(code)),
    };
    let message = preview(message);
    let what = if message.eq_ignore_ascii_case(&name) { name } else { words::with(&name, &message) };
    match status {
        Some(status) if what.is_empty() => format!("status {status}"),
        Some(status) => format!("{status} {what}"),
        None if what.is_empty() => "request failed".to_owned(),
        None => what,
    }
}
