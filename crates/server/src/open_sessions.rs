//! Sessions that are kept open between requests, since a client that asks for one window soon asks for the next.

use std::sync::{Arc, Mutex, PoisonError};

use index::Index;
use index::catalogue::Session;
use reader::GrowingSession;
use sources::Buffer;
use sources::FileKey;
use story::Remnant;

use crate::routes::Failure;

/// Maximum number of open sessions.
const MOST: usize = 8;

/// An open session.
#[derive(Debug)]
pub(crate) struct OpenSession {
    /// Its figures in the index.
    pub(crate) session: Session,
    pub(crate) growing: GrowingSession,
    files: Vec<FileKey>,
}

/// A session, for one request at a time; `None` while it is not open.
type Shared = Arc<Mutex<Option<OpenSession>>>;

/// The open sessions, least recently used first.
#[derive(Debug, Default)]
pub(crate) struct OpenSessions(Mutex<Vec<(String, Shared)>>);

impl OpenSessions {
    /// Reads a session as it is now.
    pub(crate) fn read<T>(
        &self,
        index: &Index,
        id: &str,
        read: impl FnOnce(&mut OpenSession) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let session = named(index, id)?;
        let shared = self.shared(id);
        let mut slot = shared.lock().unwrap_or_else(PoisonError::into_inner);
        // The session may have files that were not there when it was opened.
        let files = index.files(session.id)?;
        // New prompts are not followed: only the index knows where they are.
        let is_followed = session.remnant != Some(Remnant::Prompts);
        let is_open = |reading: &mut OpenSession| {
            is_followed && reading.files == files && reading.growing.read_on(&mut Buffer::default()).is_ok()
        };
        if !slot.as_mut().is_some_and(is_open) {
            *slot = None;
            *slot = Some(OpenSession { growing: open_session(index, &session)?, session, files });
        }
        slot.as_mut().map_or(Err(Failure::Unread), read)
    }

    fn shared(&self, id: &str) -> Shared {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = open.iter().position(|(name, _)| name == id).map(|at| open.remove(at));
        let entry = known.unwrap_or_else(|| (id.to_owned(), Shared::default()));
        let shared = Arc::clone(&entry.1);
        open.push(entry);
        if open.len() > MOST {
            open.remove(0);
        }
        shared
    }
}

/// Opens a session for a single request.
pub(crate) fn open(index: &Index, id: &str) -> Result<(Session, GrowingSession), Failure> {
    let session = named(index, id)?;
    let growing = open_session(index, &session)?;
    Ok((session, growing))
}

fn open_session(index: &Index, session: &Session) -> Result<GrowingSession, Failure> {
    let mut growing = index.growing(session)?.ok_or(Failure::Unread)?;
    growing.read_on(&mut Buffer::default()).map_err(|_| Failure::Unread)?;
    Ok(growing)
}

/// A session by its id. Clients never send paths.
pub(crate) fn named(index: &Index, id: &str) -> Result<Session, Failure> {
    index.session(id)?.ok_or(Failure::Missing)
}
