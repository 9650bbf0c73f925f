//! The raw lines of a session, at the deepest level.

use std::io;

use story::step::StepKind;
use story::{BlockPlace, Step};

use content::raw_place;
use content::view::{lines_not_shown, raw_line};

use super::{Page, code, section};

impl Page<'_> {
    /// Writes the lines of a step, unless an earlier step already has them.
    pub(super) fn raw(&mut self, step: &Step) -> io::Result<()> {
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
        for place in [Some(step.place), more].into_iter().flatten() {
            if self.shown_lines.insert(raw_place(self.story, place)) {
                let block = self.raw_block(place);
                match step.kind {
                    StepKind::Call(_) => self.sheet.below(&block)?,
                    _ => self.sheet.block(&block)?,
                }
            }
        }
        Ok(())
    }

    fn raw_block(&mut self, place: BlockPlace) -> String {
        let number = self.story.span(place.line).map_or(0, |span| span.number);
        let line = raw_line(self.story, self.texts, place);
        section::fold(&format!("Line {number}"), &code::fence("json", &line))
    }

    /// Writes the lines that belong to no step, each with its kind.
    pub(super) fn other_lines(&mut self) -> io::Result<()> {
        let story = self.story;
        let mut is_first = true;
        for (line, span, what) in lines_not_shown(story) {
            if !self.shown_lines.insert(BlockPlace { line, entry: 0, block: 0 }) {
                continue;
            }
            if std::mem::take(&mut is_first) {
                self.sheet.block("# Lines that tell nothing")?;
            }
            let text = raw_line(story, self.texts, BlockPlace { line, entry: 0, block: 0 });
            let title = format!("Line {}: {what}", span.number);
            self.sheet.block(&section::fold(&title, &code::fence("json", &text)))?;
        }
        Ok(())
    }
}
