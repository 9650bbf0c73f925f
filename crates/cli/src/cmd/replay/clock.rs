//! Time that passes, or only seems to.

use std::thread;
use std::time::{Duration, Instant};

/// What somebody wants while a session is played.
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

/// Something that time passes on, and that hears wishes.
pub(super) trait Clock {
    /// The time since the beginning.
    fn now(&self) -> Duration;

    /// Lets time pass until a moment, or for ever if there is none; at most until somebody wants something.
    fn wait(&mut self, until: Option<Duration>) -> Option<Wish>;
}

/// Time as it is, and nobody who wants anything.
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

/// Time that is as late as one wants, and wishes at certain moments.
#[cfg(test)]
#[derive(Debug, Default)]
pub(super) struct Simulated {
    pub(super) now: Duration,
    /// In their order.
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
