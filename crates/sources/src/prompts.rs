//! The prompts of one session in a prompt history (docs/format A.4).
//!
//! `history.jsonl` keeps every typed prompt, also of sessions whose transcript is deleted. The lines of one session are
//! read like a file of their own, whose path is `history.jsonl/<session>`: a [`PromptLines`]. Of a session that also
//! exists otherwise, they repeat what is there, so only [`lone_prompts`] are sessions.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, UNIX_EPOCH};

use archive::FileKey;
use format::id::is_uuid;
use format::{Body, Line, Scratch, Time};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use crate::archived::Opened;
use crate::captured::{is_capture, session_of};
use crate::files::{Neighbours, is_plain};
use crate::find::FoundSources;
use crate::follow::{self, Change, Mark, Reading};
use crate::partial::session_folder;
use crate::problem::Problem;
use crate::source::{Buffer, Input, Source, SourceKind, Twin};

/// The name of a prompt history.
pub(crate) const HISTORY: &str = "history.jsonl";

/// Ids come from the file, and become names.
const LONGEST_ID: usize = 100;

/// Where the prompts of each session are in a prompt history, and how far it was read.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct PromptHistory {
    mark: Mark,
    sessions: BTreeMap<Box<str>, SessionPart>,
    /// The part of the last line, as long as more of it may follow. It is read again.
    #[serde(skip)]
    unfinished: BTreeMap<Box<str>, SessionPart>,
}

/// The lines of one session.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct SessionPart {
    extents: Vec<Extent>,
    /// The time of the last prompt, in milliseconds since 1970.
    last: Option<i64>,
    /// A hash of all lines.
    print: u64,
}

/// Adjacent lines of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Extent {
    /// The position in the prompt history.
    offset: u64,
    length: u64,
}

impl SessionPart {
    fn add(&mut self, line: &Line<'_>, at: Option<i64>) {
        let length = line.bytes.len() as u64;
        match self.extents.last_mut().filter(|last| last.offset + last.length == line.offset) {
            Some(last) => last.length += length,
            None => self.extents.push(Extent { offset: line.offset, length }),
        }
        self.last = self.last.max(at);
        self.print = self.print.rotate_left(7) ^ follow::hash(line.bytes);
    }

    fn extend(&mut self, other: &Self) {
        self.extents.extend(&other.extents);
        self.last = self.last.max(other.last);
        self.print = self.print.rotate_left(7) ^ other.print;
    }
}

impl PromptHistory {
    /// Reads what was added to a prompt history since it was last read. Returns whether there was anything to read.
    fn read_on(&mut self, input: &Input, is_known: bool) -> io::Result<bool> {
        let Some(reading) = follow::look(input, is_known.then_some(&self.mark))? else { return Ok(false) };
        if reading.change != Change::Grown {
            *self = Self::default();
        }
        self.read(reading)?;
        Ok(true)
    }

    fn read(&mut self, reading: Reading) -> io::Result<()> {
        let (mut buffer, mut scratch) = (Buffer::default(), Scratch::default());
        self.unfinished.clear();
        self.mark = reading.read(&mut buffer, |line| {
            scratch.reset();
            let parts = if line.unfinished { &mut self.unfinished } else { &mut self.sessions };
            // A damaged line may contain several prompts.
            let mut before: Option<Box<str>> = None;
            for entry in format::read(line.bytes, &scratch).entries {
                let Some(session) = entry.envelope.session().filter(|_| matches!(entry.body, Body::History(_))) else {
                    continue;
                };
                let id = session.as_str();
                if !is_session_id(id) || before.as_deref() == Some(id) {
                    continue;
                }
                let at = entry.envelope.timestamp.and_then(Time::milliseconds);
                parts.entry(id.into()).or_default().add(line, at);
                before = Some(id.into());
            }
        })?;
        Ok(())
    }

    /// The sessions with prompts, sorted by id.
    fn sessions(&self) -> impl Iterator<Item = &str> {
        let new = self.unfinished.keys().filter(|id| !self.sessions.contains_key(*id));
        self.sessions.keys().chain(new).map(|id| &**id)
    }

    /// The prompts of a session, as a source. `None` if there are none.
    fn source(&self, history: &Source, session: &str) -> Option<Source> {
        let mut part = self.sessions.get(session).cloned();
        if let Some(end) = self.unfinished.get(session) {
            part.get_or_insert_default().extend(end);
        }
        let part = part?;
        let key = history.input.key()?;
        let key = key.beside(key.path.join(session));
        let lines = PromptLines::new(history.input.clone(), key, &part);
        let last = part.last.and_then(|at| u64::try_from(at).ok());
        Some(Source {
            kind: SourceKind::Prompts,
            size: lines.size,
            modified: last.and_then(|at| UNIX_EPOCH.checked_add(Duration::from_millis(at))).or(history.modified),
            input: Input::Prompts(lines),
            twin: Twin::None,
            strays: Vec::new(),
            earlier: Vec::new(),
            ..history.clone()
        })
    }
}

/// The lines of one session in a prompt history, which are read like a file.
#[derive(Debug, Clone)]
pub struct PromptLines {
    history: Box<Input>,
    key: FileKey,
    /// The extents, each with its position among the lines of the session.
    extents: Arc<[(u64, Extent)]>,
    size: u64,
    print: u64,
}

impl PromptLines {
    fn new(history: Input, key: FileKey, part: &SessionPart) -> Self {
        let mut size = 0;
        let place = |extent: &Extent| {
            let at = size;
            size += extent.length;
            (at, *extent)
        };
        let extents = part.extents.iter().map(place).collect();
        Self { history: Box::new(history), key, extents, size, print: part.print }
    }

    /// Its path: that of the prompt history, and the session.
    pub fn path(&self) -> &Path {
        &self.key.path
    }

    /// Its key, which is unique among all files.
    pub fn key(&self) -> &FileKey {
        &self.key
    }

    /// The prompt history.
    pub fn history(&self) -> &Input {
        &self.history
    }

    /// The size of all lines, in bytes.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// A hash of all lines.
    pub(crate) fn print(&self) -> u64 {
        self.print
    }

    pub(crate) fn open(&self) -> io::Result<PromptContent> {
        let history = Box::new(self.history.open()?);
        Ok(PromptContent { history, extents: Arc::clone(&self.extents), size: self.size, at: 0 })
    }
}

/// The file for the text of a large paste that a prompt history names by its hash. It need not exist.
pub fn paste(prompts: &Input, hash: &str) -> Option<Input> {
    let history = if let Input::Prompts(lines) = prompts { lines.history() } else { prompts };
    let path = history.path().filter(|path| path.file_name() == Some(OsStr::new(HISTORY)))?;
    let file = path.parent()?.join("paste-cache").join(format!("{hash}.txt"));
    is_plain(hash).then(|| history.beside(file)).flatten()
}

impl PartialEq for PromptLines {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for PromptLines {}

impl PartialOrd for PromptLines {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for PromptLines {
    fn cmp(&self, other: &Self) -> Ordering {
        let order = |lines: &Self| (lines.key.clone(), lines.size, lines.print);
        order(self).cmp(&order(other))
    }
}

/// The open prompts of a session.
#[derive(Debug)]
pub struct PromptContent {
    history: Box<Opened>,
    extents: Arc<[(u64, Extent)]>,
    size: u64,
    at: u64,
}

impl Read for PromptContent {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let following = self.extents.partition_point(|(at, _)| *at <= self.at);
        let Some((at, extent)) = following.checked_sub(1).and_then(|last| self.extents.get(last)) else { return Ok(0) };
        let inside = self.at - at;
        let left = usize::try_from(extent.length.saturating_sub(inside)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        if wanted == 0 {
            return Ok(0);
        }
        self.history.seek(SeekFrom::Start(extent.offset + inside))?;
        let read = self.history.read(buffer.get_mut(..wanted).unwrap_or_default())?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for PromptContent {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.size.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "before the beginning"))?;
        Ok(self.at)
    }
}

/// The prompt histories that were read, so that each is read once.
#[derive(Debug, Clone, Default)]
pub(crate) struct PromptHistories(Arc<Mutex<HashMap<FileKey, PromptHistory>>>);

impl PromptHistories {
    /// Reads a prompt history, or what was added to it, and asks it something.
    fn ask<T>(&self, history: &Source, question: impl FnOnce(&PromptHistory) -> T) -> io::Result<T> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = history.input.key().unwrap_or_default();
        let is_known = all.contains_key(&key);
        let known = all.entry(key).or_default();
        known.read_on(&history.input, is_known)?;
        Ok(question(known))
    }

    /// Reads a prompt history from the state of an earlier run. Returns the new state, unless it is the same.
    pub(crate) fn resume(&self, history: &Source, state: Option<PromptHistory>) -> io::Result<Option<PromptHistory>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = history.input.key().unwrap_or_default();
        let is_known = state.is_some();
        let mut known = state.unwrap_or_default();
        let is_new = known.read_on(&history.input, is_known)?;
        let changed = is_new.then(|| known.clone());
        all.insert(key, known);
        Ok(changed)
    }

    /// The prompts of a session, as a source.
    pub(crate) fn source(&self, history: &Source, session: &str) -> io::Result<Option<Source>> {
        self.ask(history, |known| known.source(history, session))
    }
}

/// Splits the path of a session's prompts into that of the history and the session.
pub fn split_prompts(path: &Path) -> Option<(&Path, &str)> {
    let history = path.parent().filter(|parent| parent.file_name() == Some(OsStr::new(HISTORY)))?;
    let session = path.file_name()?.to_str().filter(|id| is_session_id(id))?;
    Some((history, session))
}

fn is_session_id(id: &str) -> bool {
    is_plain(id) && id.len() <= LONGEST_ID
}

/// The sessions of which only prompts are left: prompt histories have them, and nothing else that was found does.
pub fn lone_prompts(found: &FoundSources, neighbours: &Neighbours) -> (Vec<Source>, Vec<Problem>) {
    let (mut sessions, mut problems) = (Vec::new(), Vec::new());
    let mut others: Option<FxHashSet<String>> = None;
    for history in found.sources.iter().filter(|source| source.kind == SourceKind::History) {
        let others = others.get_or_insert_with(|| recorded(found, neighbours));
        let lone = |known: &PromptHistory| {
            let lone = known.sessions().filter(|id| !others.contains(*id) && !found.forgotten.has_id(id));
            lone.filter_map(|id| known.source(history, id)).collect::<Vec<_>>()
        };
        match found.shelf.histories().ask(history, lone) {
            Ok(lone) => sessions.extend(lone),
            Err(error) => problems.push(history.unreadable(error)),
        }
    }
    (sessions, problems)
}

/// The ids of all sessions of which there is more than prompts.
fn recorded(found: &FoundSources, neighbours: &Neighbours) -> FxHashSet<String> {
    let mut ids = FxHashSet::default();
    for source in found.sources.iter().chain(&found.partial) {
        let Some(path) = source.input.path() else { continue };
        match source.kind {
            SourceKind::Transcript if is_capture(path) => ids.extend(session_of(source)),
            SourceKind::Transcript | SourceKind::Partial => {
                let name = source.name().map(|name| name.strip_prefix("local_").unwrap_or(name));
                ids.extend(name.map(str::to_owned));
                // A file that was renamed still has the lines of its session.
                if !name.is_some_and(is_uuid) {
                    ids.extend(neighbours.head(source).session.or_else(|| session_of(source)));
                }
            }
            SourceKind::Subagent => match session_folder(path).and_then(Path::file_name) {
                Some(folder) => ids.extend(folder.to_str().map(str::to_owned)),
                None => ids.extend(neighbours.head(source).session),
            },
            SourceKind::Journal | SourceKind::History | SourceKind::Capture | SourceKind::Prompts => {}
        }
    }
    ids
}

#[cfg(test)]
mod tests;
