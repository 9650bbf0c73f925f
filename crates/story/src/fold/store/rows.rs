//! The stored form of lines and nodes. There are very many, each similar to the one before, so most numbers are stored
//! as differences, which take one byte.

use serde::{Deserialize, Serialize};

use super::bytes::{Bytes, Writer};
use crate::accounting::Fate;
use crate::fold::agents::LaneId;
use crate::fold::node::{Node, NodeId, NodeKind};
use crate::key::Key;
use crate::place::{LineId, Span};
use crate::step::{Millis, StepId};

/// The values of preceding rows.
#[derive(Debug, Default)]
pub(super) struct Before {
    rows: usize,
    steps: usize,
    line: usize,
    at: Millis,
    message: u64,
}

impl Before {
    /// The distance of a line from the last one.
    pub(super) fn put_line(&mut self, line: LineId) -> i64 {
        let before = std::mem::replace(&mut self.line, line.index());
        distance(before, self.line)
    }

    pub(super) fn take_line(&mut self, distance: i64) -> Option<LineId> {
        self.line = moved(self.line, distance)?;
        Some(LineId::new(self.line))
    }

    /// The distance of a time from the last known one.
    pub(super) fn put_time(&mut self, at: Option<Millis>) -> Option<i64> {
        let at = at?;
        Some(at.wrapping_sub(std::mem::replace(&mut self.at, at)))
    }

    pub(super) fn take_time(&mut self, difference: Option<i64>) -> Option<Millis> {
        self.at = self.at.wrapping_add(difference?);
        Some(self.at)
    }
}

/// Whether the year has four digits, as in all times read from lines.
pub(super) fn is_moment(at: Millis) -> bool {
    const TEN_THOUSAND_YEARS: u64 = 400_000_000_000_000;
    at.unsigned_abs() < TEN_THOUSAND_YEARS
}

/// The distance from one index to another.
pub(super) fn distance(from: usize, to: usize) -> i64 {
    let number = |index: usize| i64::try_from(index).unwrap_or(i64::MAX);
    number(to) - number(from)
}

/// The index at a distance from another; `None` if it is out of range.
pub(super) fn moved(from: usize, distance: i64) -> Option<usize> {
    let index = i64::try_from(from).ok()?.checked_add(distance)?;
    u32::try_from(index).ok().map(|index| index as usize)
}

/// The position of a line.
#[derive(Debug, Serialize, Deserialize)]
enum LinePlace {
    /// Directly after the previous line, with this length.
    Next(u32),
    /// Anywhere else.
    At(Span),
}

/// The minimum size of a line, in bytes.
pub(super) const LEAST_OF_LINE: usize = 3;

pub(super) fn put_line(to: &mut Writer, (span, fate): (Span, Fate), before: Option<Span>) -> Option<()> {
    let is_next = before.and_then(|before| next(before, span.length)) == Some(span);
    let place = if is_next { LinePlace::Next(span.length) } else { LinePlace::At(span) };
    to.put(&(place, fate))
}

pub(super) fn take_line(from: &mut Bytes<'_>, before: Option<Span>) -> Option<(Span, Fate)> {
    let (place, fate) = from.take()?;
    let span = match place {
        LinePlace::Next(length) => next(before?, length)?,
        LinePlace::At(span) => span,
    };
    Some((span, fate))
}

/// The span after this one in the usual case: a single line, separated by a newline.
fn next(before: Span, length: u32) -> Option<Span> {
    let end = before.offset.checked_add(u64::from(before.length))?;
    let number = before.number.checked_add(before.lines)?;
    Some(Span { source: before.source, number, offset: end.checked_add(1)?, length, lines: 1 })
}

/// A node. Its keys follow it.
#[derive(Debug, Serialize, Deserialize)]
struct NodeRow {
    /// The distance back to the parent; 0 if there is none.
    parent: i64,
    lane: LaneId,
    kind: NodeKind,
    line: i64,
    message: Message,
    at: Option<i64>,
    step_count: u32,
    has_uuid: bool,
    has_content: bool,
    rare: Option<Rare>,
}

/// Fields that few nodes have.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Rare {
    /// The distance of its position from its line.
    order: i64,
    copy_of: Option<NodeId>,
    inherited: Option<StepId>,
    /// How many steps before its own belong to no node.
    skipped_steps: usize,
    inside: bool,
}

/// The API message of a node.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Message {
    None,
    /// The same as the last one.
    Same,
    Other,
}

/// The keys that find a node.
#[derive(Debug, Default)]
pub(super) struct NodeKeys {
    pub(super) uuid: Option<Key>,
    pub(super) content: Option<Key>,
}

/// The minimum size of a node, in bytes.
pub(super) const LEAST_OF_NODE: usize = 10;

pub(super) fn put_node(to: &mut Writer, node: &Node, keys: &NodeKeys, before: &mut Before) -> Option<()> {
    let Node { parent, lane, kind, order, line, message, copy_of, inherited, inside, at: _, first_step, step_count } =
        node;
    let number = before.rows;
    before.rows += 1;
    let first = first_step.map_or(before.steps, StepId::index);
    let rare = Rare {
        order: distance(line.index(), order.index()),
        copy_of: *copy_of,
        inherited: *inherited,
        skipped_steps: first.checked_sub(before.steps)?,
        inside: *inside,
    };
    before.steps = first + *step_count as usize;
    let row = NodeRow {
        parent: parent.map_or(0, |parent| distance(parent.index(), number)),
        lane: *lane,
        kind: *kind,
        line: before.put_line(*line),
        message: match *message {
            0 => Message::None,
            message if message == std::mem::replace(&mut before.message, message) => Message::Same,
            _ => Message::Other,
        },
        at: before.put_time(node.at()),
        step_count: *step_count,
        has_uuid: keys.uuid.is_some(),
        has_content: keys.content.is_some(),
        rare: (rare != Rare::default()).then_some(rare),
    };
    to.put(&row)?;
    let message = (row.message == Message::Other).then_some(Key(*message));
    [message, keys.uuid, keys.content].into_iter().flatten().try_for_each(|key| to.put_key(key))
}

/// Reads a node, if it is valid and its steps lie within `steps`.
pub(super) fn take_node(from: &mut Bytes<'_>, steps: usize, before: &mut Before) -> Option<(Node, NodeKeys)> {
    let row: NodeRow = from.take()?;
    let number = before.rows;
    before.rows += 1;
    let parent = if row.parent == 0 { None } else { Some(moved(number, row.parent.checked_neg()?)?) };
    let rare = row.rare.unwrap_or_default();
    let first = before.steps.checked_add(rare.skipped_steps)?;
    before.steps = first.checked_add(row.step_count as usize).filter(|end| *end <= steps)?;
    let line = before.take_line(row.line)?;
    let at = before.take_time(row.at);
    if !at.is_none_or(is_moment) {
        return None;
    }
    let message = match row.message {
        Message::None => 0,
        Message::Same => before.message,
        Message::Other => {
            before.message = from.take_key()?.0;
            before.message
        }
    };
    let node = Node {
        parent: parent.map(NodeId::new),
        lane: row.lane,
        kind: row.kind,
        order: LineId::new(moved(line.index(), rare.order)?),
        line,
        message,
        copy_of: rare.copy_of,
        inherited: rare.inherited,
        inside: rare.inside,
        at: at.unwrap_or(Node::NEVER),
        first_step: (row.step_count > 0).then(|| StepId::new(first)),
        step_count: row.step_count,
    };
    let mut keys = NodeKeys::default();
    if row.has_uuid {
        keys.uuid = Some(from.take_key()?);
    }
    if row.has_content {
        keys.content = Some(from.take_key()?);
    }
    Some((node, keys))
}
