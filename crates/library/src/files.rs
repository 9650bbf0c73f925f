//! All files of a session: its own, those of its agents, and those it may have copied from.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use format::id::is_uuid;
use format::{Body, Entry, Scratch, Time};
use jiff::Timestamp;
use story::{AgentNotes, Role};

use crate::find::find_at;
use crate::problem::Problem;
use crate::source::{Buffer, Input, Lines, Source, SourceKind};

/// A file of a session.
#[derive(Debug)]
pub struct Part {
    /// The file.
    pub source: Source,
    /// What it holds.
    pub role: Role,
    /// The session it belongs to, by its name; empty if that says nothing.
    pub session: Box<str>,
    /// What is known of the agent beside its file.
    pub notes: Option<AgentNotes>,
}

/// What lies beside sessions, folder by folder. Who tells many sessions keeps it, since sessions of one folder have
/// the same neighbours; it is right as long as no file changes.
#[derive(Debug, Default)]
pub struct Neighbours(Mutex<HashMap<PathBuf, Arc<Folder>>>);

/// The transcripts of a folder, by what their first lines say.
#[derive(Debug, Default)]
struct Folder {
    /// Sessions by the first entries of their conversations: those that share one have copied from each other.
    sessions: HashMap<String, Vec<Source>>,
    /// Agents by the sessions that they belong to.
    agents: HashMap<String, Vec<Source>>,
}

impl Neighbours {
    /// What lies in the folder of a file.
    fn of(&self, path: &Path) -> Arc<Folder> {
        let folder = match path.parent() {
            Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
            Some(folder) => folder,
            None => return Arc::default(),
        };
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known().get(folder) {
            return Arc::clone(known);
        }
        // Two threads may find out the same; that is better than one waiting for the other.
        let found = Arc::new(Folder::read(folder));
        known().insert(folder.to_path_buf(), Arc::clone(&found));
        found
    }
}

impl Folder {
    fn read(path: &Path) -> Self {
        let mut folder = Self::default();
        for path in transcripts_in(path) {
            let Some(source) = find_at(&[path]).sources.into_iter().next() else { continue };
            let head = Head::read(&source);
            let (list, key) = match source.kind {
                SourceKind::Transcript => (&mut folder.sessions, head.first),
                SourceKind::Subagent => (&mut folder.agents, head.session),
                SourceKind::Journal | SourceKind::History => continue,
            };
            if let Some(key) = key {
                list.entry(key).or_default().push(source);
            }
        }
        folder
    }
}

/// All files of the session that `source` is the main file of, in the order they are to be read.
///
/// What cannot be read is told in the problems; the rest is still there.
pub fn files_of_session(source: &Source, neighbours: &Neighbours) -> (Vec<Part>, Vec<Problem>) {
    let mut search = Search { parts: Vec::new(), problems: Vec::new(), neighbours };
    let Input::File(path) = &source.input else {
        search.parts.push(Part::main(source.clone(), Box::default()));
        return (search.parts, search.problems);
    };
    // Whoever renames a file does not rename its session.
    let session: Box<str> = if is_uuid(stem(path)) { stem(path).into() } else { Box::default() };
    if source.kind == SourceKind::Subagent {
        search.agent(source.clone(), None);
        return (search.parts, search.problems);
    }
    let head = Head::read(source);
    search.elsewhere(path, &head);
    search.parts.push(Part::main(source.clone(), session.clone()));
    search.companions(path);
    let owner = head.session.as_deref().unwrap_or_default();
    search.old_agents(path, if session.is_empty() { owner } else { &session });
    (search.parts, search.problems)
}

impl Part {
    fn main(source: Source, session: Box<str>) -> Self {
        Self { source, role: Role::Main, session, notes: None }
    }
}

fn stem(path: &Path) -> &str {
    path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default()
}

struct Search<'n> {
    parts: Vec<Part>,
    problems: Vec<Problem>,
    neighbours: &'n Neighbours,
}

impl Search<'_> {
    fn agent(&mut self, source: Source, workflow: Option<Box<str>>) {
        let Input::File(path) = &source.input else { return };
        let id = stem(path).strip_prefix("agent-").unwrap_or(stem(path)).into();
        let notes = read_notes(&path.with_extension("meta.json"));
        self.parts.push(Part { role: Role::Agent { id, workflow }, session: Box::default(), notes, source });
    }

    /// What lies in the folder beside the main file, which has the same name.
    fn companions(&mut self, main: &Path) {
        let folder = main.with_extension("").join("subagents");
        if !folder.is_dir() {
            return;
        }
        let found = find_at(&[folder]);
        let is_news = |problem: &Problem| !matches!(problem, Problem::NoSessions { .. });
        self.problems.extend(found.problems.into_iter().filter(is_news));
        for source in found.sources {
            let Input::File(path) = &source.input else { continue };
            let folder = path.parent().and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or_default();
            let run = folder.starts_with("wf_").then(|| Box::from(folder));
            match (source.kind, run) {
                (SourceKind::Journal, Some(run)) => {
                    self.parts.push(Part { source, role: Role::Journal(run), session: Box::default(), notes: None });
                }
                (SourceKind::Subagent, run) => self.agent(source, run),
                (SourceKind::Transcript | SourceKind::Journal | SourceKind::History, _) => {}
            }
        }
    }

    /// From about 2.0 to 2.1.2 agents lay beside the main file, and only their lines say whose they are.
    fn old_agents(&mut self, main: &Path, session: &str) {
        let folder = self.neighbours.of(main);
        for source in folder.agents.get(session).into_iter().flatten() {
            self.agent(source.clone(), None);
        }
    }

    /// Sessions that this one copied its beginning from. The earliest owns what they share.
    fn elsewhere(&mut self, main: &Path, head: &Head) {
        let (Some(first), None) = (&head.first, &head.forked_from) else {
            let origin = head.forked_from.as_ref().map(|session| main.with_file_name(format!("{session}.jsonl")));
            let found = origin.filter(|path| path.is_file() && path != main).map(|path| find_at(&[path]));
            for source in found.into_iter().flat_map(|found| found.sources) {
                self.add_elsewhere(source);
            }
            return;
        };
        let mut own = None;
        let folder = self.neighbours.of(main);
        for source in folder.sessions.get(first).into_iter().flatten() {
            if matches!(&source.input, Input::File(path) if path.file_name() == main.file_name()) {
                continue;
            }
            let own = own.get_or_insert_with(|| Uuids::read(main));
            let theirs = Uuids::read_source(source);
            if theirs.goes_on_before(own) {
                self.add_elsewhere(source.clone());
            }
        }
    }

    fn add_elsewhere(&mut self, source: Source) {
        let session = match &source.input {
            Input::File(path) => stem(path).into(),
            Input::Stdin => Box::default(),
        };
        self.parts.push(Part { source, role: Role::Elsewhere, session, notes: None });
    }
}

/// The transcripts in a folder, by their names.
fn transcripts_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "jsonl")).collect();
    paths.sort();
    paths
}

/// What lies beside the file of an agent.
pub(crate) fn read_notes(path: &Path) -> Option<AgentNotes> {
    /// Such a file has a few hundred bytes.
    const LARGEST: u64 = 1 << 20;
    if fs::metadata(path).ok()?.len() > LARGEST {
        return None;
    }
    let bytes = fs::read(path).ok()?;
    let scratch = Scratch::default();
    let meta = format::read_agent_meta(&bytes, &scratch)?;
    let text = |text: Option<format::Text<'_>>| text.map(|text| Box::from(text.as_str()));
    Some(AgentNotes {
        agent_type: text(meta.agent_type),
        description: text(meta.description),
        tool_use_id: meta.tool_use_id.map(|id| id.as_str().into()),
        parent_agent: meta.parent_agent_id.map(|id| id.as_str().into()),
        name: text(meta.name),
        model: text(meta.model),
        teammate: meta.task_kind.is_some_and(|kind| kind == "in_process_teammate"),
    })
}

/// What the first lines of a file say about it.
#[derive(Debug, Default)]
struct Head {
    /// The first entry of the conversation.
    first: Option<String>,
    session: Option<String>,
    forked_from: Option<String>,
}

impl Head {
    fn read(source: &Source) -> Self {
        /// The first lines may be bookkeeping that says nothing.
        const LINES: usize = 100;
        let mut head = Self::default();
        let mut left = LINES;
        for_each_entry(source, |entry| {
            left -= 1;
            let envelope = &entry.envelope;
            head.session = head.session.take().or_else(|| Some(envelope.session_id?.as_str().to_owned()));
            if let Some(uuid) = envelope.uuid.filter(|_| is_conversation(&entry.body)) {
                head.first = Some(uuid.as_str().to_owned());
                let from = envelope.forked_from.as_ref().and_then(|from| from.session_id);
                head.forked_from = from.map(|session| session.as_str().to_owned());
            }
            left > 0 && (head.first.is_none() || head.session.is_none())
        });
        head
    }
}

fn is_conversation(body: &Body<'_>) -> bool {
    matches!(body, Body::User(_) | Body::Assistant(_) | Body::System(_) | Body::Attachment(_) | Body::Progress(_))
}

/// Hands entries to `each` until it has enough. What cannot be read ends it: whoever reads the file says so.
fn for_each_entry(source: &Source, mut each: impl FnMut(&Entry<'_>) -> bool) {
    let Ok(file) = source.open() else { return };
    let (mut buffer, mut scratch) = (Buffer::default(), Scratch::default());
    let mut lines = Lines::new(file, &mut buffer);
    while let Ok(Some(line)) = lines.next_line() {
        scratch.reset();
        for entry in format::read(line.bytes, &scratch).entries {
            if !each(&entry) {
                return;
            }
        }
    }
}

/// The entries of a file by their ids and times.
struct Uuids {
    all: HashSet<String>,
    in_order: Vec<(String, Option<Timestamp>)>,
}

impl Uuids {
    fn read(path: &Path) -> Self {
        let source = find_at(&[path.to_path_buf()]).sources.into_iter().next();
        source.map_or(Self { all: HashSet::new(), in_order: Vec::new() }, |source| Self::read_source(&source))
    }

    fn read_source(source: &Source) -> Self {
        let mut uuids = Self { all: HashSet::new(), in_order: Vec::new() };
        let Ok(file) = source.open() else { return uuids };
        let (mut buffer, mut scratch) = (Buffer::default(), Scratch::default());
        let mut lines = Lines::new(file, &mut buffer);
        while let Ok(Some(line)) = lines.next_line() {
            scratch.reset();
            let Some(header) = format::read_header(line.bytes, &scratch) else { continue };
            if let Some(uuid) = header.uuid {
                uuids.all.insert(uuid.as_str().to_owned());
                uuids.in_order.push((uuid.as_str().to_owned(), header.timestamp.and_then(Time::timestamp)));
            }
        }
        uuids
    }

    /// When it first has an entry that the other does not have.
    fn first_alone(&self, other: &Self) -> Option<Timestamp> {
        self.in_order.iter().find(|(uuid, _)| !other.all.contains(uuid)).and_then(|(_, at)| *at)
    }

    /// Whether it is the original of the two: it ends with what both have, or went on with it first.
    fn goes_on_before(&self, other: &Self) -> bool {
        match (self.first_alone(other), other.first_alone(self)) {
            (None, other) => other.is_some(),
            (Some(own), Some(other)) => own < other,
            (Some(_), None) => false,
        }
    }
}
