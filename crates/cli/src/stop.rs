//! Ends what would go on for ever: by a signal, or when nobody reads any more.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Whether somebody wants the program to end.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// From now on, signals that would end the program are only noted.
    pub(crate) fn listen() -> io::Result<Self> {
        let stop = Self::default();
        #[cfg(unix)]
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP] {
            signal_hook::flag::register(signal, Arc::clone(&stop.0))?;
        }
        Ok(stop)
    }

    /// Whether a signal came.
    pub(crate) fn is_wanted(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// Lets time pass. Whether to end now: since a signal came, or because standard output is a pipe without a reader.
    pub(crate) fn wait(&self, time: Duration) -> bool {
        self.is_wanted() || wait_for_reader(time) || self.is_wanted()
    }
}

/// Waits, at most until nobody reads the standard output any more. Whether that is so.
#[cfg(unix)]
fn wait_for_reader(time: Duration) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let Ok(timeout) = Timespec::try_from(time) else { return false };
    let out = io::stdout();
    let mut outputs = [PollFd::new(&out, PollFlags::empty())];
    // A signal ends the waiting early.
    let is_seen = poll(&mut outputs, Some(&timeout)).is_ok_and(|count| count > 0);
    let states = outputs.iter().fold(PollFlags::empty(), |all, output| all | output.revents());
    let is_closed = states.intersects(PollFlags::ERR | PollFlags::HUP);
    if is_seen && !is_closed {
        // Some systems cannot tell of terminals and say so at once.
        std::thread::sleep(time);
    }
    is_closed
}

#[cfg(not(unix))]
fn wait_for_reader(time: Duration) -> bool {
    std::thread::sleep(time);
    false
}
