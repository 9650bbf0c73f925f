//! The model's replies, thinking and calls.

use format::Envelope;
use format::block::{Block, Content};
use format::entry::Assistant;
use format::id::{EntryId, MessageId, ToolUseId, hash};
use format::message::StopReason;
use format::{Raw, Text};

use super::agents::LaneId;
use super::node::{NodeId, NodeKind, Placed};
use super::{Reader, Spot, StoryBuilder};
use crate::accounting::Fate;
use crate::describe::notice;
use crate::key::Key;
use crate::place::{BlockPlace, LineId};
use crate::preview::preview;
use crate::step::{Compaction, Extent, Notice, NoticeKind, Reply, Severity, StepKind, Thinking, Trigger};

/// The key that identifies copies of an assistant entry.
pub(super) fn identity(assistant: &Assistant<'_>) -> (NodeKind, Option<Key>) {
    let Some(message) = &assistant.message else { return (NodeKind::Assistant, None) };
    let content = message.content.as_ref();
    let mut said = Key::of(message.id.map_or("", MessageId::as_str));
    let mut add = |text: &str| said = said.and(Key::of(text).0);
    if let Some(Content::Text(text)) = content {
        add(text);
    }
    for block in content.map_or(&[][..], Content::blocks) {
        match block {
            Block::Text(text) => add(text.text.map_or("", Text::as_str)),
            Block::Thinking(thinking) => {
                add(thinking.signature.or(thinking.thinking).map_or("", Text::as_str));
            }
            Block::RedactedThinking(thinking) => add(thinking.data.map_or("", Text::as_str)),
            block => add(block.call().and_then(|call| call.id).or(block.answers()).map_or("", ToolUseId::as_str)),
        }
    }
    (NodeKind::Assistant, Some(said))
}

impl StoryBuilder {
    pub(super) fn assistant(
        &mut self,
        spot: Spot,
        envelope: &Envelope<'_>,
        assistant: &Assistant<'_>,
        reader: &Reader,
    ) -> Fate {
        let (kind, words) = identity(assistant);
        if let Some(fate) = self.known_from_progress(spot, envelope, kind, words, None) {
            return fate;
        }
        let node = match self.place(spot, envelope, kind, words) {
            Placed::New(node) => node,
            Placed::Copy(original) => return Fate::Duplicate(original),
        };
        self.withdraw(&assistant.supersedes_uuids);
        let Some(message) = assistant.message.as_deref() else { return self.bookkeeping("assistant/empty") };
        let id = message.id.map_or("", MessageId::as_str);
        let lane = self.set_message(node, id);
        if let Some(model) = message.model {
            self.known.model(&model, spot.at);
        }
        let blocks = message.content.as_ref().map_or(&[][..], Content::blocks);
        self.finish_partial(lane, id, blocks.len().max(1));
        self.streams.open(lane, id, envelope.parent_uuid.is_none() && spot.inside.is_none());
        if self.begins_message(node)
            && let Some(notice) = notice::transformed(&message.input_transformations)
        {
            self.add_step(node, spot.block(0), notice);
        }
        let mut grown = None;
        if let Some(Content::Text(text)) = &message.content {
            grown = self.speech(node, spot, 0, text, assistant);
        }
        for (number, block) in blocks.iter().enumerate() {
            grown = self.block(node, spot, number, block, assistant, reader).or(grown);
        }
        let has_steps = self.nodes.get(node.index()).is_some_and(|node| node.steps().next().is_some());
        let announces = message.stop_reason == Some(StopReason::ToolUse);
        if let (Some(lane), true) = (self.lanes.get_mut(lane.index()), announces) {
            lane.announces = self.nodes.get(node.index()).and_then(|node| node.steps().last());
        }
        match grown {
            // This line now shows the content of the earlier one.
            Some(earlier) => {
                self.set_fate(earlier, Fate::Duplicate(spot.line));
                Fate::Shown
            }
            None if blocks.is_empty() && !has_steps => self.bookkeeping("assistant/empty"),
            None => Fate::Shown,
        }
    }

    /// Whether a node is the first of its API message. All lines of a message repeat its own fields.
    fn begins_message(&self, node: NodeId) -> bool {
        let Some(node) = self.nodes.get(node.index()) else { return true };
        let parent = node.parent.and_then(|parent| self.nodes.get(parent.index()));
        parent.is_none_or(|parent| parent.message != node.message)
    }

    /// Records the API message of a node; returns the lane.
    fn set_message(&mut self, node: NodeId, id: &str) -> LaneId {
        let Some(node) = self.nodes.get_mut(node.index()) else { return LaneId::MAIN };
        if !id.is_empty() {
            node.message = hash(&[id.as_bytes()]);
        }
        node.lane
    }

    /// Adds a block. For a growing copy, returns the line that contained less before.
    fn block(
        &mut self,
        node: NodeId,
        spot: Spot,
        number: usize,
        block: &Block<'_>,
        assistant: &Assistant<'_>,
        reader: &Reader,
    ) -> Option<LineId> {
        let place = spot.block(number);
        if let Some(call) = block.call() {
            let input = match block {
                Block::ToolUse(call) | Block::ServerToolUse(call) => (call.input.as_ref(), call.input_json),
                _ => (None, None),
            };
            self.call(node, place, call, input, &reader.calls);
            return None;
        }
        if let Some(result) = block.as_result() {
            self.result(node, place, result, None, None, reader);
            return None;
        }
        if let Some(result) = block.as_server_result() {
            let id = result.tool_use_id.map_or("", ToolUseId::as_str);
            let said = result.content.map_or("", Raw::as_json);
            let failed = result.is_error == Some(true) || said.contains("_tool_result_error\"");
            self.server_result(node, place, id, failed, &server_words(block, said));
            return None;
        }
        let kind = match block {
            Block::Text(text) => {
                return self.speech(node, spot, number, text.text.map_or("", Text::as_str), assistant);
            }
            Block::Thinking(thinking) if is_spoken(assistant, thinking) => {
                return self.speech(node, spot, number, thinking.thinking.map_or("", Text::as_str), assistant);
            }
            Block::Thinking(thinking) => {
                let text = thinking.thinking.filter(|text| !text.is_empty()).or(thinking.signature);
                let length = length(thinking.thinking.map_or("", Text::as_str));
                let kind = StepKind::Thinking(Thinking { length, partial: false });
                return self.utter(node, place, text.map_or("", Text::as_str), kind);
            }
            Block::RedactedThinking(_) => StepKind::Thinking(Thinking { length: 0, partial: false }),
            Block::Fallback(fallback) => {
                let name = |model: &Option<format::block::ModelName<'_>>| {
                    model.as_ref().and_then(|model| model.model).map_or("another model", Text::as_str).to_owned()
                };
                let text = preview(&format!("{} took over from {}", name(&fallback.to), name(&fallback.from)));
                let notice = Notice {
                    kind: NoticeKind::ModelChange,
                    severity: Severity::Warning,
                    text,
                    times: 1,
                    duration_ms: None,
                };
                StepKind::Notice(Box::new(notice))
            }
            Block::Compaction(compaction) => StepKind::Compaction(Box::new(Compaction {
                trigger: Trigger::Auto,
                tokens_before: None,
                tokens_after: None,
                preview: preview(compaction.content.map_or("", Text::as_str)),
                summary: Some(place),
                preserved: 0,
                extent: Extent::Whole,
            })),
            block => StepKind::Unknown(preview(block.kind())),
        };
        self.add_step(node, place, kind);
        None
    }

    /// Adds text. Text that begins with everything the message said before is a growing copy of it.
    fn speech(
        &mut self,
        node: NodeId,
        spot: Spot,
        number: usize,
        text: &str,
        assistant: &Assistant<'_>,
    ) -> Option<LineId> {
        let is_synthetic = assistant.is_api_error_message == Some(true)
            || assistant.message.as_ref().and_then(|message| message.model).is_some_and(|model| model == "<synthetic>");
        if is_synthetic && let Some(kind) = notice::synthetic(text, assistant) {
            self.add_step(node, spot.block(number), kind);
            return None;
        }
        let reply = StepKind::Reply(Reply { preview: preview(text), length: length(text), partial: false });
        self.utter(node, spot.block(number), text, reply)
    }

    /// Adds text or thinking. For a growing copy, returns the line that contained less before.
    fn utter(&mut self, node: NodeId, place: BlockPlace, text: &str, kind: StepKind) -> Option<LineId> {
        let lane = self.nodes.get(node.index()).map_or(LaneId::MAIN, |node| node.lane);
        let is_thought = matches!(kind, StepKind::Thinking(_));
        if let Some(earlier) = self.streams.grows(lane, is_thought, text) {
            return self.change_step(earlier, |step| {
                step.kind = kind;
                std::mem::replace(&mut step.place, place).line
            });
        }
        let step = self.add_step(node, place, kind);
        self.streams.said(lane, is_thought, text, step);
        None
    }

    /// Marks retracted entries.
    pub(super) fn withdraw(&mut self, uuids: &[EntryId<'_>]) {
        for uuid in uuids {
            let Some(node) = self.by_uuid.get(Key::of(uuid.as_str())) else { continue };
            let Some(node) = self.nodes.get_mut(node.index()) else { continue };
            // The conversation does not continue from here, nor does it branch here.
            node.kind = NodeKind::Beside;
            for step in node.steps() {
                self.change_step(step, |step| step.withdrawn = true);
            }
        }
    }
}

/// Whether thinking is text that the user saw between calls.
fn is_spoken(assistant: &Assistant<'_>, thinking: &format::block::Thinking<'_>) -> bool {
    thinking.thinking.is_some_and(|text| !text.trim().is_empty())
        && assistant.message.as_ref().is_some_and(|message| message.speaks_in_thinking())
}

/// A short description of the result of a tool that ran at the API.
fn server_words(block: &Block<'_>, json: &str) -> String {
    let found = json.matches("\"url\":").count();
    match block {
        Block::WebSearchResult(_) if found > 0 => human::plural(found as u64, "result"),
        _ => json.to_owned(),
    }
}

/// The length of a text, as far as a story needs it.
pub(super) fn length(text: &str) -> u32 {
    u32::try_from(text.len()).unwrap_or(u32::MAX)
}
