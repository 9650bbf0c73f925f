//! The usage of a set of sources: the work behind `recount usage`.
//!
//! An [`Accountant`] reads sources one after another into [`Accounts`]. Several accountants may work in parallel;
//! merging their accounts gives the same result in any order. Lines that cannot mention usage are skipped after a
//! search for a few words, and of the other lines only the fields that count are parsed.

mod agents;
mod home;

use std::fmt;

use format::entry::Body;
use format::{Entry, Line, Scratch};
use ledger::tools::{ToolFold, ToolShares};
use ledger::{Doubts, Feed, Ledger, Prices, Taken};
use memchr::memmem::Finder;

pub use agents::AgentTypes;
pub use home::{Home, Homes, Owner};

use crate::census::SourceLine;
use agents::AgentSearch;
use home::{Head, Named};
use sources::naming::SessionNames;
use sources::problem::Problem;
use sources::source::{Buffer, Lines, Source, SourceKind};

/// The usage of a set of sources.
#[derive(Debug, Default)]
pub struct Accounts {
    /// Every message, counted once.
    pub ledger: Ledger,
    /// The project and folder of each session.
    pub homes: Homes,
    /// The type of each subagent, if requested.
    pub agent_types: AgentTypes,
    /// The tools to which each message's cost is attributed, if requested.
    pub tools: ToolShares,
    /// The first lines that could not be fully counted, in no particular order.
    pub doubtful: Vec<Doubtful>,
    /// The number of such lines.
    pub doubtful_lines: u64,
}

/// A line that was not fully counted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Doubtful {
    /// The line.
    pub place: SourceLine,
    /// The reason.
    pub why: Doubt,
}

/// Why a line was not counted, or not fully.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// It mentions usage but cannot be parsed.
    Malformed(String),
    /// A token count is negative; it counts as zero.
    Negative,
    /// A token count is larger than any message can have; it counts as zero.
    TooMany,
    /// The timestamp is missing or invalid: the line counts at the time of the line before it, if any.
    NoTime,
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(reason) => write!(f, "cannot be read: {reason}"),
            Self::Negative => f.write_str("a negative number of tokens, counted as none"),
            Self::TooMany => f.write_str("too many tokens for one message, counted as none"),
            Self::NoTime => f.write_str("no valid time, counted at the time of the line before it, if any"),
        }
    }
}

/// Limit on the doubtful lines that are stored; further ones are only counted.
const MOST_DOUBTFUL: usize = 100;

impl Accounts {
    /// Adds the accounts of other sources to these.
    pub fn merge(&mut self, other: Self) {
        self.ledger.merge(other.ledger);
        self.homes.merge(other.homes);
        self.agent_types.extend(other.agent_types);
        self.tools.merge(&other.tools);
        self.doubtful_lines += other.doubtful_lines;
        self.doubtful.extend(other.doubtful);
        self.keep_first_doubtful();
    }

    fn doubt(&mut self, place: SourceLine, why: Doubt) {
        self.doubtful_lines += 1;
        self.doubtful.push(Doubtful { place, why });
        if self.doubtful.len() >= 2 * MOST_DOUBTFUL {
            self.keep_first_doubtful();
        }
    }

    fn keep_first_doubtful(&mut self) {
        self.doubtful.sort_unstable();
        self.doubtful.truncate(MOST_DOUBTFUL);
    }
}

/// What to collect besides usage. Both options read more of each line.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wish<'p> {
    /// Attribute the cost of messages to tools, at these prices.
    pub tools: Option<&'p Prices>,
    /// Collect the types of subagents.
    pub agent_types: bool,
    /// The names of sessions that share an id. Without it, they count as one session.
    pub names: Option<&'p SessionNames>,
}

/// Reads sources into accounts.
#[derive(Debug)]
pub struct Accountant<'p> {
    accounts: Accounts,
    tools: Option<&'p Prices>,
    names: Option<&'p SessionNames>,
    agents: Option<AgentSearch>,
    words: Words,
    buffer: Buffer,
    scratch: Scratch,
}

/// The words that every line about usage contains.
#[derive(Debug)]
struct Words {
    usage: Finder<'static>,
    cost_state: Finder<'static>,
    message: Finder<'static>,
}

/// The message of an entry begins within this many bytes: only ids, names and a folder come before it.
const FIELDS_BEFORE_MESSAGE: usize = 1024;

/// The totals that a session states when it ends take a few hundred bytes per model.
const LONGEST_COST_STATE: usize = 16 << 10;

impl Words {
    /// The search includes the quotes: inside a JSON string they are escaped, so text never matches.
    fn new() -> Self {
        Self {
            usage: Finder::new("\"usage\""),
            cost_state: Finder::new("\"cost-state\""),
            message: Finder::new("\"message\""),
        }
    }

    fn are_in(&self, line: &[u8]) -> bool {
        self.usage.find(line).is_some()
            || line.len() <= LONGEST_COST_STATE && self.cost_state.find(line).is_some()
            || self.has_spread_message(line)
    }

    /// Whether the message of a line was spread into characters, so that nothing can find its words: its first key is
    /// `0`.
    fn has_spread_message(&self, line: &[u8]) -> bool {
        let start = line.get(..FIELDS_BEFORE_MESSAGE).unwrap_or(line);
        let Some(at) = self.message.find(start) else { return false };
        let mut rest = line.get(at + b"\"message\"".len()..).unwrap_or_default();
        for token in [":", "{", "\"0\""] {
            match rest.trim_ascii_start().strip_prefix(token.as_bytes()) {
                Some(after) => rest = after,
                None => return false,
            }
        }
        true
    }
}

impl Default for Accountant<'_> {
    fn default() -> Self {
        Self::new(Wish::default())
    }
}

/// How a source is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// Only lines that contain the words, and only their headers where that is enough.
    Headers,
    /// Every line.
    Entries,
}

/// Whether the depth was enough for a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Read,
    /// The source must be read again from the start, at full depth.
    TooShallow,
}

impl<'p> Accountant<'p> {
    /// Creates an accountant that collects the data in `wish`.
    pub fn new(wish: Wish<'p>) -> Self {
        Self {
            accounts: Accounts::default(),
            tools: wish.tools,
            names: wish.names,
            agents: wish.agent_types.then(AgentSearch::default),
            words: Words::new(),
            buffer: Buffer::default(),
            scratch: Scratch::default(),
        }
    }

    /// Reads a source; `number` identifies it in [`SourceLine`]s.
    pub fn read(&mut self, number: usize, source: &Source) -> Result<(), Problem> {
        // Prompts and journals contain no messages.
        if matches!(source.kind, SourceKind::History | SourceKind::Prompts | SourceKind::Journal) {
            return Ok(());
        }
        // Standard input cannot be read twice.
        let is_shallow = source.stem().is_some() && self.tools.is_none();
        let first = if is_shallow { Depth::Headers } else { Depth::Entries };
        let before = (self.accounts.doubtful_lines, self.accounts.doubtful.len());
        if self.read_at(first, number, source)? == Outcome::TooShallow {
            // Counting the same messages again changes nothing, but doubtful lines would be listed twice.
            self.accounts.doubtful_lines = before.0;
            self.accounts.doubtful.truncate(before.1);
            self.read_at(Depth::Entries, number, source)?;
        }
        Ok(())
    }

    /// The accounts of everything read.
    pub fn finish(mut self) -> Accounts {
        self.accounts.agent_types = self.agents.map(|search| search.found).unwrap_or_default();
        self.accounts
    }

    fn read_at(&mut self, depth: Depth, number: usize, source: &Source) -> Result<Outcome, Problem> {
        let Self { accounts, tools, names, agents, words, buffer, scratch } = self;
        let mut lines = Lines::new(source.open()?, buffer);
        let mut head = Head::default();
        let tools = tools.map(ToolFold::new);
        let mut reader = Reader { accounts, owner: Named::of(source, *names), feed: None, tools, number };
        if let Some(agents) = agents {
            agents.begin(source, reader.owner.agent());
        }
        while let Some(line) = lines.next_line().map_err(|error| source.unreadable(error))? {
            scratch.reset();
            head.learn(&line, scratch);
            // A stream's lines have no timestamps, and its totals need not contain the word `usage`.
            if depth == Depth::Headers && head.is_stream() {
                return Ok(Outcome::TooShallow);
            }
            if let Some(agents) = agents {
                agents.look(line.bytes, scratch);
            }
            let speaks = words.are_in(line.bytes);
            let outcome = match depth {
                Depth::Headers if speaks => reader.header(&line, &head, scratch),
                Depth::Headers => Outcome::Read,
                Depth::Entries => {
                    reader.entries(&line, &head, speaks, scratch);
                    Outcome::Read
                }
            };
            if outcome == Outcome::TooShallow {
                return Ok(outcome);
            }
        }
        reader.accounts.homes.note(&reader.owner, &head, source);
        if let Some(tools) = reader.tools {
            reader.accounts.tools.merge(&tools.finish());
        }
        Ok(Outcome::Read)
    }
}

/// The state while one source is read.
struct Reader<'a, 'p> {
    accounts: &'a mut Accounts,
    owner: Named<'a>,
    /// Created when the first line is counted.
    feed: Option<Feed>,
    tools: Option<ToolFold<'p>>,
    number: usize,
}

impl Reader<'_, '_> {
    /// Counts a line by its header, or in full where the header is not enough.
    fn header(&mut self, line: &Line<'_>, head: &Head, scratch: &Scratch) -> Outcome {
        let feed = self.feed.get_or_insert_with(|| self.owner.feed(head, &mut self.accounts.ledger));
        let taken = format::read_usage_header(line.bytes, scratch)
            .map_or(Taken::ReadLine, |header| self.accounts.ledger.push_header(feed, &header));
        match taken {
            Taken::Whole(doubts) => self.note(line.number, doubts),
            Taken::ReadFile => return Outcome::TooShallow,
            Taken::ReadLine => {
                let reading = format::read(line.bytes, scratch);
                if reading.entries.iter().any(depends_on_others) {
                    return Outcome::TooShallow;
                }
                let mut doubts = Doubts::default();
                for entry in &reading.entries {
                    doubts = doubts.and(self.accounts.ledger.push(feed, entry));
                }
                self.note(line.number, doubts);
                if let Some(malformed) = reading.malformed {
                    self.doubt(line.number, Doubt::Malformed(malformed.to_string()));
                }
            }
        }
        Outcome::Read
    }

    /// Counts a line in full.
    fn entries(&mut self, line: &Line<'_>, head: &Head, speaks: bool, scratch: &Scratch) {
        let reading = format::read(line.bytes, scratch);
        if let Some(tools) = &mut self.tools {
            reading.entries.iter().for_each(|entry| tools.push(entry));
        }
        if self.feed.is_none() && !speaks && !head.knows_session() {
            return;
        }
        let feed = self.feed.get_or_insert_with(|| self.owner.feed(head, &mut self.accounts.ledger));
        let mut doubts = Doubts::default();
        for entry in &reading.entries {
            doubts = doubts.and(self.accounts.ledger.push(feed, entry));
        }
        self.note(line.number, doubts);
        if let Some(malformed) = reading.malformed.filter(|_| speaks) {
            self.doubt(line.number, Doubt::Malformed(malformed.to_string()));
        }
    }

    fn note(&mut self, line: u64, doubts: Doubts) {
        let all =
            [(doubts.negative, Doubt::Negative), (doubts.too_many, Doubt::TooMany), (doubts.no_time, Doubt::NoTime)];
        for (_, why) in all.into_iter().filter(|(is_so, _)| *is_so) {
            self.doubt(line, why);
        }
    }

    fn doubt(&mut self, line: u64, why: Doubt) {
        self.accounts.doubt(SourceLine { source: self.number, line }, why);
    }
}

/// Whether the usage of an entry applies to, or is derived from, the lines before it.
fn depends_on_others(entry: &Entry<'_>) -> bool {
    match &entry.body {
        Body::Result(_) => true,
        Body::Assistant(_) => entry.envelope.timestamp.is_none(),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
