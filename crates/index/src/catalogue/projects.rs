//! Projects: the repositories in which sessions ran, and folders outside all repositories.

use std::collections::HashMap;

use super::{Session, Used};

/// A project, with the sums of its sessions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Project {
    /// Empty if the sessions record no folder.
    pub path: String,
    /// Its shortest unique name.
    pub name: String,
    /// The number of sessions.
    pub sessions: u64,
    /// The number of turns.
    pub turns: u64,
    /// The number of calls.
    pub calls: u64,
    /// The number of failed calls.
    pub failed: u64,
    /// The duration of all turns, in milliseconds.
    pub active_ms: u64,
    /// The time spent waiting for the user, in milliseconds.
    pub waiting_ms: u64,
    /// The first timestamp, in milliseconds since 1970.
    pub first: Option<i64>,
    /// The last timestamp.
    pub last: Option<i64>,
    /// The usage of all sessions.
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

/// The projects of sessions, sorted by path.
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
