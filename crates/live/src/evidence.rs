//! The evidence that something runs: registered processes and hook events. With it and the end of a story, the state of
//! any session can be told, running or not; every output asks here.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use index::catalogue::Session;
use sources::{Root, Source};
use story::step::Millis;
use story::{Ending, SessionStatus};

use crate::hooks::{Heard, Sessions, Spool};
use crate::process::Processes;
use crate::registry::{self, Registered};
use crate::state::{Process, Sources, State};

/// The evidence about all sessions at a moment. A clone is another handle to the same.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    running: Arc<Running>,
    heard: Arc<Sessions>,
}

/// The processes that run sessions of some roots.
#[derive(Debug, Default)]
pub struct Running {
    by_session: HashMap<String, Registered>,
    /// The roots where those registered.
    homes: HashMap<String, PathBuf>,
    /// Sessions whose processes died without removing their files.
    gone: HashSet<String>,
    /// The roots where processes register.
    registries: Vec<PathBuf>,
    problems: Vec<String>,
}

/// Where a session lies, by which its process is found.
#[derive(Debug, Clone, Copy)]
pub struct Place<'s> {
    /// The session id.
    pub session: &'s str,
    /// Its main file; `None` for standard input.
    pub path: Option<&'s Path>,
    /// Whether it is of this machine.
    pub is_here: bool,
}

/// What is known of one session besides its lines.
#[derive(Debug, Clone, Copy)]
pub struct Known<'e> {
    /// Its process.
    pub process: Process<'e>,
    /// The events from its hooks.
    pub heard: Option<&'e Heard>,
}

impl<'s> Place<'s> {
    /// The place of a session of the index.
    pub fn of(session: &'s Session) -> Self {
        let is_here = session.origin.machine.is_empty() && session.origin.tenant.is_empty();
        Self { session: &session.stem, path: Some(&session.path), is_here }
    }

    /// The place of a session that is read from a source. `session` is the id in its lines, if its file names none.
    pub fn of_source(source: &'s Source, session: &'s str) -> Self {
        let key = source.input.key();
        let is_here = key.is_none_or(|key| key.machine.is_empty() && key.tenant.is_empty());
        Self { session: source.name().unwrap_or(session), path: source.input.path(), is_here }
    }
}

impl Running {
    /// The processes that run now.
    pub fn of(roots: &[Root], processes: &dyn Processes) -> Self {
        let mut running = Self::default();
        for root in roots {
            let registry = registry::read(&root.path, processes);
            for process in registry.alive {
                running.homes.insert(process.session.clone(), root.path.clone());
                running.by_session.insert(process.session.clone(), process);
            }
            running.gone.extend(registry.gone);
            let unread = |(path, error): (PathBuf, _)| format!("cannot read: {}: {error}", path.display());
            running.problems.extend(registry.problems.into_iter().map(unread));
            if root.path.join("sessions").is_dir() {
                running.registries.push(root.path.clone());
            }
        }
        running
    }

    /// Whether a session runs.
    pub fn has(&self, session: &str) -> bool {
        self.by_session.contains_key(session)
    }

    /// The process of a session. Of sessions with the same id, the one in the root where a process registered runs.
    fn process(&self, place: &Place<'_>) -> Process<'_> {
        let is_at_home = |path: &Path| self.homes.get(place.session).is_some_and(|home| path.starts_with(home));
        let is_below = |path: &Path| self.registries.iter().any(|root| path.starts_with(root));
        match (self.by_session.get(place.session), place.path) {
            (_, None) => Process::Unknown,
            (Some(process), Some(path)) if is_at_home(path) => Process::Alive(process),
            (None, Some(path)) if !is_below(path) => Process::Unknown,
            (None, Some(_)) if self.gone.contains(place.session) => Process::Gone,
            (_, Some(_)) => Process::Unlisted,
        }
    }
}

impl Evidence {
    /// Joins both kinds of evidence.
    pub fn new(running: Arc<Running>, heard: Arc<Sessions>) -> Self {
        Self { running, heard }
    }

    /// Reads the registries of these roots and the hook events in this folder. Events that cannot be read are left out.
    pub fn read(roots: &[Root], folder: Option<&Path>, processes: &dyn Processes) -> (Self, io::Result<()>) {
        let mut heard = Sessions::default();
        let read = folder.map_or(Ok(Vec::new()), |folder| Spool::new(folder).read());
        let read = read.map(|events| heard.extend(events));
        (Self::new(Arc::new(Running::of(roots, processes)), Arc::new(heard)), read)
    }

    /// What is known of a session besides its lines.
    pub fn known(&self, place: &Place<'_>) -> Known<'_> {
        // Nothing can be said about another machine.
        if !place.is_here {
            return Known { process: Process::Unknown, heard: None };
        }
        let process = self.running.process(place);
        // A copy of a session that runs elsewhere does not run.
        let is_copy = self.running.has(place.session) && !matches!(process, Process::Alive(_));
        Known { process, heard: self.heard(place.session).filter(|_| !is_copy) }
    }

    /// The state of a session with this end of its story.
    pub fn status(&self, place: &Place<'_>, ending: &Ending, now: Millis) -> SessionStatus {
        self.known(place).state(ending, now).status()
    }

    /// Sets the states of sessions of the index.
    pub fn settle(&self, sessions: &mut [Session], now: Millis) {
        for session in sessions {
            session.status = Some(self.status(&Place::of(session), &session.ending, now));
        }
    }

    /// The hook events of a session.
    pub(crate) fn heard(&self, session: &str) -> Option<&Heard> {
        self.heard.of(session)
    }

    /// All registered processes, by session.
    pub(crate) fn processes(&self) -> impl Iterator<Item = (&str, &Registered)> {
        self.running.by_session.iter().map(|(name, process)| (name.as_str(), process))
    }

    /// The files of registries that cannot be read.
    pub(crate) fn problems(&self) -> &[String] {
        &self.running.problems
    }
}

impl Known<'_> {
    /// The state of the session with this end of its story.
    pub fn state(&self, ending: &Ending, now: Millis) -> State {
        State::of(&Sources { tail: ending, process: self.process, heard: self.heard }, now)
    }
}
