//! Projects: the repositories that sessions worked in, and folders that are in none.

use std::collections::HashMap;

use super::{Session, Used};

/// A project, and what sessions did there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Project {
    /// Empty if sessions do not say where they were.
    pub path: String,
    /// What it is called among the others.
    pub name: String,
    /// How many there were.
    pub sessions: u64,
    /// Their turns.
    pub turns: u64,
    /// Their calls.
    pub calls: u64,
    /// Calls that failed.
    pub failed: u64,
    /// How long turns took, in milliseconds.
    pub active_ms: u64,
    /// How long the human was waited for, in milliseconds.
    pub waiting_ms: u64,
    /// The first moment, in milliseconds since 1970.
    pub first: Option<i64>,
    /// The last moment.
    pub last: Option<i64>,
    /// What they used.
    pub used: Used,
}

impl Project {
    fn add(&mut self, session: &Session) {
        let counts = &session.counts;
        self.sessions += 1;
        self.turns += u64::from(counts.turns);
        self.calls += u64::from(counts.calls);
        self.failed += u64::from(counts.failed);
        self.active_ms += session.active_ms;
        self.waiting_ms += session.waiting_ms;
        self.first = self.first.into_iter().chain(session.first).min();
        self.last = self.last.max(session.last);
        self.used += session.used;
    }
}

/// The projects of sessions, in the order of their paths.
pub fn projects(sessions: &[Session]) -> Vec<Project> {
    let mut projects: HashMap<&str, Project> = HashMap::new();
    for session in sessions {
        let path = session.project.as_deref().unwrap_or_default();
        let new = || Project { path: path.to_owned(), name: session.project_name.clone(), ..Project::default() };
        projects.entry(path).or_insert_with(new).add(session);
    }
    let mut list: Vec<Project> = projects.into_values().collect();
    list.sort_by(|one, other| one.path.cmp(&other.path));
    list
}
