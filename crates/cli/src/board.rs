//! The board in commands: as text, and when its day began. As JSON it is the same as the server's (`wire::board`).

pub(crate) mod text;

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// When this day began, in a time zone.
pub(crate) fn midnight(now: Timestamp, zone: &TimeZone) -> i64 {
    now.to_zoned(zone.clone()).start_of_day().map_or(0, |start| start.timestamp().as_millisecond())
}
