//! Counts of everything in a set of sources: the work behind `recount check`.
//!
//! A [`Counter`] reads sources one after another into a [`Census`]. Several counters may work in parallel; merging
//! their censuses gives the same result in any order. Counts keyed by names from transcripts are bounded in number and
//! key length ([`Tally`]), so memory stays small for any input.

mod count;
mod novelty;
mod tally;

use std::collections::BTreeMap;

use format::Body;
use format::entry::Agent;
use format::entry::stream::{ControlCall, ResultKind, StreamEvent};
use format::entry::system::SystemEvent;

pub use count::Counter;
pub use novelty::Novelty;
pub use tally::{Merge, Tally};

use sources::source::SourceKind;

/// A line of a source. The caller numbers the sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceLine {
    /// The number of the source.
    pub source: usize,
    /// The line, counted from 1.
    pub line: u64,
}

/// The counts for a set of sources.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Census {
    /// Transcripts and other sources that were read, by kind.
    pub sources: BTreeMap<SourceKind, u64>,
    /// Lines of all sources.
    pub lines: u64,
    /// Bytes of all sources.
    pub bytes: u64,
    /// Lines that contain only white space.
    pub blank_lines: u64,
    /// Objects that span several lines.
    pub spread_objects: u64,
    /// Lines that contain several objects, or wrap a list of them.
    pub wrapped: Wrapped,
    /// Lines that had to be repaired before they could be read.
    pub repaired: Repaired,
    /// Entries by the version that wrote them.
    pub versions: Tally<u64>,
    /// Messages of the model, by its name.
    pub models: Tally<u64>,
    /// Entries by type and subtype.
    pub entries: Tally<Kinds>,
    /// Content blocks; blocks inside a tool result are counted by their own type.
    pub blocks: Tally<Kinds>,
    /// Tool calls by the tool's name.
    pub tools: Tally<ToolCount>,
    /// Results whose call does not occur in any earlier line.
    pub without_call: ToolCount,
    /// Empty sources found in folders.
    pub empty_sources: u64,
    /// Sources found in folders that contain JSON but no entry.
    pub other_sources: Seen,
    /// Lines of prompt histories that do not name their session, as old versions wrote them.
    pub prompts_without_session: Seen,
    /// Entries of other agents.
    pub foreign: BTreeMap<Agent, Foreign>,
    /// Types, subtypes and names that no known version writes, by category.
    pub unknown_kinds: BTreeMap<&'static str, Tally<Seen>>,
    /// Fields that no known version writes, by record.
    pub unknown_fields: BTreeMap<&'static str, Tally<Seen>>,
    /// Fields with a value of an unexpected type.
    pub odd_values: BTreeMap<OddValue, Seen>,
    /// How often data that no known version writes occurs, by the version that wrote it. A line without a version
    /// counts for the last one named before it.
    pub unknown_by_version: Tally<u64>,
    /// Lines that could not be parsed, or not fully.
    pub malformed: MalformedLines,
}

/// Lines that contain more than one object.
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

/// A count of one kind, and of its subkinds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kinds {
    /// The total.
    pub count: u64,
    /// The counts by subkind, where there is one.
    pub below: Tally<u64>,
}

/// Counts for one tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ToolCount {
    /// Calls.
    pub calls: u64,
    /// Results.
    pub results: u64,
    /// Results that parsed into the tool's own types, including failures.
    pub typed: u64,
    /// Results of calls that failed, were rejected or were interrupted.
    pub failed: u64,
}

/// How often something occurs, and where first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Seen {
    /// The number of occurrences.
    pub count: u64,
    /// The first place, by the number of the source and the line.
    pub first: Option<SourceLine>,
}

impl Seen {
    /// One occurrence, at `place`.
    pub fn once(place: SourceLine) -> Self {
        Self { count: 1, first: Some(place) }
    }
}

/// Entries of another agent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Foreign {
    /// Sources that belong to the other agent as a whole.
    pub sources: u64,
    /// Its entries.
    pub entries: Seen,
}

/// A field with a value of an unexpected type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct OddValue {
    /// The record.
    pub record: &'static str,
    /// The field.
    pub field: &'static str,
    /// The types that the field can hold.
    pub expected: &'static str,
}

/// A line that could not be parsed, or not fully.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MalformedLine {
    /// Where it is.
    pub place: SourceLine,
    /// The byte of the line where parsing failed, counted from 1.
    pub byte: usize,
    /// The reason.
    pub reason: String,
    /// Whether this is a truncated last line, which may still be being written.
    pub unfinished: bool,
}

/// Malformed lines: all are counted, the first ones are stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MalformedLines {
    /// The number of malformed lines.
    pub count: u64,
    /// The first lines, in order; at most [`Self::KEPT`].
    pub first: Vec<MalformedLine>,
}

impl MalformedLines {
    /// Limit on the lines that are stored.
    pub const KEPT: usize = 10_000;

    fn push(&mut self, line: MalformedLine) {
        self.count += 1;
        if self.first.len() < Self::KEPT {
            self.first.push(line);
        }
    }
}

/// The numbers of a version, for their order: 2.1.9 comes before 2.1.12.
fn numbers(version: &str) -> Vec<u64> {
    version.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().unwrap_or(0)).collect()
}

impl Census {
    /// Versions with their number of entries, the oldest first.
    pub fn versions_in_order(&self) -> Vec<(&str, u64)> {
        in_order(&self.versions)
    }

    /// The number of sources that were read to the end.
    pub fn source_count(&self) -> u64 {
        let foreign: u64 = self.foreign.values().map(|foreign| foreign.sources).sum();
        self.sources.values().sum::<u64>() + self.empty_sources + self.other_sources.count + foreign
    }

    /// The number of entries of all kinds.
    pub fn entry_count(&self) -> u64 {
        self.entries.values().map(|kinds| kinds.count).sum()
    }

    /// The number of blocks of all kinds.
    pub fn block_count(&self) -> u64 {
        self.blocks.values().map(|kinds| kinds.count).sum()
    }

    /// The sum over all tools.
    pub fn tool_total(&self) -> ToolCount {
        let mut total = self.without_call;
        self.tools.values().for_each(|count| total.absorb(*count));
        total
    }

    /// Whether the sources contain anything that the types do not know. Damage does not count.
    pub fn has_unknowns(&self) -> bool {
        !(self.unknown_kinds.is_empty()
            && self.unknown_fields.is_empty()
            && self.odd_values.is_empty()
            && self.other_sources.count == 0)
    }
}

/// Versions with their counts, the oldest first.
fn in_order(versions: &Tally<u64>) -> Vec<(&str, u64)> {
    let mut versions: Vec<_> = versions.by_name().into_iter().map(|(name, count)| (name, *count)).collect();
    versions.sort_by_key(|(name, _)| numbers(name));
    versions
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
        self.models.absorb(other.models);
        self.entries.absorb(other.entries);
        self.blocks.absorb(other.blocks);
        self.tools.absorb(other.tools);
        self.without_call.absorb(other.without_call);
        self.empty_sources += other.empty_sources;
        self.other_sources.absorb(other.other_sources);
        self.prompts_without_session.absorb(other.prompts_without_session);
        self.foreign.absorb(other.foreign);
        self.unknown_kinds.absorb(other.unknown_kinds);
        self.unknown_fields.absorb(other.unknown_fields);
        self.odd_values.absorb(other.odd_values);
        self.unknown_by_version.absorb(other.unknown_by_version);
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
        // Both halves are sorted; the sort detects the runs and merges them.
        self.first.sort();
        self.first.truncate(Self::KEPT);
    }
}

#[cfg(test)]
mod tests;
