//! Days, weeks and months in the user's time zone.

#![allow(clippy::unwrap_used, reason = "these are tests")]

use jiff::Timestamp;
use jiff::civil::{Date, Weekday, date};
use jiff::tz::TimeZone;
use ledger::calendar::{Calendar, Period};
use proptest::prelude::*;

fn at(time: &str) -> i64 {
    time.parse::<Timestamp>().unwrap().as_millisecond()
}

fn new_york() -> Calendar {
    let zone = TimeZone::posix("EST5EDT,M3.2.0,M11.1.0").unwrap();
    Calendar { zone, ..Calendar::default() }
}

fn billed_on(billing_day: i8) -> impl Fn(Date) -> Option<Date> {
    let calendar = Calendar { billing_day, ..Calendar::default() };
    move |day| calendar.month(at(&format!("{day}T12:00:00Z")))
}

#[test]
fn the_day_depends_on_the_zone() {
    let evening = at("2026-03-01T23:30:00Z");
    assert_eq!(Calendar::default().day(evening), Some(date(2026, 3, 1)));
    let kolkata = Calendar { zone: TimeZone::posix("IST-5:30").unwrap(), ..Calendar::default() };
    assert_eq!(kolkata.day(evening), Some(date(2026, 3, 2)));
    assert_eq!(kolkata.day(at("2026-03-01T18:29:59.999Z")), Some(date(2026, 3, 1)));
    assert_eq!(kolkata.day(at("2026-03-01T18:30:00Z")), Some(date(2026, 3, 2)));
}

/// On 8 March the clocks go forward, on 1 November back.
#[test]
fn days_of_23_and_25_hours_begin_and_end_at_midnight() {
    let calendar = new_york();
    let bounds = [
        ("2026-03-08T05:00:00Z", date(2026, 3, 8), "2026-03-09T04:00:00Z", 23),
        ("2026-11-01T04:00:00Z", date(2026, 11, 1), "2026-11-02T05:00:00Z", 25),
    ];
    for (begins, day, ends, hours) in bounds {
        assert_eq!(at(ends) - at(begins), hours * 60 * 60 * 1000);
        assert_eq!(calendar.day(at(begins) - 1), day.yesterday().ok());
        assert_eq!(calendar.day(at(begins)), Some(day));
        assert_eq!(calendar.day(at(ends) - 1), Some(day));
        assert_eq!(calendar.day(at(ends)), day.tomorrow().ok());
    }
}

#[test]
fn weeks_begin_on_the_configured_day() {
    // A Wednesday.
    let wednesday = at("2026-03-04T12:00:00Z");
    let starts = |week_starts| Calendar { week_starts, ..Calendar::default() }.week(wednesday);
    assert_eq!(Calendar::default().week(wednesday), Some(date(2026, 3, 1)));
    assert_eq!(starts(Weekday::Monday), Some(date(2026, 3, 2)));
    assert_eq!(starts(Weekday::Wednesday), Some(date(2026, 3, 4)));
    assert_eq!(starts(Weekday::Thursday), Some(date(2026, 2, 26)));
}

#[test]
fn the_first_day_of_a_week_is_in_it() {
    let calendar = Calendar::default();
    assert_eq!(calendar.week(at("2026-03-01T00:00:00Z")), Some(date(2026, 3, 1)));
    assert_eq!(calendar.week(at("2026-02-28T23:59:59.999Z")), Some(date(2026, 2, 22)));
}

#[test]
fn months_begin_on_the_billing_day() {
    let first = billed_on(1);
    assert_eq!(first(date(2026, 3, 31)), Some(date(2026, 3, 1)));
    let middle = billed_on(15);
    assert_eq!(middle(date(2026, 3, 10)), Some(date(2026, 2, 15)));
    assert_eq!(middle(date(2026, 3, 14)), Some(date(2026, 2, 15)));
    assert_eq!(middle(date(2026, 3, 15)), Some(date(2026, 3, 15)));
    assert_eq!(middle(date(2026, 1, 1)), Some(date(2025, 12, 15)));
}

#[test]
fn a_billing_day_that_a_month_lacks_is_its_last() {
    let last = billed_on(31);
    assert_eq!(last(date(2026, 2, 27)), Some(date(2026, 1, 31)));
    assert_eq!(last(date(2026, 2, 28)), Some(date(2026, 2, 28)));
    assert_eq!(last(date(2028, 2, 28)), Some(date(2028, 1, 31)));
    assert_eq!(last(date(2028, 2, 29)), Some(date(2028, 2, 29)));
    assert_eq!(last(date(2026, 3, 30)), Some(date(2026, 2, 28)));
    assert_eq!(last(date(2026, 4, 30)), Some(date(2026, 4, 30)));
    assert_eq!(billed_on(30)(date(2026, 3, 1)), Some(date(2026, 2, 28)));
}

#[test]
fn times_outside_the_calendar_have_no_day() {
    for moment in [i64::MIN, i64::MAX] {
        for period in [Period::Day, Period::Week, Period::Month] {
            assert_eq!(new_york().first_day(period, moment), None);
        }
    }
}

proptest! {
    #[test]
    fn every_time_is_in_its_periods(moment in any::<i64>(), near in -400_000_000_000_000_i64..400_000_000_000_000,
        billing_day in any::<i8>(), week_starts in 0..7_i8) {
        let week_starts = Weekday::from_sunday_zero_offset(week_starts).unwrap();
        let calendar = Calendar { week_starts, billing_day, ..new_york() };
        for at in [moment, near] {
            let Some(day) = calendar.day(at) else { continue };
            if let Some(week) = calendar.week(at) {
                prop_assert_eq!(week.weekday(), week_starts);
                prop_assert!((0..7).contains(&(day - week).get_days()));
            }
            if let Some(month) = calendar.month(at) {
                prop_assert!((0..31).contains(&(day - month).get_days()));
            }
        }
    }
}
