//! Days, weeks and months in the user's time zone.

use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

/// Maps times to days, weeks and months.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calendar {
    /// The time zone of the days.
    pub zone: TimeZone,
    /// The first day of a week.
    pub week_starts: Weekday,
    /// The day on which a month begins; in shorter months, their last day.
    pub billing_day: i8,
}

/// A period that totals are computed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Period {
    /// From midnight to midnight, however many hours that is.
    Day,
    /// Seven days.
    Week,
    /// From one billing day to the next.
    Month,
}

impl Default for Calendar {
    /// Days in UTC, weeks from Sunday, months from the first.
    fn default() -> Self {
        Self { zone: TimeZone::UTC, week_starts: Weekday::Sunday, billing_day: 1 }
    }
}

impl Calendar {
    /// The first day of the period that contains a time, in milliseconds since 1970.
    ///
    /// `None` if the time is outside the calendar.
    pub fn first_day(&self, period: Period, at: i64) -> Option<Date> {
        match period {
            Period::Day => self.day(at),
            Period::Week => self.week(at),
            Period::Month => self.month(at),
        }
    }

    /// The day of a time.
    pub fn day(&self, at: i64) -> Option<Date> {
        let at = Timestamp::from_millisecond(at).ok()?;
        Some(self.zone.to_datetime(at).date())
    }

    /// The first day of the week of a time.
    pub fn week(&self, at: i64) -> Option<Date> {
        let day = self.day(at)?;
        let since = day.weekday().since(self.week_starts);
        day.checked_sub(i64::from(since).days()).ok()
    }

    /// The first day of the month of a time.
    pub fn month(&self, at: i64) -> Option<Date> {
        let day = self.day(at)?;
        let begins = self.billing_day_of(day);
        if begins <= day { Some(begins) } else { Some(self.billing_day_of(day.first_of_month().yesterday().ok()?)) }
    }

    /// The billing day in the month of a day.
    fn billing_day_of(&self, day: Date) -> Date {
        let last = day.last_of_month();
        let billing = self.billing_day.clamp(1, last.day());
        last.with().day(billing).build().unwrap_or(last)
    }
}
