//! The cost of turns, from running totals (docs/format H.5).

use format::entry::stream::TurnResult;
use format::{Body, Scratch};
use ledger::money::Money;
use memchr::memmem;

/// The running total in the last result of a process.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    sum: Money,
}

/// The figures of a turn in a `result`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Reading {
    /// Its cost.
    pub(crate) cost: Option<Money>,
    /// Its duration.
    pub(crate) duration_ms: Option<u64>,
}

impl Meter {
    /// Another process starts at zero.
    pub(crate) fn restart(&mut self) {
        self.sum = Money::ZERO;
    }

    /// The figures in a message; `None` if it is not a `result`.
    pub(crate) fn read(&mut self, message: &[u8], scratch: &mut Scratch) -> Option<Reading> {
        // Quotes inside JSON strings are escaped, so text never matches; and few lines need parsing.
        memmem::find(message, b"\"result\"")?;
        scratch.reset();
        let reading = format::read(message, scratch);
        reading.entries.iter().find_map(|entry| match &entry.body {
            Body::Result(result) if result.key.is_none() => Some(self.result(result)),
            _ => None,
        })
    }

    pub(crate) fn result(&mut self, result: &TurnResult<'_>) -> Reading {
        let sum = result.total_cost_usd.or(result.cost_usd).map(Money::from_dollars);
        let cost = sum.map(|sum| {
            // A smaller total than before belongs to another process.
            let before = Some(std::mem::replace(&mut self.sum, sum)).filter(|before| *before <= sum);
            Money::from_picodollars(sum.picodollars() - before.unwrap_or(Money::ZERO).picodollars())
        });
        Reading { cost, duration_ms: result.duration_ms.and_then(whole) }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
fn whole(number: f64) -> Option<u64> {
    (number >= 0.0).then(|| number.round() as u64)
}
