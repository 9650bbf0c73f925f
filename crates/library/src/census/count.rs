//! Reads sources and counts what is in them.

use std::collections::HashMap;

use format::block::{Block, Content, ToolResultBlock};
use format::entry::Agent;
use format::entry::system::SystemEvent;
use format::id::ToolUseId;
use format::tool::{ResultSource, ToolResult, read_result};
use format::{Body, Entry, Line, Malformed, Note, Raw, Scratch, Text, Wrapping};

use super::{Census, Kinds, MalformedLine, Merge, OddValue, Place, Seen, Tally, ToolCount, subkind};
use crate::problem::Problem;
use crate::source::{Buffer, Lines, Origin, Source};

/// Reads sources one after another into a census.
///
/// ```
/// use library::{Counter, find_at};
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

/// After how many bytes progress is reported.
const REPORT_EVERY: u64 = 1 << 20;

impl Counter {
    /// Reads a source, which the census knows by its `number`. `on_bytes` is told of progress now and then.
    ///
    /// A source that was asked for by its name has to be a transcript; one that was found along the way
    /// is just counted as what it is. What was read before a failure counts.
    pub fn read(&mut self, number: usize, source: &Source, on_bytes: &dyn Fn(u64)) -> Result<(), Problem> {
        let mut file = FileCount::new(number);
        let outcome = self.read_lines(&mut file, source, on_bytes);
        let counted = if outcome.is_ok() { file.judge(source)? } else { file.census };
        self.census.absorb(counted);
        outcome
    }

    fn read_lines(&mut self, file: &mut FileCount, source: &Source, on_bytes: &dyn Fn(u64)) -> Result<(), Problem> {
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

    /// What was counted.
    pub fn finish(self) -> Census {
        self.census
    }
}

/// What a source proved to be.
#[derive(Clone, Copy)]
enum Verdict {
    /// At least one entry of it is known.
    Transcript,
    /// There is nothing in it.
    Empty,
    /// The work of another agent.
    Foreign(Agent),
    /// There are objects in it, but none of ours.
    Other,
    /// There are no objects in it.
    Damaged,
}

/// The count of one source.
struct FileCount {
    number: usize,
    census: Census,
    /// Entries that are ours and known.
    known: u64,
    /// The names of calls whose result has not been met.
    pending: HashMap<Box<str>, Box<str>>,
}

impl FileCount {
    fn new(number: usize) -> Self {
        Self { number, census: Census::default(), known: 0, pending: HashMap::new() }
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

    /// What counts of a source that was read to its end.
    fn judge(self, source: &Source) -> Result<Census, Problem> {
        let verdict = self.verdict();
        let all = self.census;
        let size_only = Census { lines: all.lines, bytes: all.bytes, ..Census::default() };
        let input = || source.input.clone();
        let counted = match (verdict, source.origin) {
            (Verdict::Empty, Origin::Named) => return Err(Problem::Empty { input: input() }),
            (Verdict::Foreign(agent), Origin::Named) => return Err(Problem::Foreign { input: input(), agent }),
            (Verdict::Other | Verdict::Damaged, Origin::Named) => {
                return Err(Problem::NotATranscript { input: input() });
            }
            (Verdict::Empty, _) => Census { empty_sources: 1, ..size_only },
            (Verdict::Foreign(agent), _) => {
                let mut foreign = all.foreign.get(&agent).copied().unwrap_or_default();
                foreign.sources += 1;
                Census { foreign: [(agent, foreign)].into(), ..size_only }
            }
            (Verdict::Other, Origin::Folder) => {
                Census { other_sources: Seen::once(Place { source: self.number, line: 1 }), ..size_only }
            }
            // Nothing but unknown entries in Claude Code's own folder: they are new. Nothing but damage: it is told.
            (Verdict::Transcript | Verdict::Damaged, _) | (Verdict::Other, Origin::Root) => {
                Census { sources: [(source.kind, 1)].into(), ..all }
            }
        };
        Ok(counted)
    }

    fn line(&mut self, line: Line<'_>, scratch: &Scratch) {
        let reading = format::read(line.bytes, scratch);
        let place = Place { source: self.number, line: line.number };
        let census = &mut self.census;
        census.lines += line.span;
        census.bytes += line.bytes.len() as u64;
        census.spread_objects += u64::from(line.span > 1);
        census.blank_lines += u64::from(reading.is_blank());
        match reading.wrapping {
            Wrapping::Line => {}
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
        for entry in &reading.entries {
            self.entry(entry, place, scratch);
        }
    }

    fn entry<'a>(&mut self, entry: &Entry<'a>, place: Place, scratch: &'a Scratch) {
        if let Some(agent) = entry.foreign {
            self.census.foreign.entry(agent).or_default().entries.absorb(Seen::once(place));
            return;
        }
        let is_known = !matches!(entry.body, Body::Unknown(_));
        self.known += u64::from(is_known);
        if let Some(version) = entry.envelope.version.or_else(|| version_of_stream(&entry.body)) {
            self.census.versions.add(&version);
        }
        add_kind(&mut self.census.entries, entry.body.kind(), subkind(&entry.body));
        self.notes(&entry.notes, place);
        match &entry.body {
            Body::User(user) => {
                let content = user.message.as_ref().and_then(|message| message.content.as_ref());
                self.blocks(content, user.tool_use_result, place, scratch);
            }
            Body::Assistant(assistant) => {
                let content = assistant.message.as_ref().and_then(|message| message.content.as_ref());
                self.blocks(content, assistant.tool_use_result, place, scratch);
            }
            _ => {}
        }
    }

    fn notes(&mut self, notes: &[Note<'_>], place: Place) {
        let census = &mut self.census;
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
        structured: Option<Raw<'a>>,
        place: Place,
        scratch: &'a Scratch,
    ) {
        let blocks = content.map_or(&[][..], Content::blocks);
        // With several results it is not said which of them it belongs to.
        let results = blocks.iter().filter(|block| matches!(block, Block::ToolResult(_))).count();
        let structured = structured.filter(|_| results == 1);
        for block in blocks {
            add_kind(&mut self.census.blocks, block.kind(), None);
            match block {
                Block::ToolUse(call) | Block::ServerToolUse(call) => self.call(call.id, call.name),
                Block::McpToolUse(call) => self.call(call.id, call.name),
                Block::ToolResult(result) | Block::McpToolResult(result) => {
                    self.result(result, structured, place, scratch);
                }
                Block::WebSearchResult(result)
                | Block::WebFetchResult(result)
                | Block::AdvisorResult(result)
                | Block::CodeExecutionResult(result)
                | Block::BashCodeExecutionResult(result)
                | Block::TextEditorCodeExecutionResult(result)
                | Block::ToolSearchResult(result) => self.server_result(result.tool_use_id, result.is_error),
                Block::Text(_)
                | Block::Thinking(_)
                | Block::RedactedThinking(_)
                | Block::Image(_)
                | Block::Document(_)
                | Block::SearchResult(_)
                | Block::ToolReference(_)
                | Block::Resource(_)
                | Block::Fallback(_)
                | Block::ContainerUpload(_)
                | Block::Compaction(_)
                | Block::McpToolListing(_)
                | Block::ToolAddition(_)
                | Block::ToolRemoval(_)
                | Block::Unknown(_) => {}
            }
        }
    }

    fn call(&mut self, id: Option<ToolUseId<'_>>, name: Option<Text<'_>>) {
        let name = name.map_or("", |name| name.as_str());
        self.census.tools.update(name, |count| count.calls += 1);
        if let Some(id) = id {
            self.pending.insert(id.as_str().into(), name.into());
        }
    }

    fn result<'a>(
        &mut self,
        block: &ToolResultBlock<'a>,
        structured: Option<Raw<'a>>,
        place: Place,
        scratch: &'a Scratch,
    ) {
        for inner in block.content.as_ref().map_or(&[][..], Content::blocks) {
            self.census.blocks.update("tool_result", |kinds| kinds.below.add(inner.kind()));
        }
        let tool = self.take_call(block.tool_use_id);
        let read = read_result(tool.as_deref(), structured, Some(block), scratch);
        let failed = matches!(read.result, ToolResult::Failed(_));
        self.add_result(tool.as_deref(), read.source != ResultSource::Plain, failed);
        self.notes(&read.notes, place);
    }

    /// Results of tools that run at the API have a type of block each.
    fn server_result(&mut self, id: Option<ToolUseId<'_>>, is_error: Option<bool>) {
        let tool = self.take_call(id);
        self.add_result(tool.as_deref(), true, is_error == Some(true));
    }

    /// The name of the call, which is forgotten now: what is open stays few, however long the file is.
    fn take_call(&mut self, id: Option<ToolUseId<'_>>) -> Option<Box<str>> {
        self.pending.remove(id?.as_str())
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
