//! Moments, for people and for the script.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use maud::{Markup, html};
use story::step::Millis;

use human::{date_and_time, time_of_day};

/// A moment in full, in UTC.
pub(crate) fn moment(at: Option<Millis>) -> Markup {
    html! {
        @if let Some(datetime) = datetime(at) {
            time datetime=(datetime) { (date_and_time(at, &TimeZone::UTC)) " UTC" }
        }
    }
}

/// The time of day that stands before a step, from one level on, and below another if that tells it already.
pub(crate) fn time_at(at: Option<Millis>, level: u8, below: Option<u8>) -> Markup {
    html! {
        @if let Some(datetime) = datetime(at) {
            time.at data-level=(level) data-below=[below] datetime=(datetime) { (time_of_day(at, &TimeZone::UTC)) }
        }
    }
}

/// `None` if there is no moment, or one that no calendar has.
fn datetime(at: Option<Millis>) -> Option<String> {
    Timestamp::from_millisecond(at?).ok().map(|moment| moment.to_string())
}
