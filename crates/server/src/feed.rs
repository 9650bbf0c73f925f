//! The feed of numbered events for all connected pages.
//!
//! Clients have no queues of their own: all read from one list, each at its own speed. A client that falls behind the
//! list, or that comes back after a restart, reloads everything. So a slow client costs nothing.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

/// An event of the feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    /// Consecutive numbers.
    pub(crate) id: u64,
    /// The session that the event is about, if it is about one.
    pub(crate) about: Option<Arc<str>>,
    /// The kind of event.
    pub(crate) name: &'static str,
    /// JSON on one line.
    pub(crate) data: Arc<str>,
}

/// The next item for a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Next {
    /// The next event.
    Event(Event),
    /// No event yet after this one.
    Nothing(u64),
    /// The client missed too much and must reload everything, up to this event.
    All(u64),
}

/// The list of events.
#[derive(Debug)]
pub(crate) struct Feed {
    /// Differs after every start.
    epoch: String,
    list: Mutex<List>,
    latest: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct List {
    events: VecDeque<Event>,
    bytes: usize,
    last: u64,
}

/// Maximum size of the list, for clients that reconnect after a short interruption.
const MOST_BYTES: usize = 4 << 20;

impl Feed {
    pub(crate) fn new(epoch: String) -> Self {
        Self { epoch, list: Mutex::default(), latest: watch::Sender::new(0) }
    }

    /// Appends an event and wakes all clients.
    pub(crate) fn tell(&self, about: Option<&str>, name: &'static str, data: &str) {
        let mut list = self.list();
        list.last += 1;
        let id = list.last;
        list.bytes += data.len();
        list.events.push_back(Event { id, about: about.map(Into::into), name, data: data.into() });
        while list.bytes > MOST_BYTES {
            let Some(oldest) = list.events.pop_front() else { break };
            list.bytes -= oldest.data.len();
        }
        drop(list);
        self.latest.send_replace(id);
    }

    /// The number of the last event.
    pub(crate) fn last(&self) -> u64 {
        self.list().last
    }

    /// The next event after `id` that is about one session, or about all of them. Events are returned one at a time, so
    /// that nothing is buffered for a client that does not read.
    pub(crate) fn after(&self, id: u64, about: Option<&str>) -> Next {
        let list = self.list();
        let is_known = id <= list.last && list.events.front().map_or(id == list.last, |first| first.id <= id + 1);
        if !is_known {
            return Next::All(list.last);
        }
        let first = list.events.partition_point(|event| event.id <= id);
        let mut events = list.events.range(first..);
        events
            .find(|event| event.about.as_deref() == about)
            .map_or(Next::Nothing(list.last), |event| Next::Event(event.clone()))
    }

    /// The id of an event that a client can reconnect with.
    pub(crate) fn name(&self, id: u64) -> String {
        format!("{}-{id}", self.epoch)
    }

    /// The number of the event that a client reconnects with, if this server issued it.
    pub(crate) fn read_name(&self, name: &str) -> Option<u64> {
        name.strip_prefix(&self.epoch)?.strip_prefix('-')?.parse().ok()
    }

    /// A receiver that is notified of each new event.
    pub(crate) fn listen(&self) -> watch::Receiver<u64> {
        self.latest.subscribe()
    }

    fn list(&self) -> MutexGuard<'_, List> {
        // The lock is only held to move values, so a poisoned one is still consistent.
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of all events after one.
    fn ids(feed: &Feed, mut after: u64) -> Vec<u64> {
        let mut ids = Vec::new();
        loop {
            match feed.after(after, None) {
                Next::Event(event) => {
                    after = event.id;
                    ids.push(after);
                }
                Next::Nothing(last) => {
                    assert_eq!(last, feed.last());
                    return ids;
                }
                Next::All(last) => panic!("all up to {last}"),
            }
        }
    }

    #[test]
    fn a_reconnecting_client_gets_missed_events() {
        let feed = Feed::new("e".to_owned());
        assert!(ids(&feed, 0).is_empty());
        for _ in 0..3 {
            feed.tell(None, "x", "{}");
        }
        assert_eq!(ids(&feed, 0), [1, 2, 3]);
        assert_eq!(ids(&feed, 2), [3]);
        assert!(ids(&feed, 3).is_empty());
        assert_eq!(feed.after(4, None), Next::All(3), "that was before a restart");
        assert_eq!(feed.read_name(&feed.name(2)), Some(2));
        assert_eq!(Feed::new("f".to_owned()).read_name(&feed.name(2)), None);
    }

    #[test]
    fn a_client_of_one_session_gets_only_its_events() {
        let feed = Feed::new("e".to_owned());
        for about in [None, Some("a"), Some("b"), None, Some("a")] {
            feed.tell(about, "x", "{}");
        }
        let next = |after, about| match feed.after(after, about) {
            Next::Event(event) => event.id,
            Next::Nothing(_) | Next::All(_) => 0,
        };
        assert_eq!([next(0, Some("a")), next(2, Some("a")), next(5, Some("a")), next(0, Some("c"))], [2, 5, 0, 0]);
        assert_eq!(feed.after(2, Some("b")), feed.after(0, Some("b")));
        assert_eq!(feed.after(3, Some("b")), Next::Nothing(5));
    }

    #[test]
    fn memory_is_bounded() {
        let feed = Feed::new("e".to_owned());
        let large = "x".repeat(MOST_BYTES / 4);
        for _ in 0..100 {
            feed.tell(None, "x", &large);
        }
        assert!(feed.list().bytes <= MOST_BYTES);
        assert_eq!(feed.after(1, None), Next::All(100));
        assert_eq!(ids(&feed, 98), [99, 100]);
    }
}
