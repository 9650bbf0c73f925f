//! The fold: takes lines one at a time; the story is complete after each.
//!
//! Every entry becomes a node of a tree, and its content becomes steps on that node. The content of a step is settled
//! here, as its lines arrive; [`crate::arrange`] settles its position when the story is requested.

mod agents;
mod around;
mod assistant;
mod calls;
mod capture;
mod facts;
mod inside;
mod node;
mod queue;
mod store;
mod stream;
mod typed;
mod user;

pub(crate) use agents::{Lane, LaneId};
pub(crate) use node::{Node, NodeId, NodeKind};
pub(crate) use typed::is_command;
pub use user::{prompt_text, prompt_text_with};

use std::collections::BTreeSet;
use std::sync::Arc;

use format::tool::Calls;
use format::{Body, Entry, Line, Reach, Scope, Scratch, Time};
use rustc_hash::FxHashSet;

use crate::accounting::{BookkeepingKind, Fate};
use crate::arrange;
use crate::describe::notice;
use crate::facts::{Facts, Listing};
use crate::key::{Key, KeyIndex, KeyMap};
use crate::place::{BlockPlace, LineId, SourceId, Span};
use crate::source::{AgentNotes, Role, Source};
use crate::step::{CallState, Millis, NoticeKind, Step, StepId, StepKind};
use crate::story::Story;
use crate::tasks::TaskList;

use agents::Links;
use facts::{Handed, Known};
use queue::Queue;
use stream::Streams;

/// Builds a story from the lines of a session.
///
/// ```
/// use story::{Source, StoryBuilder};
/// let mut builder = StoryBuilder::default();
/// let source = builder.add_source(Source::default());
/// let file = br#"{"type":"user","uuid":"u1","message":{"role":"user","content":"add retries"}}
/// {"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"content":[{"type":"text","text":"Done."}]}}"#;
/// for line in format::lines(file) {
///     builder.push(source, line);
/// }
/// let (_, main) = builder.story().threads().next().unwrap();
/// assert_eq!((main.turns.len(), main.steps.len()), (1, 2));
/// ```
#[derive(Debug, Default)]
pub struct StoryBuilder {
    pub(crate) story: Story,
    pub(crate) nodes: Vec<Node>,
    pub(crate) lanes: Vec<Lane>,
    pub(crate) links: Links,
    pub(crate) known: Known,
    /// Steps that are part of another one, such as a result of its call.
    pub(crate) absorbed: BTreeSet<StepId>,
    /// The last entry of the conversation according to the program, and the line that says so.
    pub(crate) leaf: Option<(LineId, Key)>,
    /// Sessions that history was copied from, with the joint of each.
    pub(crate) joints: KeyMap<StepId>,
    reader: Reader,
    by_uuid: KeyIndex<NodeId>,
    /// Nodes whose parent has not been read yet.
    parentless: KeyMap<Vec<NodeId>>,
    /// Nodes by content and time: a second one is a copy.
    by_content: KeyIndex<NodeId>,
    /// The latest time of all nodes.
    latest: Option<Millis>,
    lane_by_key: KeyMap<LaneId>,
    calls: KeyMap<StepId>,
    tools: KeyMap<Arc<str>>,
    /// Results whose call has not been read yet.
    orphans: KeyMap<StepId>,
    queue: Queue,
    streams: Streams,
    /// The position of a capture in the conversation.
    capture_at: Option<NodeId>,
    kinds: KeyMap<BookkeepingKind>,
    has_main: bool,
    /// The lines of earlier versions of the main file, by their hashes: the file repeats what it has kept of them.
    earlier_lines: KeyMap<LineId>,
    /// Whether any progress entry carried an entry of an agent.
    has_inside: bool,
    /// The calls that change the list of tasks, as JSON, until the result arrives: only then does the call count.
    task_calls: KeyMap<Box<str>>,
    /// For a successor, the entries of the turn that it continues: a prompt that follows none of them goes back.
    tips: Option<FxHashSet<Key>>,
    /// Facts that do not follow from the lines.
    listing: Listing,
    pub(crate) handed: Handed,
    goes_back: bool,
    /// Steps that are new or changed since the last [`Self::take_changes`].
    pub(crate) changed: Vec<StepId>,
    is_stale: bool,
}

/// Parser state that carries over from line to line.
#[derive(Debug, Default)]
struct Reader {
    scratch: Scratch,
    calls: Calls,
}

/// The position of an entry being added to the story.
#[derive(Debug, Clone, Copy)]
struct Spot {
    source: SourceId,
    line: LineId,
    entry: u32,
    at: Option<Millis>,
    /// The lane of an entry inside a progress entry.
    inside: Option<LaneId>,
}

impl Spot {
    /// A line is shorter than four gigabytes, so that its blocks can be counted.
    fn block(self, block: usize) -> BlockPlace {
        BlockPlace { line: self.line, entry: self.entry, block: u32::try_from(block).unwrap_or(u32::MAX) }
    }
}

impl StoryBuilder {
    /// Adds a source. Sources of the session itself come in reading order; those of other sessions, from which it may
    /// have copied, come before it.
    pub fn add_source(&mut self, source: Source) -> SourceId {
        let id = SourceId(u32::try_from(self.story.sources.len()).unwrap_or(u32::MAX));
        self.has_main |= source.role.is_main();
        let is_own = source.role.is_main() || source.role == Role::Prompts;
        if is_own && self.story.facts.session_id.is_none() && !source.session.is_empty() {
            self.story.facts.session_id = Some(source.session.clone());
        }
        self.story.sources.push(source);
        self.is_stale = true;
        id
    }

    /// All sources, in the order they were added.
    pub fn sources(&self) -> impl ExactSizeIterator<Item = &Source> {
        self.story.sources()
    }

    /// Reserves memory for a source of this size, which avoids moving everything later.
    pub fn expect(&mut self, bytes: u64) {
        // Lines average two thousand bytes. Unused reserved memory is never touched and costs nothing.
        const BYTES_PER_LINE: u64 = 700;
        const MOST: u64 = 8 << 20;
        let lines = usize::try_from((bytes / BYTES_PER_LINE).min(MOST)).unwrap_or_default();
        self.story.lines.reserve(lines);
        self.story.steps.reserve(lines);
        self.nodes.reserve(lines);
        self.by_uuid.reserve(lines / 4);
        self.by_content.reserve(lines / 4);
    }

    /// Adds what is known about an agent besides its lines.
    pub fn add_agent_notes(&mut self, agent: &str, notes: AgentNotes) {
        let lane = self.agent_lane(agent);
        self.set_notes(lane, notes);
        self.is_stale = true;
    }

    /// Reads the next line of a source.
    pub fn push(&mut self, source: SourceId, line: Line<'_>) {
        self.take(source, line, None);
    }

    /// Like [`Self::push`], and passes the parsed entries to `show`, complete with their usage.
    pub fn push_and_show(&mut self, source: SourceId, line: Line<'_>, show: &mut dyn FnMut(&Entry<'_>)) {
        self.take(source, line, Some(show));
    }

    fn take(&mut self, source: SourceId, line: Line<'_>, show: Option<&mut dyn FnMut(&Entry<'_>)>) {
        let mut reader = std::mem::take(&mut self.reader);
        reader.scratch.reset();
        let id = LineId::new(self.story.lines.len());
        let span = Span {
            source,
            number: u32::try_from(line.number).unwrap_or(u32::MAX),
            offset: line.offset,
            length: u32::try_from(line.bytes.len()).unwrap_or(u32::MAX),
            lines: u32::try_from(line.span).unwrap_or(u32::MAX),
        };
        if let Some(known) = self.same_in_earlier_version(source, &line, id) {
            self.story.lines.push((span, Fate::Duplicate(known)));
            self.reader = reader;
            return;
        }
        self.story.lines.push((span, Fate::Malformed));
        let reach = if show.is_some() { Reach::Usage } else { Reach::Story };
        let scope = Scope { calls: Some(&reader.calls), reach };
        let mut reading = format::read_with(line.bytes, &reader.scratch, scope);
        if let Some(show) = show {
            reading.entries.iter().for_each(show);
        }
        let mut fate = match (&reading.malformed, reading.is_blank()) {
            (Some(_), _) => Fate::Malformed,
            (None, true) => self.bookkeeping("blank"),
            (None, false) => self.bookkeeping("empty list"),
        };
        for (number, entry) in reading.entries.iter_mut().enumerate() {
            let time = entry.envelope.timestamp.or(entry.envelope.audit_timestamp);
            let at = time.and_then(Time::milliseconds);
            let spot = Spot { source, line: id, entry: u32::try_from(number).unwrap_or(u32::MAX), at, inside: None };
            let of_entry = self.entry(spot, entry, &reader);
            if number == 0 && fate != Fate::Malformed || rank(of_entry) > rank(fate) {
                fate = of_entry;
            }
        }
        if format::is_crowded(&reading) {
            let pieces = format::pieces(line.bytes, &reading).unwrap_or_default();
            self.story.pieces.push((id, pieces.into()));
        }
        self.set_fate(id, fate);
        self.reader = reader;
        self.is_stale = true;
    }

    /// The same line in an earlier version of the file, which is shown already. Lines without ids cannot be recognised
    /// otherwise.
    fn same_in_earlier_version(&mut self, source: SourceId, line: &Line<'_>, id: LineId) -> Option<LineId> {
        let role = self.story.source(source).map(|source| &source.role)?;
        let key = || Key::of_bytes(line.bytes.trim_ascii());
        match role {
            // Of several versions, the first one has the line.
            Role::Earlier => {
                let first = *self.earlier_lines.entry(key()).or_insert(id);
                (first != id).then_some(first).filter(|first| self.source_of(*first) != Some(source))
            }
            Role::Main if !self.earlier_lines.is_empty() => self.earlier_lines.get(&key()).copied(),
            _ => None,
        }
    }

    fn source_of(&self, line: LineId) -> Option<SourceId> {
        self.story.span(line).map(|span| span.source)
    }

    /// The story of all lines so far.
    pub fn story(&mut self) -> &Story {
        if std::mem::take(&mut self.is_stale) {
            arrange::arrange(self);
        }
        &self.story
    }

    /// The steps of API messages, each with the hash of its message ([`format::id::hash`]).
    pub fn steps_of_messages(&self) -> impl Iterator<Item = (u64, StepId)> {
        let messages = self.nodes.iter().filter(|node| node.message != 0);
        messages.flat_map(|node| node.steps().map(|step| (node.message, step)))
    }

    /// A builder that continues from here without the history: it has the sources, agents, tasks and facts of the
    /// session, but none of its steps. Step numbers and counts start over.
    ///
    /// `None` while future lines may change what exists: calls without a result, queued prompts, messages that may
    /// still grow.
    pub fn successor(&mut self) -> Option<Self> {
        let is_open = |step: &Step| matches!(&step.kind, StepKind::Call(call) if call.state == CallState::Pending);
        self.story();
        let story = &self.story;
        let mut steps = story.threads.first()?.steps.iter().rev().filter_map(|step| story.step(*step));
        // After a result, a prompt or the end of a turn, the message before it is complete.
        let is_complete = steps.find_map(|step| match &step.kind {
            StepKind::Call(_) | StepKind::Prompt(_) => Some(true),
            StepKind::Notice(notice) if notice.kind == NoticeKind::TurnDuration => Some(true),
            StepKind::Reply(_) | StepKind::Thinking(_) | StepKind::Compaction(_) => Some(false),
            _ => None,
        });
        if is_complete != Some(true)
            || story.steps.iter().any(is_open)
            || !self.queue.is_settled(story.lines.len())
            || !self.streams.is_idle()
        {
            return None;
        }
        let lane = |lane: &Lane| Lane { last: None, last_inside: None, announces: None, ..lane.clone() };
        let story = Story {
            facts: Facts { session_id: self.story.facts.session_id.clone(), ..Facts::default() },
            tasks: self.story.tasks.clone(),
            sources: self.story.sources.clone(),
            foreign_calls: self.story.foreign_calls.clone(),
            ..Story::default()
        };
        Some(Self {
            story,
            known: self.known.clone(),
            lanes: self.lanes.iter().map(lane).collect(),
            lane_by_key: self.lane_by_key.clone(),
            latest: self.latest,
            has_main: self.has_main,
            has_inside: self.has_inside,
            tips: Some(self.last_turn()),
            listing: self.listing.clone(),
            handed: self.handed.clone(),
            is_stale: true,
            ..Self::default()
        })
    }

    /// Whether a prompt goes back before the start of this [`Self::successor`]: then the history has changed, and the
    /// whole session must be read again.
    pub fn goes_back(&self) -> bool {
        self.goes_back
    }

    /// The entries of the conversation since the last prompt.
    fn last_turn(&self) -> FxHashSet<Key> {
        let is_prompt =
            |node: &Node| node.lane == LaneId::MAIN && matches!(node.kind, NodeKind::Prompt | NodeKind::Command);
        let first = self.nodes.iter().rposition(is_prompt);
        let mut tips = self.tips.clone().filter(|_| first.is_none()).unwrap_or_default();
        let entries = self.by_uuid.entries().filter(|(_, node)| node.index() >= first.unwrap_or(0));
        tips.extend(entries.map(|(uuid, _)| uuid));
        tips
    }

    /// The steps that are new or changed since the last call. Steps may also move without changing: see the story.
    pub fn take_changes(&mut self) -> BTreeSet<StepId> {
        self.story();
        std::mem::take(&mut self.changed).into_iter().collect()
    }

    fn entry(&mut self, spot: Spot, entry: &mut Entry<'_>, reader: &Reader) -> Fate {
        if entry.foreign.is_some() {
            return self.bookkeeping("another agent's");
        }
        if self.is_elsewhere(spot) {
            return self.elsewhere(spot, entry);
        }
        if self.is_of_another(spot, entry) {
            return self.bookkeeping("of another session");
        }
        let speaks = matches!(entry.body, Body::User(_) | Body::Assistant(_) | Body::History(_));
        // An agent's file without a main file provides the facts of its session.
        self.known.note(&entry.envelope, spot.at, self.is_main(spot) || !self.has_main, speaks);
        if let Some(fate) = self.captured_again(spot, entry) {
            return fate;
        }
        let structured = entry.body.take_structured();
        if let Body::Progress(progress) = &mut entry.body {
            return self.progress(spot, &entry.envelope, progress, reader);
        }
        match &entry.body {
            Body::User(user) => self.user(spot, &entry.envelope, user, structured, reader),
            Body::Assistant(assistant) => self.assistant(spot, &entry.envelope, assistant, reader),
            Body::System(system) => self.system(spot, &entry.envelope, system),
            Body::Attachment(attachment) => self.attachment(spot, &entry.envelope, attachment),
            Body::History(line) => self.typed(spot, &entry.envelope, line),
            Body::StreamEvent(part) if notice::other(&entry.body).is_none() => {
                self.stream_part(spot, &entry.envelope, part)
            }
            Body::Unknown(unknown) if entry.is_beside() => {
                let name = unknown.kind.as_str();
                self.bookkeeping_of("unknown/", if name.is_empty() { "without a type" } else { name })
            }
            body => self.around(spot, &entry.envelope, body),
        }
    }

    /// Adds a step to a node, which must be the last one.
    fn add_step(&mut self, node: NodeId, place: BlockPlace, kind: StepKind) -> StepId {
        let id = StepId::new(self.story.steps.len());
        let at = self.nodes.get(node.index()).and_then(Node::at);
        self.story.steps.push(Step { place, at, withdrawn: false, kind });
        if let Some(node) = self.nodes.get_mut(node.index()) {
            node.add_step(id);
        }
        self.changed.push(id);
        id
    }

    /// Changes an existing step.
    fn change_step<T>(&mut self, id: StepId, change: impl FnOnce(&mut Step) -> T) -> Option<T> {
        self.changed.push(id);
        self.story.steps.get_mut(id.index()).map(change)
    }

    fn role(&self, spot: Spot) -> &Role {
        self.story.source(spot.source).map_or(&Role::Main, |source| &source.role)
    }

    fn is_main(&self, spot: Spot) -> bool {
        self.role(spot).is_main()
    }

    fn is_elsewhere(&self, spot: Spot) -> bool {
        *self.role(spot) == Role::Elsewhere
    }

    fn set_fate(&mut self, line: LineId, fate: Fate) {
        if let Some((_, known)) = self.story.lines.get_mut(line.index()) {
            *known = fate;
        }
    }

    /// The fate of a line that contains nothing for a reader.
    fn bookkeeping(&mut self, name: &str) -> Fate {
        self.bookkeeping_of("", name)
    }

    /// The same for one kind of a family, such as `system/away_summary`.
    fn bookkeeping_of(&mut self, family: &str, name: &str) -> Fate {
        // Names come from transcripts and are unbounded.
        const MOST: usize = 1000;
        let key = Key::of(name).and(Key::of(family).0);
        if let Some(kind) = self.kinds.get(&key) {
            return Fate::Bookkeeping(*kind);
        }
        if self.story.kinds.len() >= MOST {
            return Fate::Bookkeeping(BookkeepingKind(0));
        }
        let kind = BookkeepingKind(u16::try_from(self.story.kinds.len()).unwrap_or_default());
        self.story.kinds.push(crate::preview::preview(&format!("{family}{name}")));
        self.kinds.insert(key, kind);
        Fate::Bookkeeping(kind)
    }

    /// Whether a node belongs to another session.
    pub(crate) fn is_foreign(&self, node: &Node) -> bool {
        let source = self.story.span(node.line).and_then(|span| self.story.source(span.source));
        source.is_some_and(|source| source.role == Role::Elsewhere)
    }

    /// Whether a message stopped for a call after this reply, and the call has not arrived yet.
    pub(crate) fn announces_call(&self, step: StepId) -> bool {
        self.lanes.iter().any(|lane| lane.announces == Some(step))
    }

    /// The place of an entry, if it belongs to this session.
    pub(crate) fn place_of(&self, uuid: Key) -> Option<NodeId> {
        let id = self.by_uuid.get(uuid)?;
        self.nodes.get(id.index()).filter(|node| !self.is_foreign(node)).map(|_| id)
    }

    /// The place of an entry among those of the session; `None` if it is not here. Takes the hash of its id.
    pub fn entry_place(&self, hash: u64) -> Option<usize> {
        self.place_of(Key(hash)).map(NodeId::index)
    }

    /// The hash of the id of an entry, for [`Self::entry_place`] and [`Self::add_summary`].
    pub fn entry_hash(uuid: &str) -> u64 {
        Key::of(uuid).0
    }

    /// The summaries of other sessions in these lines, each with the last entry that it covers, as a hash.
    ///
    /// Old versions wrote them at the start of a new file. [`Self::add_summary`] gives one to the session that has the
    /// entry.
    pub fn summaries_of_others(&self) -> impl Iterator<Item = (u64, &str)> {
        self.known.summaries().filter(|(leaf, _)| self.place_of(*leaf).is_none()).map(|(leaf, text)| (leaf.0, text))
    }

    /// Adds a summary from a file of another session. It becomes the title only if this session has the entry.
    pub fn add_summary(&mut self, leaf: u64, text: &str) {
        self.handed.add(Key(leaf), crate::preview::preview(text));
        self.is_stale = true;
    }

    /// Sets the facts that do not follow from the lines.
    pub fn list_as(&mut self, listing: Listing) {
        self.listing = listing;
        self.listing.apply(&mut self.story.facts);
    }

    /// The facts that do not follow from the lines.
    pub fn listing(&self) -> &Listing {
        &self.listing
    }

    /// Leaves calls out of the counts, by [`Call::key`](crate::step::Call::key), because they count for another session.
    /// This replaces earlier ones, and is not stored. The calls are still shown.
    pub fn disown_calls(&mut self, calls: impl IntoIterator<Item = u64>) {
        let calls = calls.into_iter().collect();
        if self.story.foreign_calls != calls {
            self.story.foreign_calls = calls;
            self.is_stale = true;
        }
    }

    /// The last entry of a lane's conversation, where the program names it and nothing has followed.
    pub(crate) fn leaf_of(&self, lane: LaneId) -> Option<NodeId> {
        let (said, uuid) = self.leaf.filter(|_| lane == LaneId::MAIN)?;
        let last = self.lanes.get(lane.index())?.last?;
        let is_current = self.nodes.get(last.index()).is_none_or(|node| node.line < said);
        self.by_uuid.get(uuid).filter(|_| is_current)
    }

    /// The last step at a node or before it.
    pub(crate) fn last_step(&self, node: NodeId) -> Option<StepId> {
        let mut at = Some(node);
        // Paths of nodes without steps are short, and the limit ends circles.
        for _ in 0..100 {
            let node = self.nodes.get(at?.index())?;
            let original = node.copy_of.and_then(|node| self.nodes.get(node.index())).unwrap_or(node);
            let step = original.steps().filter(|step| !self.absorbed.contains(step)).last();
            if step.is_some() {
                return step;
            }
            at = node.parent;
        }
        None
    }

    /// A call by its id.
    pub(crate) fn call_by_key(&self, id: Key) -> Option<StepId> {
        self.calls.get(&id).copied()
    }

    fn tasks(&mut self, lane: LaneId) -> Option<&mut TaskList> {
        if lane == LaneId::MAIN {
            Some(&mut self.story.tasks)
        } else {
            self.lanes.get_mut(lane.index()).map(|lane| &mut lane.tasks)
        }
    }
}

/// Of several entries on a line, the most visible decides its fate.
const fn rank(fate: Fate) -> u8 {
    match fate {
        Fate::Bookkeeping(_) => 0,
        Fate::Duplicate(_) => 1,
        Fate::Malformed => 2,
        Fate::Unknown => 3,
        Fate::Shown => 4,
    }
}
