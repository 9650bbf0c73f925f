//! Messages that are still being written: pieces of a stream, and the growing copies of old dumps.

use std::collections::BTreeMap;

use format::Envelope;
use format::assemble::{Assembled, AssembledBlock, AssembledKind, Assembler};
use format::entry::stream::StreamPart;
use format::id::ToolUseId;
use format::message::speaks_in_thinking;
use serde::{Deserialize, Serialize};

use super::agents::LaneId;
use super::assistant::length;
use super::node::{NodeKind, Placed};
use super::{Spot, StoryBuilder};
use crate::accounting::Fate;
use crate::key::{Key, KeyMap, in_order};
use crate::place::LineId;
use crate::preview::preview;
use crate::step::{Reply, StepId, StepKind, Thinking};

/// The open messages, by lane.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Streams {
    assembler: Assembler,
    #[serde(serialize_with = "in_order")]
    partial: KeyMap<Partial>,
    #[serde(serialize_with = "in_order")]
    last: KeyMap<LastMessage>,
    /// Whether the current message may repeat and extend what it said before.
    #[serde(skip)]
    may_grow: bool,
}

impl Streams {
    /// Whether no message is being written.
    pub(super) fn is_idle(&self) -> bool {
        self.partial.is_empty()
    }
}

/// A message of which only pieces have arrived.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Partial {
    message: Box<str>,
    /// [`Assembled::number`] of the message.
    number: u64,
    /// The call whose agent writes it.
    parent: Option<Box<str>>,
    /// The index of its last complete block.
    whole: Option<i64>,
    /// How many more blocks are complete, of which no piece has arrived.
    whole_unseen: usize,
    /// The lines with pieces of the other blocks.
    lines: Vec<LineId>,
    /// The steps of the other blocks, by their index.
    steps: BTreeMap<i64, StepId>,
}

impl Partial {
    /// Whether a block, of which a piece has arrived, is complete.
    fn is_whole(&mut self, index: i64) -> bool {
        let is_later = self.whole.is_none_or(|whole| index > whole);
        if is_later && self.whole_unseen > 0 && !self.steps.contains_key(&index) {
            self.whole_unseen -= 1;
            self.whole = Some(index);
        }
        self.whole.is_some_and(|whole| index <= whole)
    }

    /// Counts the next blocks as complete. Returns the steps that showed their pieces.
    fn finish(&mut self, message: Option<&Assembled>, blocks: usize) -> BTreeMap<i64, StepId> {
        let whole = self.whole;
        let begun = message.into_iter().flat_map(|message| message.indices_after(whole));
        let mut missing = blocks;
        for index in begun.take(blocks) {
            self.whole = Some(index);
            missing -= 1;
        }
        self.whole_unseen = self.whole_unseen.saturating_add(missing);
        let Some(whole) = self.whole else { return BTreeMap::new() };
        let open = whole.checked_add(1).map(|open| self.steps.split_off(&open)).unwrap_or_default();
        std::mem::replace(&mut self.steps, open)
    }
}

/// The texts of the last message of a lane so far.
#[derive(Debug, Serialize, Deserialize)]
struct LastMessage {
    message: Key,
    texts: Vec<Said>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Said {
    is_thought: bool,
    text: Key,
    length: usize,
    step: StepId,
}

fn lane_key(lane: LaneId) -> Key {
    Key::NONE.and(lane.index() as u64)
}

impl Streams {
    /// Opens a message. Only streams contain growing copies: in a transcript, repeated text was said twice.
    pub(super) fn open(&mut self, lane: LaneId, message: &str, is_stream: bool) {
        self.may_grow = is_stream && !message.is_empty();
        let (lane, message) = (lane_key(lane), Key::of(message));
        if self.may_grow && self.last.get(&lane).is_none_or(|last| last.message != message) {
            self.last.insert(lane, LastMessage { message, texts: Vec::new() });
        }
    }

    /// The step of the open message that contains the beginning of this text.
    pub(super) fn grows(&mut self, lane: LaneId, is_thought: bool, text: &str) -> Option<StepId> {
        let texts = &mut self.last.get_mut(&lane_key(lane)).filter(|_| self.may_grow)?.texts;
        let begins = |said: &&mut Said| {
            let beginning = text.get(..said.length);
            said.is_thought == is_thought && beginning.is_some_and(|beginning| Key::of(beginning) == said.text)
        };
        let said = texts.iter_mut().find(begins)?;
        (said.text, said.length) = (Key::of(text), text.len());
        Some(said.step)
    }

    pub(super) fn said(&mut self, lane: LaneId, is_thought: bool, text: &str, step: StepId) {
        // A message has few blocks; one with many does not grow by copies.
        const MOST: usize = 50;
        let texts = self.last.get_mut(&lane_key(lane)).filter(|_| self.may_grow).map(|last| &mut last.texts);
        if let Some(texts) = texts.filter(|texts| texts.len() < MOST && !text.is_empty()) {
            texts.push(Said { is_thought, text: Key::of(text), length: text.len(), step });
        }
    }
}

impl StoryBuilder {
    /// Reads a piece of a message. The pieces are shown until the complete message arrives.
    pub(super) fn stream_part(&mut self, spot: Spot, envelope: &Envelope<'_>, part: &StreamPart<'_>) -> Fate {
        let Some(event) = &part.event else { return self.bookkeeping("stream_event") };
        let parent = envelope.parent_tool_use_id.map(ToolUseId::as_str);
        let lane = self.lane_of(spot, envelope);
        self.streams.assembler.push(event, parent);
        let Some(message) = self.streams.assembler.message(parent) else { return self.bookkeeping("stream_event") };
        let key = lane_key(lane);
        // An id may be long: it is compared once for each message, not for each piece.
        let is_same = |partial: &Partial| {
            partial.number == message.number || *partial.message == *message.id.as_deref().unwrap_or_default()
        };
        let mut partial = self.streams.partial.remove(&key).filter(is_same).unwrap_or_else(|| Partial {
            message: message.id.as_deref().unwrap_or_default().into(),
            parent: parent.map(Into::into),
            ..Partial::default()
        });
        partial.number = message.number;
        let is_spoken = message.model.as_deref().is_some_and(speaks_in_thinking);
        let grown = message.latest().filter(|(index, _)| !partial.is_whole(*index));
        // A message that is never completed stays as it is.
        if let Some((index, kind)) = grown.and_then(|(index, block)| Some((index, kind_of(block, is_spoken)?))) {
            match partial.steps.get(&index).copied() {
                Some(step) => {
                    self.change_step(step, |step| step.kind = kind);
                }
                None => {
                    if let Placed::New(node) = self.place(spot, envelope, NodeKind::Assistant, None) {
                        let number = usize::try_from(index).unwrap_or_default();
                        partial.steps.insert(index, self.add_step(node, spot.block(number), kind));
                    }
                }
            }
        }
        let is_shown = !partial.steps.is_empty();
        if is_shown {
            partial.lines.push(spot.line);
        }
        self.streams.partial.insert(key, partial);
        if is_shown { Fate::Shown } else { self.bookkeeping("stream_event") }
    }

    /// Marks blocks as complete: their pieces are no longer shown.
    pub(super) fn finish_partial(&mut self, lane: LaneId, message: &str, blocks: usize) {
        let partial = self.streams.partial.get_mut(&lane_key(lane)).filter(|partial| *partial.message == *message);
        let Some(partial) = partial else { return };
        let assembled = self.streams.assembler.message(partial.parent.as_deref());
        let assembled = assembled.filter(|assembled| assembled.id.as_deref().unwrap_or_default() == message);
        let finished = partial.finish(assembled, blocks);
        let lines = if partial.steps.is_empty() { std::mem::take(&mut partial.lines) } else { Vec::new() };
        let fate = self.bookkeeping("stream_event");
        for line in lines {
            self.set_fate(line, fate);
        }
        self.changed.extend(finished.values().copied());
        self.absorbed.extend(finished.into_values());
    }
}

/// The step that shows a block.
fn kind_of(block: &AssembledBlock, is_spoken: bool) -> Option<StepKind> {
    let length = length(&block.text);
    match (&block.kind, block.words()) {
        (AssembledKind::Text, Some(words)) => {
            Some(StepKind::Reply(Reply { preview: preview(words), length, partial: true }))
        }
        (AssembledKind::Thinking, Some(words)) if is_spoken => {
            Some(StepKind::Reply(Reply { preview: preview(words), length, partial: true }))
        }
        (AssembledKind::Thinking, _) => Some(StepKind::Thinking(Thinking { length, partial: true })),
        _ => None,
    }
}
