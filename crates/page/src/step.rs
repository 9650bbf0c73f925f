//! Steps as HTML.

mod prompt;
mod remark;

use maud::{Markup, html};
use story::step::{Compaction, Context, Extent, Output, Severity, StepKind, Thinking, Trigger};
use story::{Step, Story, Texts};

use super::section::{self, Around};
use super::{call, code, text};
use content::section::{Body, Section};
use content::view::step_sections;
use content::wording;
use human::{Locale, counted, thousands};

/// The position and the appearance of a step on its page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame<'f> {
    /// Its anchor.
    pub(super) anchor: &'f str,
    /// The lowest level at which it is shown.
    pub(super) level: u8,
    /// The link to the thread that it started or refers to.
    pub(super) thread: Option<&'f Markup>,
    /// The time zone and the currency of all output.
    pub(super) locale: &'f Locale,
}

/// A step.
pub(super) fn step(story: &Story, texts: &mut dyn Texts, step: &Step, frame: Frame<'_>) -> Markup {
    if let StepKind::Call(call) = &step.kind {
        return call::call(story, texts, step, call, frame.anchor, frame.thread);
    }
    step_sections(story, texts, step, |shown| match &step.kind {
        StepKind::Prompt(prompt) => prompt::prompt(step, prompt, shown, frame),
        StepKind::Reply(_) => reply(step, shown, frame),
        StepKind::Thinking(thinking) => self::thinking(step, *thinking, shown, frame),
        StepKind::Output(output) => printed(step, output, shown, frame),
        StepKind::Context(context) => self::context(step, context, shown, frame),
        StepKind::Compaction(compaction) => self::compaction(step, compaction, shown, frame),
        StepKind::Notice(notice) => remark::notice(step, notice, shown, frame),
        StepKind::Joint(joint) => remark::joint(step, joint, frame),
        StepKind::Outcome(outcome) => remark::outcome(step, outcome, shown, frame),
        StepKind::Orphan(orphan) => remark::orphan(step, orphan, shown, frame),
        StepKind::Unknown(kind) => remark::unknown(step, kind, shown, frame),
        StepKind::Call(_) => html! {},
    })
}

/// The value of `data-severity`.
pub(super) fn severity(severity: Severity) -> Option<&'static str> {
    match severity {
        Severity::Normal => None,
        Severity::Expected => Some("expected"),
        Severity::Warning => Some("warning"),
        Severity::Error => Some("error"),
    }
}

/// The note above a step that was withdrawn.
fn withdrawn(step: &Step) -> Markup {
    html! { @if step.withdrawn { p.note { "taken back" } } }
}

fn all(shown: &[Section<'_>]) -> Markup {
    section::all(shown, Around::default())
}

fn reply(step: &Step, shown: &[Section<'_>], frame: Frame<'_>) -> Markup {
    html! {
        div.step.reply id=(frame.anchor) data-level=(frame.level) data-kind="reply" data-withdrawn[step.withdrawn] {
            (withdrawn(step))
            (all(shown))
        }
    }
}

fn thinking(step: &Step, thinking: Thinking, shown: &[Section<'_>], frame: Frame<'_>) -> Markup {
    let words = shown.iter().map(|part| match &part.body {
        Body::Thinking(words) => words.split_whitespace().count() as u64,
        _ => 0,
    });
    let words: u64 = words.sum();
    html! {
        // Thinking that only the API can read.
        @if thinking.length == 0 || shown.is_empty() {
            p.step.thinking.hidden-thinking id=(frame.anchor) data-level=(frame.level) data-kind="thinking" { "thought" }
        } @else {
            details.step.thinking id=(frame.anchor) data-level=(frame.level) data-kind="thinking"
                data-withdrawn[step.withdrawn] {
                summary { "thinking" @if words > 0 { " " span.length { (counted(words, "word", "words")) } } }
                div.body { (all(shown)) }
            }
        }
    }
}

fn printed(step: &Step, output: &Output, shown: &[Section<'_>], frame: Frame<'_>) -> Markup {
    let severity = output.is_error.then_some("error");
    let what = if output.is_error { "error" } else { "printed" };
    html! {
        @if shown.is_empty() {
            @if !output.preview.is_empty() {
                p.step.output id=(frame.anchor) data-level=(frame.level) data-kind="output" data-severity=[severity] {
                    (what) " " span.subject { (text(&output.preview)) }
                }
            }
        } @else {
            details.step.output id=(frame.anchor) data-level=(frame.level) data-kind="output"
                data-severity=[severity] data-withdrawn[step.withdrawn] {
                summary { (what) " " span.subject { (text(&output.preview)) } }
                div.body { (all(shown)) }
            }
        }
    }
}

fn context(step: &Step, context: &Context, shown: &[Section<'_>], frame: Frame<'_>) -> Markup {
    let kind = wording::context(context.kind);
    let title = html! { (kind) " " span.subject { (text(&context.preview)) } };
    html! {
        @if shown.is_empty() {
            p.step.context id=(frame.anchor) data-level=(frame.level) data-kind="context" { (title) }
        } @else {
            details.step.context id=(frame.anchor) data-level=(frame.level) data-kind="context"
                data-withdrawn[step.withdrawn] {
                summary { (title) }
                div.body {
                    @match shown {
                        // Not written for readers, so it is shown verbatim.
                        [Section { body: Body::Words(words), .. }] => (code(words, None, None)),
                        shown => (all(shown)),
                    }
                }
            }
        }
    }
}

fn compaction(step: &Step, compaction: &Compaction, shown: &[Section<'_>], frame: Frame<'_>) -> Markup {
    let what = match compaction.extent {
        Extent::Whole => "the conversation was summarised",
        Extent::Part => "a part of the conversation was summarised",
        Extent::Results => "old results were dropped",
    };
    let why = match compaction.trigger {
        Trigger::Auto => " · the context was full",
        Trigger::Manual => " · on request",
        Trigger::Unknown => "",
    };
    let tokens = |tokens: Option<i64>| tokens.and_then(|tokens| u64::try_from(tokens).ok()).map(thousands);
    let tokens = match (tokens(compaction.tokens_before), tokens(compaction.tokens_after)) {
        (Some(before), Some(after)) => format!(" · {before} to {after} tokens"),
        (Some(before), None) => format!(" · {before} tokens before"),
        (None, _) => String::new(),
    };
    html! {
        @if shown.is_empty() {
            p.step.compaction id=(frame.anchor) data-level=(frame.level) data-kind="compaction" { (what) (why) (tokens) }
        } @else {
            details.step.compaction id=(frame.anchor) data-level=(frame.level) data-kind="compaction"
                data-withdrawn[step.withdrawn] {
                summary { (what) (why) (tokens) }
                div.body { (all(shown)) }
            }
        }
    }
}

#[cfg(test)]
mod tests;
