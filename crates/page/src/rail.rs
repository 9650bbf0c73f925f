//! The outline: one line per turn of the conversation, and landmarks between them.

use std::borrow::Cow;
use std::io::{self, Write};

use maud::{Markup, html};
use story::step::{Severity, StepKind};
use story::{Step, StepId, Thread, Turn, TurnState};

use super::anchor::{self, Anchors};
use super::document::layout::Layout;
use super::text;
use human::{counted, duration, shortened, thousands};

/// Maximum number of characters of a prompt.
const WORDS: usize = 80;

/// With more turns, the outline shows the words only: a document of very many elements opens slowly.
const MANY: usize = 1_000;

/// Number of turns per list: browsers skip the layout of lists that are not visible.
const TOGETHER: usize = 50;

/// Writes the outline.
pub(super) fn rail(out: &mut dyn Write, layout: &Layout<'_>, anchors: &Anchors) -> io::Result<()> {
    out.write_all(b"<nav class=\"rail\" id=\"rail\" aria-label=\"Turns\"><ol>")?;
    if let Some(main) = layout.story.thread(layout.main) {
        out.write_all(branches(layout, None).0.as_bytes())?;
        for (number, turn) in (1..).zip(&main.turns) {
            if number > 1 && number % TOGETHER == 1 {
                out.write_all(b"</ol><ol>")?;
            }
            out.write_all(line(layout, anchors, main, number, turn).0.as_bytes())?;
        }
    }
    out.write_all(b"</ol></nav>\n")
}

fn line(layout: &Layout<'_>, anchors: &Anchors, main: &Thread, number: usize, turn: &Turn) -> Markup {
    let steps = || layout.story.steps(main, turn).filter(|(_, step)| layout.wants(step));
    let (mut calls, mut failed) = (0, 0);
    for (_, step) in steps() {
        if let StepKind::Call(call) = &step.kind {
            calls += 1;
            failed += u64::from(call.severity == Severity::Error);
        }
    }
    let words = steps().find_map(|(_, step)| match &step.kind {
        StepKind::Prompt(prompt) if !prompt.preview.is_empty() => Some(shortened(&prompt.preview, WORDS)),
        _ => None,
    });
    let words = words.unwrap_or_else(|| format!("turn {number}"));
    let took = took(turn).map(duration);
    let calls = (calls > 0).then(|| counted(calls, "call", "calls"));
    html! {
        @if main.turns.len() > MANY && steps().any(|(_, step)| layout.shows(step)) {
            li data-turn=(number) data-state=[state(turn.state)] {
                a.words href={ "#" (anchor::turn(layout.main, layout.main, number)) } { (text(&words)) }
            }
        } @else if steps().any(|(_, step)| layout.shows(step)) {
            li data-turn=(number) data-state=[state(turn.state)] {
                a href={ "#" (anchor::turn(layout.main, layout.main, number)) } {
                    span.words { (text(&words)) }
                    @if calls.is_some() || took.is_some() {
                        " " small {
                            @if let Some(calls) = &calls { (calls) }
                            @if failed > 0 { " · " b.failed { (thousands(failed)) " failed" } }
                            @if calls.is_some() && took.is_some() { " · " }
                            @if let Some(took) = &took { (took) }
                        }
                    }
                }
            }
        }
        @for (id, step) in steps() { (landmark(layout, anchors, id, step)) }
    }
}

/// The active time of a turn, if that is long enough to mention.
pub(super) fn took(turn: &Turn) -> Option<u64> {
    Some(turn.active_ms).filter(|millis| *millis >= 1000)
}

/// The state of a turn, unless it finished normally.
pub(super) fn state(state: TurnState) -> Option<&'static str> {
    match state {
        TurnState::Done => None,
        TurnState::Open | TurnState::Interrupted | TurnState::Failed => Some(state.word()),
    }
}

fn landmark(layout: &Layout<'_>, anchors: &Anchors, id: StepId, step: &Step) -> Markup {
    let mark = match &step.kind {
        StepKind::Compaction(_) => Some(("compaction", Cow::Borrowed("compacted"))),
        StepKind::Joint(_) => Some(("joint", Cow::Borrowed("from another session"))),
        StepKind::Call(call) => call.chapter().map(|title| ("chapter", shortened(title, WORDS).into())),
        _ => None,
    };
    html! {
        @if let Some((kind, words)) = mark {
            li.landmark data-kind=(kind) { a href={ "#" (anchors.at(layout.story, step.place)) } { (text(&words)) } }
        }
        (branches(layout, Some(id)))
    }
}

fn branches(layout: &Layout<'_>, step: Option<StepId>) -> Markup {
    html! {
        @for branch in layout.branches(layout.main, step) {
            li.landmark data-kind="branch" { a href={ "#" (anchor::branch(*branch)) } { "abandoned branch" } }
        }
    }
}
