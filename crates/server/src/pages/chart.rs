//! Charts that the server draws: columns over time, and shares in tables.
//!
//! The SVG contains shapes only and is stretched to the available space; labels are text beside it.

use std::collections::BTreeMap;

use app::usage::{UsageLabel, UsageRow};
use human::Locale;
use jiff::civil::{Date, Weekday};
use jiff::{Timestamp, ToSpan as _};
use maud::{Markup, html};
use page::text;
use story::step::Millis;

use crate::routes::WebApp;
use crate::usage::{UsageReports, name_of};

/// The size of the drawing in its own units; the stylesheet sets the visible size.
const HEIGHT: f64 = 100.0;
const WIDTH: f64 = 1000.0;

/// Number of series with a colour of their own; the others share one.
const COLOURS: usize = 5;

/// More columns would be too narrow to see.
const MOST_COLUMNS: usize = 100;

/// The period that a column stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Day,
    Week,
    Month,
}

impl Unit {
    /// The smallest unit that keeps the number of columns between two days small enough.
    fn between(first: Date, last: Date) -> Self {
        let days = first.until(last).map_or(0, |span| span.get_days().unsigned_abs() as usize);
        match days {
            ..MOST_COLUMNS => Self::Day,
            days if days / 7 < MOST_COLUMNS => Self::Week,
            _ => Self::Month,
        }
    }

    fn first_day(self, day: Date, week_starts: Weekday) -> Date {
        match self {
            Self::Day => day,
            Self::Week => {
                let back = i64::from(day.weekday().since(week_starts));
                day.checked_sub(back.days()).unwrap_or(day)
            }
            Self::Month => day.first_of_month(),
        }
    }

    fn next(self, day: Date) -> Option<Date> {
        let step = match self {
            Self::Day => 1.day(),
            Self::Week => 1.week(),
            Self::Month => 1.month(),
        };
        day.checked_add(step).ok()
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
        }
    }
}

/// Cost by day and model, in dollars.
#[derive(Debug)]
pub(super) struct Days {
    costs: BTreeMap<Date, BTreeMap<String, f64>>,
    first: Option<Date>,
    today: Date,
    week_starts: Weekday,
}

impl Days {
    /// The days of reports; the chart begins at the start of the period.
    pub(super) fn of(reports: &UsageReports, since: Option<Millis>, app: &WebApp) -> Self {
        let costs = reports.days.list.iter().filter_map(|row| match row.label {
            UsageLabel::Since(Some(day)) => {
                let models = row.sums.by_model().into_iter();
                Some((day, models.map(|(model, totals)| (model, totals.cost.dollars())).collect()))
            }
            _ => None,
        });
        let day = |at: Millis| Some(Timestamp::from_millisecond(at).ok()?.to_zoned(app.locale().zone.clone()).date());
        let week_starts = app.settings.calendar.week_starts;
        Self { costs: costs.collect(), first: since.and_then(day), today: app.today(), week_starts }
    }

    /// The number of days.
    pub(super) fn count(&self) -> usize {
        self.costs.len()
    }
}

/// Cost by day and model: one column per unit, from the first day to the last.
pub(super) fn costs(days: &Days, models: &[UsageRow], locale: &Locale) -> Markup {
    let Days { costs, first, today, week_starts } = days;
    let Some(first) = first.or_else(|| costs.keys().next().copied()) else { return html! {} };
    let last = costs.keys().next_back().copied().unwrap_or(*today).max(*today);
    let unit = Unit::between(first, last);
    let mut columns: BTreeMap<Date, BTreeMap<usize, f64>> = BTreeMap::new();
    let mut day = Some(unit.first_day(first, *week_starts));
    while let Some(at) = day.filter(|at| *at <= last) {
        columns.insert(at, BTreeMap::new());
        day = unit.next(at);
    }
    let colour = |model: &str| {
        let place = models.iter().position(|row| name_of(row) == model);
        place.unwrap_or(COLOURS).min(COLOURS)
    };
    for (day, by_model) in costs {
        let Some(column) = columns.get_mut(&unit.first_day(*day, *week_starts)) else { continue };
        for (model, dollars) in by_model {
            *column.entry(colour(model)).or_default() += dollars;
        }
    }
    let most = columns.values().map(|column| column.values().sum()).fold(0.0, f64::max);
    // A round number in the displayed currency.
    let rate = locale.currency.rate;
    let top = round_up(most * rate) / rate;
    #[expect(clippy::cast_precision_loss, reason = "there are a hundred")]
    let width = WIDTH / columns.len().max(1) as f64;
    let label = format!("what each {} cost, at most {}", unit.word(), locale.money(most));
    html! {
        figure.costs {
            div.plot {
                span.most { (round_money(top, locale)) }
                span.half { (round_money(top / 2.0, locale)) }
                svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } preserveAspectRatio="none" role="img" aria-label=(label) {
                    path.grid d={ "M0 0.5H" (WIDTH) "M0 50H" (WIDTH) "M0 99.5H" (WIDTH) } {}
                    @for (place, (day, column)) in columns.iter().enumerate() { (drawn(place, width, *day, column, top, locale)) }
                }
            }
            (dates(&columns.keys().copied().collect::<Vec<_>>()))
            figcaption {
                "cost by " (unit.word())
                @for (place, row) in models.iter().take(COLOURS).enumerate() {
                    span.key.{ "c" (place) } { (text(named(name_of(row)))) }
                }
                @if models.len() > COLOURS { span.key.{ "c" (COLOURS) } { "others" } }
            }
        }
    }
}

fn drawn(place: usize, width: f64, day: Date, column: &BTreeMap<usize, f64>, top: f64, locale: &Locale) -> Markup {
    #[expect(clippy::cast_precision_loss, reason = "there are a hundred")]
    let left = place as f64 * width;
    let all: f64 = column.values().sum();
    let mut y = HEIGHT;
    html! {
        @if all > 0.0 {
            g {
                title { (day) " · " (locale.money(all)) }
                @for (colour, dollars) in column {
                    @let high = dollars / top * HEIGHT;
                    @let from = { y -= high; y };
                    rect.{ "c" (colour) } x=(short(left + width * 0.1)) y=(short(from)) width=(short(width * 0.8)) height=(short(high)) {}
                }
            }
        }
    }
}

/// A few of the dates, spread over the width.
fn dates(columns: &[Date]) -> Markup {
    let last = columns.len().saturating_sub(1);
    let mut shown: Vec<Date> =
        [0, last / 3, last * 2 / 3, last].iter().filter_map(|at| columns.get(*at)).copied().collect();
    shown.dedup();
    html! { div.dates aria-hidden="true" { @for day in shown { span { (day.strftime("%-d %b")) } } } }
}

/// The next round number that is not smaller.
fn round_up(number: f64) -> f64 {
    if number <= 0.0 {
        return 1.0;
    }
    let unit = 10_f64.powf(number.log10().floor());
    let times = [1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0].into_iter().find(|times| times * unit >= number);
    times.unwrap_or(10.0) * unit
}

/// An amount without cents if there are none.
fn round_money(dollars: f64, locale: &Locale) -> String {
    let text = locale.money(dollars);
    text.strip_suffix(".00").map_or_else(|| text.clone(), str::to_owned)
}

/// A number with as many digits as are visible.
fn short(number: f64) -> String {
    format!("{number:.2}")
}

/// A name, or a substitute if it is empty.
pub(super) fn named(name: &str) -> &str {
    if name.is_empty() { "(not known)" } else { name }
}

/// A bar for the share of the largest value.
pub(super) fn share(part: f64, most: f64) -> Markup {
    let percent = if most > 0.0 { (part / most * 100.0).clamp(0.0, 100.0) } else { 0.0 };
    html! {
        svg.share viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" {
            rect width=(short(percent)) height="10" {}
        }
    }
}

/// Activity per day as small columns.
pub(super) fn spark(days: &[u32], label: &str) -> Markup {
    let most = days.iter().copied().max().unwrap_or_default().max(1);
    html! {
        svg.spark viewBox={ "0 0 " (days.len() * 4) " 20" } preserveAspectRatio="none" role="img" aria-label=(label) {
            @for (place, count) in days.iter().enumerate().filter(|(_, count)| **count > 0) {
                @let high = (count * 18).div_ceil(most) + 2;
                rect x=(place * 4) y=(20 - high) width="3" height=(high) {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn the_scale_ends_at_a_round_number() {
        for (most, top) in
            [(0.0, 1.0), (0.37, 0.4), (1.0, 1.0), (3.2, 4.0), (41.0, 50.0), (777.0, 800.0), (81.0, 100.0)]
        {
            assert!((round_up(most) - top).abs() < 1e-9, "{most}: {}", round_up(most));
        }
    }

    #[test]
    fn a_long_time_is_drawn_in_weeks_or_months() {
        let first = date(2026, 1, 1);
        assert_eq!(Unit::between(first, date(2026, 3, 1)), Unit::Day);
        assert_eq!(Unit::between(first, date(2027, 3, 1)), Unit::Week);
        assert_eq!(Unit::between(first, date(2030, 3, 1)), Unit::Month);
        assert_eq!(Unit::Week.first_day(date(2026, 8, 9), Weekday::Monday), date(2026, 8, 3));
        assert_eq!(Unit::Week.first_day(date(2026, 8, 9), Weekday::Sunday), date(2026, 8, 9));
    }
}
