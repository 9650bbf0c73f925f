//! Times, sizes, numbers and amounts of money as people write them.

mod locale;
mod money;

use jiff::Timestamp;
use jiff::tz::TimeZone;

pub use locale::Locale;
pub use money::{Cost, Currency, Spent};

/// A moment in milliseconds since 1970, as stories have it.
type Millis = i64;

/// How long something took: `850 ms`, `1.2 s`, `2 min 10 s`, `1 h 5 min`, `3 d 4 h`.
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

/// A number with separators: `1,234,567`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things: `1 turn`, `2 turns`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

/// A number of bytes: `812 bytes`, `68 KB`, `9.1 MB`.
pub fn bytes(number: u64) -> String {
    match number {
        0..1000 => counted(number, "byte", "bytes"),
        1000..1_000_000 => format!("{} KB", number / 1000),
        _ => format!("{}.{} MB", thousands(number / 1_000_000), number / 100_000 % 10),
    }
}

/// A number of tokens: `812`, `12.4 k`, `3.1 M`.
pub fn tokens(number: u64) -> String {
    match number {
        0..1000 => number.to_string(),
        1000..1_000_000 => format!("{}.{} k", number / 1000, number / 100 % 10),
        _ => format!("{}.{} M", thousands(number / 1_000_000), number / 100_000 % 10),
    }
}

/// A moment as a date and a time of day; empty if there is none.
pub fn date_and_time(at: Option<Millis>, zone: &TimeZone) -> String {
    written(at, zone, "%Y-%m-%d %H:%M")
}

/// A moment as a time of day; empty if there is none.
pub fn time_of_day(at: Option<Millis>, zone: &TimeZone) -> String {
    written(at, zone, "%H:%M")
}

/// A moment as a date; empty if there is none.
pub fn date(at: Option<Millis>, zone: &TimeZone) -> String {
    written(at, zone, "%Y-%m-%d")
}

fn written(at: Option<Millis>, zone: &TimeZone, form: &str) -> String {
    let moment = at.and_then(|at| Timestamp::from_millisecond(at).ok());
    moment.map(|moment| moment.to_zoned(zone.clone()).strftime(form).to_string()).unwrap_or_default()
}

/// The first words of a text.
pub fn shortened(words: &str, most: usize) -> String {
    match words.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", words.get(..end).unwrap_or_default().trim_end()),
        None => words.to_owned(),
    }
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
            (130_000, "2 min 10 s"),
            (3_900_000, "1 h 5 min"),
            (273_600_000, "3 d 4 h"),
        ] {
            assert_eq!(duration(millis), text);
        }
    }

    #[test]
    fn numbers_are_grouped() {
        let cases = [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (100_000, "100,000")];
        for (number, text) in cases {
            assert_eq!(thousands(number), text);
        }
    }

    #[test]
    fn moments_are_told_where_one_is() {
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        assert_eq!(date_and_time(Some(1_786_179_600_000), &zone), "2026-08-08 11:00");
        assert_eq!(time_of_day(None, &zone), "");
        assert_eq!(time_of_day(Some(Millis::MAX), &zone), "");
    }
}
