//! The session of a source, and the project and folder of that session.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use format::{Line, Scratch};
use ledger::{Feed, Ledger};
use rustc_hash::FxHashMap;

use sources::Origin;
use sources::captured::is_capture;
use sources::naming::SessionNames;
use sources::project::MachineProjects;
use sources::source::{Source, SourceKind, Twin};

/// The project and folder of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Home {
    /// The project; the working directory when the session began until [`Homes::find_projects`] runs.
    pub project: Option<Box<str>>,
    /// The folder below `projects` that contains the main file.
    pub folder: Box<str>,
    /// The name under which it is listed, if it has no transcript but is captured.
    pub conversation: Option<Box<str>>,
    /// Whether this comes from the main file.
    is_main: bool,
    origin: Arc<Origin>,
}

/// Homes by session name.
#[derive(Debug, Clone, Default)]
pub struct Homes(FxHashMap<Box<str>, Home>);

impl Homes {
    /// The home of a session, if known.
    pub fn of(&self, session: &str) -> Option<&Home> {
        self.0.get(session)
    }

    /// The home of a session, by the name under which it is listed.
    pub fn listed_as(&self, name: &str) -> Option<&Home> {
        let is_it = |home: &&Home| home.conversation.as_deref() == Some(name);
        self.of(name).or_else(|| self.0.values().find(is_it))
    }

    pub(super) fn note(&mut self, owner: &Named<'_>, head: &Head, source: &Source) {
        let (is_main, origin) = (owner.agent().is_none(), Arc::clone(&source.origin));
        let conversation = owner.conversation().map(Box::from);
        let home = Home { project: head.cwd.clone(), folder: folder(source), conversation, is_main, origin };
        self.add(owner.session(head).into(), home);
    }

    /// Replaces the folders of sessions by their projects. All sessions must have been added.
    pub fn find_projects(&mut self) {
        let folders = self.0.values().filter_map(|home| Some((&*home.origin, home.project.as_deref()?)));
        let projects = MachineProjects::of(folders);
        for home in self.0.values_mut() {
            let project = home.project.as_deref().and_then(|folder| projects.get(&home.origin, folder));
            if let Some(project) = project {
                home.project = Some(project.path.as_str().into());
            }
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        for (session, home) in other.0 {
            self.add(session, home);
        }
    }

    /// Prefers the main file, and among main files the most informative one.
    fn add(&mut self, session: Box<str>, home: Home) {
        let rank = |home: &Home| (home.conversation.is_none(), home.is_main, home.project.is_some());
        match self.0.get_mut(&session) {
            Some(known) if (rank(&home), &known.folder) > (rank(known), &home.folder) => *known = home,
            Some(_) => {}
            None => drop(self.0.insert(session, home)),
        }
    }
}

/// The folder below `projects`, or else the folder that contains the file.
fn folder(source: &Source) -> Box<str> {
    let Some(path) = source.input.path() else { return Box::default() };
    let folders = path.parent().into_iter().flat_map(Path::ancestors);
    let below_projects = folders.clone().find(|folder| folder.parent().is_some_and(|it| it.ends_with("projects")));
    let folder = below_projects.or(path.parent()).filter(|folder| !folder.ends_with("projects"));
    folder.and_then(Path::file_name).map(|name| name.to_string_lossy().into()).unwrap_or_default()
}

/// The owner of a source's lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// The session, if the path shows it: the files of early agents are beside those of sessions.
    pub session: Option<String>,
    /// The agent, if the lines are not the session's own.
    pub agent: Option<String>,
}

impl Owner {
    fn of(source: &Source) -> Self {
        source.input.path().map_or(Self { session: None, agent: None }, Self::of_file)
    }

    /// The owner according to a file's path.
    pub fn of_file(path: &Path) -> Self {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        match SourceKind::of(path) {
            SourceKind::Subagent => {
                let subagents = path.ancestors().find(|folder| folder.ends_with("subagents"));
                let session = subagents.and_then(Path::parent).and_then(Path::file_name);
                let session = session.map(|name| name.to_string_lossy().into_owned());
                let agent = stem.map(|stem| stem.trim_start_matches("agent-").to_owned());
                Self { session, agent }
            }
            SourceKind::Transcript
            | SourceKind::Journal
            | SourceKind::History
            | SourceKind::Capture
            | SourceKind::Partial
            | SourceKind::Prompts => Self { session: stem, agent: None },
        }
    }

    /// The session according to the path, or else to the lines: early agent files and streams can have any name.
    fn session<'a>(&'a self, head: &'a Head) -> &'a str {
        let stream = head.stream_session.as_deref().filter(|_| self.agent.is_none() && head.is_stream());
        stream.or(self.session.as_deref()).or(head.session.as_deref()).unwrap_or_default()
    }
}

/// An owner, with the names of sessions that share an id.
#[derive(Debug)]
pub(super) struct Named<'a> {
    owner: Owner,
    source: &'a Source,
    names: Option<&'a SessionNames>,
}

impl<'a> Named<'a> {
    pub(super) fn of(source: &'a Source, names: Option<&'a SessionNames>) -> Self {
        Self { owner: Owner::of(source), source, names }
    }

    /// The agent, if the lines are not the session's own.
    pub(super) fn agent(&self) -> Option<&str> {
        self.owner.agent.as_deref()
    }

    /// Starts counting the lines of the source.
    pub(super) fn feed(&self, head: &Head, ledger: &mut Ledger) -> Feed {
        ledger.feed(&self.session(head), self.agent())
    }

    /// The name of the source if it is a capture without a transcript: a conversation, which may have several sessions.
    fn conversation(&self) -> Option<&str> {
        let is_alone = self.source.kind == SourceKind::Transcript && self.source.twin == Twin::None;
        self.source.name().filter(|_| is_alone && self.source.input.path().is_some_and(is_capture))
    }

    fn session<'h>(&'h self, head: &'h Head) -> Cow<'h, str> {
        let id = self.owner.session(head);
        self.names.map_or(id.into(), |names| names.name(id, self.source))
    }
}

/// What the first lines of a source reveal about it.
#[derive(Debug, Default)]
pub(super) struct Head {
    session: Option<Box<str>>,
    stream_session: Option<Box<str>>,
    cwd: Option<Box<str>>,
}

impl Head {
    /// Enough to get past leading bookkeeping lines without a session id.
    const LINES: u64 = 100;

    pub(super) fn learn(&mut self, line: &Line<'_>, scratch: &Scratch) {
        if line.number > Self::LINES || self.cwd.is_some() && self.knows_session() {
            return;
        }
        let Some(header) = format::read_header(line.bytes, scratch) else { return };
        let learn = |known: &mut Option<Box<str>>, said: Option<&str>| {
            if known.is_none() {
                *known = said.map(Box::from);
            }
        };
        learn(&mut self.session, header.session_id.map(format::id::SessionId::as_str));
        learn(&mut self.stream_session, header.stream_session_id.map(format::id::SessionId::as_str));
        learn(&mut self.cwd, header.cwd.map(format::Text::as_str));
    }

    /// Whether the source is a stream rather than a transcript.
    pub(super) fn is_stream(&self) -> bool {
        self.session.is_none() && self.stream_session.is_some()
    }

    pub(super) fn knows_session(&self) -> bool {
        self.session.is_some() || self.stream_session.is_some()
    }
}
