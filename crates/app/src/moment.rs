//! Parses moments as typed by users: words such as `yesterday`, times ago, dates and times in the user's zone, and RFC
//! 3339.
//!
//! A moment is a period of time (a day, a week, an instant): `--since` uses its start, `--until` its end.

use jiff::civil::{Date, DateTime, Time, Weekday};
use jiff::{Span, Timestamp, ToSpan as _, Zoned};

use crate::AppError;

/// Valid forms, for help texts and errors.
pub const FORMS: &str = "today, yesterday, monday, last week, 7d, 2h, 2026-08-08, 09:15 or 2026-08-08T09:15:00Z";

/// An end of a period of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The first moment.
    Start,
    /// The last moment.
    End,
}

/// Parses moments relative to now.
#[derive(Debug, Clone)]
pub struct Moments {
    now: Zoned,
    week_starts: Weekday,
}

/// Names of days, which may be shortened to three letters.
const WEEKDAYS: [(&str, Weekday); 7] = [
    ("monday", Weekday::Monday),
    ("tuesday", Weekday::Tuesday),
    ("wednesday", Weekday::Wednesday),
    ("thursday", Weekday::Thursday),
    ("friday", Weekday::Friday),
    ("saturday", Weekday::Saturday),
    ("sunday", Weekday::Sunday),
];

impl Moments {
    /// Creates a parser relative to `now`, in its zone.
    pub fn new(now: Zoned, week_starts: Weekday) -> Self {
        Self { now, week_starts }
    }

    /// Parses a moment; the error describes what is expected.
    pub fn read(&self, text: &str, end: End) -> Result<Timestamp, String> {
        let text = text.trim();
        let expected = || format!("expected a time such as {FORMS}");
        if let Ok(moment) = text.parse() {
            return Ok(moment);
        }
        if let Some((first, last)) = self.days(text) {
            return self.of_days(first, last, end).ok_or_else(expected);
        }
        let local = time_of_day(text).map(|time| self.now.date().to_datetime(time)).or_else(|| text.parse().ok());
        if let Some(moment) = local.and_then(|moment| self.local(moment)) {
            return Ok(moment);
        }
        let ago = text.parse::<Span>().and_then(|ago| self.now.checked_sub(ago.abs()));
        ago.map(|moment| moment.timestamp()).map_err(|_| expected())
    }

    /// Parses the moment of a flag, if it is given, in milliseconds since 1970.
    pub fn read_flag(&self, flag: &str, text: Option<&str>, end: End) -> Result<Option<i64>, AppError> {
        let read = |text: &str| {
            self.read(text, end).map(Timestamp::as_millisecond).map_err(|expected| AppError::Moment {
                flag: flag.to_owned(),
                text: text.to_owned(),
                expected,
            })
        };
        text.map(read).transpose()
    }

    /// Returns the start of the first of the last days: `7d` is today and the six days before.
    pub fn last_days(&self, text: &str) -> Result<Timestamp, String> {
        let expected =
            || "expected a number of days, weeks or months such as 7d, 2w or 1mo, or hours such as 12h".to_owned();
        let span: Span = text.trim().parse().map_err(|_| expected())?;
        let span = span.abs();
        let first = self.now.checked_sub(span).map_err(|_| expected())?;
        // Spans of less than a day are exact to the minute.
        if span.get_years() == 0 && span.get_months() == 0 && span.get_weeks() == 0 && span.get_days() == 0 {
            return Ok(first.timestamp());
        }
        first.tomorrow().and_then(|day| day.start_of_day()).map(|day| day.timestamp()).map_err(|_| expected())
    }

    /// Returns the first and the last day of a word or a date.
    fn days(&self, text: &str) -> Option<(Date, Date)> {
        let today = self.now.date();
        let words = text.to_lowercase().replace(['-', '_'], " ");
        let week = || {
            let since = i64::from(today.weekday().since(self.week_starts));
            today.checked_sub(since.days()).ok()
        };
        let one = |day: Date| Some((day, day));
        match words.as_str() {
            "today" => one(today),
            "yesterday" => one(today.yesterday().ok()?),
            "this week" => Some((week()?, week()?.checked_add(6.days()).ok()?)),
            "last week" => Some((week()?.checked_sub(7.days()).ok()?, week()?.yesterday().ok()?)),
            "this month" => Some((today.first_of_month(), today.last_of_month())),
            "last month" => {
                let last = today.first_of_month().yesterday().ok()?;
                Some((last.first_of_month(), last))
            }
            words => match weekday(words) {
                Some(day) => one(today.checked_sub(i64::from(today.weekday().since(day)).days()).ok()?),
                None => one(date(text)?),
            },
        }
    }

    fn of_days(&self, first: Date, last: Date, end: End) -> Option<Timestamp> {
        self.local(match end {
            End::Start => first.to_datetime(Time::MIN),
            End::End => last.to_datetime(Time::MAX),
        })
    }

    fn local(&self, moment: DateTime) -> Option<Timestamp> {
        moment.to_zoned(self.now.time_zone().clone()).ok().map(|moment| moment.timestamp())
    }
}

fn weekday(word: &str) -> Option<Weekday> {
    let is_it = |name: &str| word.len() >= 3 && name.starts_with(word);
    WEEKDAYS.iter().find(|(name, _)| is_it(name)).map(|(_, day)| *day)
}

/// Parses `2026-08-08` or `20260808`, without a time.
fn date(text: &str) -> Option<Date> {
    let is_plain = text.len() == 10 && text.chars().all(|c| c.is_ascii_digit() || c == '-');
    if is_plain {
        return text.parse().ok();
    }
    let compact = (text.len() == 8).then(|| jiff::fmt::strtime::parse("%Y%m%d", text)).and_then(Result::ok);
    compact.and_then(|date| date.to_date().ok())
}

/// Parses `9:15`, `09:15` or `09:15:30`.
fn time_of_day(text: &str) -> Option<Time> {
    let is_clock = text.contains(':') && text.chars().all(|c| c.is_ascii_digit() || c == ':');
    let padded = if text.find(':') == Some(1) { format!("0{text}") } else { text.to_owned() };
    is_clock.then(|| padded.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Saturday, at noon.
    fn moments() -> Moments {
        Moments::new("2026-08-08T12:00:00+02:00[+02:00]".parse().unwrap(), Weekday::Monday)
    }

    fn at(text: &str, end: End) -> String {
        moments().read(text, end).map_or_else(|error| error, |moment| moment.to_string())
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
            ("09:15", "2026-08-08T07:15:00Z"),
            ("9:15", "2026-08-08T07:15:00Z"),
            ("2h", "2026-08-08T08:00:00Z"),
            ("3d", "2026-08-05T10:00:00Z"),
            ("1w 30m", "2026-08-01T09:30:00Z"),
            ("today", "2026-08-07T22:00:00Z"),
            ("Yesterday", "2026-08-06T22:00:00Z"),
            ("monday", "2026-08-02T22:00:00Z"),
            ("Sat", "2026-08-07T22:00:00Z"),
            ("sunday", "2026-08-01T22:00:00Z"),
            ("this week", "2026-08-02T22:00:00Z"),
            ("last week", "2026-07-26T22:00:00Z"),
            ("last-week", "2026-07-26T22:00:00Z"),
            ("this month", "2026-07-31T22:00:00Z"),
            ("last month", "2026-06-30T22:00:00Z"),
        ];
        for (text, moment) in cases {
            assert_eq!(at(text, End::Start), moment, "{text}");
        }
    }

    #[test]
    fn the_end_of_days_weeks_and_months_is_their_last_moment() {
        let cases = [
            ("2026-08-01", "2026-08-01T21:59:59.999999999Z"),
            ("yesterday", "2026-08-07T21:59:59.999999999Z"),
            ("last week", "2026-08-02T21:59:59.999999999Z"),
            ("last month", "2026-07-31T21:59:59.999999999Z"),
            ("2h", "2026-08-08T08:00:00Z"),
        ];
        for (text, moment) in cases {
            assert_eq!(at(text, End::End), moment, "{text}");
        }
    }

    #[test]
    fn weeks_begin_when_the_user_says() {
        let sunday = Moments { week_starts: Weekday::Sunday, ..moments() };
        assert_eq!(sunday.read("this week", End::Start).unwrap().to_string(), "2026-08-01T22:00:00Z");
    }

    #[test]
    fn every_form_that_help_texts_name_is_read() {
        for text in FORMS.split(", ").flat_map(|part| part.split(" or ")) {
            assert!(moments().read(text, End::Start).is_ok(), "{text}");
        }
    }

    #[test]
    fn the_last_days_include_today() {
        let first = |text: &str| moments().last_days(text).map(|moment| moment.to_string()).unwrap_or_default();
        assert_eq!(first("1d"), "2026-08-07T22:00:00Z");
        assert_eq!(first("7d"), "2026-08-01T22:00:00Z");
        assert_eq!(first("1mo"), "2026-07-08T22:00:00Z");
        assert_eq!(first("5h"), "2026-08-08T05:00:00Z");
        assert_eq!(first("a week"), "");
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "soon", "2026-13-01", "99999999y", "25:00", "mo", "last"] {
            assert!(at(text, End::Start).starts_with("expected a time"), "{text}: {}", at(text, End::Start));
        }
    }
}
