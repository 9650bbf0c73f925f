//! The files of a session: its own, those of its agents, and those from which it may have been copied.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use archive::FileKey;
use format::id::is_uuid;
use format::{Body, Entry, Scratch, Time};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use story::{AgentNotes, Role};

use crate::captured::is_capture;
use crate::find::{FoundSources, find_at, find_beside, leads_to_secret};
use crate::partial::{main_beside, session_folder};
use crate::problem::Problem;
use crate::prompts::lone_prompts;
use crate::source::{Buffer, Input, Lines, Source, SourceKind, Twin};

/// A file of a session.
#[derive(Debug)]
pub struct SessionFile {
    /// The file.
    pub source: Source,
    /// Its role in the session.
    pub role: Role,
    /// The session to which it belongs, by its name; empty if the name does not say.
    pub session: Box<str>,
    /// The notes beside the file of an agent.
    pub notes: Option<AgentNotes>,
}

/// The surroundings of sessions, cached by folder, because the sessions of one folder have the same neighbours. Valid
/// as long as no file changes.
#[derive(Debug, Default)]
pub struct Neighbours {
    folders: Mutex<HashMap<FileKey, Arc<Folder>>>,
    /// The first lines of files.
    heads: Mutex<HashMap<FileKey, Head>>,
    /// The sessions of agents in other folders.
    strays: HashMap<FileKey, FileKey>,
}

/// The transcripts of a folder, by their first lines.
#[derive(Debug, Default)]
struct Folder {
    /// Sessions by the first entry of their conversation: sessions that share it are copies.
    sessions: HashMap<String, Vec<Source>>,
    /// Agents by session.
    agents: HashMap<String, Vec<Source>>,
    /// Sessions that begin with summaries.
    summarising: Vec<Source>,
}

impl Neighbours {
    /// The neighbours of found sources, with the heads that are already known.
    pub fn of(found: &FoundSources, heads: HashMap<FileKey, Head>) -> Self {
        let mut strays = HashMap::new();
        for session in found.sources.iter().chain(&found.partial).filter(|session| !session.strays.is_empty()) {
            let keys = session.strays.iter().filter_map(|stray| stray.input.key());
            strays.extend(keys.filter_map(|stray| Some((stray, session.input.key()?))));
        }
        Self { heads: Mutex::new(heads), strays, ..Self::default() }
    }

    /// The head of a file.
    pub fn head(&self, source: &Source) -> Head {
        let Some(key) = source.input.key() else { return Head::default() };
        let known = || self.heads.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(head) = known().get(&key) {
            return head.clone();
        }
        let head = Head::read(source);
        known().insert(key, head.clone());
        head
    }

    /// The main file of a file's session: the file itself, unless it belongs to an agent or a workflow that names its
    /// session. The main file may be missing: see [`Neighbours::partial_of`].
    pub fn main_of(&self, source: &Source) -> FileKey {
        let Some(key) = source.input.key() else { return FileKey::default() };
        let path = key.path.as_path();
        match source.kind {
            SourceKind::Transcript | SourceKind::History | SourceKind::Partial | SourceKind::Prompts => {
                source.input.earlier_of().cloned().unwrap_or(key)
            }
            SourceKind::Capture => match &source.twin {
                Twin::CaptureOf(main) => main.clone(),
                Twin::None | Twin::CapturedIn(_) => key,
            },
            SourceKind::Subagent | SourceKind::Journal => {
                if let Some(main) = self.strays.get(&key) {
                    return main.clone();
                }
                let main = match session_folder(path) {
                    Some(folder) => Some(main_beside(folder)),
                    None => self.head(source).session.and_then(|session| {
                        // A session that has just begun is known only by its file name.
                        let named = is_plain(&session).then(|| path.with_file_name(format!("{session}.jsonl")));
                        if is_named_beside(&source.input, &session) {
                            named
                        } else {
                            self.main_beside(&source.input, &session).or(named)
                        }
                    }),
                };
                match main {
                    Some(main) => key.beside(main),
                    None => key,
                }
            }
        }
    }

    /// The partial session of a file, if its main file is missing.
    pub fn partial_of(&self, source: &Source, is_there: impl FnOnce(&FileKey) -> bool) -> Option<Source> {
        let main = self.main_of(source);
        let is_itself = source.input.key().as_ref() == Some(&main);
        (!is_itself && !is_there(&main)).then(|| Source::partial(source, main.path))
    }

    /// The main file in the folder of one of its agents, the layout of versions 2.0 to 2.1.2: the one with the name of
    /// the session, or else the first one whose lines name it.
    fn main_beside(&self, agent: &Input, session: &str) -> Option<PathBuf> {
        let folder = self.folder(agent);
        let mains = folder.sessions.values().flatten().filter_map(|source| Some((source.input.path()?, source)));
        let mains = mains.filter(|(path, main)| {
            let name = stem(path);
            if is_uuid(&name) { name == session } else { self.head(main).session.as_deref() == Some(session) }
        });
        mains.map(|(path, _)| path).min_by_key(|path| (stem(path) != session, *path)).map(Path::to_path_buf)
    }

    /// Other sessions in the same folder that begin with the same entry, so that one is a copy of the other. Of very
    /// many, only those with which this one is compared, or that are compared with it.
    pub fn relatives(&self, source: &Source) -> Vec<FileKey> {
        let Some(first) = self.head(source).first else { return Vec::new() };
        let folder = self.folder(&source.input);
        let Some(all) = folder.sessions.get(&first) else { return Vec::new() };
        let is_it = |other: &&Source| other.input.path() == source.input.path();
        let is_compared_with_all = all.iter().take(MOST_COPIES).any(|other| is_it(&other));
        let most = if is_compared_with_all { usize::MAX } else { MOST_COPIES };
        let others = all.iter().take(most).filter(|other| !is_it(other));
        others.filter_map(|other| other.input.key()).collect()
    }

    /// The summaries at the start of the other sessions in the same folder, each with the last entry that it covers.
    pub fn summaries_beside(&self, source: &Source) -> Vec<(String, String)> {
        let folder = self.folder(&source.input);
        let others = folder.summarising.iter().filter(|other| other.input.path() != source.input.path());
        others.flat_map(|other| self.head(other).summaries).collect()
    }

    /// The transcripts in the folder of a file.
    fn folder(&self, input: &Input) -> Arc<Folder> {
        let Some(file) = input.key() else { return Arc::default() };
        let folder = match file.path.parent() {
            Some(folder) if folder.as_os_str().is_empty() => file.beside(".".into()),
            Some(folder) => file.beside(folder.to_path_buf()),
            None => return Arc::default(),
        };
        let known = || self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known().get(&folder) {
            return Arc::clone(known);
        }
        // Two threads may do the same work; that is better than waiting for each other.
        let found = Arc::new(Folder::read(&folder.path, input, self));
        known().insert(folder, Arc::clone(&found));
        found
    }
}

impl Folder {
    /// Reads the folder, and its archived files if `input` is archived.
    fn read(path: &Path, input: &Input, neighbours: &Neighbours) -> Self {
        let mut folder = Self::default();
        let is_here = !matches!(input, Input::Archived(file) if !file.is_from_here());
        let mut sources = if is_here { find_beside(path) } else { Vec::new() };
        if let Input::Archived(file) = input {
            let there: HashSet<PathBuf> =
                sources.iter().filter_map(|it| it.input.path()).map(Path::to_path_buf).collect();
            let is_gone = |source: &Source| {
                source.input.path().is_some_and(|it| it.parent() == Some(path) && !there.contains(it))
            };
            sources.extend(file.below(path).into_iter().filter(is_gone));
        }
        for source in sources {
            let head = neighbours.head(&source);
            if !head.summaries.is_empty() {
                folder.summarising.push(source.clone());
            }
            let (list, key) = match source.kind {
                SourceKind::Transcript => (&mut folder.sessions, head.first),
                SourceKind::Subagent => (&mut folder.agents, head.session),
                SourceKind::Journal
                | SourceKind::History
                | SourceKind::Capture
                | SourceKind::Partial
                | SourceKind::Prompts => continue,
            };
            if let Some(key) = key {
                list.entry(key).or_default().push(source);
            }
        }
        folder
    }
}

/// All sessions among found sources: transcripts, and sessions of which only subagent files or prompts are left; and the
/// problems of reading prompts. Files are not opened; before one is read, ask whether it looks like a transcript.
pub fn sessions_of(found: &FoundSources, neighbours: &Neighbours) -> (Vec<Source>, Vec<Problem>) {
    let is_session = |source: &&Source| source.kind == SourceKind::Transcript;
    let mut sessions: Vec<Source> = found.sources.iter().filter(is_session).chain(&found.partial).cloned().collect();
    let mut known: HashSet<FileKey> = sessions.iter().filter_map(|session| session.input.key()).collect();
    for agent in found.sources.iter().filter(|source| source.kind == SourceKind::Subagent) {
        // The main file may exist without being selected.
        let is_there = |main: &FileKey| known.contains(main) || !agent.input.is_archived() && main.path.is_file();
        if let Some(session) = neighbours.partial_of(agent, is_there) {
            known.extend(session.input.key());
            sessions.push(session);
        }
    }
    let (prompts, problems) = lone_prompts(found, neighbours);
    sessions.extend(prompts);
    (sessions, problems)
}

/// All files of a session in reading order, given its main file or a partial session. For a subagent, its own file.
///
/// Unreadable files are returned as problems; the others are still read.
pub fn files_of_session(source: &Source, neighbours: &Neighbours) -> (Vec<SessionFile>, Vec<Problem>) {
    let mut search = Search { parts: Vec::new(), problems: Vec::new(), neighbours };
    let Some(path) = source.input.path() else {
        search.parts.push(SessionFile::main(source.clone(), Box::default()));
        return (search.parts, search.problems);
    };
    // Renaming a file does not rename its session, and a capture can have any name.
    let is_named = is_uuid(&stem(path)) && !is_capture(path);
    let session: Box<str> = if is_named { stem(path).into() } else { Box::default() };
    if source.kind == SourceKind::Subagent {
        search.agent(source.clone(), None);
        return (search.parts, search.problems);
    }
    if matches!(source.kind, SourceKind::Prompts | SourceKind::History) {
        let session = if source.kind == SourceKind::Prompts { stem(path).into() } else { Box::default() };
        search.parts.push(SessionFile { role: Role::Prompts, session, notes: None, source: source.clone() });
        return (search.parts, search.problems);
    }
    if source.kind == SourceKind::Partial {
        if source.strays.is_empty() {
            search.companions(&source.input, path);
        } else {
            search.add_companions(source.strays.clone());
        }
        search.old_agents(&source.input, &stem(path));
        return (search.parts, search.problems);
    }
    let head = neighbours.head(source);
    search.elsewhere(source, &head);
    // In the order in which they were written: the file repeats what it has kept of earlier versions.
    let earlier =
        |version: &Source| SessionFile { role: Role::Earlier, ..SessionFile::main(version.clone(), session.clone()) };
    search.parts.extend(source.earlier.iter().map(earlier));
    search.parts.push(SessionFile::main(source.clone(), session.clone()));
    search.companions(&source.input, path);
    search.add_companions(source.strays.clone());
    let owner = head.session.as_deref().unwrap_or_default();
    search.old_agents(&source.input, if session.is_empty() { owner } else { &session });
    search.captures(source);
    (search.parts, search.problems)
}

impl SessionFile {
    fn main(source: Source, session: Box<str>) -> Self {
        Self { source, role: Role::Main, session, notes: None }
    }
}

/// Whether the main file of a session is in the folder of a file, with the name of the session.
fn is_named_beside(file: &Input, session: &str) -> bool {
    let Some(path) = file.path().filter(|_| is_uuid(session)) else { return false };
    let main = path.with_file_name(format!("{session}.jsonl"));
    match file {
        Input::Archived(file) => file.beside(main.clone()).is_some() || file.is_from_here() && main.is_file(),
        Input::File(_) | Input::Prompts(_) | Input::Stdin => main.is_file(),
    }
}

/// Whether an id is a valid file name.
pub(crate) fn is_plain(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

fn stem(path: &Path) -> Cow<'_, str> {
    path.file_stem().map(OsStr::to_string_lossy).unwrap_or_default()
}

struct Search<'n> {
    parts: Vec<SessionFile>,
    problems: Vec<Problem>,
    neighbours: &'n Neighbours,
}

impl Search<'_> {
    fn agent(&mut self, source: Source, workflow: Option<Box<str>>) {
        let Some(path) = source.input.path() else { return };
        let stem = stem(path);
        let id = stem.strip_prefix("agent-").unwrap_or(&stem).into();
        let notes = read_notes(&source.input);
        self.parts.push(SessionFile { role: Role::Agent { id, workflow }, session: Box::default(), notes, source });
    }

    /// Adds the captures of the session.
    fn captures(&mut self, main: &Source) {
        let Twin::CapturedIn(files) = &main.twin else { return };
        let files: Vec<PathBuf> = files.iter().map(|file| file.path.clone()).collect();
        let found = find_at(&files);
        self.problems.extend(found.problems);
        for mut source in found.sources {
            let twin = main.input.key().map_or(Twin::None, Twin::CaptureOf);
            (source.kind, source.twin) = (SourceKind::Capture, twin);
            self.parts.push(SessionFile { source, role: Role::Capture, session: Box::default(), notes: None });
        }
    }

    /// Adds the files in the folder with the same name as the main file.
    fn companions(&mut self, input: &Input, main: &Path) {
        let folder = main.with_extension("").join("subagents");
        let sources = match input {
            Input::Archived(file) => file.below(&folder),
            Input::File(_) if folder.is_dir() => {
                let found = find_at(&[folder]);
                let is_news = |problem: &Problem| !matches!(problem, Problem::NoSessions { .. });
                self.problems.extend(found.problems.into_iter().filter(is_news));
                found.sources
            }
            Input::File(_) | Input::Prompts(_) | Input::Stdin => return,
        };
        self.add_companions(sources);
    }

    fn add_companions(&mut self, sources: Vec<Source>) {
        for source in sources {
            let Some(path) = source.input.path() else { continue };
            let folder = path.parent().and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or_default();
            let run = folder.starts_with("wf_").then(|| Box::from(folder));
            match (source.kind, run) {
                (SourceKind::Journal, Some(run)) => {
                    self.parts.push(SessionFile {
                        source,
                        role: Role::Journal(run),
                        session: Box::default(),
                        notes: None,
                    });
                }
                (SourceKind::Subagent, run) => self.agent(source, run),
                (
                    SourceKind::Transcript
                    | SourceKind::Journal
                    | SourceKind::History
                    | SourceKind::Capture
                    | SourceKind::Partial
                    | SourceKind::Prompts,
                    _,
                ) => {}
            }
        }
    }

    /// In versions 2.0 to 2.1.2, agents are beside the main file, and only their lines name their session. Of several
    /// files of that session, one has them.
    fn old_agents(&mut self, main: &Input, session: &str) {
        let folder = self.neighbours.folder(main);
        let Some(agents) = folder.agents.get(session) else { return };
        let path = main.path().unwrap_or_else(|| Path::new(""));
        let is_other = || {
            is_named_beside(main, session)
                || self.neighbours.main_beside(main, session).is_some_and(|main| main != path)
        };
        if stem(path) != session && is_other() {
            return;
        }
        for source in agents {
            self.agent(source.clone(), None);
        }
    }

    /// Adds the sessions from which this one copied its beginning. The earliest owns the shared entries.
    fn elsewhere(&mut self, main: &Source, head: &Head) {
        let path = main.input.path();
        let folder = self.neighbours.folder(&main.input);
        if let Some(origin) = head.forked_from.as_deref() {
            let is_origin = |source: &&Source| source.stem().and_then(|stem| stem.to_str()) == Some(origin);
            let mut others = folder.sessions.values().flatten().filter(|source| source.input.path() != path);
            if let Some(origin) = others.find(is_origin) {
                self.add_elsewhere(origin.clone());
                return;
            }
        }
        let Some(first) = &head.first else { return };
        let mut own = None;
        for source in folder.sessions.get(first).into_iter().flatten().take(MOST_COPIES) {
            if source.input.path().and_then(Path::file_name) == path.and_then(Path::file_name) {
                continue;
            }
            let own = own.get_or_insert_with(|| Uuids::read_source(main));
            let theirs = Uuids::read_source(source);
            if theirs.goes_on_before(own) {
                self.add_elsewhere(source.clone());
            }
        }
    }

    fn add_elsewhere(&mut self, source: Source) {
        let session = source.input.path().map(|path| stem(path).into()).unwrap_or_default();
        self.parts.push(SessionFile { source, role: Role::Elsewhere, session, notes: None });
    }
}

/// How many files with the same beginning are compared with each of them: people resume a session a few times.
const MOST_COPIES: usize = 64;

/// Reads the notes beside the file of an agent.
pub fn read_notes(agent: &Input) -> Option<AgentNotes> {
    notes_in(&notes_beside(agent)?)
}

/// The bytes of the notes beside the file of an agent.
pub fn notes_beside(agent: &Input) -> Option<Vec<u8>> {
    /// The usual size is a few hundred bytes.
    const LARGEST: u64 = 1 << 20;
    let notes = agent.beside(agent.path()?.with_extension("meta.json"))?;
    if let Input::File(path) = &notes {
        // Opening a pipe would block, and a link may lead to any file.
        let is_sound = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
        if !is_sound || leads_to_secret(path) {
            return None;
        }
    }
    let mut bytes = Vec::new();
    notes.open().ok()?.take(LARGEST + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= LARGEST).then_some(bytes)
}

/// Reads the notes about an agent.
pub fn notes_in(bytes: &[u8]) -> Option<AgentNotes> {
    let scratch = Scratch::default();
    let meta = format::read_agent_meta(bytes, &scratch)?;
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

/// The facts in the first lines of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The first entry of the conversation.
    pub first: Option<String>,
    /// The session of the lines.
    pub session: Option<String>,
    /// The session from which they were copied: as `derived-from` says, or else `forkedFrom`.
    pub forked_from: Option<String>,
    /// The summaries in them, each with the last entry that it covers, which may be in another session: old versions
    /// wrote the summaries of earlier sessions at the start of a new file (docs/format B.6).
    pub summaries: Vec<(String, String)>,
}

impl Head {
    /// Whether it is final: later lines cannot change it.
    pub fn is_whole(&self) -> bool {
        self.first.is_some() && self.session.is_some()
    }

    fn read(source: &Source) -> Self {
        /// The first lines may be bookkeeping without these facts.
        const LINES: usize = 100;
        let mut head = Self::default();
        let mut left = LINES;
        for_each_entry(source, |entry| {
            left -= 1;
            let envelope = &entry.envelope;
            head.session = head.session.take().or_else(|| Some(envelope.session_id?.as_str().to_owned()));
            if let Body::DerivedFrom(derived) = &entry.body {
                head.forked_from = derived.origin().map(|session| session.as_str().to_owned());
            }
            if let Body::Summary(summary) = &entry.body
                && let (Some(leaf), Some(text)) = (summary.leaf_uuid, summary.summary)
            {
                head.summaries.push((leaf.as_str().to_owned(), text.as_str().to_owned()));
            }
            if let Some(uuid) = envelope.uuid.filter(|_| is_conversation(&entry.body)) {
                head.first = Some(uuid.as_str().to_owned());
                let from = envelope.forked_from.as_ref().and_then(|from| from.session_id);
                let named = head.forked_from.take();
                head.forked_from = named.or_else(|| from.map(|session| session.as_str().to_owned()));
            }
            left > 0 && (head.first.is_none() || head.session.is_none())
        });
        head
    }
}

fn is_conversation(body: &Body<'_>) -> bool {
    matches!(body, Body::User(_) | Body::Assistant(_) | Body::System(_) | Body::Attachment(_) | Body::Progress(_))
}

/// Passes entries to `each` until it returns false. A read error ends the loop; the reader of the whole file reports
/// it.
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

/// The ids and times of the entries of a file.
struct Uuids {
    all: HashSet<String>,
    in_order: Vec<(String, Option<Timestamp>)>,
}

impl Uuids {
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

    /// The time of its first entry that the other file lacks.
    fn first_alone(&self, other: &Self) -> Option<Timestamp> {
        self.in_order.iter().find(|(uuid, _)| !other.all.contains(uuid)).and_then(|(_, at)| *at)
    }

    /// Whether it is the original of the two: it ends with the shared entries, or continued after them first.
    fn goes_on_before(&self, other: &Self) -> bool {
        match (self.first_alone(other), other.first_alone(self)) {
            (None, other) => other.is_some(),
            (Some(own), Some(other)) => own < other,
            (Some(_), None) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find_at;

    #[test]
    fn of_very_many_copies_a_few_are_compared() {
        const COPIES: usize = 300;
        let folder = tempfile::tempdir().unwrap();
        let entry = |uuid: &str, second: usize| {
            format!(
                r#"{{"type":"user","uuid":"{uuid}","timestamp":"2026-08-01T10:{:02}:{:02}.000Z","sessionId":"s","message":{{"content":"dig"}}}}"#,
                second / 60,
                second % 60
            ) + "\n"
        };
        for copy in 0..COPIES {
            let path = folder.path().join(format!("{copy:04}.jsonl"));
            fs::write(path, entry("shared", 0) + &entry(&format!("own{copy}"), copy + 1)).unwrap();
        }
        let found = find_at(&[folder.path().to_path_buf()]);
        let last = found.sources.iter().find(|source| source.stem() == Some("0299".as_ref())).unwrap();
        let (parts, _) = files_of_session(last, &Neighbours::default());
        let copied = parts.iter().filter(|part| part.role == Role::Elsewhere).count();
        assert!((1..=MOST_COPIES).contains(&copied), "{copied}");
    }
}
