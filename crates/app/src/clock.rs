//! The current time, which tests can stop.

use jiff::Timestamp;

/// A source of the current time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Clock {
    /// The system clock.
    #[default]
    System,
    /// A fixed moment, for tests.
    Stopped(Timestamp),
}

impl Clock {
    /// Returns the current time.
    pub fn now(self) -> Timestamp {
        match self {
            Self::System => Timestamp::now(),
            Self::Stopped(at) => at,
        }
    }
}
