//! Calls that did not come to their end.

use format::tool::{Failure, FailureKind, ToolResult};
use maud::{Markup, html};
use story::step::{Call, CallState};

use super::piece::{note, notes, with, word};
use crate::{output, text};
use content::view::CallParts;

/// What a failure has to say. The user's words are told apart, by [`standing`].
pub(super) fn failure(failure: &Failure<'_>) -> Markup {
    let told = |words: &str| html! { (note(words)) (printed(&failure.text)) };
    match failure.kind {
        FailureKind::Error
        | FailureKind::ToolUseError
        | FailureKind::Denied { .. }
        | FailureKind::Interrupted
        | FailureKind::AlreadyEnded { .. } => printed(&failure.text),
        FailureKind::ExitCode(code) => told(&format!("exit code {code}")),
        FailureKind::TimedOut { after } => told(&with("timed out after", &after)),
        FailureKind::Rejected { wants_to_clarify: true, .. } => html! {
            (note("the user wants to clarify the questions"))
            (printed(answers(&failure.text)))
        },
        FailureKind::Rejected { .. } => html! {},
        FailureKind::SiblingErrored { sibling } => notes(&["cancelled, because a parallel call failed", word(sibling)]),
    }
}

/// What the user answered before that; the rest is for the model.
fn answers(text: &str) -> &str {
    let (_, answers) = text.split_once("Questions asked:").unwrap_or(("", text));
    let is_answer = |line: &str| !line.is_empty() && !line.starts_with("- ") && line != "(No answer provided)";
    if answers.lines().map(str::trim).any(is_answer) { answers.trim_matches('\n') } else { "" }
}

fn printed(words: &str) -> Markup {
    html! { @if !words.trim().is_empty() { (output(words)) } }
}

/// How a call stands that has not gone its way, in a sentence or in the user's words.
pub(super) fn standing(call: &Call, parts: &CallParts<'_>) -> Markup {
    let whole = match parts.result {
        Some(ToolResult::Failed(Failure { kind: FailureKind::Rejected { user_said, .. }, .. })) => word(*user_said),
        _ => "",
    };
    let said = if whole.is_empty() { call.user_said.as_deref().unwrap_or_default() } else { whole };
    if !said.trim().is_empty() {
        return html! {
            (note("rejected; the user said:"))
            blockquote.said { (text(said)) }
        };
    }
    let is_told = matches!(parts.result, Some(ToolResult::Failed(failure)) if !failure.text.trim().is_empty());
    match call.state {
        CallState::Pending => note("there is no result yet"),
        CallState::Lost => note("there is no result: the program ended first"),
        CallState::Interrupted => note("interrupted by the user"),
        CallState::Rejected if !is_told => note("rejected by the user"),
        CallState::Done | CallState::Background | CallState::Failed | CallState::Rejected => html! {},
    }
}
