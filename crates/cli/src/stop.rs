//! Stops long-running commands on a signal or when the output pipe is closed.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Whether the program should end.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// From now on, signals that would end the program are only recorded.
    pub(crate) fn listen() -> io::Result<Self> {
        let stop = Self::default();
        #[cfg(unix)]
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP] {
            signal_hook::flag::register(signal, Arc::clone(&stop.0))?;
        }
        Ok(stop)
    }

    /// Returns whether a signal arrived.
    pub(crate) fn is_wanted(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// Waits. Returns whether to end now: a signal arrived, or the reader of standard output is gone.
    pub(crate) fn wait(&self, time: Duration) -> bool {
        self.is_wanted() || wait_for_reader(time) || self.is_wanted()
    }
}

/// Waits, and returns early with `true` if the reader of standard output is gone.
#[cfg(unix)]
fn wait_for_reader(time: Duration) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let Ok(timeout) = Timespec::try_from(time) else { return false };
    let out = io::stdout();
    let mut outputs = [PollFd::new(&out, PollFlags::empty())];
    // A signal interrupts the wait.
    let is_seen = poll(&mut outputs, Some(&timeout)).is_ok_and(|count| count > 0);
    let states = outputs.iter().fold(PollFlags::empty(), |all, output| all | output.revents());
    let is_closed = states.intersects(PollFlags::ERR | PollFlags::HUP);
    if is_seen && !is_closed {
        // Some systems cannot poll terminals and return at once.
        std::thread::sleep(time);
    }
    is_closed
}

#[cfg(not(unix))]
fn wait_for_reader(time: Duration) -> bool {
    std::thread::sleep(time);
    false
}
