//! Moments as people type them: RFC 3339, dates and times of the local zone, and times ago.

use jiff::civil::{Date, DateTime, Time};
use jiff::{Span, Timestamp, Zoned};

/// Which end of a day is meant by a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Start,
    End,
}

/// Reads a moment, seen from `now`.
///
/// A date alone is its first moment, or its last one, as `end` says.
pub(crate) fn read(text: &str, end: End, now: &Zoned) -> Result<Timestamp, String> {
    let text = text.trim();
    if let Ok(moment) = text.parse() {
        return Ok(moment);
    }
    let compact = (text.len() == 8).then(|| jiff::fmt::strtime::parse("%Y%m%d", text)).and_then(Result::ok);
    let text = &*compact.and_then(|date| date.to_date().ok()).map_or_else(|| text.to_owned(), |date| date.to_string());
    // Asked first, because a date with a time reads as a date too.
    let local = |moment: DateTime| moment.to_zoned(now.time_zone().clone()).map(|moment| moment.timestamp());
    let local_time = match (is_date(text), end) {
        (true, End::Start) => text.parse::<Date>().map(|date| date.to_datetime(Time::MIN)),
        (true, End::End) => text.parse::<Date>().map(|date| date.to_datetime(Time::MAX)),
        (false, _) => text.parse::<DateTime>(),
    };
    if let Ok(moment) = local_time.and_then(local) {
        return Ok(moment);
    }
    let ago = text.parse::<Span>().and_then(|ago| now.checked_sub(ago.abs()));
    ago.map(|moment| moment.timestamp()).map_err(|_| {
        "expected a time such as 2026-08-08T09:15:00Z, a date such as 2026-08-08, or a time ago such as 2h or 3d"
            .to_owned()
    })
}

/// Reads the moment of an option, if it is given.
pub(crate) fn read_option(text: Option<&str>, flag: &str, end: End, now: &Zoned) -> anyhow::Result<Option<Timestamp>> {
    text.map(|text| read(text, end, now).map_err(|why| anyhow::anyhow!("{flag} {text}: {why}"))).transpose()
}

/// The beginning of the first of the last days: `7d` is today and the six days before.
pub(crate) fn last_days(text: &str, now: &Zoned) -> Result<Timestamp, String> {
    let expected =
        || "expected a number of days, weeks or months such as 7d, 2w or 1mo, or hours such as 12h".to_owned();
    let span: Span = text.trim().parse().map_err(|_| expected())?;
    let span = span.abs();
    let first = now.checked_sub(span).map_err(|_| expected())?;
    // Less than a day is meant to the minute.
    if span.get_years() == 0 && span.get_months() == 0 && span.get_weeks() == 0 && span.get_days() == 0 {
        return Ok(first.timestamp());
    }
    first.tomorrow().and_then(|day| day.start_of_day()).map(|day| day.timestamp()).map_err(|_| expected())
}

/// `2026-08-08`, without a time.
fn is_date(text: &str) -> bool {
    text.len() == 10 && text.chars().all(|c| c.is_ascii_digit() || c == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, end: End) -> String {
        let now: Zoned = "2026-08-08T12:00:00+02:00[+02:00]".parse().unwrap();
        read(text, end, &now).map_or_else(|error| error, |moment| moment.to_string())
    }

    #[test]
    fn moments_are_read_as_people_type_them() {
        let cases = [
            ("2026-08-01T09:15:22.118Z", "2026-08-01T09:15:22.118Z"),
            ("2026-08-01T09:15:22+05:00", "2026-08-01T04:15:22Z"),
            ("2026-08-01", "2026-07-31T22:00:00Z"),
            ("20260801", "2026-07-31T22:00:00Z"),
            ("2026-08-01T09:15", "2026-08-01T07:15:00Z"),
            ("2026-08-01 09:15:30", "2026-08-01T07:15:30Z"),
            ("2h", "2026-08-08T08:00:00Z"),
            ("3d", "2026-08-05T10:00:00Z"),
            ("1w 30m", "2026-08-01T09:30:00Z"),
        ];
        for (text, moment) in cases {
            assert_eq!(at(text, End::Start), moment, "{text}");
        }
        assert_eq!(at("2026-08-01", End::End), "2026-08-01T21:59:59.999999999Z");
    }

    #[test]
    fn the_last_days_include_today() {
        let now: Zoned = "2026-08-08T12:00:00+02:00[+02:00]".parse().unwrap();
        let first = |text: &str| last_days(text, &now).map(|moment| moment.to_string()).unwrap_or_default();
        assert_eq!(first("1d"), "2026-08-07T22:00:00Z");
        assert_eq!(first("7d"), "2026-08-01T22:00:00Z");
        assert_eq!(first("1mo"), "2026-07-08T22:00:00Z");
        assert_eq!(first("5h"), "2026-08-08T05:00:00Z");
        assert_eq!(first("a week"), "");
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "soon", "2026-13-01", "99999999y"] {
            assert!(at(text, End::Start).starts_with("expected a time"), "{text}");
        }
    }
}
