//! The catalogue: sessions, their turns and their agents, as stored from stories and ledgers.

mod ending;
mod list;
mod projects;
pub mod tools;
mod write;

pub use list::{Agent, Session, Turn};
pub use projects::{Project, projects};
pub(crate) use write::{Bill, write};

use std::ops::AddAssign;

use ledger::{Money, Quality, Totals};
use story::Remnant;

/// What can be left of a session, indexed by the numbers that represent it in the file.
const REMNANTS: [Remnant; 2] = [Remnant::Subagents, Remnant::Prompts];

/// Token usage and cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Used {
    /// Tokens of all kinds.
    pub tokens: u64,
    /// Excludes tokens without a known price.
    pub cost: Money,
    /// Whether the cost is a lower bound, because only an early token count was recorded.
    pub is_low: bool,
    /// Whether some of the tokens have no known price.
    pub is_partial: bool,
}

impl Used {
    const LOW: i64 = 1;
    const PARTIAL: i64 = 2;

    /// The usage of totals.
    pub fn of(totals: &Totals) -> Self {
        Self {
            tokens: totals.tokens.total(),
            cost: totals.cost,
            is_low: totals.share(Quality::Low).tokens > 0,
            is_partial: totals.share(Quality::Unknown).tokens > 0,
        }
    }

    /// The cost with its quality, for display.
    pub fn priced(&self) -> human::Cost {
        human::Cost { dollars: self.cost.dollars(), is_at_least: self.is_low, is_partial: self.is_partial }
    }

    /// Tokens and cost, for display.
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
