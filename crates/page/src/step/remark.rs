//! What is said in a line beside the conversation: notices, joints, how a run ended, and what nobody knows.

use maud::{Markup, html};
use story::Step;
use story::step::{Joint, Notice, Orphan, RunOutcome};

use super::{Frame, severity};
use crate::{output, text};
use human::{counted, duration};

pub(super) fn notice(step: &Step, notice: &Notice, frame: Frame<'_>) -> Markup {
    html! {
        p.step.notice id=(frame.anchor) data-level=(frame.level) data-kind="notice"
            data-severity=[severity(notice.severity)] data-withdrawn[step.withdrawn] {
            (text(&notice.text)) @if notice.times > 1 { " (" (notice.times) " times)" }
        }
    }
}

pub(super) fn joint(step: &Step, joint: &Joint, frame: Frame<'_>) -> Markup {
    html! {
        p.step.joint id=(frame.anchor) data-level=(frame.level) data-kind="joint" data-withdrawn[step.withdrawn] {
            (counted(u64::from(joint.entries), "entry", "entries")) " before this copied from session "
            code { (text(&joint.session)) }
        }
    }
}

pub(super) fn outcome(step: &Step, outcome: &RunOutcome, frame: Frame<'_>) -> Markup {
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
            @for error in &outcome.errors { (output(error)) }
        }
    }
}

pub(super) fn orphan(step: &Step, orphan: &Orphan, frame: Frame<'_>) -> Markup {
    html! {
        p.step.orphan id=(frame.anchor) data-level=(frame.level) data-kind="orphan"
            data-severity=[orphan.failed.then_some("error")] data-withdrawn[step.withdrawn] {
            @if orphan.failed { b { "failed result" } } @else { "result" }
            " of a call that is nowhere " code { (text(&orphan.id)) } " · " (text(&orphan.preview))
        }
    }
}

pub(super) fn unknown(step: &Step, kind: &str, frame: Frame<'_>) -> Markup {
    html! {
        p.step.unknown id=(frame.anchor) data-level=(frame.level) data-kind="unknown" data-withdrawn[step.withdrawn] {
            "unknown: " code { (text(kind)) }
        }
    }
}
