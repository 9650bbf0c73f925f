//! The sessions that are active: those that run or were written to lately, and those that begin or go on later.

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

/// Who wrote something within this time is active.
const LATELY: Duration = Duration::from_secs(10 * 60);

/// What is known of the files of all sessions.
#[derive(Debug)]
pub(super) struct Active {
    app: App,
    /// Which sessions are meant.
    filter: SessionFilter,
    /// How much there was of each file when nobody followed it: that is not news.
    sizes: HashMap<PathBuf, u64>,
}

impl Active {
    /// Those that are active now come along.
    pub(super) fn new(app: &App, filter: SessionFilter) -> (Self, Vec<Source>) {
        let running: HashSet<String> = app
            .roots()
            .iter()
            .flat_map(|root| registry::read(&root.path, &Here).0)
            .map(|registered| registered.session)
            .collect();
        let mut active = Self { app: app.clone(), filter, sizes: HashMap::new() };
        let sources = active.files();
        let now = app.timestamp();
        let is_active = |source: &Source| {
            let modified = source.modified.and_then(|at| Timestamp::try_from(at).ok());
            let age = modified.and_then(|at| Duration::try_from(now.duration_since(at)).ok());
            age.is_none_or(|age| age < LATELY) || running.contains(&name(source))
        };
        let mut sessions = sessions_of(sources.iter().filter(|source| is_active(source)));
        sessions.retain(|session| active.is_wanted(session));
        let is_of_active = |source: &Source| sessions.iter().any(|session| is_file_of(source, session));
        let others = sources.iter().filter(|source| !is_of_active(source));
        active.sizes = others.filter_map(|source| Some((source.input.path()?.to_path_buf(), source.size))).collect();
        (active, sessions)
    }

    /// Whether a session is meant. When its steps were is looked at step by step.
    fn is_wanted(&self, session: &Source) -> bool {
        let filter = SessionFilter { since: None, until: None, ..self.filter.clone() };
        filter.is_empty() || facts_of(session).is_some_and(|facts| filter.wants_facts(&facts))
    }

    /// The files of all sessions that are on the disk.
    fn files(&self) -> Vec<Source> {
        let is_file = |source: &Source| {
            matches!(source.kind, SourceKind::Transcript | SourceKind::Subagent)
                && matches!(source.input, Input::File(_))
        };
        self.app.sources().sources.into_iter().filter(is_file).collect()
    }

    /// Sessions that are not followed and have grown.
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

    /// Opens a session, of which only what came since is news.
    pub(super) fn open(&mut self, source: &Source) -> Option<Followed> {
        let opened = Followed::open(source.clone(), true);
        let Ok((mut followed, _)) = opened else {
            // It is tried again when there is more of it.
            self.sizes.extend(source.input.path().map(|path| (path.to_path_buf(), source.size)));
            return None;
        };
        followed.pass_over(&self.sizes);
        Some(followed)
    }

    /// Takes back a session that has been silent for long.
    pub(super) fn leave(&mut self, followed: &Followed) {
        self.sizes.extend(followed.places());
    }
}

fn name(source: &Source) -> String {
    source.stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The main files of the sessions that files belong to, each once.
fn sessions_of<'s>(files: impl Iterator<Item = &'s Source>) -> Vec<Source> {
    let neighbours = Neighbours::default();
    let mut mains = Vec::new();
    for file in files {
        let main = neighbours.main_of(file).path;
        // An agent whose session is gone is followed by itself.
        let main = if main.is_file() { main } else { file.input.path().unwrap_or(&main).to_path_buf() };
        if !mains.contains(&main) {
            mains.push(main);
        }
    }
    find_at(&mains).sources
}

/// Whether a file is the session's own, or lies in the folder beside it.
fn is_file_of(file: &Source, session: &Source) -> bool {
    let (Some(file), Some(main)) = (file.input.path(), session.input.path()) else { return false };
    file == main || file.starts_with(main.with_extension(""))
}
