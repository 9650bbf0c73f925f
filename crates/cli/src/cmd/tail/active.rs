//! Active sessions: those that run, were written to recently, or start or continue later.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::time::Duration;

use app::{App, SessionFilter};
use jiff::Timestamp;
use live::process::Here;
use live::registry;
use reader::facts_of;
use sources::Input;
use sources::Neighbours;
use sources::Source;
use sources::SourceKind;
use sources::find_at;

use super::followed::Followed;

/// A session that was written to within this time is active.
const RECENT: Duration = Duration::from_secs(10 * 60);

/// The state of the files of all sessions.
#[derive(Debug)]
pub(super) struct Active {
    app: App,
    /// Selects sessions.
    filter: SessionFilter,
    /// Size of each file while it was not followed; these bytes are not new.
    sizes: HashMap<PathBuf, u64>,
}

impl Active {
    /// Also returns the sessions that are active now.
    pub(super) fn new(app: &App, filter: SessionFilter) -> (Self, Vec<Source>) {
        let running: HashSet<String> = app
            .roots()
            .iter()
            .flat_map(|root| registry::read(&root.path, &Here).alive)
            .map(|registered| registered.session)
            .collect();
        let mut active = Self { app: app.clone(), filter, sizes: HashMap::new() };
        let sources = active.files();
        let now = app.timestamp();
        let is_active = |source: &Source| {
            let modified = source.modified.and_then(|at| Timestamp::try_from(at).ok());
            let age = modified.and_then(|at| Duration::try_from(now.duration_since(at)).ok());
            age.is_none_or(|age| age < RECENT) || running.contains(&name(source))
        };
        let mut sessions = sessions_of(sources.iter().filter(|source| is_active(source)));
        sessions.retain(|session| active.is_wanted(session));
        let is_of_active = |source: &Source| sessions.iter().any(|session| is_file_of(source, session));
        let others = sources.iter().filter(|source| !is_of_active(source));
        active.sizes = others.filter_map(|source| Some((source.input.path()?.to_path_buf(), source.size))).collect();
        (active, sessions)
    }

    /// Returns whether the filter selects a session. The period is applied to each step instead.
    fn is_wanted(&self, session: &Source) -> bool {
        let filter = SessionFilter { since: None, until: None, ..self.filter.clone() };
        filter.is_empty() || facts_of(session).is_some_and(|facts| filter.wants_facts(&facts))
    }

    /// Returns the files of all sessions on disk.
    fn files(&self) -> Vec<Source> {
        let is_file = |source: &Source| {
            matches!(source.kind, SourceKind::Transcript | SourceKind::Subagent)
                && matches!(source.input, Input::File(_))
        };
        self.app.sources().sources.into_iter().filter(is_file).collect()
    }

    /// Returns sessions that are not followed and have grown.
    pub(super) fn look(&mut self, is_followed: impl Fn(&str) -> bool) -> Vec<Source> {
        let mut grown = Vec::new();
        for source in self.files() {
            let Some(path) = source.input.path() else { continue };
            match self.sizes.get_mut(path) {
                Some(size) if source.size < *size => *size = source.size,
                Some(size) if source.size == *size => {}
                Some(_) | None => grown.push(source),
            }
        }
        let mut sessions = sessions_of(grown.iter().filter(|source| !is_followed(&name(source))));
        sessions.retain(|session| !is_followed(&name(session)) && self.is_wanted(session));
        sessions
    }

    /// Opens a session so that only data since the last look is new.
    pub(super) fn open(&mut self, source: &Source) -> Option<Followed> {
        let opened = Followed::open(source.clone(), self.app.surroundings(source).unwrap_or_default(), true);
        let Ok((mut followed, _)) = opened else {
            // Retried when the file grows further.
            self.sizes.extend(source.input.path().map(|path| (path.to_path_buf(), source.size)));
            return None;
        };
        followed.pass_over(&self.sizes);
        Some(followed)
    }

    /// Stops following a session that has been silent for long.
    pub(super) fn leave(&mut self, followed: &Followed) {
        self.sizes.extend(followed.places());
    }
}

fn name(source: &Source) -> String {
    source.stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Returns the main files of the sessions that the files belong to, each once.
fn sessions_of<'s>(files: impl Iterator<Item = &'s Source>) -> Vec<Source> {
    let neighbours = Neighbours::default();
    let mut mains = Vec::new();
    for file in files {
        let main = neighbours.main_of(file).path;
        // An agent without a main file is followed on its own.
        let main = if main.is_file() { main } else { file.input.path().unwrap_or(&main).to_path_buf() };
        if !mains.contains(&main) {
            mains.push(main);
        }
    }
    find_at(&mains).sources
}

/// Returns whether a file is the session's main file or in the folder beside it.
fn is_file_of(file: &Source, session: &Source) -> bool {
    let (Some(file), Some(main)) = (file.input.path(), session.input.path()) else { return false };
    file == main || file.starts_with(main.with_extension(""))
}
