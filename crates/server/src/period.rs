//! How far back figures go.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use story::step::Millis;

/// The last days, or all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(default)]
pub(crate) struct Period {
    /// How many days, with today; nothing or 0 are all.
    pub(crate) days: u32,
}

impl Period {
    /// Those that a page offers.
    pub(crate) const CHOICES: [(u32, &'static str); 4] = [(7, "7 days"), (30, "30 days"), (90, "90 days"), (0, "all")];

    /// The first day, if there is one.
    pub(crate) fn first_day(self, zone: &TimeZone) -> Option<Date> {
        let today = Timestamp::now().to_zoned(zone.clone()).date();
        let back = i64::from(self.days).checked_sub(1).filter(|back| *back >= 0)?;
        // More days than there are in a calendar are all.
        today.checked_sub(Span::new().try_days(back).ok()?).ok()
    }

    /// When the first day begins.
    pub(crate) fn since(self, zone: &TimeZone) -> Option<Millis> {
        let start = self.first_day(zone)?.to_zoned(zone.clone()).ok()?;
        Some(start.timestamp().as_millisecond())
    }
}
