//! Five-hour usage limits that sessions reached.

use format::block::Content;
use format::text::{Notice, Reset, notice};
use format::{Body, Entry, Text, Time};
use jiff::civil::{Date, Time as Clock};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, ToSpan as _};
use serde::{Deserialize, Serialize};

use crate::record::SYNTHETIC;

/// A limit that was reached. Weekly limits are not included.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Limit {
    /// When, in milliseconds since 1970.
    pub at: i64,
    resets: Resets,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Resets {
    At(i64),
    /// `11pm`, `Jul 23 at 6pm (Europe/Berlin)`.
    Said(Box<str>),
}

impl Limit {
    /// The limit in an entry, if it states when the limit resets.
    pub(crate) fn of(entry: &Entry<'_>) -> Option<Self> {
        let Body::Assistant(assistant) = &entry.body else { return None };
        let message = assistant.message.as_deref().filter(|message| message.model.is_some_and(|it| it == SYNTHETIC))?;
        let at = entry.envelope.timestamp.and_then(Time::milliseconds)?;
        let quota = assistant.quota_limits.as_ref();
        if quota.and_then(|quota| quota.rate_limit_type).is_some_and(|kind| kind.as_str().starts_with("seven_day")) {
            return None;
        }
        if let Some(resets) = quota.and_then(|quota| quota.resets_at).and_then(Time::milliseconds) {
            return Some(Self { at, resets: Resets::At(resets) });
        }
        let texts = message.content.iter().flat_map(Content::texts);
        texts.map(Text::as_str).filter(|text| !text.contains("eekly")).find_map(|text| match notice(text)? {
            Notice::LimitReached(limit) => match limit.resets? {
                Reset::Epoch(seconds) => Some(Self { at, resets: Resets::At(seconds.checked_mul(1000)?) }),
                Reset::Text(text) => Some(Self { at, resets: Resets::Said(text.into()) }),
            },
            _ => None,
        })
    }

    /// When it resets, in milliseconds since 1970, if the text can be parsed: in `zone`, unless it names another.
    pub fn resets_at(&self, zone: &TimeZone) -> Option<i64> {
        match &self.resets {
            Resets::At(at) => Some(*at),
            Resets::Said(text) => {
                let at = Timestamp::from_millisecond(self.at).ok()?;
                read_words(text, at, zone).map(Timestamp::as_millisecond)
            }
        }
    }
}

/// The next time that matches `11pm`, `8:20pm` or `Jul 3 at 6pm`, each with or without a zone after it.
fn read_words(text: &str, after: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
    let (text, zone) = match text.split_once(" (") {
        Some((text, zone)) => (text, TimeZone::get(zone.trim_end_matches(')')).ok()?),
        None => (text, zone.clone()),
    };
    let now = after.to_zoned(zone.clone());
    let (date, clock) = match text.split_once(" at ").or_else(|| text.split_once(", ")) {
        Some((date, clock)) => (Some(date), clock),
        None => (None, text),
    };
    let clock = read_clock(clock.trim())?;
    let moment = |date: Date| date.to_datetime(clock).to_zoned(zone.clone()).ok().map(|moment| moment.timestamp());
    let (first, step): (Date, Span) = match date {
        Some(date) => (read_date(date.trim(), now.year())?, 1.year()),
        None => (now.date(), 1.day()),
    };
    let today = moment(first)?;
    if today >= after { Some(today) } else { moment(first.checked_add(step).ok()?) }
}

fn read_clock(text: &str) -> Option<Clock> {
    let text = text.to_ascii_lowercase();
    let (digits, afternoon) = match (text.strip_suffix("am"), text.strip_suffix("pm")) {
        (Some(digits), _) => (digits, Some(false)),
        (_, Some(digits)) => (digits, Some(true)),
        _ => (text.as_str(), None),
    };
    let (hour, minute) = digits.trim().split_once(':').unwrap_or((digits.trim(), "0"));
    let (hour, minute) = (hour.parse::<i8>().ok()?, minute.parse::<i8>().ok()?);
    let hour = match afternoon {
        Some(afternoon) if (1..=12).contains(&hour) => hour % 12 + if afternoon { 12 } else { 0 },
        Some(_) => return None,
        None => hour,
    };
    Clock::new(hour, minute, 0, 0).ok()
}

fn read_date(text: &str, year: i16) -> Option<Date> {
    jiff::fmt::strtime::parse("%b %d %Y", format!("{text} {year}")).ok()?.to_date().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_mean_the_next_matching_time() {
        let after: Timestamp = "2026-07-03T18:30:00Z".parse().unwrap();
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        let read = |text: &str| read_words(text, after, &zone).map(|at| at.to_string()).unwrap_or_default();
        for (text, moment) in [
            ("11pm", "2026-07-03T21:00:00Z"),
            ("8:20pm", "2026-07-04T18:20:00Z"),
            ("12am", "2026-07-03T22:00:00Z"),
            ("21:45", "2026-07-03T19:45:00Z"),
            ("Jul 5 at 6pm", "2026-07-05T16:00:00Z"),
            ("Jan 1 at 12pm", "2027-01-01T10:00:00Z"),
            ("11pm (Asia/Tokyo)", "2026-07-04T14:00:00Z"),
            ("11pm (Atlantis)", ""),
            ("soon", ""),
            ("25pm", ""),
        ] {
            assert_eq!(read(text), moment, "{text}");
        }
    }
}
