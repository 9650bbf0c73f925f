//! The story of a session.

use format::EntryPiece;
use rustc_hash::FxHashSet;

use crate::accounting::{Accounting, BookkeepingKind, Fate};
use crate::facts::Facts;
use crate::place::{BlockPlace, LineId, Part, SourceId, Span, Wanted};
use crate::source::{Remnant, Role, Source};
use crate::step::{Call, CallState, Step, StepId, StepKind, ThreadId};
use crate::tasks::TaskList;
use crate::thread::{Thread, Turn};

/// The story of a session: threads of turns of steps.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Story {
    /// Facts about the session as a whole.
    pub facts: Facts,
    /// The tasks at the end of the main thread.
    pub tasks: TaskList,
    pub(crate) threads: Vec<Thread>,
    pub(crate) steps: Vec<Step>,
    pub(crate) sources: Vec<Source>,
    pub(crate) lines: Vec<(Span, Fate)>,
    pub(crate) kinds: Vec<Box<str>>,
    /// Calls that count for another session, by [`Call::key`].
    pub(crate) foreign_calls: FxHashSet<u64>,
    /// Where the entries and blocks of crowded lines lie, by line; none for a line where that is not known.
    pub(crate) pieces: Vec<(LineId, Box<[EntryPiece]>)>,
}

impl Story {
    /// All threads; the main one comes first.
    pub fn threads(&self) -> impl ExactSizeIterator<Item = (ThreadId, &Thread)> {
        self.threads.iter().enumerate().map(|(number, thread)| (ThreadId::new(number), thread))
    }

    /// A thread.
    pub fn thread(&self, id: ThreadId) -> Option<&Thread> {
        self.threads.get(id.index())
    }

    /// A step.
    pub fn step(&self, id: StepId) -> Option<&Step> {
        self.steps.get(id.index())
    }

    /// The steps before this one in line order, latest first.
    pub fn steps_before(&self, id: StepId) -> impl Iterator<Item = &Step> {
        self.steps.get(..id.index()).unwrap_or_default().iter().rev()
    }

    /// The steps from so many before this one on, in line order.
    pub fn steps_from(&self, id: StepId, earlier: usize) -> impl Iterator<Item = (StepId, &Step)> {
        let first = id.index().saturating_sub(earlier);
        let steps = self.steps.get(first..).unwrap_or_default();
        steps.iter().enumerate().map(move |(number, step)| (StepId::new(first + number), step))
    }

    /// The number of calls of a turn that failed unexpectedly.
    pub fn failures(&self, thread: &Thread, turn: &Turn) -> usize {
        let is_failed = |step: &Step| matches!(&step.kind, StepKind::Call(call) if call.state == CallState::Failed);
        self.steps(thread, turn).filter(|(_, step)| is_failed(step)).count()
    }

    /// Whether a call counts for this session: a call that is in several sessions counts for one of them.
    pub fn is_counted(&self, call: &Call) -> bool {
        self.foreign_calls.is_empty() || call.key().is_none_or(|key| !self.foreign_calls.contains(&key))
    }

    /// What identifies the calls of the session in others, in ascending order.
    pub fn call_keys(&self) -> Vec<u64> {
        let steps = self.threads.iter().flat_map(|thread| &thread.steps).filter_map(|step| self.step(*step));
        let calls = steps.filter_map(|step| match &step.kind {
            StepKind::Call(call) => call.key(),
            _ => None,
        });
        let mut keys: Vec<u64> = calls.collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// The steps of a turn.
    pub fn steps<'s>(&'s self, thread: &'s Thread, turn: &Turn) -> impl Iterator<Item = (StepId, &'s Step)> {
        let ids = thread.steps.get(turn.steps.clone()).unwrap_or_default();
        ids.iter().filter_map(|&id| Some((id, self.step(id)?)))
    }

    /// All sources, in the order they were added.
    pub fn sources(&self) -> impl ExactSizeIterator<Item = &Source> {
        self.sources.iter()
    }

    /// What is left of the session; `None` if it has a file of its own.
    pub fn remnant(&self) -> Option<Remnant> {
        let is_agent = |source: &Source| matches!(source.role, Role::Agent { .. } | Role::Journal(_));
        if self.sources.is_empty() {
            return None;
        }
        let are_agents = self.sources.iter().all(is_agent);
        let are_prompts = self.sources.iter().all(|source| source.role == Role::Prompts);
        are_agents.then_some(Remnant::Subagents).or(are_prompts.then_some(Remnant::Prompts))
    }

    /// A source, as it was added.
    pub fn source(&self, id: SourceId) -> Option<&Source> {
        self.sources.get(id.index())
    }

    /// The position of a line.
    pub fn span(&self, line: LineId) -> Option<Span> {
        self.lines.get(line.index()).map(|(span, _)| *span)
    }

    /// The bytes to read again for a block: its line, unless that holds much more than the block.
    pub fn part(&self, place: BlockPlace, wanted: Wanted) -> Part {
        let Ok(at) = self.pieces.binary_search_by_key(&place.line, |(line, _)| *line) else { return Part::Line };
        let entries = self.pieces.get(at).map_or(&[][..], |(_, entries)| entries);
        let Some(entry) = entries.get(place.entry as usize) else { return Part::Unknown };
        let is_alone = match wanted {
            Wanted::Entry => true,
            Wanted::Call => entry.role.is_only_call,
            Wanted::Result => entry.role.is_only_result,
            Wanted::Block => false,
        };
        match entry.blocks.get(place.block as usize).filter(|_| !is_alone) {
            Some(block) => Part::Block(block.clone(), entry.role),
            None => Part::Entry(entry.bytes.clone()),
        }
    }

    /// The number of entries of a line, as far as is known.
    pub fn entries_on(&self, line: LineId) -> u32 {
        let at = self.pieces.binary_search_by_key(&line, |(line, _)| *line).ok();
        let entries = at.and_then(|at| self.pieces.get(at)).map_or(0, |(_, entries)| entries.len());
        u32::try_from(entries).unwrap_or(u32::MAX).max(1)
    }

    /// All lines with their fates.
    pub fn lines(&self) -> impl Iterator<Item = (LineId, Span, Fate)> {
        self.lines.iter().enumerate().map(|(number, (span, fate))| (LineId::new(number), *span, *fate))
    }

    /// The name of a kind of bookkeeping.
    pub fn kind_name(&self, kind: BookkeepingKind) -> &str {
        self.kinds.get(usize::from(kind.0)).map_or("", |name| name)
    }

    /// The number of lines by fate. Lines of other sessions do not count.
    pub fn accounting(&self) -> Accounting {
        let mut accounting = Accounting::default();
        for (_, span, fate) in self.lines() {
            if self.source(span.source).is_none_or(|source| source.role == Role::Elsewhere) {
                continue;
            }
            let lines = u64::from(span.lines);
            accounting.lines += lines;
            match fate {
                Fate::Shown => accounting.shown += lines,
                Fate::Bookkeeping(kind) => {
                    *accounting.bookkeeping.entry(self.kind_name(kind).to_owned()).or_default() += lines;
                }
                Fate::Duplicate(_) => accounting.duplicate += lines,
                Fate::Malformed => accounting.malformed += lines,
                Fate::Unknown => accounting.unknown += lines,
            }
        }
        accounting
    }
}
