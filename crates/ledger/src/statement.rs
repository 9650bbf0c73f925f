//! The total cost that a session states: `cost-state` and stream `result` lines.
//!
//! They include usage without lines of its own (titles, summaries, hooks, permission checks, stopped calls), so they are
//! the only exact figures and usually higher than the sum of the lines; and they are running totals, never to be added
//! to each other (docs/format C.4.4, H.5).

use format::entry::bookkeeping::ModelUsage;
use format::id::hash;
use format::{Body, Entry, Map, Time};
use serde::{Deserialize, Serialize};

use crate::money::Money;
use crate::tokens::Tokens;

/// A running total.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement<'a> {
    /// Identifies duplicates of the same line.
    pub id: u64,
    /// The start of the total.
    pub scope: Scope,
    /// When it was written: it does not cover anything later.
    pub at: Option<i64>,
    /// The total.
    pub cost: Money,
    /// By model.
    pub models: Vec<StatedModel<'a>>,
}

/// What a statement says about a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StatedModel<'a> {
    /// The name, as written.
    pub name: &'a str,
    /// Its usage.
    pub tokens: Tokens,
    /// Its cost.
    pub cost: Money,
    /// Whether the cost follows prices that the organisation set.
    pub is_managed: bool,
}

/// The start of a running total.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Scope {
    /// The start of the process; the next process of the session starts at zero.
    Process,
    /// The start of the session.
    Session,
}

impl<'a> Statement<'a> {
    /// The statement in an entry; `None` if there is none.
    pub fn of(entry: &'a Entry<'_>) -> Option<Self> {
        if entry.foreign.is_some() {
            return None;
        }
        match &entry.body {
            Body::CostState(state) => {
                let start = state.start_time.and_then(Time::milliseconds);
                // The clock of a resumed session is set back by its earlier duration, so this also holds then.
                let at = start.zip(state.duration_ms).map(|(start, duration)| start.saturating_add(whole(duration)));
                Self::new(entry, Scope::Session, at, state.total_cost_usd?, &state.model_usage)
            }
            Body::Result(result) => {
                let at = entry.envelope.timestamp.and_then(Time::milliseconds);
                let cost = result.total_cost_usd.or(result.cost_usd)?;
                Self::new(entry, Scope::Process, at, cost, &result.model_usage)
            }
            _ => None,
        }
    }

    fn new(
        entry: &Entry<'_>,
        scope: Scope,
        at: Option<i64>,
        cost: f64,
        models: &'a Map<'_, ModelUsage<'_>>,
    ) -> Option<Self> {
        let cost = Money::from_dollars(cost);
        let model = |(name, usage): (&'a str, &ModelUsage<'_>)| StatedModel {
            name,
            tokens: tokens(usage),
            cost: Money::from_dollars(usage.cost_usd.unwrap_or_default()),
            is_managed: usage.cost_basis.is_some_and(|basis| basis == "managed"),
        };
        let models: Vec<_> = models.iter().map(model).collect();
        // A session that stopped before it began states zero, and that is its cost.
        if cost < Money::ZERO {
            return None;
        }
        let id = match entry.envelope.uuid {
            Some(uuid) => hash(&[uuid.as_str().as_bytes()]),
            None => hash(&[&cost.picodollars().to_le_bytes(), &at.unwrap_or_default().to_le_bytes()]),
        };
        Some(Self { id, scope, at, cost, models })
    }
}

fn tokens(usage: &ModelUsage<'_>) -> Tokens {
    let count = |said: Option<i64>| u64::try_from(said.unwrap_or_default()).unwrap_or_default();
    let five_minutes = count(usage.cache_creation_5m_input_tokens);
    let one_hour = count(usage.cache_creation_1h_input_tokens);
    Tokens {
        input: count(usage.input_tokens),
        output: count(usage.output_tokens),
        cache_read: count(usage.cache_read_input_tokens),
        cache_write: count(usage.cache_creation_input_tokens).max(five_minutes.saturating_add(one_hour)),
        cache_write_1h: one_hour,
        web_searches: count(usage.web_search_requests),
        ..Tokens::default()
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the cast saturates")]
fn whole(number: f64) -> i64 {
    number.round() as i64
}
