//! The texts of messages of which only pieces have arrived: no line contains the whole of one.

use std::collections::{HashMap, HashSet};

use format::assemble::Assembler;
use format::entry::stream::StreamEvent;
use format::id::ToolUseId;
use story::{BlockPlace, LineId, SourceId, StepKind, Story};

/// Where the text of a block begins.
type Beginning = (LineId, u32);

/// Puts the messages of a stream together.
#[derive(Debug, Default)]
pub(super) struct Unfinished {
    /// The beginnings of the blocks that are shown.
    wanted: HashSet<Beginning>,
    /// The message in progress of each thread.
    current: HashMap<(SourceId, Option<String>), Current>,
    texts: HashMap<Beginning, String>,
}

#[derive(Debug, Default)]
struct Current {
    assembler: Assembler,
    /// The blocks that are shown, by index.
    blocks: HashMap<i64, Beginning>,
}

impl Unfinished {
    /// All that are shown.
    pub(super) fn of(story: &Story) -> Self {
        let steps = story.threads().flat_map(|(_, thread)| &thread.steps).filter_map(|step| story.step(*step));
        let partial = steps.filter(|step| match &step.kind {
            StepKind::Reply(reply) => reply.partial,
            StepKind::Thinking(thinking) => thinking.partial,
            _ => false,
        });
        let wanted = partial.map(|step| (step.place.line, step.place.entry)).collect();
        Self { wanted, ..Self::default() }
    }

    /// The one with a block that begins at a place.
    pub(super) fn at(place: BlockPlace) -> Self {
        Self { wanted: HashSet::from([(place.line, place.entry)]), ..Self::default() }
    }

    /// The first line with a piece of what is shown.
    pub(super) fn first_line(&self) -> Option<LineId> {
        self.wanted.iter().map(|(line, _)| *line).min()
    }

    /// Takes the next piece.
    pub(super) fn push(
        &mut self,
        source: SourceId,
        parent: Option<ToolUseId<'_>>,
        place: BlockPlace,
        event: &StreamEvent<'_>,
    ) {
        let thread = (source, parent.map(|parent| parent.as_str().to_owned()));
        let current = self.current.entry(thread).or_default();
        if let StreamEvent::MessageStart(_) = event {
            current.end(&mut self.texts);
        }
        current.assembler.push(event, None);
        let beginning = (place.line, place.entry);
        if self.wanted.contains(&beginning)
            && let Some((index, _)) = current.assembler.message(None).and_then(|message| message.latest())
        {
            current.blocks.insert(index, beginning);
        }
    }

    /// Ends all messages.
    pub(super) fn finish(&mut self) {
        for (_, mut current) in std::mem::take(&mut self.current) {
            current.end(&mut self.texts);
        }
    }

    /// The text of the block that begins at a place.
    pub(super) fn text(&self, place: BlockPlace) -> Option<&str> {
        self.texts.get(&(place.line, place.entry)).map(String::as_str)
    }
}

impl Current {
    fn end(&mut self, texts: &mut HashMap<Beginning, String>) {
        let Some(message) = self.assembler.message(None) else { return };
        for (index, beginning) in self.blocks.drain() {
            let text = message.block_at(index).map(|block| block.text.clone()).filter(|text| !text.is_empty());
            texts.extend(text.map(|text| (beginning, text)));
        }
    }
}
