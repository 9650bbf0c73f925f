//! Serializes a story builder, so that it can resume without reading the lines again.
//!
//! Only the state that lines leave behind is stored. The arrangement is derived again when the story is requested.

mod bytes;
mod rows;
mod steps;

use format::id::ToolUseId;
use serde::{Serialize, Serializer};

use super::StoryBuilder;
use super::node::NodeId;
use crate::accounting::BookkeepingKind;
use crate::key::{Key, KeyIndex, KeyMap, in_order};
use crate::step::{StepId, StepKind};
use crate::story::Story;

use bytes::{Bytes, Writer};
use rows::{Before, LEAST_OF_LINE, LEAST_OF_NODE, NodeKeys, is_moment, put_line, put_node, take_line, take_node};
use steps::{LEAST_OF_STEP, Tools, put_step, take_step};

/// The start of the bytes. Raise the number whenever the same lines leave a different state.
const MAGIC: &[u8] = concat!("recount ", env!("CARGO_PKG_VERSION"), " story 11\n").as_bytes();

/// The size of the hash that follows.
const HASH: usize = size_of::<u64>();

impl StoryBuilder {
    /// The state, for [`Self::restore`]: a few hundredths of the size of the lines.
    ///
    /// Pending changes ([`Self::take_changes`]) are not part of it. `None` if it contains numbers that cannot be
    /// stored, or if this is a [`Self::successor`]; then the lines must be read again.
    ///
    /// ```
    /// use story::{Source, StoryBuilder};
    /// let mut builder = StoryBuilder::default();
    /// let source = builder.add_source(Source::default());
    /// for line in format::lines(br#"{"type":"user","uuid":"u1","message":{"role":"user","content":"hello"}}"#) {
    ///     builder.push(source, line);
    /// }
    /// let bytes = builder.store().unwrap();
    /// assert_eq!(StoryBuilder::restore(&bytes).unwrap().story(), builder.story());
    /// ```
    pub fn store(&self) -> Option<Vec<u8>> {
        // Avoids repeated reallocation.
        const BYTES_PER_LINE: usize = 150;
        let mut bytes = Vec::with_capacity(self.story.lines.len() * BYTES_PER_LINE);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&[0; HASH]);
        let mut to = Writer::after(bytes);
        self.write(&mut to)?;
        let mut bytes = to.finish()?;
        let (hash, content) = bytes.get_mut(MAGIC.len()..)?.split_first_chunk_mut::<HASH>()?;
        *hash = Key::of_bytes(content).0.to_le_bytes();
        Some(bytes)
    }

    /// Restores a stored builder, ready for the lines that follow.
    ///
    /// `None` if the bytes are damaged, or come from another version of the program.
    pub fn restore(bytes: &[u8]) -> Option<Self> {
        let (hash, content) = bytes.strip_prefix(MAGIC)?.split_first_chunk::<HASH>()?;
        if *hash != Key::of_bytes(content).0.to_le_bytes() {
            return None;
        }
        let mut from = Bytes(content);
        Self::read(&mut from).filter(|_| from.0.is_empty())
    }

    fn write(&self, to: &mut Writer) -> Option<()> {
        // Destructured so that a new field cannot be forgotten here. Ignored fields follow from the rest.
        #[rustfmt::skip]
        let Self {
            story, nodes, lanes, links, known, absorbed, leaf, joints, reader, by_uuid, parentless, by_content, latest,
            lane_by_key, calls, tools, orphans, queue, streams, kinds, task_calls, capture_at, tips,
            goes_back: _, listing: _, handed: _, has_main: _, has_inside: _, changed: _,
            // Only lines that were already in the file are repeated.
            earlier_lines: _, is_stale: _,
        } = self;
        // A successor does not have the whole state.
        if tips.is_some() {
            return None;
        }
        let Story { facts, tasks, threads: _, steps, sources, lines, kinds: names, foreign_calls: _, pieces } = story;
        let tools = Tools::of(tools);
        to.put(&(&facts.session_id, tasks, sources, named(kinds, names), tools.names()))?;

        let mut before = None;
        to.put(&lines.len())?;
        for line in lines {
            put_line(to, *line, before.replace(line.0))?;
        }
        let mut before = Before::default();
        to.put(&steps.len())?;
        for step in steps {
            put_step(to, step, &tools, &mut before)?;
        }
        let mut before = Before::default();
        to.put(&nodes.len())?;
        let keys = by_node(by_uuid, nodes.len()).into_iter().zip(by_node(by_content, nodes.len()));
        for (node, (uuid, content)) in nodes.iter().zip(keys) {
            put_node(to, node, &NodeKeys { uuid, content }, &mut before)?;
        }

        to.put(&(lanes, links, known, absorbed, leaf, latest, queue, streams, capture_at, pieces))?;
        to.put(&(InOrder(joints), InOrder(parentless), InOrder(lane_by_key), InOrder(orphans), InOrder(task_calls)))?;
        // A call with an empty id is in the map; one without an id is not, but looks the same in the list.
        to.put(&(reader.calls.list(), calls.get(&Key::of(""))))
    }

    fn read(from: &mut Bytes<'_>) -> Option<Self> {
        let mut builder = Self::default();
        let story = &mut builder.story;
        let kinds: Vec<(Key, Box<str>)>;
        let tools: Vec<(Key, &str)>;
        (story.facts.session_id, story.tasks, story.sources, kinds, tools) = from.take()?;
        builder.has_main = story.sources.iter().any(|source| source.role.is_main());
        for (number, (key, name)) in kinds.into_iter().enumerate() {
            builder.kinds.insert(key, BookkeepingKind(u16::try_from(number).ok()?));
            story.kinds.push(name);
        }
        builder.tools = tools.into_iter().map(|(key, name)| (key, name.into())).collect();
        let tools = Tools::of(&builder.tools);

        let mut before = None;
        let lines = from.take_count(LEAST_OF_LINE)?;
        story.lines.reserve(lines);
        for _ in 0..lines {
            let line = take_line(from, before)?;
            before = Some(line.0);
            story.lines.push(line);
        }
        let mut before = Before::default();
        let steps = from.take_count(LEAST_OF_STEP)?;
        story.steps.reserve(steps);
        let mut linked = Vec::new();
        for id in (0..steps).map(StepId::new) {
            let mut step = take_step(from, &tools, &mut before)?;
            if let StepKind::Call(call) = &step.kind
                && !call.id.is_empty()
            {
                builder.calls.insert(Key::of(&call.id), id);
            }
            if let Some(Some(_)) = step.kind.agent_mut() {
                linked.push(id);
            }
            story.steps.push(step);
        }
        let mut before = Before::default();
        let nodes = from.take_count(LEAST_OF_NODE)?;
        builder.nodes.reserve(nodes);
        builder.by_uuid.reserve(nodes);
        builder.by_content.reserve(nodes);
        for id in (0..nodes).map(NodeId::new) {
            let (node, keys) = take_node(from, steps, &mut before)?;
            builder.nodes.push(node);
            keys.uuid.into_iter().for_each(|key| builder.by_uuid.insert(key, id));
            keys.content.into_iter().for_each(|key| builder.by_content.insert(key, id));
        }

        (
            builder.lanes,
            builder.links,
            builder.known,
            builder.absorbed,
            builder.leaf,
            builder.latest,
            builder.queue,
            builder.streams,
            builder.capture_at,
            builder.story.pieces,
        ) = from.take()?;
        builder.has_inside = builder.lanes.iter().any(|lane| lane.last_inside.is_some());
        (builder.joints, builder.parentless, builder.lane_by_key, builder.orphans, builder.task_calls) = from.take()?;
        let (open_calls, nameless): (Vec<(&str, &str)>, Option<StepId>) = from.take()?;
        for (id, tool) in open_calls {
            builder.reader.calls.open(ToolUseId::from(id), tool);
        }
        builder.calls.extend(nameless.map(|call| (Key::of(""), call)));
        builder.links.linked = linked;
        // An empty builder has nothing to arrange.
        builder.is_stale = !builder.story.sources.is_empty() || !builder.lanes.is_empty();
        builder.known.times().chain(builder.latest).all(is_moment).then_some(builder)
    }
}

/// The names of kinds in the order of their numbers, with their keys.
fn named<'n>(kinds: &KeyMap<BookkeepingKind>, names: &'n [Box<str>]) -> Vec<(Key, &'n str)> {
    let mut keys: Vec<_> = kinds.iter().map(|(key, kind)| (kind.0, *key)).collect();
    keys.sort_unstable();
    keys.into_iter().zip(names).map(|((_, key), name)| (key, &**name)).collect()
}

/// The key of each node. No node has two.
fn by_node(index: &KeyIndex<NodeId>, nodes: usize) -> Vec<Option<Key>> {
    let mut keys = vec![None; nodes];
    for (key, node) in index.entries() {
        keys.get_mut(node.index()).into_iter().for_each(|slot| *slot = Some(key));
    }
    keys
}

/// A map that is serialized in the order of its keys.
struct InOrder<'m, T>(&'m KeyMap<T>);

impl<T: Serialize> Serialize for InOrder<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        in_order(self.0, serializer)
    }
}

#[cfg(test)]
mod tests;
