//! What is in sources, counted: the work behind `recount check`.
//!
//! A [`Counter`] reads sources one after another into a [`Census`]; several
//! may work side by side, and their censuses are put together in any order with the
//! same outcome. What is counted by names from transcripts is bounded in number
//! and length ([`Tally`]), so that memory stays small whatever is read.

mod count;
mod tally;

use std::collections::BTreeMap;

use format::Body;
use format::entry::Agent;
use format::entry::stream::{ControlCall, ResultKind, StreamEvent};
use format::entry::system::SystemEvent;

pub use count::Counter;
pub use tally::{Merge, Tally};

use sources::source::SourceKind;

/// A line of a source. Sources are numbered by whoever lets them be counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The number of the source.
    pub source: usize,
    /// The line, counted from 1.
    pub line: u64,
}

/// What was found in sources.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Census {
    /// Transcripts and the like that were read, by what they are.
    pub sources: BTreeMap<SourceKind, u64>,
    /// Lines of all sources.
    pub lines: u64,
    /// Bytes of all sources.
    pub bytes: u64,
    /// Lines with nothing but white space.
    pub blank_lines: u64,
    /// Objects that are spread over several lines.
    pub spread_objects: u64,
    /// Lines that hold several objects, or wrap a list of them.
    pub wrapped: Wrapped,
    /// Lines that had to be repaired before they could be read.
    pub repaired: Repaired,
    /// Entries by the version that wrote them.
    pub versions: Tally<u64>,
    /// Entries by type and subtype.
    pub entries: Tally<Kinds>,
    /// Content blocks; those inside a tool's result by its own type.
    pub blocks: Tally<Kinds>,
    /// Tool calls by the tool's name.
    pub tools: Tally<ToolCount>,
    /// Results whose call is in no line before them.
    pub without_call: ToolCount,
    /// Sources found in folders that hold nothing.
    pub empty_sources: u64,
    /// Sources found in folders that hold JSON, but no entry.
    pub other_sources: Seen,
    /// Entries of other agents.
    pub foreign: BTreeMap<Agent, Foreign>,
    /// Types, subtypes and names that no known version writes, by what they are names of.
    pub unknown_kinds: BTreeMap<&'static str, Tally<Seen>>,
    /// Fields that no known version writes, by the record they are in.
    pub unknown_fields: BTreeMap<&'static str, Tally<Seen>>,
    /// Fields with values of another type than known.
    pub odd_values: BTreeMap<OddValue, Seen>,
    /// Lines that could not be read, or not as a whole.
    pub malformed: MalformedLines,
}

/// Lines that hold more than one object.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wrapped {
    /// Several objects side by side.
    pub several: u64,
    /// A JSON array of entries, or a line of one.
    pub arrays: u64,
    /// `{"loglines":[…]}`
    pub loglines: u64,
}

/// Lines that were repaired.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Repaired {
    /// Bytes that are not UTF-8.
    pub invalid_utf8: u64,
    /// Control characters around the object.
    pub debris: u64,
}

/// A number of things of one kind, and of the kinds below it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kinds {
    /// All of them.
    pub count: u64,
    /// Those that say what they are more precisely.
    pub below: Tally<u64>,
}

/// What happened with a tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ToolCount {
    /// Calls.
    pub calls: u64,
    /// Results.
    pub results: u64,
    /// Results that were read into the tool's own types; failures among them.
    pub typed: u64,
    /// Results that say that the call failed, was rejected or stopped.
    pub failed: u64,
}

/// How often something was seen, and where first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Seen {
    /// How often.
    pub count: u64,
    /// The first place, by the number of the source and the line.
    pub first: Option<Place>,
}

impl Seen {
    /// Once, at `place`.
    pub fn once(place: Place) -> Self {
        Self { count: 1, first: Some(place) }
    }
}

/// Entries of another agent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Foreign {
    /// Sources that are the other agent's as a whole.
    pub sources: u64,
    /// Its entries.
    pub entries: Seen,
}

/// A field with a value of another type than known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct OddValue {
    /// The record.
    pub record: &'static str,
    /// The field.
    pub field: &'static str,
    /// What the types can hold.
    pub expected: &'static str,
}

/// A line that could not be read, or not as a whole.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MalformedLine {
    /// Where it is.
    pub place: Place,
    /// The byte of the line where it went wrong, counted from 1.
    pub byte: usize,
    /// What is wrong.
    pub reason: String,
    /// Whether it is the last line, ends too early, and may still be being written.
    pub unfinished: bool,
}

/// Malformed lines: all counted, the first ones kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MalformedLines {
    /// How many there are.
    pub count: u64,
    /// The first of them, in order; at most [`Self::KEPT`].
    pub first: Vec<MalformedLine>,
}

impl MalformedLines {
    /// How many are kept.
    pub const KEPT: usize = 10_000;

    fn push(&mut self, line: MalformedLine) {
        self.count += 1;
        if self.first.len() < Self::KEPT {
            self.first.push(line);
        }
    }
}

impl Census {
    /// All sources that were read to their end.
    pub fn source_count(&self) -> u64 {
        let foreign: u64 = self.foreign.values().map(|foreign| foreign.sources).sum();
        self.sources.values().sum::<u64>() + self.empty_sources + self.other_sources.count + foreign
    }

    /// All entries, of whatever kind.
    pub fn entry_count(&self) -> u64 {
        self.entries.values().map(|kinds| kinds.count).sum()
    }

    /// All blocks, of whatever kind.
    pub fn block_count(&self) -> u64 {
        self.blocks.values().map(|kinds| kinds.count).sum()
    }

    /// All tool calls and results.
    pub fn tool_total(&self) -> ToolCount {
        let mut total = self.without_call;
        self.tools.values().for_each(|count| total.absorb(*count));
        total
    }

    /// Whether something was read that the types do not know. Damage is another matter.
    pub fn has_unknowns(&self) -> bool {
        !(self.unknown_kinds.is_empty()
            && self.unknown_fields.is_empty()
            && self.odd_values.is_empty()
            && self.other_sources.count == 0)
    }
}

/// The kind of an entry below its type: a subtype, the type of an attachment, of progress, of a stream's event.
pub fn subkind<'a>(body: &Body<'a>) -> Option<&'a str> {
    match body {
        Body::System(system) => system.event.as_ref().map(SystemEvent::kind),
        Body::Attachment(entry) => entry.attachment.as_ref().map(|attachment| attachment.kind()),
        Body::Progress(progress) => progress.data.as_ref().map(|data| data.kind()),
        Body::StreamEvent(part) => part.event.as_ref().map(StreamEvent::kind),
        Body::Result(result) => result.kind.map(ResultKind::as_str),
        Body::ControlRequest(control) => control.request.as_ref().map(ControlCall::kind),
        _ => None,
    }
}

impl Merge for Census {
    fn absorb(&mut self, other: Self) {
        self.sources.absorb(other.sources);
        self.lines += other.lines;
        self.bytes += other.bytes;
        self.blank_lines += other.blank_lines;
        self.spread_objects += other.spread_objects;
        self.wrapped.several += other.wrapped.several;
        self.wrapped.arrays += other.wrapped.arrays;
        self.wrapped.loglines += other.wrapped.loglines;
        self.repaired.invalid_utf8 += other.repaired.invalid_utf8;
        self.repaired.debris += other.repaired.debris;
        self.versions.absorb(other.versions);
        self.entries.absorb(other.entries);
        self.blocks.absorb(other.blocks);
        self.tools.absorb(other.tools);
        self.without_call.absorb(other.without_call);
        self.empty_sources += other.empty_sources;
        self.other_sources.absorb(other.other_sources);
        self.foreign.absorb(other.foreign);
        self.unknown_kinds.absorb(other.unknown_kinds);
        self.unknown_fields.absorb(other.unknown_fields);
        self.odd_values.absorb(other.odd_values);
        self.malformed.absorb(other.malformed);
    }
}

impl Merge for Kinds {
    fn absorb(&mut self, other: Self) {
        self.count += other.count;
        self.below.absorb(other.below);
    }
}

impl Merge for ToolCount {
    fn absorb(&mut self, other: Self) {
        self.calls += other.calls;
        self.results += other.results;
        self.typed += other.typed;
        self.failed += other.failed;
    }
}

impl Merge for Seen {
    fn absorb(&mut self, other: Self) {
        self.count += other.count;
        self.first = match (self.first, other.first) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
    }
}

impl Merge for Foreign {
    fn absorb(&mut self, other: Self) {
        self.sources += other.sources;
        self.entries.absorb(other.entries);
    }
}

impl Merge for MalformedLines {
    fn absorb(&mut self, mut other: Self) {
        self.count += other.count;
        if other.first.is_empty() {
            return;
        }
        self.first.append(&mut other.first);
        // Two sorted runs: the sort finds and merges them.
        self.first.sort();
        self.first.truncate(Self::KEPT);
    }
}

#[cfg(test)]
mod tests;
