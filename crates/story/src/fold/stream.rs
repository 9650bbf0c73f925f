//! Messages that are still being written: pieces of a stream, and the growing copies of old dumps.

use format::Envelope;
use format::assemble::{AssembledKind, Assembler};
use format::entry::stream::StreamPart;
use format::id::ToolUseId;

use super::agents::LaneId;
use super::assistant::length;
use super::node::{NodeKind, Placed};
use super::{Spot, Teller};
use crate::accounting::Fate;
use crate::key::{Key, KeyMap};
use crate::place::LineId;
use crate::preview::preview;
use crate::step::{Reply, StepId, StepKind, Thinking};

/// What is being written, lane by lane.
#[derive(Debug, Default)]
pub(super) struct Streams {
    assembler: Assembler,
    partial: KeyMap<Partial>,
    last: KeyMap<LastText>,
}

/// A message of which only pieces are there.
#[derive(Debug, Default)]
struct Partial {
    message: Box<str>,
    /// The lines of its pieces.
    lines: Vec<LineId>,
    /// A step for each of its blocks.
    steps: Vec<StepId>,
}

/// The last text of a lane.
#[derive(Debug)]
struct LastText {
    message: Key,
    beginning: Key,
    length: usize,
    step: StepId,
}

fn lane_key(lane: LaneId) -> Key {
    Key::NONE.and(lane.index() as u64)
}

impl Streams {
    /// The step of the same message that said the beginning of this text.
    pub(super) fn grows(&self, lane: LaneId, message: &str, text: &str) -> Option<StepId> {
        let last = self.last.get(&lane_key(lane)).filter(|last| last.message == Key::of(message) && last.length > 0)?;
        let beginning = text.get(..last.length)?;
        (!message.is_empty() && Key::of(beginning) == last.beginning).then_some(last.step)
    }

    pub(super) fn said(&mut self, lane: LaneId, message: &str, text: &str, step: StepId) {
        let last = LastText { message: Key::of(message), beginning: Key::of(text), length: text.len(), step };
        self.last.insert(lane_key(lane), last);
    }
}

impl Teller {
    /// Takes a piece of a message. As long as there is no more, the pieces are told.
    pub(super) fn stream_part(&mut self, spot: Spot, envelope: &Envelope<'_>, part: &StreamPart<'_>) -> Fate {
        let Some(event) = &part.event else { return self.bookkeeping("stream_event") };
        let parent = envelope.parent_tool_use_id.map(ToolUseId::as_str);
        let lane = self.lane_of(spot, envelope);
        self.streams.assembler.push(event, parent);
        let Some(message) = self.streams.assembler.message(parent) else { return self.bookkeeping("stream_event") };
        let id = message.id.clone().unwrap_or_default();
        let blocks: Vec<StepKind> = message
            .blocks()
            .filter_map(|block| match block.kind {
                AssembledKind::Text if !block.text.is_empty() => {
                    let (preview, length) = (preview(&block.text), length(&block.text));
                    Some(StepKind::Reply(Reply { preview, length, partial: true }))
                }
                AssembledKind::Thinking => {
                    Some(StepKind::Thinking(Thinking { length: length(&block.text), partial: true }))
                }
                _ => None,
            })
            .collect();
        let key = lane_key(lane);
        if self.streams.partial.get(&key).is_none_or(|partial| *partial.message != *id) {
            // One that was never finished stays as it is.
            self.streams.partial.insert(key, Partial { message: id.into(), ..Partial::default() });
        }
        let Some(mut partial) = self.streams.partial.remove(&key) else { return Fate::Told };
        partial.lines.push(spot.line);
        for (number, kind) in blocks.into_iter().enumerate() {
            match partial.steps.get(number) {
                Some(step) => {
                    self.change_step(*step, |step| step.kind = kind);
                }
                None => {
                    if let Placed::New(node) = self.place(spot, envelope, NodeKind::Assistant, None) {
                        partial.steps.push(self.add_step(node, spot.block(number), kind));
                    }
                }
            }
        }
        self.streams.partial.insert(key, partial);
        Fate::Told
    }

    /// The whole message is there: its pieces need not be told any more.
    pub(super) fn finish_partial(&mut self, lane: LaneId, message: &str) {
        let key = lane_key(lane);
        if self.streams.partial.get(&key).is_none_or(|partial| *partial.message != *message) {
            return;
        }
        let Some(partial) = self.streams.partial.remove(&key) else { return };
        let fate = self.bookkeeping("stream_event");
        partial.lines.into_iter().for_each(|line| self.set_fate(line, fate));
        self.changed.extend(partial.steps.iter().copied());
        self.absorbed.extend(partial.steps);
    }
}
