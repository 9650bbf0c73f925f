//! A part of a session: some of its turns, calls or threads, or a period.

use std::ops::RangeInclusive;

use maud::{Markup, html};
use rustc_hash::{FxHashMap, FxHashSet};
use story::step::StepKind;
use story::{BlockPlace, Detail, Step, StepId, Story, Thread, ThreadId};

use super::moment::moment;
use crate::{text, thread};
use content::Selection;
use content::Threads;
use human::Locale;

/// A part of a session.
#[derive(Debug)]
pub(super) struct Excerpt {
    /// The selection, at all levels of the page.
    selection: Selection,
    /// The places in the selected turns and in the threads that they started; `None` means all.
    places: Option<FxHashSet<BlockPlace>>,
    /// The threads other than the conversation; `None` means all.
    threads: Option<FxHashSet<ThreadId>>,
}

impl Excerpt {
    /// The selected part of a story; `None` if that is all of it. A page contains the agents and branches of the
    /// conversation even if only the conversation is selected.
    pub(super) fn new(story: &Story, main: ThreadId, deepest: Detail, selection: &Selection) -> Option<Self> {
        let selection = Selection { detail: deepest, ..selection.clone() };
        let is_alone = match selection.threads {
            Threads::Main | Threads::All => false,
            Threads::One(_) => true,
        };
        let whole = Selection { detail: deepest, threads: selection.threads, ..Selection::default() };
        if !is_alone && selection == whole {
            return None;
        }
        let (mut places, mut threads) = (None, is_alone.then(FxHashSet::default));
        if selection.turns.is_some() {
            let (steps, started) = turns(story, main, &selection);
            let threads = threads.get_or_insert(started);
            let others = threads.iter().filter_map(|id| story.thread(*id)).flat_map(|thread| &thread.steps);
            let steps = steps.iter().chain(others).filter_map(|id| story.step(*id));
            places = Some(steps.map(|step| step.place).collect());
        }
        Some(Self { selection, places, threads })
    }

    /// Whether the part contains a thread other than the conversation.
    pub(super) fn has_thread(&self, id: ThreadId) -> bool {
        self.threads.as_ref().is_none_or(|threads| threads.contains(&id))
    }

    /// Whether the part contains a step.
    pub(super) fn has_step(&self, step: &Step) -> bool {
        self.selection.has_step(step) && self.places.as_ref().is_none_or(|places| places.contains(&step.place))
    }

    /// A description of the part.
    pub(super) fn words(&self, main: Option<&Thread>, locale: &Locale) -> Markup {
        let Selection { detail: _, thinking, tools, threads, turns, since, until } = &self.selection;
        let alone = main.filter(|_| matches!(threads, Threads::One(_))).map(thread::name);
        let words = [
            html! { @if let Some(name) = alone { "only " (text(&name)) } },
            html! { @if let Some(turns) = turns { (range(turns)) } },
            html! { @if let Some(tools) = tools { "only calls of " (text(&tools.join(", "))) } },
            html! { @if since.is_some() { "only from " (moment(*since, locale)) " on" } },
            html! { @if until.is_some() { "only until " (moment(*until, locale)) } },
            html! { @if !thinking { "without thoughts" } },
        ];
        html! {
            @for (number, words) in words.iter().filter(|words| !words.0.is_empty()).enumerate() {
                @if number > 0 { " · " }
                (words)
            }
        }
    }
}

/// The steps of the selected turns, and the threads that they started, directly or not.
fn turns(story: &Story, main: ThreadId, selection: &Selection) -> (FxHashSet<StepId>, FxHashSet<ThreadId>) {
    let mut steps = FxHashSet::default();
    if let Some(thread) = story.thread(main) {
        let wanted = (1..).zip(&thread.turns).filter(|(number, _)| selection.has_turn(*number));
        steps.extend(wanted.flat_map(|(_, turn)| story.steps(thread, turn)).map(|(id, _)| id));
    }
    let mut starts: FxHashMap<ThreadId, Vec<(Option<StepId>, ThreadId)>> = FxHashMap::default();
    for (id, thread) in story.threads() {
        if let Some(origin) = thread.origin {
            starts.entry(origin.thread).or_default().push((origin.step, id));
        }
    }
    let is_wanted = |step: Option<StepId>| step.map_or(selection.has_turn(1), |step| steps.contains(&step));
    let mut next: Vec<ThreadId> = steps.iter().filter_map(|id| started(story.step(*id)?)).collect();
    let here = starts.remove(&main).unwrap_or_default();
    next.extend(here.into_iter().filter(|(step, _)| is_wanted(*step)).map(|(_, id)| id));
    let mut threads = FxHashSet::default();
    while let Some(id) = next.pop() {
        if id != main && threads.insert(id) {
            next.extend(starts.remove(&id).unwrap_or_default().into_iter().map(|(_, id)| id));
            let steps = story.thread(id).into_iter().flat_map(|thread| &thread.steps);
            next.extend(steps.filter_map(|id| started(story.step(*id)?)));
        }
    }
    (steps, threads)
}

/// The thread that a call refers to.
fn started(step: &Step) -> Option<ThreadId> {
    match &step.kind {
        StepKind::Call(call) => call.thread,
        _ => None,
    }
}

fn range(turns: &RangeInclusive<u64>) -> String {
    match (*turns.start(), *turns.end()) {
        (first, last) if first == last => format!("only turn {first}"),
        (first, u64::MAX) => format!("only turns from {first} on"),
        (0 | 1, last) => format!("only turns up to {last}"),
        (first, last) => format!("only turns {first}–{last}"),
    }
}
