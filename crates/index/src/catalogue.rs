//! Sessions, their turns and their agents: what stories and ledgers say about them, without reading them again.

mod list;
mod projects;
pub mod tools;
mod write;

pub use list::{Agent, Session, Turn};
pub use projects::{Project, projects};
pub(crate) use write::{Bill, write};

use std::ops::AddAssign;

use ledger::{Money, Quality, Totals};
use story::TurnState;

/// How turns can stand, by the numbers that the file has for them.
const STATES: [TurnState; 5] =
    [TurnState::Working, TurnState::Asking, TurnState::Done, TurnState::Interrupted, TurnState::Failed];

/// What something used, and what it cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Used {
    /// Tokens of all kinds.
    pub tokens: u64,
    /// Without what has no known price.
    pub cost: Money,
    /// Whether it cost at least that much, since only a first count of tokens was written down.
    pub is_low: bool,
    /// Whether a part of it has no known price.
    pub is_partial: bool,
}

impl Used {
    const LOW: i64 = 1;
    const PARTIAL: i64 = 2;

    /// What totals come to.
    pub fn of(totals: &Totals) -> Self {
        Self {
            tokens: totals.tokens.total(),
            cost: totals.cost,
            is_low: totals.share(Quality::Low).tokens > 0,
            is_partial: totals.share(Quality::Unknown).tokens > 0,
        }
    }

    /// The cost with its quality, ready to be shown.
    pub fn priced(&self) -> human::Cost {
        human::Cost { dollars: self.cost.dollars(), is_at_least: self.is_low, is_partial: self.is_partial }
    }

    /// Tokens and cost, ready to be shown.
    pub fn spent(&self) -> human::Spent {
        human::Spent { tokens: self.tokens, cost: self.priced() }
    }

    /// The two flags as a number.
    fn quality(self) -> i64 {
        i64::from(self.is_low) * Self::LOW + i64::from(self.is_partial) * Self::PARTIAL
    }
}

impl AddAssign for Used {
    fn add_assign(&mut self, other: Self) {
        self.tokens = self.tokens.saturating_add(other.tokens);
        self.cost += other.cost;
        self.is_low |= other.is_low;
        self.is_partial |= other.is_partial;
    }
}
