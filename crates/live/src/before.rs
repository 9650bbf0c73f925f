//! The figures of a session before the point where its in-memory story starts: only the end of a growing session is
//! held.

use std::sync::Arc;

use index::catalogue::Session;
use story::step::{Millis, StepKind};
use story::{Step, Story, ThreadId, TitleSource};

use crate::glance::Glance;

/// The state of a session at the point where a new story starts, so that memory does not grow with the session.
#[derive(Debug, Clone)]
pub(crate) struct Before {
    /// Its figures at that point.
    pub(crate) session: Session,
    /// Its glance at that point.
    pub(crate) glance: Arc<Glance>,
    /// When its last turn ended, or was interrupted by the new story.
    pub(crate) ended: Option<Millis>,
    /// The active time of that turn, in milliseconds, and whether the turn states it.
    pub(crate) last_turn: (u64, bool),
}

impl Before {
    /// Adds the earlier figures to those of the current story.
    pub(crate) fn add_to(&self, session: &mut Session, story: &Story) {
        let (known, goes_on) = (&self.session, goes_on(story));
        // The first prompt of this story is not that of the session.
        let is_given = story.facts.title.as_ref().is_some_and(|title| match title.source {
            TitleSource::Custom | TitleSource::Model => true,
            TitleSource::Summary
            | TitleSource::FirstPrompt
            | TitleSource::Plan
            | TitleSource::Command
            | TitleSource::Task
            | TitleSource::CommandLine
            | TitleSource::LastPrompt
            | TitleSource::Untitled => false,
        });
        if !is_given && known.title_source != TitleSource::Untitled {
            session.title.clone_from(&known.title);
            session.title_source = known.title_source;
        }
        let first = story.thread(ThreadId::MAIN).and_then(|main| main.turns.first()?.started);
        let (ended, late) = end_of_turn(self.ended, story);
        let between = ended.zip(first).map_or(0, |(ended, first)| (first - ended).max(0).unsigned_abs());
        session.waiting_ms += known.waiting_ms;
        if !goes_on && is_asked_by_human(story) {
            session.waiting_ms += between;
        }
        session.active_ms += known.active_ms;
        // The earlier turn may go on here, or end here with the duration that it states: what is stated counts instead
        // of what was measured.
        let (measured, is_stated) = self.last_turn;
        match (is_stated, stated_before_prompt(story)) {
            (false, Some(_)) if goes_on => session.active_ms = session.active_ms.saturating_sub(measured),
            (false, Some(stated)) => session.active_ms = session.active_ms.saturating_sub(measured) + stated,
            (true, Some(_)) if goes_on => {}
            (true, Some(stated)) => session.active_ms += stated,
            (true, None) if goes_on => session.active_ms = session.active_ms.saturating_sub(active_of_first(story)),
            (true, None) => {}
            (false, None) => session.active_ms += if goes_on { between } else { late },
        }
        session.counts += known.counts;
        session.counts.turns = session.counts.turns.saturating_sub(u32::from(goes_on));
        session.ending = std::mem::take(&mut session.ending).after(&known.ending, false);
        session.used += known.used;
    }
}

/// The duration that the steps before the first prompt of a story state: that of the earlier turn.
fn stated_before_prompt(story: &Story) -> Option<u64> {
    let main = story.thread(ThreadId::MAIN)?;
    let steps = story.steps(main, main.turns.first()?).map(|(_, step)| step).take_while(|step| !step.begins_turn());
    steps.filter_map(Step::stated_duration).reduce(u64::saturating_add)
}

fn active_of_first(story: &Story) -> u64 {
    story.thread(ThreadId::MAIN).and_then(|main| main.turns.first()).map_or(0, |turn| turn.active_ms)
}

/// Whether the user prompted the first turn of a story.
fn is_asked_by_human(story: &Story) -> bool {
    let first = story.thread(ThreadId::MAIN).and_then(|main| Some((main, main.turns.first()?)));
    first.is_some_and(|(main, turn)| {
        story
            .steps(main, turn)
            .any(|(_, step)| matches!(&step.kind, StepKind::Prompt(prompt) if prompt.kind.is_human()))
    })
}

/// Whether a story begins in the middle of a turn: its first turn has no prompt.
pub(crate) fn goes_on(story: &Story) -> bool {
    let first = story.thread(ThreadId::MAIN).and_then(|main| Some((main, main.turns.first()?)));
    first.is_some_and(|(main, turn)| !story.steps(main, turn).any(|(_, step)| step.begins_turn()))
}

/// When the last turn of the earlier story ended: late steps of this story may extend it. Also returns by how much.
pub(crate) fn end_of_turn(ended: Option<Millis>, story: &Story) -> (Option<Millis>, u64) {
    let first = story.thread(ThreadId::MAIN).and_then(|main| Some((main, main.turns.first()?)));
    let (Some(ended), Some((main, turn)), false) = (ended, first, goes_on(story)) else { return (ended, 0) };
    let said = story.steps(main, turn).map(|(_, step)| step).take_while(|step| !step.begins_turn());
    let late = said.filter(|step| step.is_work()).filter_map(|step| step.at).max().unwrap_or(ended).max(ended);
    (Some(late), (late - ended).unsigned_abs())
}
