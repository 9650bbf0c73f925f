//! The usage and the cost of a session, formatted for the page.

use content::Bill;
use human::{Locale, tokens};
use ledger::{Summary, Totals};
use story::step::Millis;

/// The usage and the cost of a session, formatted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LedgerView {
    /// The total number of tokens.
    pub tokens: String,
    /// Tokens by kind.
    pub kinds: String,
    /// The cost with its quality.
    pub cost: String,
    /// Tokens in the context over time.
    pub context: Vec<(Millis, u64)>,
    /// The shares of the turns.
    pub bill: Bill,
}

impl LedgerView {
    /// `None` if the session records no usage.
    pub fn of(summary: &Summary, bill: Bill, locale: &Locale) -> Option<Self> {
        let spent = bill.session?;
        let context = summary.context.iter().map(|(at, tokens)| (*at, u64::from(*tokens))).collect();
        let (all, cost) = (tokens(spent.tokens), locale.cost(spent.cost));
        Some(Self { tokens: all, kinds: said_kinds(&summary.totals), cost, context, bill })
    }
}

fn said_kinds(totals: &Totals) -> String {
    let used = &totals.tokens;
    let written = used.cache_write;
    let parts =
        [(used.input, "in"), (used.output, "out"), (used.cache_read, "from the cache"), (written, "to the cache")];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0);
    parts.map(|(number, what)| format!("{} {what}", tokens(number))).collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use human::{Cost, Currency, Spent};
    use ledger::{Prices, SessionLedger, SessionPart};

    fn summary() -> Summary {
        let line = br#"{"type":"assistant","uuid":"a1","requestId":"r1","version":"2.1.246","timestamp":"2026-08-08T09:00:01.000Z","message":{"id":"m1","model":"claude-opus-4-5-20251101","stop_reason":"end_turn","content":[],"usage":{"input_tokens":1000000,"output_tokens":2000,"cache_read_input_tokens":500}}}"#;
        let mut ledger = SessionLedger::default();
        let mut feed = ledger.feed(SessionPart::Main);
        let scratch = format::Scratch::default();
        for entry in format::read(line, &scratch).entries {
            let _ = ledger.push(&mut feed, &entry);
        }
        ledger.summary(&Prices::default())
    }

    #[test]
    fn a_bill_says_what_it_is_made_of_in_the_currency_of_the_user() {
        let cost = Cost { dollars: 5.05, is_at_least: true, is_partial: false };
        let bill = Bill { session: Some(Spent { tokens: 1_002_500, cost }), ..Bill::default() };
        let euros = Locale { currency: Currency { sign: "€".to_owned(), rate: 0.5 }, ..Locale::default() };
        let view = LedgerView::of(&summary(), bill, &euros).unwrap();
        assert_eq!((&*view.tokens, &*view.cost), ("1M", "≥€2.53"));
        assert_eq!(view.kinds, "1M in · 2k out · 500 from the cache");
        assert_eq!(view.context, [(1_786_179_601_000, 1_000_500)]);
    }

    #[test]
    fn a_session_without_usage_has_no_bill() {
        let empty = SessionLedger::default().summary(&Prices::default());
        assert_eq!(LedgerView::of(&empty, Bill::default(), &Locale::default()), None);
    }
}
