//! Reads sources and counts their contents.

use std::sync::Arc;

use format::block::{Block, Call, Content, ToolResultBlock};
use format::entry::Agent;
use format::entry::system::SystemEvent;
use format::id::ToolUseId;
use format::tool::{Calls, ResultSource, Structured, ToolResult, read_result};
use format::{Body, Entry, Line, Malformed, Note, Scratch, Text, Wrapping};

use super::{Census, Kinds, MalformedLine, Merge, OddValue, Seen, SourceLine, Tally, ToolCount, subkind};
use sources::problem::Problem;
use sources::source::{Buffer, FoundBy, Lines, Source};

/// Reads sources one after another into a census.
///
/// ```
/// use reader::Counter;
/// use sources::find_at;
/// # let dir = tempfile::tempdir()?;
/// # let path = dir.path().join("a.jsonl");
/// # std::fs::write(&path, "{\"type\":\"mode\",\"mode\":\"normal\"}\n")?;
/// let mut counter = Counter::default();
/// for (number, source) in find_at(&[path]).sources.iter().enumerate() {
///     counter.read(number, source, &|_bytes| {})?;
/// }
/// assert_eq!(counter.finish().entries.get("mode").map(|kinds| kinds.count), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Counter {
    census: Census,
    buffer: Buffer,
    scratch: Scratch,
}

/// The number of bytes between reports of progress.
const REPORT_EVERY: u64 = 1 << 20;

impl Counter {
    /// Reads a source, identified by `number` in the census. Calls `on_bytes` with progress from time to time.
    ///
    /// A source that the user named must be a transcript; one that was found in a folder is counted by its content.
    /// Everything read before a failure counts.
    pub fn read(&mut self, number: usize, source: &Source, on_bytes: &dyn Fn(u64)) -> Result<(), Problem> {
        let calls = Calls::default();
        let mut file = FileCount { agent: agent_of(source), ..FileCount::new(number, &calls) };
        let outcome = self.read_lines(&mut file, source, on_bytes);
        let counted = if outcome.is_ok() { file.judge(source)? } else { file.census };
        self.census.absorb(counted);
        outcome
    }

    fn read_lines(&mut self, file: &mut FileCount<'_>, source: &Source, on_bytes: &dyn Fn(u64)) -> Result<(), Problem> {
        let mut lines = Lines::new(source.open()?, &mut self.buffer);
        let mut unreported = 0;
        loop {
            let line = match lines.next_line() {
                Ok(Some(line)) => line,
                Ok(None) => break,
                Err(error) => {
                    on_bytes(unreported);
                    return Err(source.unreadable(error));
                }
            };
            self.scratch.reset();
            file.line(line, &self.scratch);
            unreported += line.bytes.len() as u64;
            if unreported >= REPORT_EVERY {
                on_bytes(std::mem::take(&mut unreported));
            }
        }
        on_bytes(unreported);
        Ok(())
    }

    /// The census of everything read.
    pub fn finish(self) -> Census {
        self.census
    }
}

/// The other agent whose folder contains a source: `~/.openclaude/projects/…`.
fn agent_of(source: &Source) -> Option<Agent> {
    let path = source.input.path()?;
    path.components().find_map(|part| Agent::of_folder(part.as_os_str().to_str()?))
}

/// The verdict on a source.
#[derive(Clone, Copy)]
enum Verdict {
    /// It contains at least one known entry.
    Transcript,
    /// It is empty.
    Empty,
    /// It was written by another agent.
    Foreign(Agent),
    /// It contains objects, but none of Claude Code's.
    Other,
    /// It contains no objects.
    Damaged,
}

/// The count of one source.
struct FileCount<'c> {
    number: usize,
    census: Census,
    /// The other agent whose folder contains the source.
    agent: Option<Agent>,
    /// Entries of Claude Code of a known kind.
    known: u64,
    /// The last version that an entry named.
    version: String,
    /// Calls without a result so far.
    calls: &'c Calls,
}

impl<'c> FileCount<'c> {
    fn new(number: usize, calls: &'c Calls) -> Self {
        Self { number, census: Census::default(), agent: None, known: 0, version: String::new(), calls }
    }

    fn verdict(&self) -> Verdict {
        let foreign = self.census.foreign.iter().max_by_key(|(_, foreign)| foreign.entries.count);
        match foreign {
            Some((agent, foreign)) if foreign.entries.count > self.known => Verdict::Foreign(*agent),
            _ if self.known > 0 => Verdict::Transcript,
            _ if self.census.lines == self.census.blank_lines => Verdict::Empty,
            _ if self.census.entries.is_empty() => Verdict::Damaged,
            _ => Verdict::Other,
        }
    }

    /// The part of the counts that applies to a source that was read to its end.
    fn judge(self, source: &Source) -> Result<Census, Problem> {
        let verdict = self.verdict();
        let all = self.census;
        let size_only = Census { lines: all.lines, bytes: all.bytes, ..Census::default() };
        let input = || source.input.clone();
        let counted = match (verdict, source.found_by) {
            (Verdict::Empty, FoundBy::Named) => return Err(Problem::Empty { input: input() }),
            (Verdict::Foreign(agent), FoundBy::Named) => return Err(Problem::Foreign { input: input(), agent }),
            (Verdict::Other | Verdict::Damaged, FoundBy::Named) => {
                return Err(Problem::NotATranscript { input: input() });
            }
            (Verdict::Empty, _) => Census { empty_sources: 1, ..size_only },
            (Verdict::Foreign(agent), _) => {
                let mut foreign = all.foreign.get(&agent).copied().unwrap_or_default();
                foreign.sources += 1;
                Census { foreign: [(agent, foreign)].into(), ..size_only }
            }
            (Verdict::Other, FoundBy::Folder) => {
                Census { other_sources: Seen::once(SourceLine { source: self.number, line: 1 }), ..size_only }
            }
            (Verdict::Other | Verdict::Damaged, FoundBy::Root | FoundBy::Archive)
                if !source.looks_like_transcript() =>
            {
                Census { other_sources: Seen::once(SourceLine { source: self.number, line: 1 }), ..size_only }
            }
            // A source with only unknown entries in Claude Code's own folder comes from a newer version. Damage is
            // reported.
            (Verdict::Transcript | Verdict::Damaged, _) | (Verdict::Other, FoundBy::Root | FoundBy::Archive) => {
                Census { sources: [(source.kind, 1)].into(), ..all }
            }
        };
        Ok(counted)
    }

    fn line(&mut self, line: Line<'_>, scratch: &Scratch) {
        let reading = format::read_with(line.bytes, scratch, self.calls);
        let place = SourceLine { source: self.number, line: line.number };
        let census = &mut self.census;
        census.lines += line.span;
        census.bytes += line.bytes.len() as u64;
        census.spread_objects += u64::from(line.span > 1);
        census.blank_lines += u64::from(reading.is_blank());
        match reading.wrapping {
            // Captures wrap every line.
            Wrapping::Line | Wrapping::Captured => {}
            Wrapping::Several => census.wrapped.several += 1,
            Wrapping::Array => census.wrapped.arrays += 1,
            Wrapping::Loglines => census.wrapped.loglines += 1,
        }
        census.repaired.invalid_utf8 += u64::from(reading.repairs.invalid_utf8);
        census.repaired.debris += u64::from(reading.repairs.debris);
        if let Some(Malformed { reason, at, cut_off }) = reading.malformed {
            let unfinished = cut_off && line.unfinished;
            census.malformed.push(MalformedLine { place, byte: at + 1, reason, unfinished });
        }
        for entry in reading.entries {
            self.entry(entry, place, scratch);
        }
    }

    fn entry<'a>(&mut self, mut entry: Entry<'a>, place: SourceLine, scratch: &'a Scratch) {
        if let Some(agent) = self.agent.or(entry.foreign) {
            self.census.foreign.entry(agent).or_default().entries.absorb(Seen::once(place));
            return;
        }
        let is_known = !matches!(entry.body, Body::Unknown(_));
        self.known += u64::from(is_known);
        if let Some(version) = entry.envelope.version.or_else(|| version_of_stream(&entry.body)) {
            self.census.versions.add(&version);
            if self.version != version.as_str() {
                version.as_str().clone_into(&mut self.version);
            }
        }
        if let Some(model) = model_of(&entry.body) {
            self.census.models.add(model);
        }
        if matches!(entry.body, Body::History(_)) && entry.envelope.session().is_none() {
            self.census.prompts_without_session.absorb(Seen::once(place));
        }
        add_kind(&mut self.census.entries, entry.body.kind(), subkind(&entry.body));
        self.notes(&entry.notes, place);
        let structured = entry.body.take_structured();
        let content = entry.body.message().and_then(|message| message.content.as_ref());
        self.blocks(content, structured, place, scratch);
    }

    fn notes(&mut self, notes: &[Note<'_>], place: SourceLine) {
        let census = &mut self.census;
        if !self.version.is_empty() {
            census.unknown_by_version.update_by(&self.version, notes.len() as u64);
        }
        for note in notes {
            let seen = |seen: &mut Seen| seen.absorb(Seen::once(place));
            match *note {
                Note::UnknownField { record, field, value: _ } => {
                    census.unknown_fields.entry(record).or_default().update(&field, seen);
                }
                Note::UnknownKind { of, name } => census.unknown_kinds.entry(of).or_default().update(&name, seen),
                Note::OddValue { record, field, expected } => {
                    seen(census.odd_values.entry(OddValue { record, field, expected }).or_default());
                }
            }
        }
    }

    /// `structured` is the entry's `toolUseResult`.
    fn blocks<'a>(
        &mut self,
        content: Option<&Content<'a>>,
        mut structured: Option<Structured<'a>>,
        place: SourceLine,
        scratch: &'a Scratch,
    ) {
        let blocks = content.map_or(&[][..], Content::blocks);
        if blocks.iter().filter_map(Block::as_result).count() != 1 {
            // With several results, the entry does not name the one to which this belongs.
            structured = None;
        }
        for block in blocks {
            add_kind(&mut self.census.blocks, block.kind(), None);
            if let Some(call) = block.call() {
                self.call(call);
            } else if let Some(result) = block.as_result() {
                self.result(result, structured.take(), place, scratch);
            } else if let Some(result) = block.as_server_result() {
                let tool = self.close(result.tool_use_id);
                self.add_result(tool.as_deref(), true, result.is_error == Some(true));
            }
        }
    }

    fn call(&mut self, call: Call<'_>) {
        let tool = call.tool.map_or("", Text::as_str);
        self.census.tools.update(tool, |count| count.calls += 1);
        if let Some(id) = call.id {
            self.calls.open(id, tool);
        }
    }

    fn result<'a>(
        &mut self,
        block: &ToolResultBlock<'a>,
        structured: Option<Structured<'a>>,
        place: SourceLine,
        scratch: &'a Scratch,
    ) {
        for inner in block.content.as_ref().map_or(&[][..], Content::blocks) {
            self.census.blocks.update("tool_result", |kinds| kinds.below.add(inner.kind()));
        }
        let tool = self.close(block.tool_use_id);
        let read = read_result(tool.as_deref(), structured, Some(block), scratch);
        let failed = matches!(read.result, ToolResult::Failed(_));
        self.add_result(tool.as_deref(), read.source != ResultSource::Plain, failed);
        self.notes(&read.notes, place);
    }

    /// The tool of a call whose result has arrived.
    fn close(&self, id: Option<ToolUseId<'_>>) -> Option<Arc<str>> {
        self.calls.close(id?)
    }

    fn add_result(&mut self, tool: Option<&str>, typed: bool, failed: bool) {
        let add = |count: &mut ToolCount| {
            count.results += 1;
            count.typed += u64::from(typed);
            count.failed += u64::from(failed);
        };
        match tool {
            Some(name) => self.census.tools.update(name, add),
            None => add(&mut self.census.without_call),
        }
    }
}

/// The model that wrote a message.
fn model_of<'e>(body: &'e Body<'_>) -> Option<&'e str> {
    match body {
        Body::Assistant(assistant) => assistant.message.as_ref()?.model.map(format::Text::as_str),
        _ => None,
    }
}

/// Streams name the version once per turn.
fn version_of_stream<'a>(body: &Body<'a>) -> Option<Text<'a>> {
    match body {
        Body::System(system) => match &system.event {
            Some(SystemEvent::Init(init)) => init.claude_code_version,
            _ => None,
        },
        _ => None,
    }
}

fn add_kind(tally: &mut Tally<Kinds>, kind: &str, below: Option<&str>) {
    tally.update(kind, |kinds| {
        kinds.count += 1;
        if let Some(below) = below {
            kinds.below.add(below);
        }
    });
}
