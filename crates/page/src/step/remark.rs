//! Single lines beside the conversation: notices, joints, the outcome of a run, and unknown entries.

use maud::{Markup, html};
use story::Step;
use story::step::{Joint, Notice, Orphan, RunOutcome};

use super::{Frame, severity};
use crate::section::{self, Around};
use crate::text;
use content::section::Section;
use human::{counted, duration};

/// A line beside the conversation; it can be opened if it has details.
fn line(
    kind: &str,
    step: &Step,
    severity: Option<&str>,
    line: &Markup,
    shown: &[Section<'_>],
    frame: Frame<'_>,
) -> Markup {
    let class = format!("step {kind}");
    html! {
        @if shown.is_empty() {
            p class=(class) id=(frame.anchor) data-level=(frame.level) data-kind=(kind) data-severity=[severity]
                data-withdrawn[step.withdrawn] { (line) }
        } @else {
            details class=(class) id=(frame.anchor) data-level=(frame.level) data-kind=(kind) data-severity=[severity]
                data-withdrawn[step.withdrawn] {
                summary { span.subject { (line) } }
                div.body { (section::all(shown, Around::default())) }
            }
        }
    }
}

pub(super) fn notice(step: &Step, notice: &Notice, shown: &[Section<'_>], frame: Frame<'_>) -> Markup {
    let words = html! { (text(&notice.text)) @if notice.times > 1 { " (" (notice.times) " times)" } };
    line("notice", step, severity(notice.severity), &words, shown, frame)
}

pub(super) fn joint(step: &Step, joint: &Joint, frame: Frame<'_>) -> Markup {
    html! {
        p.step.joint id=(frame.anchor) data-level=(frame.level) data-kind="joint" data-withdrawn[step.withdrawn] {
            (counted(u64::from(joint.entries), "entry", "entries")) " before this copied from session "
            code { (text(&joint.session)) }
        }
    }
}

pub(super) fn outcome(step: &Step, outcome: &RunOutcome, shown: &[Section<'_>], frame: Frame<'_>) -> Markup {
    let parts = [
        outcome.turns.map(|turns| counted(u64::from(turns), "turn", "turns")),
        outcome.cost_usd.map(|cost| frame.locale.money(cost)),
        outcome.duration_ms.map(duration),
        (!outcome.denied.is_empty()).then(|| format!("not allowed: {}", outcome.denied.join(", "))),
        (outcome.is_error && outcome.errors.is_empty()).then(|| outcome.preview.to_string()),
    ];
    html! {
        div.step.outcome id=(frame.anchor) data-level=(frame.level) data-kind="outcome"
            data-severity=[outcome.is_error.then_some("error")] data-withdrawn[step.withdrawn] {
            p {
                @if outcome.is_error { b { "run failed" } } @else { "run ended" } ": " (text(&outcome.kind))
                @for part in parts.iter().flatten().filter(|part| !part.is_empty()) { " · " (text(part)) }
            }
            (section::all(shown, Around::default()))
        }
    }
}

pub(super) fn orphan(step: &Step, orphan: &Orphan, shown: &[Section<'_>], frame: Frame<'_>) -> Markup {
    let words = html! {
        @if orphan.failed { b { "failed result" } } @else { "result" }
        " of a call that is nowhere " code { (text(&orphan.id)) } " · " (text(&orphan.preview))
    };
    line("orphan", step, orphan.failed.then_some("error"), &words, shown, frame)
}

pub(super) fn unknown(step: &Step, kind: &str, shown: &[Section<'_>], frame: Frame<'_>) -> Markup {
    let words = html! { "unknown: " code { (text(kind)) } };
    line("unknown", step, None, &words, shown, frame)
}
