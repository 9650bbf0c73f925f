//! Moments, for people and for the script.

use human::Locale;
use jiff::Timestamp;
use maud::{Markup, html};
use story::step::Millis;

/// A full moment, with its time zone.
pub(crate) fn moment(at: Option<Millis>, locale: &Locale) -> Markup {
    html! {
        @if let Some(datetime) = datetime(at) {
            time datetime=(datetime) { (locale.date_and_time(at)) " " (locale.zone_at(at)) }
        }
    }
}

/// The time of day before a step, shown from one level on; hidden from `below` on if another step shows it there.
pub(crate) fn time_at(at: Option<Millis>, level: u8, below: Option<u8>, locale: &Locale) -> Markup {
    html! {
        @if let Some(datetime) = datetime(at) {
            time.at data-level=(level) data-below=[below] datetime=(datetime) { (locale.time_of_day(at)) }
        }
    }
}

/// `None` if there is no moment, or if it is outside the calendar.
fn datetime(at: Option<Millis>) -> Option<String> {
    Timestamp::from_millisecond(at?).ok().map(|moment| moment.to_string())
}
