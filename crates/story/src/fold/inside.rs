//! Entries of agents inside progress entries of their parent (docs/format B.5, 2.1.12 to 2.1.81).
//!
//! Often they are all that is left of an agent. If the agent has a file of its own, its lines are richer and say what
//! follows what; each of them takes the place of its copy, in whichever order the two are read.

use format::block::{Block, Content};
use format::entry::User;
use format::id::{AgentId, ToolUseId};
use format::tool::Structured;
use format::{Body, Entry, Envelope, Time};

use super::agents::LaneId;
use super::node::{NodeId, NodeKind, content_key};
use super::{Reader, Spot, StoryBuilder};
use crate::accounting::Fate;
use crate::key::Key;
use crate::place::BlockPlace;

/// The results in an entry, with what is needed to read them.
#[derive(Clone, Copy)]
pub(super) struct Answers<'r> {
    pub(super) user: &'r User<'r>,
    pub(super) structured: Option<&'r Structured<'r>>,
    pub(super) reader: &'r Reader,
}

impl StoryBuilder {
    /// Adds the entry of an agent that a progress entry carries. `None` if it shows nothing.
    pub(super) fn inside(
        &mut self,
        spot: Spot,
        call: Option<ToolUseId<'_>>,
        entry: &mut Entry<'_>,
        reader: &Reader,
    ) -> Option<Fate> {
        let content = entry.body.message()?.content.as_ref()?;
        if matches!(content, Content::Blocks(blocks) if blocks.is_empty()) {
            return None;
        }
        let agent = entry.envelope.agent_id.map(AgentId::as_str).filter(|agent| !agent.is_empty());
        let lane = match (agent, call) {
            (Some(agent), _) => self.agent_lane(agent),
            (None, Some(call)) => self.stream_lane(call.as_str()),
            (None, None) => return None,
        };
        let at = entry.envelope.timestamp.and_then(Time::milliseconds).or(spot.at);
        let spot = Spot { at, inside: Some(lane), ..spot };
        self.known.note(&entry.envelope, at, false, true);
        let structured = entry.body.take_structured();
        let fate = match &entry.body {
            Body::User(user) => self.user(spot, &entry.envelope, user, structured, reader),
            Body::Assistant(assistant) => self.assistant(spot, &entry.envelope, assistant, reader),
            _ => return None,
        };
        match fate {
            Fate::Bookkeeping(_) => None,
            Fate::Shown => Some(self.earlier_call(lane, &entry.body).unwrap_or(Fate::Shown)),
            fate => Some(fate),
        }
    }

    /// The fate of an entry without steps whose calls another line shows.
    fn earlier_call(&self, lane: LaneId, body: &Body<'_>) -> Option<Fate> {
        let node = self.lanes.get(lane.index())?.last_inside.and_then(|node| self.nodes.get(node.index()))?;
        if node.steps().next().is_some() {
            return None;
        }
        let blocks = body.message()?.content.as_ref()?.blocks();
        let call = blocks.iter().find_map(|block| self.calls.get(&Key::of(block.call()?.id?.as_str())))?;
        Some(Fate::Duplicate(self.story.step(*call)?.place.line))
    }

    pub(super) fn set_last_inside(&mut self, lane: LaneId, node: NodeId) {
        self.has_inside = true;
        if let Some(lane) = self.lanes.get_mut(lane.index()) {
            lane.last_inside = Some(node);
        }
    }

    /// Pairs an entry in an agent's own file with its copy inside a progress entry. `None` if there is no such pair.
    pub(super) fn known_from_progress(
        &mut self,
        spot: Spot,
        envelope: &Envelope<'_>,
        kind: NodeKind,
        content: Option<Key>,
        answers: Option<Answers<'_>>,
    ) -> Option<Fate> {
        if !self.has_inside {
            return None;
        }
        let node = self.by_uuid.get(Key::of(envelope.uuid?.as_str()))?;
        let known = self.nodes.get(node.index())?;
        if let Some(lane) = spot.inside {
            let copied_from = known.line;
            if known.lane != lane {
                return None;
            }
            self.set_last_inside(lane, node);
            return Some(Fate::Duplicate(copied_from));
        }
        // The copy of a prompt is a block even if the prompt is plain text.
        let is_prompt =
            || matches!(kind, NodeKind::Prompt | NodeKind::Meta) && (known.kind, known.at()) == (kind, spot.at);
        let is_same = |key: Key| self.by_content.get(key) == Some(node);
        let is_copy = known.inside && (is_prompt() || content_key(spot, envelope, kind, content).is_some_and(is_same));
        if !is_copy || self.is_captured(spot) {
            return None;
        }
        let lane = known.lane;
        (self.lane_of(spot, envelope) == lane).then(|| self.take_place(node, spot, envelope, answers))
    }

    /// Moves a node from the progress entry to its own line.
    fn take_place(&mut self, node: NodeId, spot: Spot, envelope: &Envelope<'_>, answers: Option<Answers<'_>>) -> Fate {
        let Some(lane) = self.nodes.get(node.index()).map(|node| node.lane) else { return Fate::Shown };
        let parent = self.parent_of(spot, envelope, node, lane);
        let Some(known) = self.nodes.get_mut(node.index()) else { return Fate::Shown };
        let copied_from = known.line;
        (known.parent, known.order, known.inside) = (parent, spot.line, false);
        for step in known.steps() {
            self.change_step(step, |step| {
                step.place = BlockPlace { line: spot.line, entry: spot.entry, ..step.place };
            });
        }
        if let Some(lane) = self.lanes.get_mut(lane.index()) {
            lane.last = Some(node);
        }
        if let Some(Answers { user, structured, reader }) = answers {
            let content = user.message.as_ref().and_then(|message| message.content.as_ref());
            let blocks = content.map_or(&[][..], Content::blocks);
            let is_single = blocks.iter().filter_map(Block::as_result).count() == 1;
            for (number, block) in blocks.iter().enumerate() {
                let Some(result) = block.as_result() else { continue };
                let structured = structured.filter(|_| is_single).cloned();
                self.answer_again((copied_from, spot.block(number)), spot.at, result, structured, (user, reader));
            }
        }
        match self.story.lines.get(copied_from.index()).map(|(_, fate)| *fate) {
            Some(Fate::Shown) => {
                self.set_fate(copied_from, Fate::Duplicate(spot.line));
                Fate::Shown
            }
            _ => Fate::Duplicate(copied_from),
        }
    }
}
