//! A session that was captured and also has its own file, which is the richer source.
//!
//! The conversation comes from the session's own file. The captured copy of it only locates the messages that streams
//! alone contain: how runs began and ended, what they cost, which calls were denied.

use format::id::hash;
use format::{Body, Entry};

use super::node::NodeId;
use super::{Spot, StoryBuilder};
use crate::accounting::Fate;
use crate::key::Key;
use crate::source::Role;

impl StoryBuilder {
    /// The fate of a captured line that the session's own file contains, or is going to. `None` if it does not.
    pub(super) fn captured_again(&mut self, spot: Spot, entry: &Entry<'_>) -> Option<Fate> {
        if !self.is_captured(spot) {
            return None;
        }
        if let Some(node) = self.same_in_own_file(entry) {
            self.capture_at = Some(node);
            return self.nodes.get(node.index()).map(|node| Fate::Duplicate(node.line));
        }
        match entry.body {
            Body::User(_) | Body::Assistant(_) | Body::StreamEvent(_) => {
                Some(self.bookkeeping_of("only captured/", entry.body.kind()))
            }
            _ => None,
        }
    }

    /// Whether a line was captured from a session that has its own file.
    pub(super) fn is_captured(&self, spot: Spot) -> bool {
        *self.role(spot) == Role::Capture
    }

    /// The node of the same entry: by its id, by its calls and results, or by its message, if that follows soon.
    /// Entries in old streams have no ids.
    fn same_in_own_file(&self, entry: &Entry<'_>) -> Option<NodeId> {
        let own = |node: &NodeId| {
            let span = self.nodes.get(node.index()).and_then(|node| self.story.span(node.line));
            let source = span.and_then(|span| self.story.source(span.source));
            source.is_some_and(|source| source.role != Role::Capture)
        };
        let by_id = entry.envelope.uuid.and_then(|uuid| self.by_uuid.get(Key::of(uuid.as_str()))).filter(own);
        let blocks = entry.body.message().and_then(|message| message.content.as_ref());
        let by_call = || {
            let mut calls = blocks?.blocks().iter().filter_map(|block| block.call()?.id);
            let call = calls.find_map(|id| self.calls.get(&Key::of(id.as_str())))?;
            let line = self.story.steps.get(call.index())?.place.line;
            // Nodes are in the order of their lines.
            let at = self.nodes.partition_point(|node| node.line < line);
            self.nodes.get(at).filter(|node| node.line == line).map(|_| NodeId::new(at))
        };
        let by_message = || {
            // Both sources contain the same things in the same order.
            const SOON: usize = 64;
            let message = hash(&[entry.body.message()?.id?.as_str().as_bytes()]);
            let from = match self.capture_at.and_then(|at| Some((at, self.nodes.get(at.index())?))) {
                Some((at, _)) if own(&at) => at.index(),
                // A captured node has the position of a node of the file.
                Some((_, node)) if node.order != node.line => {
                    self.nodes.partition_point(|other| other.line < node.order)
                }
                _ => 0,
            };
            let at = self.nodes.get(from..)?.iter().take(SOON).position(|node| node.message == message)?;
            Some(NodeId::new(from + at))
        };
        by_id.or_else(|| by_call().filter(own)).or_else(|| by_message().filter(own))
    }
}
