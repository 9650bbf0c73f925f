//! Nodes of the tree that entries form.

use format::Envelope;
use format::id::{EntryId, SessionId, is_uuid};
use serde::{Deserialize, Serialize};

use super::agents::LaneId;
use super::{Spot, StoryBuilder};
use crate::accounting::Fate;
use crate::key::Key;
use crate::number::{Number, numbered};
use crate::place::LineId;
use crate::source::Role;
use crate::step::{Joint, Millis, StepId, StepKind};

/// The index of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct NodeId(Number);

numbered!(NodeId);

/// An entry as part of the tree.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    /// The entry before it, if it exists and has been read.
    pub(crate) parent: Option<NodeId>,
    pub(crate) lane: LaneId,
    pub(crate) kind: NodeKind,
    /// Its position among all lines: usually its own line.
    pub(crate) order: LineId,
    /// Its line.
    pub(crate) line: LineId,
    /// The hash of the id of its API message ([`format::id::hash`]); 0 if there is none.
    pub(crate) message: u64,
    /// An earlier node with the same content and time.
    pub(crate) copy_of: Option<NodeId>,
    /// The joint with the session that it was copied from.
    pub(crate) inherited: Option<StepId>,
    /// Whether it is known only from a progress entry of the agent's parent.
    pub(crate) inside: bool,
    pub(super) at: Millis,
    pub(super) first_step: Option<StepId>,
    pub(super) step_count: u32,
}

/// The role of a node in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum NodeKind {
    /// A prompt: a turn begins here.
    Prompt,
    /// A reply, thinking or a call.
    Assistant,
    /// The result of a call.
    Result,
    /// Hidden context in the user's role.
    Meta,
    /// Anything else beside the conversation.
    Beside,
    /// A command, a shell escape or a memory of the user: a turn begins here, but the model may never see it.
    Command,
}

impl NodeKind {
    /// The kind by which copies are compared: one that was not parsed in full does not show that it is a command.
    const fn of_copy(self) -> Self {
        match self {
            Self::Prompt | Self::Command => Self::Prompt,
            Self::Assistant | Self::Result | Self::Meta | Self::Beside => self,
        }
    }
}

impl Node {
    /// Stands for an unknown time: no entry is that old.
    pub(super) const NEVER: Millis = Millis::MIN;

    pub(crate) fn at(&self) -> Option<Millis> {
        (self.at != Self::NEVER).then_some(self.at)
    }

    /// The steps of this node.
    pub(crate) fn steps(&self) -> impl Iterator<Item = StepId> + use<> {
        let first = self.first_step.map_or(0, StepId::index);
        (first..first + self.step_count as usize).map(StepId::new)
    }

    /// Adds the most recently created step.
    pub(super) fn add_step(&mut self, id: StepId) {
        self.first_step.get_or_insert(id);
        self.step_count = self.step_count.saturating_add(1);
    }
}

/// The key of an entry's content on its occasion: people repeat themselves, so that it is a copy only with the same time,
/// or at least the same id.
pub(super) fn content_key(spot: Spot, envelope: &Envelope<'_>, kind: NodeKind, content: Option<Key>) -> Option<Key> {
    let occasion = match (spot.at, envelope.uuid) {
        (Some(at), _) => at.unsigned_abs(),
        (None, Some(uuid)) => Key::of(uuid.as_str()).0,
        (None, None) => return None,
    };
    Some(content?.and(occasion).and(kind.of_copy() as u64))
}

/// The result of placing an entry into the tree.
pub(super) enum Placed {
    /// It is new.
    New(NodeId),
    /// It repeats this line.
    Copy(LineId),
}

impl StoryBuilder {
    /// Places an entry into the tree. `content` is a hash that identifies copies.
    pub(super) fn place(
        &mut self,
        spot: Spot,
        envelope: &Envelope<'_>,
        kind: NodeKind,
        content: Option<Key>,
    ) -> Placed {
        let lane = spot.inside.unwrap_or_else(|| self.lane_of(spot, envelope));
        let id = NodeId::new(self.nodes.len());
        let parent = self.parent_of(spot, envelope, id, lane);
        if let (NodeKind::Prompt, LaneId::MAIN, None, Some(tips)) = (kind.of_copy(), lane, parent, &self.tips) {
            let named = envelope.parent_uuid.or(envelope.logical_parent_uuid);
            self.goes_back |= named.is_some_and(|named| !tips.contains(&Key::of(named.as_str())));
        }
        let uuid = envelope.uuid.map(|uuid| Key::of(uuid.as_str()));
        let copy_of = self.original(spot, envelope, kind, content, id);
        let inherited = self.inherited_from(spot, envelope, copy_of);
        // An entry that was only captured goes where the capture is in the conversation.
        let captured = self.capture_at.filter(|_| self.is_captured(spot)).and_then(|at| self.nodes.get(at.index()));
        let order = captured.map_or(spot.line, |node| node.order);
        self.nodes.push(Node {
            parent,
            lane,
            kind,
            order,
            line: spot.line,
            message: 0,
            copy_of,
            inherited,
            inside: spot.inside.is_some(),
            at: spot.at.unwrap_or(Node::NEVER),
            first_step: None,
            step_count: 0,
        });
        if let Some(uuid) = uuid {
            self.by_uuid.insert(uuid, id);
            self.adopt(uuid, id);
        }
        if spot.inside.is_some() {
            self.set_last_inside(lane, id);
        } else if self.is_captured(spot) {
            self.capture_at = Some(id);
        } else if let Some(lane) = self.lanes.get_mut(lane.index()) {
            lane.last = Some(id);
        }
        self.settle_queue(id);
        match copy_of.and_then(|original| self.nodes.get(original.index())) {
            Some(original) => Placed::Copy(original.line),
            None => Placed::New(id),
        }
    }

    /// The entry before this one.
    pub(super) fn parent_of(
        &mut self,
        spot: Spot,
        envelope: &Envelope<'_>,
        id: NodeId,
        lane: LaneId,
    ) -> Option<NodeId> {
        // Entries inside progress entries have no parents: each follows the one before.
        if spot.inside.is_some() {
            return self.lanes.get(lane.index()).and_then(|lane| lane.last_inside);
        }
        // A compaction boundary has no parent but names the entry it follows.
        let named = envelope.parent_uuid.or(envelope.logical_parent_uuid);
        if let Some(named) = named.filter(|named| Some(*named) != envelope.uuid) {
            let key = Key::of(named.as_str());
            let known = self.by_uuid.get(key);
            if known.is_none() {
                self.parentless.entry(key).or_default().push(id);
            }
            return known;
        }
        if self.is_captured(spot)
            && let Some(at) = self.capture_at.and_then(|at| self.nodes.get(at.index()).map(|node| (at, node.lane)))
            && at.1 == lane
        {
            return Some(at.0);
        }
        // Streams and bookkeeping have no parents: each follows the one before.
        let is_linear = envelope.uuid.is_none()
            || envelope.session_id.is_none() && (self.is_main(spot) || *self.role(spot) == Role::Capture);
        self.lanes.get(lane.index()).and_then(|lane| lane.last).filter(|_| is_linear)
    }

    /// Makes a node the parent of the nodes that wait for it.
    fn adopt(&mut self, uuid: Key, id: NodeId) {
        for child in self.parentless.remove(&uuid).unwrap_or_default() {
            if let Some(child) = self.nodes.get_mut(child.index()) {
                child.parent = Some(id);
            }
        }
    }

    /// An earlier node with the same content, if there is one; otherwise this node is recorded as the first.
    fn original(
        &mut self,
        spot: Spot,
        envelope: &Envelope<'_>,
        kind: NodeKind,
        content: Option<Key>,
        id: NodeId,
    ) -> Option<NodeId> {
        // A copy has the time of its original: a node later than all before it is not a copy.
        let is_latest = spot.at > self.latest;
        self.latest = self.latest.max(spot.at);
        let by_uuid = |uuid: EntryId<'_>| self.by_uuid.get(Key::of(uuid.as_str()));
        let forked = envelope.forked_from.as_ref().and_then(|from| from.message_uuid);
        if let Some(original) = forked.and_then(by_uuid) {
            return self.first_of(original);
        }
        if !is_latest && let Some(original) = envelope.uuid.and_then(by_uuid) {
            let node = self.nodes.get(original.index());
            // Progress entries may contain only a part of the entry with this id.
            let is_whole = |node: &Node| {
                spot.at.is_some() && node.at() == spot.at && node.kind.of_copy() == kind.of_copy() && !node.inside
            };
            if node.is_some_and(is_whole) {
                return self.first_of(original);
            }
        }
        let key = content_key(spot, envelope, kind, content)?;
        if !is_latest && let Some(original) = self.by_content.get(key) {
            return self.first_of(original);
        }
        self.by_content.insert(key, id);
        None
    }

    /// The first of several copies.
    fn first_of(&self, node: NodeId) -> Option<NodeId> {
        Some(self.nodes.get(node.index())?.copy_of.unwrap_or(node))
    }

    /// The joint with the session that an entry was copied from.
    fn inherited_from(&mut self, spot: Spot, envelope: &Envelope<'_>, copy_of: Option<NodeId>) -> Option<StepId> {
        if !self.is_main(spot) {
            return None;
        }
        let own = self.story.source(spot.source).map_or("", |source| &source.session);
        let elsewhere = copy_of
            .and_then(|node| self.nodes.get(node.index()))
            .and_then(|node| self.story.span(node.line))
            .and_then(|span| self.story.source(span.source))
            .filter(|source| source.role == Role::Elsewhere);
        let session = match (elsewhere, &envelope.forked_from) {
            (Some(source), _) => source.session.clone(),
            (None, Some(from)) => from.session_id?.as_str().into(),
            // Old versions copied history with the ids of its session.
            (None, None) => {
                let id = envelope.session_id.map(SessionId::as_str).filter(|id| *id != own)?;
                Some(id).filter(|id| is_uuid(id) && is_uuid(own))?.into()
            }
        };
        Some(self.joint(spot, session))
    }

    /// The step that marks copied history, with its count of entries raised by one.
    fn joint(&mut self, spot: Spot, session: Box<str>) -> StepId {
        let key = Key::of(&session);
        if let Some(step) = self.joints.get(&key).copied() {
            self.change_step(step, |step| {
                if let StepKind::Joint(joint) = &mut step.kind {
                    joint.entries = joint.entries.saturating_add(1);
                }
            });
            return step;
        }
        let id = StepId::new(self.story.steps.len());
        let kind = StepKind::Joint(Box::new(Joint { session, entries: 1 }));
        self.story.steps.push(crate::step::Step { place: spot.block(0), at: None, withdrawn: false, kind });
        self.changed.push(id);
        self.joints.insert(key, id);
        id
    }

    /// Records an entry of another session, in case this one copies it.
    pub(super) fn elsewhere(&mut self, spot: Spot, entry: &format::Entry<'_>) -> Fate {
        let (kind, words) = match &entry.body {
            format::Body::User(user) => super::user::identity(user),
            format::Body::Assistant(assistant) => super::assistant::identity(assistant),
            _ => (NodeKind::Beside, None),
        };
        self.place(spot, &entry.envelope, kind, words);
        self.bookkeeping("elsewhere")
    }
}
