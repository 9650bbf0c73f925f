//! The user's time zone and currency, as one value that every renderer takes.

use std::borrow::Cow;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::{Cost, Currency, Spent, counted_tokens};

/// Time zone and currency. Code that shows a time or an amount takes one of these and nothing else.
#[derive(Debug, Clone, PartialEq)]
pub struct Locale {
    /// The zone of shown times.
    pub zone: TimeZone,
    /// Whether the user chose the zone. Pages then keep it; otherwise they show times in the zone of the reader.
    pub is_zone_chosen: bool,
    /// The currency of shown amounts.
    pub currency: Currency,
}

impl Default for Locale {
    /// UTC and dollars.
    fn default() -> Self {
        Self { zone: TimeZone::UTC, is_zone_chosen: false, currency: Currency::default() }
    }
}

impl Locale {
    /// A moment as a date and a time of day; empty if there is none.
    pub fn date_and_time(&self, at: Option<i64>) -> String {
        crate::date_and_time(at, &self.zone)
    }

    /// A moment as a time of day; empty if there is none.
    pub fn time_of_day(&self, at: Option<i64>) -> String {
        crate::time_of_day(at, &self.zone)
    }

    /// A moment as a time of day with seconds; empty if there is none.
    pub fn exact_time_of_day(&self, at: Option<i64>) -> String {
        crate::exact_time_of_day(at, &self.zone)
    }

    /// A moment for texts that are read now, with its year if it is another one; empty if there is none.
    pub fn time_near(&self, at: Option<i64>, now: i64) -> String {
        crate::time_near(at, &self.zone, now)
    }

    /// The title of a session, or `Untitled, 18 Nov 14:20` with its first moment if it has none. Every list and head
    /// asks this.
    pub fn title<'t>(&self, title: Option<&'t str>, first: Option<i64>, now: i64) -> Cow<'t, str> {
        match title.map(str::trim).filter(|title| !title.is_empty()) {
            Some(title) => Cow::Borrowed(title),
            None if first.is_none() => Cow::Borrowed("Untitled"),
            None => Cow::Owned(format!("Untitled, {}", self.time_near(first, now))),
        }
    }

    /// A moment as a date; empty if there is none.
    pub fn date(&self, at: Option<i64>) -> String {
        crate::date(at, &self.zone)
    }

    /// The abbreviation of the zone at a moment, such as `UTC` or `CEST`; empty if there is no moment.
    pub fn zone_at(&self, at: Option<i64>) -> String {
        let moment = at.and_then(|at| Timestamp::from_millisecond(at).ok());
        moment.map(|moment| moment.to_zoned(self.zone.clone()).strftime("%Z").to_string()).unwrap_or_default()
    }

    /// The name of the zone for documents that keep it, such as `Asia/Tokyo`. `None` if the user chose no zone, or one
    /// without a name.
    pub fn chosen_zone(&self) -> Option<&str> {
        self.zone.iana_name().filter(|_| self.is_zone_chosen)
    }

    /// An amount of money.
    pub fn money(&self, dollars: f64) -> String {
        self.currency.show(dollars)
    }

    /// A cost with its quality.
    pub fn cost(&self, cost: Cost) -> String {
        self.currency.cost(cost)
    }

    /// A cost and its tokens: `$0.77 · 828k tokens`.
    pub fn spent(&self, spent: &Spent) -> String {
        format!("{} · {}", self.cost(spent.cost), counted_tokens(spent.tokens))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_without_a_title_is_named_by_its_time() {
        let locale = Locale { zone: TimeZone::fixed(jiff::tz::offset(2)), ..Locale::default() };
        let (at, now) = (1_786_179_600_000, 1_795_000_000_000);
        assert_eq!(locale.title(Some(" dig "), Some(at), now), "dig");
        assert_eq!(locale.title(None, Some(at), now), "Untitled, 8 Aug 11:00");
        assert_eq!(locale.title(Some(" "), None, now), "Untitled");
    }
}
