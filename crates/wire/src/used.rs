//! Tokens and cost.

use human::Spent;
use index::catalogue::Used;
use serde::Serialize;

/// Tokens and cost.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct UsedOut {
    /// Tokens of all kinds.
    tokens: u64,
    /// The cost in US dollars, without usage of unknown price.
    cost_usd: f64,
    /// Only a first count of tokens was recorded for some of it.
    cost_is_at_least: bool,
    /// Some of it has no known price.
    cost_is_partial: bool,
}

impl UsedOut {
    /// The JSON of a usage.
    pub fn of(used: &Used) -> Self {
        let Used { tokens, cost, is_low, is_partial } = *used;
        Self { tokens, cost_usd: cost.dollars(), cost_is_at_least: is_low, cost_is_partial: is_partial }
    }

    /// The JSON of the usage of a session.
    pub fn of_spent(spent: &Spent) -> Self {
        let (tokens, cost) = (spent.tokens, &spent.cost);
        Self { tokens, cost_usd: cost.dollars, cost_is_at_least: cost.is_at_least, cost_is_partial: cost.is_partial }
    }
}
