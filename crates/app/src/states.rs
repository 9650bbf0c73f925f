//! The states of sessions: what runs is read once, when a state is first asked.

use std::path::Path;

use index::catalogue::Session;
use index::{Index, IndexError};
use live::evidence::{Evidence, Place};
use live::hooks;
use live::process::Here;
use sources::Source;
use story::{Ending, SessionStatus, Story};

use crate::App;

impl App {
    /// Returns the evidence that sessions run, and reads it on first use.
    pub fn evidence(&self) -> &Evidence {
        self.inner.evidence.get_or_init(|| self.read_evidence())
    }

    /// Reads the evidence that sessions run, for programs that go on while it changes. Without readable hook events,
    /// registered processes and transcripts have to do.
    pub fn read_evidence(&self) -> Evidence {
        let folder = hooks::folder();
        let (evidence, events) = Evidence::read(self.roots(), folder.as_deref(), &Here);
        if let (Err(error), Some(folder)) = (events, folder) {
            let hint = "check that you may read it (ls -l); it may be deleted at any time".to_owned();
            self.warn(&format!("cannot read the events of hooks: {}: {error}", folder.display()), &[hint]);
        }
        evidence
    }

    /// Returns all sessions of an index with their states.
    pub fn list_sessions(&self, index: &Index) -> Result<Vec<Session>, IndexError> {
        let mut sessions = index.sessions()?;
        self.evidence().settle(&mut sessions, self.timestamp().as_millisecond());
        Ok(sessions)
    }

    /// Returns the state of a session whose story was read from a source.
    pub fn status_of(&self, source: &Source, story: &Story) -> SessionStatus {
        self.status_at(source, story.facts.session_id.as_deref().unwrap_or_default(), &Ending::of(story))
    }

    /// Returns the state of a session with this end of its story. `id` is its id if the source has no name.
    pub fn status_at(&self, source: &Source, id: &str, ending: &Ending) -> SessionStatus {
        let place = Place::of_source(source, id);
        // A path as typed may be relative, or lead through links; found ones begin with their root.
        let whole = |path: &Path| {
            let path = self.here().join(path);
            let is_found = self.roots().iter().any(|root| path.starts_with(&root.path));
            if is_found { path } else { path.canonicalize().unwrap_or(path) }
        };
        let path = place.path.map(whole);
        let place = Place { path: path.as_deref(), ..place };
        self.evidence().status(&place, ending, self.timestamp().as_millisecond())
    }
}
