//! Facts about the whole session, as JSON for the script.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};
use serde::Serialize;
use story::step::{Millis, Severity, StepKind};
use story::{Step, ThreadKind};

use super::layout::{LEVELS, Layout, name};
use story::Detail;
use styled::clean::clean_line;

/// Maximum number of tools in the filter menu.
const MOST_TOOLS: usize = 200;

/// Number of steps for each filter.
#[derive(Debug, Default, Serialize)]
pub(super) struct Totals {
    pub(super) prompts: u32,
    pub(super) replies: u32,
    pub(super) thinking: u32,
    pub(super) errors: u32,
    pub(super) agents: u32,
    pub(super) system: u32,
    pub(super) tools: BTreeMap<String, u32>,
}

impl Totals {
    pub(super) fn of(layout: &Layout<'_>) -> Self {
        let mut totals = Self::default();
        let main = layout.story.thread(layout.main).map(|thread| (layout.main, thread));
        for (_, thread) in main.into_iter().chain(layout.others()) {
            totals.agents += u32::from(matches!(thread.kind, ThreadKind::Agent(_)));
            let steps = thread.steps.iter().filter_map(|id| layout.story.step(*id));
            steps.filter(|step| layout.shows(step)).for_each(|step| totals.add(step));
        }
        totals
    }

    fn add(&mut self, step: &Step) {
        self.errors += u32::from(is_error(&step.kind));
        match &step.kind {
            StepKind::Prompt(_) => self.prompts += 1,
            StepKind::Reply(_) => self.replies += 1,
            StepKind::Thinking(_) => self.thinking += 1,
            StepKind::Call(call) => {
                let name = clean_line(&call.tool);
                let has_room = self.tools.len() < MOST_TOOLS;
                if let Some(count) = self.tools.get_mut(&*name) {
                    *count += 1;
                } else if has_room {
                    self.tools.insert(name.into_owned(), 1);
                }
            }
            StepKind::Output(_)
            | StepKind::Notice(_)
            | StepKind::Context(_)
            | StepKind::Compaction(_)
            | StepKind::Joint(_)
            | StepKind::Outcome(_)
            | StepKind::Orphan(_)
            | StepKind::Unknown(_) => self.system += 1,
        }
    }
}

/// Whether a step is a failure.
pub(crate) fn is_error(kind: &StepKind) -> bool {
    match kind {
        StepKind::Call(call) => call.severity == Severity::Error,
        StepKind::Notice(notice) => notice.severity == Severity::Error,
        StepKind::Output(output) => output.is_error,
        StepKind::Outcome(outcome) => outcome.is_error,
        StepKind::Orphan(orphan) => orphan.failed,
        StepKind::Prompt(_)
        | StepKind::Reply(_)
        | StepKind::Thinking(_)
        | StepKind::Context(_)
        | StepKind::Compaction(_)
        | StepKind::Joint(_)
        | StepKind::Unknown(_) => false,
    }
}

/// Facts about the whole session, for the script.
#[derive(Debug, Serialize)]
pub(super) struct PageFacts<'f> {
    version: &'static str,
    session: String,
    levels: Vec<&'static str>,
    detail: &'static str,
    totals: &'f Totals,
    /// Turns of the conversation: number, start, and chunk.
    turns: &'f [(usize, Option<Millis>, usize)],
    /// Positions on the timeline, and their times.
    timeline: &'f [(u32, Millis)],
    /// The last event that the page includes, if it grows.
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<&'f str>,
}

impl<'f> PageFacts<'f> {
    pub(super) fn new(
        layout: &Layout<'_>,
        detail: Detail,
        totals: &'f Totals,
        turns: &'f [(usize, Option<Millis>, usize)],
        timeline: &'f [(u32, Millis)],
    ) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            session: clean_line(&layout.story.facts.id).into_owned(),
            levels: levels(layout),
            detail: name(detail),
            totals,
            turns,
            timeline,
            event: None,
        }
    }

    /// The facts of a page that grows.
    pub(super) fn growing(self, event: &'f str) -> Self {
        Self { event: Some(event), ..self }
    }

    pub(super) fn markup(&self) -> serde_json::Result<Markup> {
        markup(self)
    }
}

/// Facts for the script in a file with a part of the session.
#[derive(Debug, Serialize)]
pub(super) struct PartFacts<'f> {
    version: &'static str,
    session: String,
    levels: Vec<&'static str>,
    detail: &'static str,
    part: usize,
    /// The page of the whole session.
    whole: &'f str,
}

impl<'f> PartFacts<'f> {
    pub(super) fn new(layout: &Layout<'_>, detail: Detail, part: usize, whole: &'f str) -> Self {
        let (version, session) = (env!("CARGO_PKG_VERSION"), clean_line(&layout.story.facts.id).into_owned());
        Self { version, session, levels: levels(layout), detail: name(detail), part, whole }
    }

    pub(super) fn markup(&self) -> serde_json::Result<Markup> {
        markup(self)
    }
}

fn levels(layout: &Layout<'_>) -> Vec<&'static str> {
    LEVELS.into_iter().filter(|level| *level <= layout.deepest).map(name).collect()
}

fn markup(facts: &impl Serialize) -> serde_json::Result<Markup> {
    // Everything that could end the element, or hide its end, begins with this character.
    let json = serde_json::to_string(facts)?.replace('<', "\\u003c");
    Ok(html! { script #facts type="application/json" { (PreEscaped(json)) } })
}
