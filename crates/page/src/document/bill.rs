//! The usage and the cost of a session, formatted for the page.

use ledger::{Quality, Summary, Totals};
use story::step::Millis;

use human::{Cost, Locale, tokens};

/// The usage and the cost of a session, formatted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LedgerView {
    /// The total number of tokens.
    pub tokens: String,
    /// Tokens by kind.
    pub kinds: String,
    /// The cost with its quality.
    pub cost: String,
    /// Tokens in the context over time.
    pub context: Vec<(Millis, u64)>,
}

impl LedgerView {
    /// `None` if the session records no usage.
    pub fn of(summary: &Summary, locale: &Locale) -> Option<Self> {
        let totals = &summary.totals;
        if totals.tokens.total() == 0 && totals.cost.dollars() <= 0.0 {
            return None;
        }
        let context = summary.context.iter().map(|(at, tokens)| (*at, u64::from(*tokens))).collect();
        let all = tokens(totals.tokens.total());
        Some(Self { tokens: all, kinds: said_kinds(totals), cost: locale.cost(cost(totals)), context })
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

/// The cost with its quality.
fn cost(totals: &Totals) -> Cost {
    Cost {
        dollars: totals.cost.dollars(),
        is_at_least: totals.share(Quality::Low).tokens > 0,
        is_partial: totals.share(Quality::Unknown).tokens > 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ledger::{Prices, SessionLedger, SessionPart};

    fn view(model: &str) -> Option<LedgerView> {
        view_in(model, &Locale::default())
    }

    fn view_in(model: &str, locale: &Locale) -> Option<LedgerView> {
        let line = format!(
            r#"{{"type":"assistant","uuid":"a1","requestId":"r1","version":"2.1.246","timestamp":"2026-08-08T09:00:01.000Z","message":{{"id":"m1","model":"{model}","stop_reason":"end_turn","content":[],"usage":{{"input_tokens":1000000,"output_tokens":2000,"cache_read_input_tokens":500}}}}}}"#
        );
        let mut ledger = SessionLedger::default();
        let mut feed = ledger.feed(SessionPart::Main);
        let scratch = format::Scratch::default();
        for entry in format::read(line.as_bytes(), &scratch).entries {
            let _ = ledger.push(&mut feed, &entry);
        }
        LedgerView::of(&ledger.summary(&Prices::default()), locale)
    }

    #[test]
    fn a_bill_is_in_the_currency_of_the_user() {
        let euros = Locale { currency: human::Currency { sign: "€".to_owned(), rate: 0.5 }, ..Locale::default() };
        assert_eq!(view_in("claude-opus-4-5-20251101", &euros).unwrap().cost, "€2.53");
    }

    #[test]
    fn a_bill_says_how_sure_it_is() {
        let known = view("claude-opus-4-5-20251101").unwrap();
        assert_eq!((&*known.tokens, &*known.cost), ("1M", "$5.05"));
        assert_eq!(known.kinds, "1M in · 2k out · 500 from the cache");
        assert_eq!(known.context, [(1_786_179_601_000, 1_000_500)]);
        assert_eq!(view("somebody-elses-model").unwrap().cost, "?");
        assert_eq!(LedgerView::of(&SessionLedger::default().summary(&Prices::default()), &Locale::default()), None);
    }
}
