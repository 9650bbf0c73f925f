//! Calls that failed or were denied.

use format::tool::{Failure, FailureKind};

use crate::pen::{Form, Pen, word};
use crate::section::{Body, Value};

/// The sections of a failure. A rejection and the words with it come from the user.
pub(super) fn failure<'e>(failure: &'e Failure<'e>, pen: &mut Pen<'_, 'e>) {
    let text = failure.text.as_str();
    match failure.kind {
        FailureKind::Error | FailureKind::ToolUseError => pen.output("", text),
        FailureKind::ExitCode(code) => {
            pen.put("exitCode", Body::Fact(Value::Number(code)));
            pen.output("", text);
        }
        FailureKind::TimedOut { after } => {
            pen.put_text("timed out after", Form::Fact, after.as_str());
            pen.output("", text);
        }
        FailureKind::Rejected { wants_to_clarify: true, .. } => {
            pen.human().notice("asked to clarify the questions");
            said(answers(text), pen);
        }
        FailureKind::Rejected { user_said, wants_to_clarify: false } => {
            pen.human().notice("rejected");
            said(word(user_said), pen);
        }
        FailureKind::Interrupted => {
            pen.human().notice("interrupted");
            pen.output("", text);
        }
        FailureKind::Denied { reason } => {
            pen.output("", text);
            pen.fact("reason", reason.filter(|reason| !text.contains(reason.as_str())));
        }
        FailureKind::SiblingErrored { sibling } => {
            pen.notice("cancelled, because a parallel call failed");
            pen.fact("the other call", sibling);
            pen.output("", text);
        }
        FailureKind::AlreadyEnded { state } => {
            if let Some(state) = &state {
                pen.put("status", Body::Fact(Value::Word(state.as_str())));
            }
            pen.output("", text);
        }
    }
}

/// The user's words with a rejection.
fn said<'e>(words: &'e str, pen: &mut Pen<'_, 'e>) {
    if !words.trim().is_empty() {
        pen.human().put("", Body::Answer { question: "", words });
    }
}

/// The answers that the user gave before rejecting; the rest is for the model.
fn answers(text: &str) -> &str {
    let (_, answers) = text.split_once("Questions asked:").unwrap_or(("", text));
    let is_answer = |line: &str| !line.is_empty() && !line.starts_with("- ") && line != "(No answer provided)";
    if answers.lines().map(str::trim).any(is_answer) { answers.trim_matches('\n') } else { "" }
}
