//! Agents with files of their own: their entries are found there, not in the progress entries that repeat them.

use format::id::AgentId;
use format::{Body, Entry};
use rustc_hash::FxHashSet;
use sources::SessionFile;
use story::Role;

/// The agents of a session that have files of their own.
#[derive(Debug, Default)]
pub struct OwnFiles(FxHashSet<Box<str>>);

impl OwnFiles {
    /// The agents among the files of a session.
    pub fn of<'f>(files: impl IntoIterator<Item = &'f SessionFile>) -> Self {
        let agent = |file: &'f SessionFile| match &file.role {
            Role::Agent { id, .. } => Some(id.clone()),
            Role::Main | Role::Earlier | Role::Journal(_) | Role::Capture | Role::Elsewhere | Role::Prompts => None,
        };
        Self(files.into_iter().filter_map(agent).collect())
    }

    /// Whether an entry repeats one of an agent with a file of its own.
    pub fn contain(&self, entry: &Entry<'_>) -> bool {
        carries_entry(entry)
            && entry.inner().envelope.agent_id.map(AgentId::as_str).is_some_and(|agent| self.0.contains(agent))
    }
}

/// Whether an entry carries an entry of an agent.
pub(crate) fn carries_entry(entry: &Entry<'_>) -> bool {
    matches!(entry.body, Body::Progress(_)) && entry.inner().body.message().is_some()
}
