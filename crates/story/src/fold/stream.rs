//! Messages that are still being written: pieces of a stream, and the growing copies of old dumps.

use format::Envelope;
use format::assemble::{AssembledKind, Assembler};
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
    /// How many of its blocks are complete.
    whole: usize,
    /// The lines with pieces of the other blocks.
    lines: Vec<LineId>,
    /// The steps of the other blocks, by block number.
    steps: Vec<(usize, StepId)>,
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
        let id = message.id.clone().unwrap_or_default();
        let key = lane_key(lane);
        let mut partial = self.streams.partial.remove(&key).filter(|partial| *partial.message == *id);
        // A message that is never completed stays as it is.
        let partial = partial.get_or_insert_with(|| Partial { message: id.into(), ..Partial::default() });
        let is_spoken = message.model.as_deref().is_some_and(speaks_in_thinking);
        let blocks: Vec<(usize, StepKind)> = message
            .blocks()
            .enumerate()
            .skip(partial.whole)
            .filter_map(|(number, block)| match block.kind {
                AssembledKind::Text | AssembledKind::Thinking
                    if !block.text.trim().is_empty() && (is_spoken || block.kind == AssembledKind::Text) =>
                {
                    let (preview, length) = (preview(&block.text), length(&block.text));
                    Some((number, StepKind::Reply(Reply { preview, length, partial: true })))
                }
                AssembledKind::Thinking => {
                    Some((number, StepKind::Thinking(Thinking { length: length(&block.text), partial: true })))
                }
                _ => None,
            })
            .collect();
        for (number, kind) in blocks {
            match partial.steps.iter().find(|(block, _)| *block == number) {
                Some((_, step)) => {
                    self.change_step(*step, |step| step.kind = kind);
                }
                None => {
                    if let Placed::New(node) = self.place(spot, envelope, NodeKind::Assistant, None) {
                        partial.steps.push((number, self.add_step(node, spot.block(number), kind)));
                    }
                }
            }
        }
        let is_shown = !partial.steps.is_empty();
        if is_shown {
            partial.lines.push(spot.line);
        }
        self.streams.partial.insert(key, std::mem::take(partial));
        if is_shown { Fate::Shown } else { self.bookkeeping("stream_event") }
    }

    /// Marks blocks as complete: their pieces are no longer shown.
    pub(super) fn finish_partial(&mut self, lane: LaneId, message: &str, blocks: usize) {
        let partial = self.streams.partial.get_mut(&lane_key(lane)).filter(|partial| *partial.message == *message);
        let Some(partial) = partial else { return };
        partial.whole = partial.whole.saturating_add(blocks);
        let whole = partial.whole;
        let finished: Vec<StepId> =
            partial.steps.extract_if(.., |(block, _)| *block < whole).map(|(_, step)| step).collect();
        let lines = if partial.steps.is_empty() { std::mem::take(&mut partial.lines) } else { Vec::new() };
        let fate = self.bookkeeping("stream_event");
        for line in lines {
            self.set_fate(line, fate);
        }
        self.changed.extend(finished.iter().copied());
        self.absorbed.extend(finished);
    }
}
