//! Limits on requests that read a whole session: their number, and the time that a client waits for one.
//!
//! A hostile session may take long to show. Such requests run on threads of their own; these limits keep them from
//! taking all threads, and each other's places. Lists, searches and the board are not limited.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::routes::Failure;

/// How many parts of pages are made at a time.
const PAGES: usize = 4;

/// How many whole stories are sent at a time. They do not take the places of pages: a client may read slowly.
const DOCUMENTS: usize = 4;

/// How many requests wait for a place, at most. A page asks for a few windows at a time.
const WAITING: usize = 64;

/// How long a request waits for its place, and for its answer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// How long it may take to send a whole story.
pub(crate) const LONGEST_DOCUMENT: Duration = Duration::from_secs(10 * 60);

/// The places of heavy requests.
#[derive(Debug)]
pub(crate) struct HeavyRequests {
    pages: Arc<Semaphore>,
    documents: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    /// Requests for one session are answered one after another, and only the first of them takes a place.
    sessions: Mutex<HashMap<String, Weak<Semaphore>>>,
}

/// The place of a request, until it is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    _session: Option<OwnedSemaphorePermit>,
    _place: OwnedSemaphorePermit,
}

impl Default for HeavyRequests {
    fn default() -> Self {
        Self {
            pages: Arc::new(Semaphore::new(PAGES)),
            documents: Arc::new(Semaphore::new(DOCUMENTS)),
            waiting: Arc::new(Semaphore::new(WAITING)),
            sessions: Mutex::default(),
        }
    }
}

impl HeavyRequests {
    /// A place to make a part of the page of a session, as soon as there is one.
    pub(crate) async fn page(&self, session: &str) -> Result<Place, Failure> {
        let Ok(_waiting) = Arc::clone(&self.waiting).try_acquire_owned() else { return Err(Failure::Busy) };
        let turn = self.turn(session);
        let place = async {
            let session = turn.acquire_owned().await.ok();
            Some(Place { _session: session, _place: Arc::clone(&self.pages).acquire_owned().await.ok()? })
        };
        timeout(PATIENCE, place).await.ok().flatten().ok_or(Failure::Busy)
    }

    /// A place to send a whole story, if there is one.
    pub(crate) fn document(&self) -> Result<Place, Failure> {
        let place = Arc::clone(&self.documents).try_acquire_owned().map_err(|_| Failure::Busy)?;
        Ok(Place { _session: None, _place: place })
    }

    /// What lets one request for a session pass at a time.
    fn turn(&self, session: &str) -> Arc<Semaphore> {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turn) = sessions.get(session).and_then(Weak::upgrade) {
            return turn;
        }
        sessions.retain(|_, turn| turn.strong_count() > 0);
        let turn = Arc::new(Semaphore::new(1));
        sessions.insert(session.to_owned(), Arc::downgrade(&turn));
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a request gets its place at once.
    fn is_given(heavy: &HeavyRequests, session: &str) -> Option<Place> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        // The first poll decides: nothing else runs that could give a place back.
        runtime.block_on(async {
            let mut asked = std::pin::pin!(heavy.page(session));
            std::future::poll_fn(|context| {
                std::task::Poll::Ready(match asked.as_mut().poll(context) {
                    std::task::Poll::Ready(place) => place.ok(),
                    std::task::Poll::Pending => None,
                })
            })
            .await
        })
    }

    #[test]
    fn requests_for_one_session_do_not_take_the_places_of_others() {
        let heavy = HeavyRequests::default();
        let first = is_given(&heavy, "hostile").unwrap();
        assert!((0..10).all(|_| is_given(&heavy, "hostile").is_none()));
        let others: Vec<_> = (1..PAGES).map(|number| is_given(&heavy, &number.to_string()).unwrap()).collect();
        assert!(is_given(&heavy, "one more").is_none());
        drop(first);
        assert!(is_given(&heavy, "hostile").is_some());
        drop(others);
        assert!(heavy.sessions.lock().unwrap().len() <= PAGES + 2);
    }

    #[test]
    fn documents_are_limited_apart_from_pages() {
        let heavy = HeavyRequests::default();
        let documents: Vec<_> = (0..DOCUMENTS).map(|_| heavy.document().unwrap()).collect();
        assert!(heavy.document().is_err());
        assert!(is_given(&heavy, "page").is_some());
        drop(documents);
        assert!(heavy.document().is_ok());
    }
}
