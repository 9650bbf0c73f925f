//! The raw lines of a session, at the deepest level.

use std::io;

use maud::{Markup, html};
use story::step::StepKind;
use story::{BlockPlace, Step};

use super::chunk::Chunk;
use super::files::Within;
use super::thread_writer::ThreadWriter;
use crate::{code, text};
use content::raw_place;
use content::view::{lines_not_shown, raw_line};
use styled::highlight::Language;

/// The level of raw lines.
const LINES: u8 = 4;

impl ThreadWriter<'_> {
    /// The lines of a step, unless an earlier step already shows them.
    pub(super) fn lines_of(&mut self, step: &Step) -> Markup {
        let more = match &step.kind {
            StepKind::Call(call) => call.result,
            StepKind::Compaction(compaction) => compaction.summary,
            StepKind::Prompt(_)
            | StepKind::Reply(_)
            | StepKind::Thinking(_)
            | StepKind::Output(_)
            | StepKind::Notice(_)
            | StepKind::Context(_)
            | StepKind::Joint(_)
            | StepKind::Outcome(_)
            | StepKind::Orphan(_)
            | StepKind::Unknown(_) => None,
        };
        let places = [Some(step.place), more].into_iter().flatten();
        let places: Vec<BlockPlace> =
            places.filter(|place| self.shown_lines.insert(raw_place(self.layout.story, *place))).collect();
        html! { @for place in places { (self.line(place, "")) } }
    }

    fn line(&mut self, place: BlockPlace, what: &str) -> Markup {
        let number = self.layout.story.span(place.line).map_or(0, |span| span.number);
        let line = raw_line(self.layout.story, self.texts, place);
        html! {
            details.raw data-level=(LINES) {
                summary { "line " (number) @if !what.is_empty() { " · " (text(what)) } }
                (code(&line, Language::named("json"), None))
            }
            "\n"
        }
    }

    /// Writes the lines that belong to no step, each with its kind.
    pub(super) fn other_lines(&mut self) -> io::Result<()> {
        let story = self.layout.story;
        // They belong to no part of the session.
        if self.layout.excerpt().is_some() {
            return Ok(());
        }
        let mut chunk = Chunk::default();
        let mut is_first = true;
        for (line, _, what) in lines_not_shown(story) {
            if !self.shown_lines.insert(BlockPlace { line, entry: 0, block: 0 }) {
                continue;
            }
            if std::mem::take(&mut is_first) {
                self.files.enter(lines())?;
            }
            let shown = self.line(BlockPlace { line, entry: 0, block: 0 }, what);
            chunk.push_step(&shown, 1);
            if chunk.is_full() {
                self.files.chunk(&mut chunk)?;
            }
        }
        if !chunk.is_empty() {
            self.files.chunk(&mut chunk)?;
        }
        if is_first { Ok(()) } else { self.files.leave() }
    }
}

/// The container of lines that belong to no step.
fn lines() -> Within {
    let opening = |name: &str| {
        format!("<section class=\"lines\" {name}=\"lines\" data-level=\"{LINES}\"><h2>lines that tell nothing</h2>\n")
    };
    let closing = "</section>\n";
    Within {
        name: "lines".to_owned(),
        opening: opening("id"),
        closing,
        part_opening: opening("data-within"),
        part_closing: closing,
        is_main: false,
    }
}
