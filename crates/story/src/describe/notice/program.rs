//! Text of the program in the assistant's role (docs/format B.2, F.5).

use std::collections::BTreeSet;

use format::entry::Assistant;
use format::entry::system::SystemEvent;
use format::message::InputTransformation;
use format::text::{self, ErrorBody, Limit, Notice as Said, Reset};
use format::{Body, Scratch, Time};

use super::{context, failure, say, words};
use crate::step::{ContextKind, NoticeKind, Severity, StepKind};

/// The step of an assistant text that no model wrote: limits, errors, filler.
///
/// `None` for the text of a model.
pub(crate) fn synthetic(text: &str, assistant: &Assistant<'_>) -> Option<StepKind> {
    let model = assistant.message.as_ref().and_then(|message| message.model);
    let is_error = assistant.is_api_error_message == Some(true);
    if !is_error && words::of(model) != "<synthetic>" {
        return None;
    }
    let error = assistant.error.map_or("", |error| error.as_json().trim_matches('"'));
    says(text)
        .or_else(|| match error {
            "rate_limit" | "billing_error" => say(NoticeKind::Limit, Severity::Error, text),
            _ if is_error => say(NoticeKind::ApiError, Severity::Error, text),
            _ if text.trim() == "(no content)" => None,
            _ => say(NoticeKind::Info, Severity::Normal, text),
        })
        // Even an empty text is not the model's.
        .or_else(|| context(ContextKind::Filler, "no content"))
}

/// What the API changed in the input before the model answered.
pub(crate) fn transformed(changes: &[InputTransformation<'_>]) -> Option<StepKind> {
    if changes.is_empty() {
        return None;
    }
    let change = |change: &InputTransformation<'_>| {
        words::with(&words::spaced(words::of(change.kind)), &words::spaced(words::of(change.reason)))
    };
    let all: BTreeSet<String> = changes.iter().map(change).collect();
    let number = words::counted(changes.len(), "change");
    let what = words::list(all.iter().map(String::as_str));
    say(NoticeKind::Session, Severity::Normal, &words::with(&format!("{number} of the input by the API"), &what))
}

/// The step of a fixed text of the program.
pub(super) fn says(text: &str) -> Option<StepKind> {
    match text::notice(text)? {
        Said::LimitReached(limit) => say(NoticeKind::Limit, Severity::Error, &limit_text(limit)),
        Said::LimitWarning(limit) | Said::LimitTransition(limit) => {
            say(NoticeKind::Limit, Severity::Warning, &limit_text(limit))
        }
        Said::ApiError(error) => {
            let what = match error.body {
                ErrorBody::Json(body) => error_in(body, error.status.map(i64::from)),
                ErrorBody::Message(message) => failure::failure(error.status.map(i64::from), "", message),
            };
            let login = if error.login_needed { "please run /login" } else { "" };
            // Early versions wrote every try as a separate message.
            let severity = if text.contains("Retrying in") { Severity::Warning } else { Severity::Error };
            say(NoticeKind::ApiError, severity, &words::dotted([&what, login]))
        }
        Said::CreditTooLow(text) => say(NoticeKind::Limit, Severity::Error, text),
        Said::PromptTooLong(text) | Said::LoginNeeded(text) => say(NoticeKind::ApiError, Severity::Error, text),
        Said::NoResponseRequested => context(ContextKind::Filler, text),
    }
}

/// The oldest form contains the reset time as a number: `Claude AI usage limit reached|1754640000`.
fn limit_text(limit: Limit<'_>) -> String {
    match limit.resets {
        Some(Reset::Epoch(epoch)) => {
            let what = limit.text.split('|').next().unwrap_or_default();
            words::dotted([what, &words::resets(Some(Time::from(epoch.to_string().as_str())))])
        }
        Some(Reset::Text(_)) | None => limit.text.to_owned(),
    }
}

/// The error in the body of an API response. The same body occurs in `api_error` events, whose types parse it.
fn error_in(body: &str, status: Option<i64>) -> String {
    let scratch = Scratch::default();
    let event = format!(r#"{{"type":"system","subtype":"api_error","error":{{"error":{body}}}}}"#);
    let reading = format::read(event.as_bytes(), &scratch);
    if let [entry] = reading.entries.as_slice()
        && let Body::System(system) = &entry.body
        && let Some(SystemEvent::ApiError(error)) = &system.event
    {
        return failure::failure(status, words::of(error.code()), words::of(error.message()));
    }
    failure::failure(status, "", body)
}
