//! A story as JSON, for programs: one [`Document`], described in `docs/show-json.md`.
//!
//! A document is written step by step, and the texts of each step are read just before: neither the text nor the types
//! of a whole session are ever in memory.

mod convert;
mod document;
mod json;
mod recall;
mod step;
#[cfg(test)]
mod tests;
mod unfinished;

use std::cell::RefCell;
use std::io::{self, Write};

use serde::{Serialize, Serializer};
use story::{SessionStatus, StepId, Story, Texts};

use crate::JsonLayout;
use crate::used::UsedOut;
use content::{Bill, Selection};
use convert::Steps;
use recall::Recall;

pub use document::{Document, Role, Session, Source, Thread, ThreadWord, Turn};
pub use json::Json;
pub use step::{Call, CallResult, Compaction, Line, Prompt, PromptBy, Step, StepKind, Streams};

/// The name and version of the document. The number grows when a field is removed or changes its meaning; fields may be
/// added at any time.
pub const SCHEMA: &str = "recount.story/2";

/// A single step as in the document, for callers that write steps as they arrive.
pub fn step<'a>(story: &'a Story, texts: &'a mut dyn Texts, id: StepId, detail: story::Detail) -> Option<Step<'a>> {
    let step = story.step(id)?;
    Some(Steps { story, detail, recall: Recall::for_one(story, texts) }.step(id, step))
}

/// What a document says of the session beside its story.
#[derive(Debug, Clone, Copy)]
pub struct SessionFigures<'f> {
    /// What it and its turns used.
    pub bill: &'f Bill,
    /// Its state.
    pub status: SessionStatus,
}

/// Writes the selected parts of a story as one JSON object, and a line break.
///
/// `sources` names the sources of the story, in order. Output is written in small pieces: `out` should be buffered. A
/// step whose text can no longer be read says why; only `out` can fail.
pub fn write_json(
    out: &mut impl Write,
    story: &Story,
    texts: &mut dyn Texts,
    sources: &[String],
    figures: &SessionFigures<'_>,
    selection: &Selection,
    layout: JsonLayout,
) -> io::Result<()> {
    let steps = RefCell::new(Steps { story, detail: selection.detail, recall: Recall::new(story, texts) });
    let label = |number: usize| sources.get(number).map_or("", String::as_str);
    let document = Document {
        schema: SCHEMA,
        detail: selection.detail,
        session: Session {
            facts: &story.facts,
            state: figures.status.into(),
            usage: figures.bill.session.as_ref().map(UsedOut::of_spent),
            usage_outside_turns: figures.bill.rest.as_ref().map(UsedOut::of_spent),
            only_left: story.remnant(),
        },
        sources: story.sources().enumerate().map(|(number, source)| Source::new(label(number), source)).collect(),
        threads: Threads(&SelectedStory { story, selection, bill: figures.bill, steps: &steps }),
        tasks: story.tasks.items().collect(),
        accounting: story.accounting(),
    };
    crate::write(out, &document, layout)
}

/// The selected parts of a story, and the steps to write.
struct SelectedStory<'a> {
    story: &'a Story,
    selection: &'a Selection,
    bill: &'a Bill,
    /// Serialization only has a shared reference, and reading texts needs a mutable one.
    steps: &'a RefCell<Steps<'a>>,
}

impl<'a> SelectedStory<'a> {
    /// The selected turns that have steps, with their numbers.
    fn turns(&self, thread: &'a story::Thread) -> impl Iterator<Item = (usize, &'a story::Turn)> {
        let numbered = thread.turns.iter().enumerate().map(|(index, turn)| (index + 1, turn));
        numbered.filter(move |(number, turn)| {
            let is_shown = |(_, step)| self.selection.has_step(step);
            self.selection.has_turn(*number) && self.story.steps(thread, turn).any(is_shown)
        })
    }
}

/// The threads of a document that is being written.
struct Threads<'a>(&'a SelectedStory<'a>);

impl Serialize for Threads<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(selected) = self;
        let chosen = selected.story.threads().filter(|(id, thread)| {
            selected.selection.has_thread(selected.story, *id) && selected.turns(thread).next().is_some()
        });
        serializer.collect_seq(chosen.map(|(id, thread)| Thread::new(id, thread, Turns { selected, id, thread })))
    }
}

/// The turns of a thread that is being written.
struct Turns<'a> {
    selected: &'a SelectedStory<'a>,
    id: story::ThreadId,
    thread: &'a story::Thread,
}

impl Serialize for Turns<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { selected, id, thread } = *self;
        serializer.collect_seq(selected.turns(thread).map(|(number, turn)| {
            let used = selected.bill.turn(id, number);
            Turn::new(number, turn, used.as_ref(), TurnSteps { selected, thread, turn })
        }))
    }
}

/// The steps of a turn that is being written.
struct TurnSteps<'a> {
    selected: &'a SelectedStory<'a>,
    thread: &'a story::Thread,
    turn: &'a story::Turn,
}

impl Serialize for TurnSteps<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { selected, thread, turn } = *self;
        let steps = selected.story.steps(thread, turn).filter(|(_, step)| selected.selection.has_step(step));
        serializer.collect_seq(steps.map(|(id, step)| selected.steps.borrow_mut().step(id, step)))
    }
}
