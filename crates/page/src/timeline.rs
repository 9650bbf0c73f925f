//! The timeline: the whole session as one strip.
//!
//! Bars are calls in the colours of their families; agents have lanes of their own below the conversation. The strip
//! has a fixed number of positions, so the drawing stays small for any session.

mod axis;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use maud::{Markup, html};
use story::step::{Call, Millis, Severity, StepKind};
use story::{Step, Thread, ThreadKind, Turn};

pub(super) use axis::{Axis, WIDTH, Work};

use super::call::family;
use super::document::layout::Layout;
use human::{counted, duration};

/// Maximum number of lanes for agents.
const MOST_LANES: usize = 12;
const MAIN_HEIGHT: usize = 14;
const LANE_HEIGHT: usize = 6;

/// The kinds of bars, in drawing order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Bar {
    Waiting,
    Family(&'static str),
    Failed,
}

impl Bar {
    fn class(self) -> String {
        match self {
            Self::Waiting => "waiting".to_owned(),
            Self::Family(family) => format!("family-{family}"),
            Self::Failed => "failed".to_owned(),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting for the human",
            Self::Family(family) => family,
            Self::Failed => "failed",
        }
    }
}

/// Occupied positions, from left to right.
#[derive(Debug, Clone)]
struct Places([bool; WIDTH as usize]);

impl Default for Places {
    fn default() -> Self {
        Self([false; WIDTH as usize])
    }
}

impl Places {
    /// Occupies at least one position, so that even the shortest bar is visible.
    fn take(&mut self, from: u32, to: u32) {
        let from = from.min(WIDTH - 1) as usize;
        let to = (to.min(WIDTH) as usize).max(from + 1);
        self.0.get_mut(from..to).unwrap_or_default().fill(true);
    }

    /// The starts and lengths of the occupied runs.
    fn runs(&self) -> Vec<(usize, usize)> {
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for (place, _) in self.0.iter().enumerate().filter(|(_, taken)| **taken) {
            match runs.last_mut() {
                Some((start, length)) if *start + *length == place => *length += 1,
                _ => runs.push((place, 1)),
            }
        }
        runs
    }

    /// Bars of a given height.
    fn bars(&self, top: usize, height: usize) -> String {
        let mut path = String::new();
        for (start, length) in self.runs() {
            // Writing to a string cannot fail.
            let _ = write!(path, "M{start} {top}h{length}v{height}h-{length}z");
        }
        path
    }

    /// Lines from top to bottom.
    fn lines(&self, height: usize) -> String {
        let mut path = String::new();
        for (place, _) in self.0.iter().enumerate().filter(|(_, taken)| **taken) {
            let _ = write!(path, "M{place} 0v{height}");
        }
        path
    }
}

/// The start and the end of a call.
fn span(step: &Step, call: &Call) -> Option<(Millis, Millis)> {
    let from = step.at?;
    let took = call.duration.map(|duration| i64::try_from(duration.millis).unwrap_or(i64::MAX));
    Some((from, call.ended.or(took.map(|took| from.saturating_add(took))).unwrap_or(from).max(from)))
}

/// The selected steps of a thread.
fn steps<'s>(layout: &Layout<'s>, thread: &'s Thread) -> impl Iterator<Item = &'s Step> {
    thread.steps.iter().filter_map(|id| layout.story.step(*id)).filter(|step| layout.wants(step))
}

/// Whether any step of a turn is selected.
fn has(layout: &Layout<'_>, thread: &Thread, turn: &Turn) -> bool {
    layout.story.steps(thread, turn).any(|(_, step)| layout.wants(step))
}

/// The time axis of a session.
pub(super) fn axis(layout: &Layout<'_>) -> Option<Axis> {
    let mut work = Work::default();
    for thread in layout.story.thread(layout.main).into_iter().chain(layout.others().map(|(_, thread)| thread)) {
        for step in steps(layout, thread) {
            match &step.kind {
                StepKind::Call(call) if !call.asks() => {
                    if let Some((from, to)) = span(step, call) {
                        work.add(from, to);
                    }
                }
                _ => step.at.into_iter().for_each(|at| work.add(at, at)),
            }
        }
    }
    Axis::new(work)
}

type Lane = BTreeMap<Bar, Places>;

/// The timeline of a session.
pub(super) fn timeline(layout: &Layout<'_>, axis: &Axis) -> Markup {
    let mut lanes: Vec<Lane> = vec![Lane::default()];
    let (mut turns, mut compactions) = (Places::default(), Places::default());
    if let Some(main) = layout.story.thread(layout.main) {
        draw(layout, main, axis, lanes.first_mut());
        wait(layout, main, axis, lanes.first_mut());
        for turn in main.turns.iter().filter(|turn| has(layout, main, turn)) {
            turn.started.into_iter().map(|at| axis.place(at)).for_each(|place| turns.take(place, place));
        }
        for step in steps(layout, main) {
            if let (StepKind::Compaction(_), Some(at)) = (&step.kind, step.at) {
                compactions.take(axis.place(at), axis.place(at));
            }
        }
    }
    // The first lane that is free, or the last.
    let mut ends: Vec<Millis> = Vec::new();
    for (_, thread) in layout.others() {
        if matches!(thread.kind, ThreadKind::Branch) {
            draw(layout, thread, axis, lanes.first_mut());
            continue;
        }
        let Some((from, to)) = reach(layout, thread) else { continue };
        let free = ends.iter().position(|end| *end <= from);
        let lane = free.unwrap_or(ends.len().min(MOST_LANES - 1));
        if let Some(end) = ends.get_mut(lane) {
            *end = to.max(*end);
        } else {
            ends.push(to);
            lanes.push(Lane::default());
        }
        draw(layout, thread, axis, lanes.get_mut(lane + 1));
    }
    drawing(layout, axis, &lanes, &turns, &compactions)
}

fn drawing(layout: &Layout<'_>, axis: &Axis, lanes: &[Lane], turns: &Places, compactions: &Places) -> Markup {
    let height = MAIN_HEIGHT + (lanes.len() - 1) * LANE_HEIGHT;
    let mut breaks = Places::default();
    axis.pauses().iter().for_each(|(from, to)| breaks.take(*from, *to));
    let paths = [("turns", turns.lines(4)), ("compactions", compactions.lines(height))];
    let mut names: Vec<Bar> = lanes.iter().flat_map(Lane::keys).copied().collect();
    names.sort_unstable();
    names.dedup();
    html! {
        figure.timeline {
            svg viewBox={ "0 0 " (WIDTH) " " (height) } preserveAspectRatio="none" role="img" aria-label=(said(layout, axis)) {
                @if !axis.pauses().is_empty() { path.breaks d=(breaks.bars(0, height)) {} }
                @for (number, lane) in lanes.iter().enumerate() {
                    g.lane data-lane=(number) {
                        @let (top, height) = match number {
                            0 => (0, MAIN_HEIGHT),
                            _ => (MAIN_HEIGHT + (number - 1) * LANE_HEIGHT + 1, LANE_HEIGHT - 1),
                        };
                        @for (bar, places) in lane { path class=(bar.class()) d=(places.bars(top, height)) {} }
                    }
                }
                @for (class, path) in paths.iter().filter(|(_, path)| !path.is_empty()) { path class=(class) d=(path) {} }
            }
            ul.legend {
                @for bar in names { li class=(bar.class()) { (bar.name()) } }
            }
        }
    }
}

/// A description of the drawing, for screen readers.
fn said(layout: &Layout<'_>, axis: &Axis) -> String {
    let facts = &layout.story.facts;
    if layout.excerpt().is_some() {
        return "Timeline of a part of the session".to_owned();
    }
    let calls = counted(u64::from(facts.counts.calls), "call", "calls");
    let turns = counted(u64::from(facts.counts.turns), "turn", "turns");
    let failed = if facts.counts.failed > 0 { format!(", {} failed", facts.counts.failed) } else { String::new() };
    let pauses = match axis.pauses().len() as u64 {
        0 => String::new(),
        pauses => format!(", {} cut out", counted(pauses, "long pause", "long pauses")),
    };
    let worked = match facts.active_ms {
        0 => String::new(),
        millis => format!(", {} at work", duration(millis)),
    };
    format!("Timeline: {turns}, {calls}{failed}{worked}{pauses}")
}

/// Draws the calls of a thread.
fn draw(layout: &Layout<'_>, thread: &Thread, axis: &Axis, lane: Option<&mut Lane>) {
    let Some(lane) = lane else { return };
    for step in steps(layout, thread) {
        let StepKind::Call(call) = &step.kind else { continue };
        let Some((from, to)) = span(step, call) else { continue };
        let bar = match call.severity {
            Severity::Error => Bar::Failed,
            Severity::Normal | Severity::Expected | Severity::Warning if call.asks() => Bar::Waiting,
            Severity::Normal | Severity::Expected | Severity::Warning => Bar::Family(family(&call.tool)),
        };
        lane.entry(bar).or_default().take(axis.place(from), axis.place(to));
    }
}

/// Draws the waits for the human between turns.
fn wait(layout: &Layout<'_>, thread: &Thread, axis: &Axis, lane: Option<&mut Lane>) {
    let Some(lane) = lane else { return };
    let mut last: Option<Millis> = None;
    for turn in thread.turns.iter().filter(|turn| has(layout, thread, turn)) {
        let is_human = layout.story.steps(thread, turn).any(|(_, step)| match &step.kind {
            StepKind::Prompt(prompt) => prompt.kind.is_human(),
            _ => false,
        });
        if let (Some(from), Some(to), true) = (last, turn.started, is_human) {
            let (from, to) = (axis.place(from) + 1, axis.place(to));
            if from < to {
                lane.entry(Bar::Waiting).or_default().take(from, to);
            }
        }
        last = turn.ended.or(last);
    }
}

/// The first and the last moment of a thread.
fn reach(layout: &Layout<'_>, thread: &Thread) -> Option<(Millis, Millis)> {
    let moments = steps(layout, thread).filter_map(|step| match &step.kind {
        StepKind::Call(call) => span(step, call),
        _ => step.at.map(|at| (at, at)),
    });
    moments.reduce(|(from, to), (start, end)| (from.min(start), to.max(end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_that_touch_are_one() {
        let mut places = Places::default();
        for (from, to) in [(5, 5), (6, 8), (20, 10), (999, 4000), (u32::MAX, 0)] {
            places.take(from, to);
        }
        assert_eq!(places.bars(2, 3), "M5 2h3v3h-3zM20 2h1v3h-1zM999 2h1v3h-1z");
        assert_eq!(places.lines(9), "M5 0v9M6 0v9M7 0v9M20 0v9M999 0v9");
    }

    /// The lines of an agent that works from one second to another.
    const AGENT: &str = concat!(
        r#"{"type":"user","uuid":"u","isSidechain":true,"timestamp":"2026-08-08T09:00:00.000Z","message":{"content":"look"}}"#,
        "\n",
        r#"{"type":"assistant","uuid":"a","parentUuid":"u","isSidechain":true,"timestamp":"2026-08-08T09:00:05.000Z","message":{"content":[{"type":"tool_use","id":"t","name":"Grep","input":{}}]}}"#,
        "\n",
    );

    /// For every name of a tool that asks the human.
    #[test]
    fn what_waits_for_an_answer_is_drawn_as_waiting() {
        for tool in ["ExitPlanMode", "exit_plan_mode", "ask_user_question", "EnterPlanMode"] {
            let mut builder = story::StoryBuilder::default();
            let main = builder.add_source(story::Source::default());
            let lines = AGENT.replace("\"isSidechain\":true,", "").replace("Grep", tool);
            format::lines(lines.as_bytes()).for_each(|line| builder.push(main, line));
            let layout = Layout::new(builder.story(), story::Detail::Steps, None, &human::Locale::default());
            let drawn = timeline(&layout, &axis(&layout).unwrap()).into_string();
            assert!(drawn.contains("class=\"waiting\"") && !drawn.contains("family-"), "{drawn}");
        }
    }

    #[test]
    fn there_are_only_so_many_lanes() {
        for (agents, lanes) in [(0, 0), (3, 3), (40, MOST_LANES)] {
            let mut builder = story::StoryBuilder::default();
            let main = builder.add_source(story::Source::default());
            let prompt =
                r#"{"type":"user","uuid":"u","timestamp":"2026-08-08T09:00:05.000Z","message":{"content":"hi"}}"#;
            format::lines(prompt.as_bytes()).for_each(|line| builder.push(main, line));
            for agent in 0..agents {
                let role = story::Role::Agent { id: format!("a{agent}").into(), workflow: None };
                let source = builder.add_source(story::Source { role, session: "s".into() });
                let lines = ["u", "a", "t"].iter().fold(AGENT.replace("look", &agent.to_string()), |lines, id| {
                    lines.replace(&format!(":\"{id}\""), &format!(":\"{id}{agent}\""))
                });
                format::lines(lines.as_bytes()).for_each(|line| builder.push(source, line));
            }
            let layout = Layout::new(builder.story(), story::Detail::Steps, None, &human::Locale::default());
            let drawn = timeline(&layout, &axis(&layout).unwrap()).into_string();
            assert_eq!(drawn.matches("<g class=\"lane\"").count(), lanes + 1, "{drawn}");
        }
    }
}
