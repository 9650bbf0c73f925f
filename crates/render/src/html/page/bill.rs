//! What a session used and cost, ready to be shown.

use ledger::{Quality, Summary, Totals};
use story::step::Millis;

use crate::human::{dollars, tokens};

/// What a session cost, ready to be shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LedgerView {
    /// How many tokens went in and out.
    pub tokens: String,
    /// What they cost, and how sure that is.
    pub cost: String,
    /// How many tokens were in the context, over time.
    pub context: Vec<(Millis, u64)>,
}

impl LedgerView {
    /// `None` if nothing was used, as far as the session says.
    pub fn of(summary: &Summary) -> Option<Self> {
        let totals = &summary.totals;
        if totals.tokens.total() == 0 && totals.cost.dollars() <= 0.0 {
            return None;
        }
        let context = summary.context.iter().map(|(at, tokens)| (*at, u64::from(*tokens))).collect();
        Some(Self { tokens: said_tokens(totals), cost: said_cost(totals), context })
    }
}

fn said_tokens(totals: &Totals) -> String {
    let used = &totals.tokens;
    let written = used.cache_write;
    let parts =
        [(used.input, "in"), (used.output, "out"), (used.cache_read, "from the cache"), (written, "to the cache")];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0);
    parts.map(|(number, what)| format!("{} {what}", tokens(number))).collect::<Vec<_>>().join(" · ")
}

/// A figure says how good it is.
fn said_cost(totals: &Totals) -> String {
    let cost = dollars(totals.cost.dollars());
    match totals.quality() {
        Quality::Exact | Quality::Computed => cost,
        Quality::Low => format!("at least {cost}"),
        Quality::Unknown => {
            let models: Vec<&str> = totals.unknown_models.keys().map(|model| &**model).collect();
            match models.is_empty() {
                true => format!("at least {cost}"),
                false => format!("at least {cost}; no price is known for {}", models.join(", ")),
            }
        }
    }
}
