//! The current time. Tests stop it.

use jiff::Timestamp;

/// Where the current time comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Clock {
    /// The clock of the system.
    #[default]
    System,
    /// A moment that never passes, for tests.
    Stopped(Timestamp),
}

impl Clock {
    /// The current time.
    pub fn now(self) -> Timestamp {
        match self {
            Self::System => Timestamp::now(),
            Self::Stopped(at) => at,
        }
    }
}
