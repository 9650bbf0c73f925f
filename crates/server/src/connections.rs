//! The open connections, limited in number. Unauthenticated clients cannot exhaust them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::task::AbortHandle;

/// Maximum number of open connections. A browser opens six.
const MOST: usize = 128;

/// The slots for connections.
#[derive(Debug, Default)]
pub(crate) struct Connections(Mutex<Taken>);

#[derive(Debug, Default)]
struct Taken {
    next: u64,
    /// In order of arrival.
    seats: BTreeMap<u64, (Arc<AtomicBool>, AbortHandle)>,
}

/// A slot that is released when this is dropped.
#[derive(Debug)]
pub(crate) struct ConnectionSlot {
    places: Arc<Connections>,
    number: u64,
    /// Whether the client has shown the token.
    pub(crate) known: Arc<AtomicBool>,
    has_left: Arc<AtomicBool>,
}

impl Connections {
    /// Gives a slot to a connection, which `start` begins to serve. If all slots are taken, the oldest connection that
    /// has not shown a token is closed; if there is none, the new connection is not served.
    pub(crate) fn take(self: &Arc<Self>, start: impl FnOnce(ConnectionSlot) -> AbortHandle) {
        let mut taken = self.taken();
        if taken.seats.len() >= MOST {
            let stranger = taken.seats.iter().find(|(_, (known, _))| !known.load(Ordering::Relaxed));
            let Some(number) = stranger.map(|(number, _)| *number) else { return };
            if let Some((_, handle)) = taken.seats.remove(&number) {
                handle.abort();
            }
        }
        taken.next += 1;
        let number = taken.next;
        drop(taken);
        let [known, has_left] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
        let seat = ConnectionSlot {
            places: Arc::clone(self),
            number,
            known: Arc::clone(&known),
            has_left: Arc::clone(&has_left),
        };
        let handle = start(seat);
        let mut taken = self.taken();
        // The connection may have ended already and released a slot that it did not hold yet.
        if !has_left.load(Ordering::SeqCst) {
            taken.seats.insert(number, (known, handle));
        }
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        // The lock is only held to move values, so a poisoned one is still consistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.has_left.store(true, Ordering::SeqCst);
        self.places.taken().seats.remove(&self.number);
    }
}
