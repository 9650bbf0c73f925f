//! Searches without the index, by reading sources from beginning to end.
//!
//! A [`Scanner`] reads one source after another; several can run in parallel, and [`Scanned::hits`] combines their
//! results. Patterns can only be searched this way.

use std::cmp::Reverse;
use std::path::PathBuf;
use std::sync::Arc;

use format::id::hash;
use format::tool::Calls;
use format::{Body, Entry, Line, Scratch, Time};
use reader::account::Owner;
use rustc_hash::{FxHashMap, FxHashSet};
use sources::Buffer;
use sources::Neighbours;
use sources::Origin;
use sources::Problem;
use sources::Source;
use sources::SourceKind;
use sources::Twin;
use sources::files_of_session;
use sources::naming::SessionNames;
use sources::project::MachineProjects;

use super::condition::{SessionTraits, Traits};
use super::line::Reader;
use super::{AgentInfo, Conditions, Count, Cut, Hit, Hits, Needle, SessionHits, SessionInfo};
use crate::texts::{Column, OwnFiles, carries_entry, marks};

/// A search in sources.
#[derive(Debug, Clone, Copy)]
pub struct Scan<'q> {
    /// The search term.
    pub needle: Needle<'q>,
    /// The meaning of filters.
    pub conditions: &'q Conditions,
    /// The columns to search. Empty means all.
    pub columns: &'q [Column],
    /// The length of snippets.
    pub cut: Cut,
    /// The number of latest entries kept per source.
    pub kept: usize,
    /// The names of sessions that share an id. Without it, they count as one session.
    pub names: Option<&'q SessionNames>,
}

/// Searches sources.
#[derive(Debug)]
pub struct Scanner<'q> {
    conditions: &'q Conditions,
    reader: Reader<'q>,
    kept: usize,
    names: Option<&'q SessionNames>,
    buffer: Buffer,
    scratch: Scratch,
    scanned: Scanned,
}

/// The matches in sources.
#[derive(Debug, Default)]
pub struct Scanned {
    sources: Vec<SourceMatches>,
}

/// The matches in one source.
#[derive(Debug)]
struct SourceMatches {
    /// The session, as far as it is known.
    name: String,
    origin: Arc<Origin>,
    path: PathBuf,
    agent: Option<AgentInfo>,
    /// The folder in which it ran.
    folder: Option<String>,
    first: Option<i64>,
    last: Option<i64>,
    hits: Vec<Hit>,
    matches: u64,
}

impl<'q> Scanner<'q> {
    /// Begins a search.
    pub fn new(scan: Scan<'q>) -> Self {
        Self {
            conditions: scan.conditions,
            reader: Reader::new(scan.needle, scan.columns, scan.cut),
            kept: scan.kept.max(1),
            names: scan.names,
            buffer: Buffer::default(),
            scratch: Scratch::default(),
            scanned: Scanned::default(),
        }
    }

    /// Searches a source, with its earlier versions.
    pub fn read(&mut self, source: &Source) -> Result<(), Problem> {
        if matches!(source.kind, SourceKind::History | SourceKind::Journal) || !source.looks_like_transcript() {
            return Ok(());
        }
        let mut known = (!source.earlier.is_empty()).then(FxHashSet::default);
        source.earlier.iter().chain([source]).try_for_each(|file| self.read_file(file, source, known.as_mut()))
    }

    /// Searches a file, except for lines in the earlier versions of it.
    fn read_file(
        &mut self,
        file: &Source,
        source: &Source,
        mut known: Option<&mut FxHashSet<u64>>,
    ) -> Result<(), Problem> {
        let (Some(path), Some(key)) = (source.input.path(), file.input.key()) else { return Ok(()) };
        // The text of a captured session is found in the session's own file, from which it is shown.
        let (is_capture, owner) = match &source.twin {
            Twin::CaptureOf(main) => (true, Owner::of_file(&main.path)),
            Twin::None | Twin::CapturedIn(_) => (false, Owner::of_file(path)),
        };
        let mut part = SourceMatches {
            name: owner.session.unwrap_or_default(),
            origin: Arc::clone(&source.origin),
            path: key.path,
            agent: owner.agent.map(|name| AgentInfo { name, ..AgentInfo::default() }),
            folder: None,
            first: None,
            last: None,
            hits: Vec::new(),
            matches: 0,
        };
        let calls = Calls::default();
        let mut own_files: Option<OwnFiles> = None;
        let Self { buffer, scratch, reader, conditions, kept, .. } = self;
        let mut lines = sources::Lines::new(file.open()?, buffer);
        while let Some(line) = lines.next_line().map_err(|error| file.unreadable(error))? {
            if known.as_mut().is_some_and(|known| !known.insert(hash(&[line.bytes.trim_ascii()]))) {
                continue;
            }
            scratch.reset();
            let reading = format::read_with(line.bytes, scratch, &calls);
            let mut best: Option<Hit> = None;
            for entry in &reading.entries {
                part.learn(entry);
                if is_capture && matches!(entry.body, Body::User(_) | Body::Assistant(_)) {
                    continue;
                }
                if carries_entry(entry) {
                    let files = || OwnFiles::of(&files_of_session(source, &Neighbours::default()).0);
                    if own_files.get_or_insert_with(files).contain(entry) {
                        continue;
                    }
                }
                let hit = look(entry, reader, conditions, &calls);
                best = best.filter(|best| hit.as_ref().is_none_or(|hit| hit.share <= best.share)).or(hit);
            }
            if let Some(hit) = best {
                part.put(hit, &line, *kept);
            }
        }
        if let Some(names) = self.names {
            part.name = names.name(&part.name, source).into_owned();
        }
        // Sources without matches are needed to determine the age of other sessions.
        self.scanned.sources.push(part);
        Ok(())
    }

    /// The results.
    pub fn finish(self) -> Scanned {
        self.scanned
    }
}

/// The hit of an entry, if it matches.
fn look(entry: &Entry<'_>, reader: &mut Reader<'_>, conditions: &Conditions, calls: &Calls) -> Option<Hit> {
    let marks = marks(entry);
    for call in &marks.calls {
        if let Some(id) = call.id {
            calls.open(id.into(), call.tool);
        }
    }
    let answered: Vec<String> =
        marks.answers.iter().filter_map(|id| calls.close((*id).into())).map(|tool| tool.to_string()).collect();
    if !conditions.is_empty() {
        let called = marks.calls.iter().map(|call| call.tool.to_owned());
        let tools: Vec<String> = called.chain(answered.iter().cloned()).collect();
        let files: Vec<&str> = marks.files.iter().map(|(_, path)| *path).collect();
        let traits = Traits {
            tools: &tools,
            files: &files,
            role: marks.role,
            model: marks.model,
            branch: entry.envelope.git_branch.map(format::Text::as_str),
            kind: marks.kind,
            is_error: marks.is_error,
            at: entry.envelope.timestamp.and_then(Time::milliseconds),
        };
        if !conditions.allow(&traits) {
            return None;
        }
    }
    let read = reader.entry(entry, &answered, 1.0)?;
    // As in the index, an entry without text is found by its tools and files.
    let is_known = !read.hit.snippets.is_empty() || !read.hit.tools.is_empty() || !marks.files.is_empty();
    is_known.then_some(read.hit)
}

impl SourceMatches {
    fn learn(&mut self, entry: &Entry<'_>) {
        let envelope = &entry.envelope;
        if self.name.is_empty() {
            let id = envelope.session_id.or(envelope.stream_session_id);
            self.name = id.map(|id| id.as_str().to_owned()).unwrap_or_default();
        }
        if self.folder.is_none() {
            let typed_in = if let Body::History(line) = &entry.body { line.project } else { None };
            self.folder = envelope.cwd.or(typed_in).map(|cwd| cwd.as_str().to_owned());
        }
        if let Some(at) = envelope.timestamp.and_then(Time::milliseconds) {
            self.first = Some(self.first.map_or(at, |first| first.min(at)));
            self.last = Some(self.last.map_or(at, |last| last.max(at)));
        }
    }

    fn project<'p>(&self, projects: &'p MachineProjects) -> Option<&'p str> {
        projects.get(&self.origin, self.folder.as_deref()?).map(|project| project.path.as_str())
    }

    fn put(&mut self, hit: Hit, line: &Line<'_>, kept: usize) {
        self.matches += 1;
        // Allow twice as many before truncating, so that this happens rarely.
        if self.hits.len() >= 2 * kept {
            self.hits.drain(..kept);
        }
        let (path, agent) = (self.path.clone(), self.agent.clone());
        self.hits.push(Hit { path, agent, line: line.number, offset: line.offset, ..hit });
    }
}

/// The number of results to show.
#[derive(Debug, Clone, Copy)]
pub struct Shown {
    /// The maximum number of sessions.
    pub limit: usize,
    /// The maximum number of entries per session.
    pub per_session: usize,
}

impl Scanned {
    /// Adds the results of another scanner.
    pub fn merge(&mut self, other: Self) {
        self.sources.extend(other.sources);
    }

    /// Counts the matches in accepted sessions.
    pub fn count(&self, conditions: &Conditions) -> Count {
        let sessions = self.sessions(conditions);
        let parts = self.sources.iter().filter(|part| part.matches > 0 && sessions.contains(part.name.as_str()));
        let entries = parts.clone().map(|part| part.matches).sum();
        Count { entries, sessions: parts.map(|part| part.name.as_str()).collect::<FxHashSet<_>>().len() as u64 }
    }

    fn projects(&self) -> MachineProjects {
        MachineProjects::of(self.sources.iter().filter_map(|part| Some((&*part.origin, part.folder.as_deref()?))))
    }

    /// The sessions that the filters accept.
    fn sessions(&self, conditions: &Conditions) -> FxHashSet<&str> {
        let projects = self.projects();
        let mut sessions: FxHashMap<&str, (Option<i64>, Option<&str>)> = FxHashMap::default();
        for part in &self.sources {
            let (last, project) = sessions.entry(part.name.as_str()).or_default();
            *last = (*last).max(part.last);
            if part.agent.is_none() || project.is_none() {
                *project = part.project(&projects).or(*project);
            }
        }
        let mut sessions: Vec<_> = sessions.into_iter().collect();
        sessions.sort_unstable_by_key(|(name, (last, _))| (Reverse(*last), *name));
        let allowed = sessions.into_iter().enumerate();
        let traits = |age, id, project| SessionTraits { id, main: None, project, age };
        let allowed =
            allowed.filter(|(age, (name, (_, project)))| conditions.allow_session(&traits(*age, name, *project)));
        allowed.map(|(_, (name, _))| name).collect()
    }

    /// The results to show, sessions with the latest entries first.
    pub fn hits(self, conditions: &Conditions, shown: Shown) -> Hits {
        let allowed: FxHashSet<String> = self.sessions(conditions).into_iter().map(str::to_owned).collect();
        let projects = self.projects();
        let mut sessions: FxHashMap<String, SessionHits> = FxHashMap::default();
        for part in self.sources.into_iter().filter(|part| allowed.contains(&part.name)) {
            let group = sessions.entry(part.name.clone()).or_insert_with(|| SessionHits {
                session: SessionInfo { name: part.name.clone(), path: part.path.clone(), ..SessionInfo::default() },
                hits: Vec::new(),
                matches: 0,
                has_more: false,
            });
            let session = &mut group.session;
            session.first = [session.first, part.first].into_iter().flatten().min();
            session.last = session.last.max(part.last);
            if part.agent.is_none() || session.project.is_none() {
                session.project = part.project(&projects).map(str::to_owned).or(session.project.take());
            }
            if part.agent.is_none() {
                session.path = part.path;
            }
            group.matches += part.matches;
            group.hits.extend(part.hits);
        }
        let key = |group: &SessionHits| group.hits.iter().map(|hit| hit.at.or(group.session.last)).max().flatten();
        let mut sessions: Vec<_> = sessions.into_values().filter(|group| !group.hits.is_empty()).collect();
        sessions.sort_by_cached_key(|group| Reverse((key(group), group.session.name.clone())));
        let has_more = sessions.len() > shown.limit;
        sessions.truncate(shown.limit);
        for group in &mut sessions {
            group.hits.sort_by_key(|hit| Reverse((hit.at, hit.line)));
            group.hits.truncate(shown.per_session);
        }
        Hits { sessions, has_more, ..Hits::default() }
    }
}
