//! Lines in, messages out: every API message is counted once.
//!
//! | module | for |
//! |---|---|
//! | `group` | joins the lines of one message |
//! | `settle` | decides which groups are the same message, and which session owns each |
//! | `post` | the final figures, with their cost |
//! | `store` | serialization, and dropping old messages |
//! | `stated` | the costs that sessions state, and the part of them without lines |

mod group;
mod post;
mod settle;
mod stated;
mod store;

pub use post::{Books, Post, PostKind};

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use format::entry::capture::CaptureEvent;
use format::entry::system::SystemEvent;
use format::header::UsageHeader;
use format::id::{SessionId, hash};
use format::{Body, Entry, Text, Time};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::limit::Limit;
use crate::names::Names;
use crate::record::{Chain, Doubts, Record, version};
use crate::statement::{Scope, Statement};
use group::{Aside, Group, Groups, Key, NEVER, Occurrence, Steps};
use stated::{Stated, StatedSum};

/// A session of a ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Session(pub(crate) u32);

/// A subagent of a ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Agent(NonZeroU32);

impl Agent {
    fn new(number: u32) -> Self {
        Self(NonZeroU32::MIN.saturating_add(number))
    }

    fn number(self) -> u32 {
        self.0.get() - 1
    }
}

/// A model of a ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Model(pub(crate) u32);

/// A branch of a ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Branch(pub(crate) u32);

/// The source of lines, and the state from the lines before.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Feed {
    session: Session,
    /// The first session of a stream, with the hash of its id: the session that the file belongs to.
    first: Option<(u64, Session)>,
    agent: Option<Agent>,
    /// Whether any line came from a transcript, so that this is not a stream.
    is_transcript: bool,
    /// The last timestamp: lines of streams often have none.
    last_time: Option<i64>,
    statements: u32,
    /// When the process of these lines began, where a capture records it.
    process: Option<i64>,
    /// Whether the process continues the totals of those before it.
    is_continued: bool,
}

/// The result of reading a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// It is counted, or contains nothing that counts.
    Whole(Doubts),
    /// The line must be parsed in full.
    ReadLine,
    /// The line depends on those before it: the file must be parsed in full.
    ReadFile,
}

/// Usage records, deduplicated across all files.
///
/// ```
/// use format::Scratch;
/// use ledger::{Ledger, Prices};
///
/// let line = br#"{"type":"assistant","requestId":"r","timestamp":"2026-03-01T12:00:00Z","message":
///     {"id":"m","model":"claude-opus-4-5","usage":{"input_tokens":10,"output_tokens":20}}}"#;
/// let mut ledger = Ledger::default();
/// for session in ["first", "resumed"] {
///     let mut feed = ledger.feed(session, None);
///     let scratch = Scratch::default();
///     for entry in &format::read(line, &scratch).entries {
///         ledger.push(&mut feed, entry);
///     }
/// }
/// let totals = ledger.totals(&Prices::default());
/// assert_eq!((totals.messages, totals.tokens.total()), (1, 30));
/// assert_eq!(totals.cost.dollars(), 0.00055);
/// ```
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(from = "store::Stored")]
pub struct Ledger {
    sessions: Names,
    agents: Names,
    models: Names,
    branches: Names,
    groups: Groups,
    /// By the hash of the key.
    by_key: FxHashMap<u64, u32>,
    /// Further occurrences of the few groups that occur in several sessions or agents.
    elsewhere: FxHashMap<u32, Vec<Occurrence>>,
    /// The steps of the few messages that involve other models.
    steps: FxHashMap<u32, Steps>,
    /// The entries of groups without a request: they identify copies in other sessions.
    entries: Vec<(u64, u32)>,
    stated: Vec<Stated>,
    /// The sessions with lines of transcripts, not only of streams.
    transcripts: BTreeSet<Session>,
    limits: Vec<Limit>,
    /// Messages that count elsewhere, by [`Key::shared`]. They are not serialized.
    foreign: FxHashSet<u64>,
}

/// The first version whose totals continue when a session is resumed (docs/format C.4.4).
const FIRST_CONTINUED: [u32; 3] = [2, 1, 326];

impl Ledger {
    /// Starts a file of a session: its main one, or that of an agent it spawned.
    pub fn feed(&mut self, session: &str, agent: Option<&str>) -> Feed {
        let session = Session(self.sessions.number(session));
        let agent = agent.map(|agent| Agent::new(self.agents.number(agent)));
        Feed {
            session,
            first: None,
            agent,
            is_transcript: false,
            last_time: None,
            statements: 0,
            process: None,
            is_continued: false,
        }
    }

    /// Adds the usage in an entry, and returns what could not be counted.
    pub fn push(&mut self, feed: &mut Feed, entry: &Entry<'_>) -> Doubts {
        self.note_transcript(feed, entry.envelope.session_id);
        feed.last_time = entry.envelope.timestamp.and_then(Time::milliseconds).or(feed.last_time);
        match &entry.body {
            Body::Assistant(_) | Body::Progress(_) => {
                self.follow_stream(feed, entry.envelope.session_id, entry.envelope.stream_session_id);
                if let Some(record) = Record::of(entry) {
                    return self.add_near(feed, record);
                }
                self.limits.extend(Limit::of(entry));
                Doubts::default()
            }
            Body::CostState(_) | Body::Result(_) => {
                self.follow_stream(feed, entry.envelope.session_id, entry.envelope.stream_session_id);
                if let Some(statement) = Statement::of(entry) {
                    self.state(feed, &statement);
                }
                Doubts::default()
            }
            Body::Captured(record) => {
                if let Some(CaptureEvent::Start(_)) = record.event.as_deref() {
                    feed.process = feed.last_time;
                }
                Doubts::default()
            }
            Body::System(system) => {
                if let Some(SystemEvent::Init(init)) = &system.event {
                    let version = init.claude_code_version.and_then(version);
                    feed.is_continued = version.is_some_and(|version| version >= FIRST_CONTINUED);
                }
                Doubts::default()
            }
            _ => Doubts::default(),
        }
    }

    /// The same for a header, as far as it suffices.
    pub fn push_header(&mut self, feed: &mut Feed, header: &UsageHeader<'_>) -> Taken {
        match header.kind.map_or("", Text::as_str) {
            "assistant" => {}
            // The header contains neither the message nor the totals.
            "progress" | "cost-state" => return Taken::ReadLine,
            // It applies to the lines before it in the file.
            "result" => return Taken::ReadFile,
            _ => return Taken::Whole(Doubts::default()),
        }
        // It may be about a limit.
        if header.is_api_error == Some(true) {
            return Taken::ReadLine;
        }
        let record = Record::of_header(header);
        if record.as_ref().is_some_and(|record| record.at.is_none()) {
            return Taken::ReadFile;
        }
        self.follow_stream(feed, header.session_id, header.stream_session_id);
        self.note_transcript(feed, header.session_id);
        feed.last_time = header.timestamp.and_then(Time::milliseconds).or(feed.last_time);
        Taken::Whole(record.map_or_else(Doubts::default, |record| self.add_near(feed, record)))
    }

    /// Lines of transcripts name their session in another way than streams do.
    fn note_transcript(&mut self, feed: &mut Feed, id: Option<SessionId<'_>>) {
        if id.is_some() && !feed.is_transcript {
            feed.is_transcript = true;
            self.transcripts.insert(feed.session);
        }
    }

    /// A stream may contain several sessions, one after another: each line belongs to the session that it names.
    fn follow_stream(&mut self, feed: &mut Feed, own: Option<SessionId<'_>>, streamed: Option<SessionId<'_>>) {
        let Some(id) = streamed.filter(|_| own.is_none()) else { return };
        let hashed = hash(&[id.as_str().as_bytes()]);
        let (first, session) = *feed.first.get_or_insert((hashed, feed.session));
        feed.session = if first == hashed { session } else { Session(self.sessions.number(id.as_str())) };
    }

    /// Adds a record, at the time of the line before if it has none.
    fn add_near(&mut self, feed: &Feed, mut record: Record<'_>) -> Doubts {
        record.at = record.at.or(feed.last_time);
        self.add(feed, &record);
        record.doubts
    }

    /// Adds the record of a line.
    pub fn add(&mut self, feed: &Feed, record: &Record<'_>) {
        let agent = feed.agent.or_else(|| record.agent.map(|agent| Agent::new(self.agents.number(agent))));
        let occurrence = Occurrence {
            session: feed.session,
            agent,
            at: record.at.unwrap_or(NEVER),
            is_copy: record.copy_of.is_some(),
        };
        // Old agent files do not identify themselves as such.
        let chain = if feed.agent.is_some() { record.chain.min(Chain::Side) } else { record.chain };
        let key = self.key(record, feed.session);
        let names = (Model(self.models.number(record.model)), Branch(self.branches.number(record.branch)));
        let group = Group::new(key, record, names, chain, occurrence);
        let aside = |(model, usage): &(&str, _)| Aside { model: Model(self.models.number(model)), usage: *usage };
        let steps = Steps { own: record.steps, asides: record.asides.iter().map(aside).collect() };
        let number = self.fold(group, &[], &steps);
        if record.request.is_none() || record.message.is_none() {
            self.entries.extend(record.entry.iter().chain(&record.copy_of).map(|entry| (*entry, number)));
        }
    }

    /// Adds the cost that a session states.
    pub fn state(&mut self, feed: &mut Feed, statement: &Statement<'_>) {
        // A `result` in a transcript is not Claude Code's: it is unknown what it sums up.
        if statement.scope == Scope::Process && feed.is_transcript {
            return;
        }
        feed.statements += 1;
        let models = statement.models.iter().map(|it| StatedSum {
            model: Model(self.models.number(it.name)),
            tokens: it.tokens,
            cost: it.cost,
            is_managed: it.is_managed,
        });
        let models = models.collect();
        self.stated.push(Stated {
            session: feed.session,
            scope: statement.scope,
            id: statement.id,
            at: statement.at.or(feed.last_time),
            order: feed.statements,
            process: feed.process,
            is_continued: feed.is_continued,
            cost: statement.cost,
            models,
            unnamed: Model(self.models.number("")),
        });
    }

    /// The key that the lines of a message share.
    fn key(&self, record: &Record<'_>, session: Session) -> Key {
        let session = || Key::of_session(self.sessions.name(session.0));
        match (record.message, record.request, record.entry) {
            (Some(message), Some(request), _) => Key::Request { message, request },
            (Some(message), None, _) => Key::Conversation { message, session: session() },
            (None, _, Some(entry)) => Key::Entry(entry),
            (None, Some(request), None) => Key::Entry(request),
            // Without any id, only the content identifies a line.
            (None, None, None) => Key::Entry(hash(&[
                &session().to_le_bytes(),
                &record.at.unwrap_or_default().to_le_bytes(),
                record.model.as_bytes(),
                format!("{:?}", record.usage).as_bytes(),
            ])),
        }
    }

    /// Joins a group with the one that has the same key.
    fn fold(&mut self, group: Group, elsewhere: &[Occurrence], steps: &Steps) -> u32 {
        let number = *self.by_key.entry(group.key.hash()).or_insert(self.groups.next());
        let Some(known) = self.groups.get_mut(number) else {
            self.groups.push(group);
            if !elsewhere.is_empty() {
                self.elsewhere.insert(number, elsewhere.to_vec());
            }
            if !steps.asides.is_empty() {
                self.steps.insert(number, steps.clone());
            }
            return number;
        };
        if group.chain < known.chain {
            return number;
        }
        if group.chain > known.chain {
            *known = group;
            self.elsewhere.remove(&number);
            self.steps.remove(&number);
        } else {
            known.join(&group, &self.models, &self.branches);
            if !known.occurrence.join(&group.occurrence) {
                group::occur(self.elsewhere.entry(number).or_default(), group.occurrence);
            }
        }
        for occurrence in elsewhere {
            if !known.occurrence.join(occurrence) {
                group::occur(self.elsewhere.entry(number).or_default(), *occurrence);
            }
        }
        if !steps.asides.is_empty() {
            self.steps.entry(number).or_default().join(steps);
        }
        number
    }

    /// Adds everything in another ledger, as if its lines had been added to this one.
    pub fn merge(&mut self, mut other: Self) {
        // The order affects only the amount of work.
        if self.groups.next() < other.groups.next() {
            std::mem::swap(self, &mut other);
        }
        self.take_in(other, "");
    }

    /// The same, with another name for the session without one.
    pub(crate) fn take_in(&mut self, other: Self, unnamed: &str) {
        let named = |name| if str::is_empty(name) { unnamed } else { name };
        let sessions: Vec<u32> = other.sessions.iter().map(|name| self.sessions.number(named(name))).collect();
        let agents: Vec<u32> = other.agents.iter().map(|name| self.agents.number(name)).collect();
        let models: Vec<u32> = other.models.iter().map(|name| self.models.number(name)).collect();
        let branches: Vec<u32> = other.branches.iter().map(|name| self.branches.number(name)).collect();
        let new = |numbers: &[u32], old: u32| numbers.get(old as usize).copied().unwrap_or(old);
        let session = |old: Session| Session(new(&sessions, old.0));
        let model = |old: Model| Model(new(&models, old.0));
        let moved = |old: Occurrence| Occurrence {
            session: session(old.session),
            agent: old.agent.map(|agent| Agent::new(new(&agents, agent.number()))),
            ..old
        };
        // No longer needed; frees its memory early.
        drop(other.by_key);
        let mut numbers = Vec::new();
        for (number, group) in other.groups.into_iter() {
            let occurrences = other.elsewhere.get(&number).into_iter().flatten().copied().map(moved);
            let mut steps = other.steps.get(&number).cloned().unwrap_or_default();
            steps.asides.iter_mut().for_each(|aside| aside.model = model(aside.model));
            let group = Group {
                model: model(group.model),
                branch: Branch(new(&branches, group.branch.0)),
                occurrence: moved(group.occurrence),
                key: group.key.in_session(unnamed),
                ..group
            };
            numbers.push(self.fold(group, &occurrences.collect::<Vec<_>>(), &steps));
        }
        self.entries.extend(other.entries.iter().map(|(entry, number)| (*entry, new(&numbers, *number))));
        self.stated.extend(other.stated.iter().map(|stated| Stated {
            session: session(stated.session),
            models: stated.models.iter().map(|it| StatedSum { model: model(it.model), ..*it }).collect(),
            unnamed: model(stated.unnamed),
            ..*stated
        }));
        self.transcripts.extend(other.transcripts.iter().map(|it| session(*it)));
        self.limits.extend(other.limits);
    }

    /// All sessions, by name.
    pub(crate) fn session_names(&self) -> impl Iterator<Item = &str> {
        self.sessions.iter()
    }

    /// The number of a session, existing or new.
    pub(crate) fn session(&mut self, name: &str) -> Session {
        Session(self.sessions.number(name))
    }

    /// What identifies the messages, in ascending order: ledgers with a common one may have a message in common.
    pub(crate) fn shared_keys(&self) -> Vec<u64> {
        let mut keys: Vec<u64> = self.groups.iter().map(|(_, group)| group.key.shared()).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// Leaves these messages out of all figures, because they count elsewhere.
    pub(crate) fn disown(&mut self, messages: impl IntoIterator<Item = u64>) {
        self.foreign = messages.into_iter().collect();
    }

    /// The limits that sessions reached, in chronological order.
    pub fn limits(&self) -> Vec<&Limit> {
        let mut limits: Vec<_> = self.limits.iter().collect();
        limits.sort_unstable();
        limits.dedup();
        limits
    }

    /// The name of a session, as it was given.
    pub fn session_name(&self, session: Session) -> &str {
        self.sessions.name(session.0)
    }

    /// The id of an agent.
    pub fn agent_name(&self, agent: Agent) -> &str {
        self.agents.name(agent.number())
    }

    /// The name of a model, as it was written.
    pub fn model_name(&self, model: Model) -> &str {
        self.models.name(model.0)
    }

    /// The name of a branch.
    pub fn branch_name(&self, branch: Branch) -> &str {
        self.branches.name(branch.0)
    }

    /// A branch, unless its name is empty.
    fn known_branch(&self, branch: Branch) -> Option<Branch> {
        Some(branch).filter(|branch| !self.branch_name(*branch).is_empty())
    }
}
