//! What sources used, counted: the work behind `recount usage`.
//!
//! An [`Accountant`] reads sources one after another into [`Accounts`]; several
//! may work side by side, and their accounts are put together in any order with
//! the same outcome. Lines that cannot say anything about usage are passed over
//! by looking for a few words in them; of the others no more is read than counts.

mod agents;
mod home;

use format::entry::Body;
use format::{Entry, Line, Scratch};
use ledger::tools::{ToolFold, ToolShares};
use ledger::{Doubts, Feed, Ledger, Prices, Taken};
use memchr::memmem::Finder;

pub use agents::AgentTypes;
pub use home::{Home, Homes, Owner};

use crate::census::Place;
use agents::AgentSearch;
use home::{Head, Named};
use sources::naming::SessionNames;
use sources::problem::Problem;
use sources::source::{Buffer, Lines, Source, SourceKind};

/// What sources used.
#[derive(Debug, Default)]
pub struct Accounts {
    /// Every message once.
    pub ledger: Ledger,
    /// Where the sessions are at home.
    pub homes: Homes,
    /// What type the subagents are of, if that was wished for.
    pub agent_types: AgentTypes,
    /// Which tools the messages are due to, if that was wished for.
    pub tools: ToolShares,
    /// Lines that say something that could not be counted: the first of them, in no order.
    pub doubtful: Vec<Doubtful>,
    /// How many such lines there are.
    pub doubtful_lines: u64,
}

/// A line of which not everything was counted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Doubtful {
    /// The line.
    pub place: Place,
    /// What is wrong with it.
    pub why: Doubt,
}

/// Why a line was not counted, or not as a whole.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// It speaks of usage, but cannot be read.
    Malformed(String),
    /// A number of tokens is less than none; it counts as none.
    Negative,
    /// A number of tokens is more than any message can have; it counts as none.
    TooMany,
    /// There is no time, or none that can be understood: it counts at that of the line before, if any.
    NoTime,
}

/// How many doubtful lines are kept; the others are only counted.
const MOST_DOUBTFUL: usize = 100;

impl Accounts {
    /// Puts the accounts of other sources to these.
    pub fn merge(&mut self, other: Self) {
        self.ledger.merge(other.ledger);
        self.homes.merge(other.homes);
        self.agent_types.extend(other.agent_types);
        self.tools.merge(&other.tools);
        self.doubtful_lines += other.doubtful_lines;
        self.doubtful.extend(other.doubtful);
        self.keep_first_doubtful();
    }

    fn doubt(&mut self, place: Place, why: Doubt) {
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

/// What is to be found out beside the usage. Both take more reading.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wish<'p> {
    /// Which tools the messages are due to, at these prices.
    pub tools: Option<&'p Prices>,
    /// What type the subagents are of.
    pub agent_types: bool,
    /// What sessions are called that share an id; without it, they are one.
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

/// The words without which a line says nothing about usage.
#[derive(Debug)]
struct Words {
    usage: Finder<'static>,
    cost_state: Finder<'static>,
}

/// What a session states when it ends has a few hundred bytes for each model.
const LONGEST_COST_STATE: usize = 16 << 10;

impl Words {
    /// Quotes belong to the words: inside of texts they are escaped, so that no text is mistaken.
    fn new() -> Self {
        Self { usage: Finder::new("\"usage\""), cost_state: Finder::new("\"cost-state\"") }
    }

    fn are_in(&self, line: &[u8]) -> bool {
        self.usage.find(line).is_some() || line.len() <= LONGEST_COST_STATE && self.cost_state.find(line).is_some()
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
    /// Only lines with the words, and only their headers, if that is enough.
    Headers,
    /// Every line.
    Entries,
}

/// Whether a source was read with success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Read,
    /// It has to be read more thoroughly, from the start.
    TooShallow,
}

impl<'p> Accountant<'p> {
    /// Finds out what is wished for.
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

    /// Reads a source, which has a number for places in it.
    pub fn read(&mut self, number: usize, source: &Source) -> Result<(), Problem> {
        // Neither has a message in it.
        if matches!(source.kind, SourceKind::History | SourceKind::Journal) {
            return Ok(());
        }
        // Standard input cannot be read twice.
        let is_shallow = source.stem().is_some() && self.tools.is_none();
        let first = if is_shallow { Depth::Headers } else { Depth::Entries };
        let before = (self.accounts.doubtful_lines, self.accounts.doubtful.len());
        if self.read_at(first, number, source)? == Outcome::TooShallow {
            // What was counted of it is counted again, which changes nothing; what was noted is not.
            self.accounts.doubtful_lines = before.0;
            self.accounts.doubtful.truncate(before.1);
            self.read_at(Depth::Entries, number, source)?;
        }
        Ok(())
    }

    /// What was read.
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
            // Its lines have no times of their own, and its sums need not speak of usage.
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

/// One source while it is read.
struct Reader<'a, 'p> {
    accounts: &'a mut Accounts,
    owner: Named<'a>,
    /// There as soon as something is to be counted.
    feed: Option<Feed>,
    tools: Option<ToolFold<'p>>,
    number: usize,
}

impl Reader<'_, '_> {
    /// Counts a line by its header, and in full where that is not enough.
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
        self.accounts.doubt(Place { source: self.number, line }, why);
    }
}

/// Whether what an entry says about usage holds for, or follows from, the lines before it.
fn depends_on_others(entry: &Entry<'_>) -> bool {
    match &entry.body {
        Body::Result(_) => true,
        Body::Assistant(_) => entry.envelope.timestamp.is_none(),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
