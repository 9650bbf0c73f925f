//! Real and simulated clocks for playback.

use std::thread;
use std::time::{Duration, Instant};

/// A command of the user during playback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    Pause,
    NextTurn,
    Back,
    Faster,
    Slower,
    Step,
    Quit,
}

/// A clock that playback waits on, and that delivers commands of the user.
pub(super) trait Clock {
    /// Returns the time since the start.
    fn now(&self) -> Duration;

    /// Waits until a moment, or without limit if there is none. Returns early with a command of the user.
    fn wait(&mut self, until: Option<Duration>) -> Option<Wish>;
}

/// Real time, without user input.
#[derive(Debug)]
pub(super) struct Real(Instant);

impl Real {
    pub(super) fn deaf() -> Self {
        Self(Instant::now())
    }
}

impl Clock for Real {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    fn wait(&mut self, until: Option<Duration>) -> Option<Wish> {
        match until {
            Some(until) => {
                thread::sleep(until.saturating_sub(self.now()));
                None
            }
            None => Some(Wish::Quit),
        }
    }
}

/// Simulated time, with commands at given moments.
#[cfg(test)]
#[derive(Debug, Default)]
pub(super) struct Simulated {
    pub(super) now: Duration,
    /// Commands in order of time.
    pub(super) wishes: Vec<(Duration, Wish)>,
}

#[cfg(test)]
impl Clock for Simulated {
    fn now(&self) -> Duration {
        self.now
    }

    fn wait(&mut self, until: Option<Duration>) -> Option<Wish> {
        let next = self.wishes.first().copied().filter(|(at, _)| until.is_none_or(|until| *at <= until));
        match (next, until) {
            (Some((at, wish)), _) => {
                self.wishes.remove(0);
                self.now = self.now.max(at);
                Some(wish)
            }
            (None, Some(until)) => {
                self.now = self.now.max(until);
                None
            }
            (None, None) => Some(Wish::Quit),
        }
    }
}
