//! Durations and moments.
//!
//! A moment is in milliseconds since 1970, as in stories. Times use the 24-hour clock.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// A duration: `850 ms`, `1.2 s`, `6 min 40 s`, `1 h 12 min`, `3 d 4 h`.
pub fn duration(millis: u64) -> String {
    let (seconds, minutes, hours) = (millis / 1000, millis / 60_000, millis / 3_600_000);
    let pair = |large: u64, unit: &str, small: u64, below: &str| match small {
        0 => format!("{large} {unit}"),
        _ => format!("{large} {unit} {small} {below}"),
    };
    match millis {
        0..1000 => format!("{millis} ms"),
        1000..10_000 => format!("{seconds}.{} s", millis % 1000 / 100),
        10_000..60_000 => format!("{seconds} s"),
        60_000..3_600_000 => pair(minutes, "min", seconds % 60, "s"),
        3_600_000..86_400_000 => pair(hours, "h", minutes % 60, "min"),
        _ => pair(hours / 24, "d", hours % 24, "h"),
    }
}

/// A duration that grows while it is shown, in whole seconds: `0 s`, `9 s`, `2 min 10 s`.
pub fn running_duration(millis: u64) -> String {
    match millis {
        0..10_000 => format!("{} s", millis / 1000),
        _ => duration(millis),
    }
}

/// A moment with its year, for texts that may be read at any time: `18 Nov 2026 14:25`; empty if there is none.
pub fn date_and_time(at: Option<i64>, zone: &TimeZone) -> String {
    written(at, zone, "%-d %b %Y %H:%M")
}

/// A moment for texts that are read now: `18 Nov 14:25`, with the year if it is another one; empty if there is none.
pub fn time_near(at: Option<i64>, zone: &TimeZone, now: i64) -> String {
    written(at, zone, if is_same_year(at, zone, Some(now)) { "%-d %b %H:%M" } else { "%-d %b %Y %H:%M" })
}

/// A moment as a time of day: `14:25`; empty if there is none.
pub fn time_of_day(at: Option<i64>, zone: &TimeZone) -> String {
    written(at, zone, "%H:%M")
}

/// A moment as a time of day with seconds: `14:25:09`; empty if there is none.
pub fn exact_time_of_day(at: Option<i64>, zone: &TimeZone) -> String {
    written(at, zone, "%H:%M:%S")
}

/// A moment as a date with its year: `18 Nov 2026`; empty if there is none.
pub fn date(at: Option<i64>, zone: &TimeZone) -> String {
    written(at, zone, "%-d %b %Y")
}

fn is_same_year(at: Option<i64>, zone: &TimeZone, now: Option<i64>) -> bool {
    let year = |at: Option<i64>| Some(Timestamp::from_millisecond(at?).ok()?.to_zoned(zone.clone()).year());
    year(at).is_some_and(|then| year(now) == Some(then))
}

fn written(at: Option<i64>, zone: &TimeZone, form: &str) -> String {
    let moment = at.and_then(|at| Timestamp::from_millisecond(at).ok());
    moment.map(|moment| moment.to_zoned(zone.clone()).strftime(form).to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_as_fine_as_they_are_short() {
        for (millis, text) in [
            (0, "0 ms"),
            (850, "850 ms"),
            (1_250, "1.2 s"),
            (59_900, "59 s"),
            (60_000, "1 min"),
            (400_000, "6 min 40 s"),
            (4_320_000, "1 h 12 min"),
            (273_600_000, "3 d 4 h"),
        ] {
            assert_eq!(duration(millis), text);
        }
    }

    #[test]
    fn moments_are_shown_in_the_zone() {
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        let (at, later, next_year) = (1_786_179_600_000, 1_795_000_000_000, 1_800_000_000_000);
        assert_eq!(date_and_time(Some(at), &zone), "8 Aug 2026 11:00");
        assert_eq!(time_near(Some(at), &zone, later), "8 Aug 11:00");
        assert_eq!(time_near(Some(at), &zone, next_year), "8 Aug 2026 11:00");
        assert_eq!(date(Some(at), &zone), "8 Aug 2026");
        assert_eq!(time_of_day(None, &zone), "");
        assert_eq!(time_of_day(Some(i64::MAX), &zone), "");
    }
}
