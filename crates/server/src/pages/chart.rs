//! Charts, as drawings from the server: columns over time, and shares in tables.
//!
//! Only what is drawn is in the drawing, which is stretched to the room there is; words stand beside it as text.

use std::collections::BTreeMap;

use index::catalogue::Used;
use jiff::ToSpan as _;
use jiff::civil::Date;
use maud::{Markup, html};
use page::text;

/// The drawing is so high and so wide; how large it is seen is a matter of style.
const HEIGHT: f64 = 100.0;
const WIDTH: f64 = 1000.0;

/// As many series have a colour of their own; the others share one.
const COLOURS: usize = 5;

/// More columns than this are too narrow to see.
const MOST_COLUMNS: usize = 100;

/// What a column stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Day,
    Week,
    Month,
}

impl Unit {
    /// The smallest of which not too many lie between two days.
    fn between(first: Date, last: Date) -> Self {
        let days = first.until(last).map_or(0, |span| span.get_days().unsigned_abs() as usize);
        match days {
            ..MOST_COLUMNS => Self::Day,
            days if days / 7 < MOST_COLUMNS => Self::Week,
            _ => Self::Month,
        }
    }

    fn first_day(self, day: Date) -> Date {
        match self {
            Self::Day => day,
            Self::Week => {
                let back = i64::from(day.weekday().to_monday_zero_offset());
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

/// What days cost, by model: a column each, from the first day to the last.
pub(super) fn costs(
    days: &BTreeMap<Date, (Used, BTreeMap<String, Used>)>,
    models: &[(String, Used)],
    first: Option<Date>,
    today: Date,
) -> Markup {
    let Some(first) = first.or_else(|| days.keys().next().copied()) else { return html! {} };
    let last = days.keys().next_back().copied().unwrap_or(today).max(today);
    let unit = Unit::between(first, last);
    let mut columns: BTreeMap<Date, BTreeMap<usize, f64>> = BTreeMap::new();
    let mut day = Some(unit.first_day(first));
    while let Some(at) = day.filter(|at| *at <= last) {
        columns.insert(at, BTreeMap::new());
        day = unit.next(at);
    }
    let colour = |model: &str| {
        let place = models.iter().position(|(name, _)| name == model);
        place.unwrap_or(COLOURS).min(COLOURS)
    };
    for (day, (_, by_model)) in days {
        let Some(column) = columns.get_mut(&unit.first_day(*day)) else { continue };
        for (model, used) in by_model {
            *column.entry(colour(model)).or_default() += used.cost.dollars();
        }
    }
    let most = columns.values().map(|column| column.values().sum()).fold(0.0, f64::max);
    let top = round_up(most);
    #[expect(clippy::cast_precision_loss, reason = "there are a hundred")]
    let width = WIDTH / columns.len().max(1) as f64;
    let label = format!("what each {} cost, at most {}", unit.word(), human::dollars(most));
    html! {
        figure.costs {
            div.plot {
                span.most { (round_dollars(top)) }
                span.half { (round_dollars(top / 2.0)) }
                svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } preserveAspectRatio="none" role="img" aria-label=(label) {
                    path.grid d={ "M0 0.5H" (WIDTH) "M0 50H" (WIDTH) "M0 99.5H" (WIDTH) } {}
                    @for (place, (day, column)) in columns.iter().enumerate() { (drawn(place, width, *day, column, top)) }
                }
            }
            (dates(&columns.keys().copied().collect::<Vec<_>>()))
            figcaption {
                "cost by " (unit.word())
                @for (place, (model, _)) in models.iter().take(COLOURS).enumerate() {
                    span.key.{ "c" (place) } { (text(named(model))) }
                }
                @if models.len() > COLOURS { span.key.{ "c" (COLOURS) } { "others" } }
            }
        }
    }
}

fn drawn(place: usize, width: f64, day: Date, column: &BTreeMap<usize, f64>, top: f64) -> Markup {
    #[expect(clippy::cast_precision_loss, reason = "there are a hundred")]
    let left = place as f64 * width;
    let all: f64 = column.values().sum();
    let mut y = HEIGHT;
    html! {
        @if all > 0.0 {
            g {
                title { (day) " · " (human::dollars(all)) }
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

/// A round number that is not smaller.
fn round_up(number: f64) -> f64 {
    if number <= 0.0 {
        return 1.0;
    }
    let unit = 10_f64.powf(number.log10().floor());
    let times = [1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0].into_iter().find(|times| times * unit >= number);
    times.unwrap_or(10.0) * unit
}

/// Without cents where there are none.
fn round_dollars(dollars: f64) -> String {
    let text = human::dollars(dollars);
    text.strip_suffix(".00").map_or_else(|| text.clone(), str::to_owned)
}

/// As many digits as can be seen.
fn short(number: f64) -> String {
    format!("{number:.2}")
}

/// What something is called, if it has a name.
pub(super) fn named(name: &str) -> &str {
    if name.is_empty() { "(not known)" } else { name }
}

/// How much of the largest something is, as a bar.
pub(super) fn share(part: f64, most: f64) -> Markup {
    let percent = if most > 0.0 { (part / most * 100.0).clamp(0.0, 100.0) } else { 0.0 };
    html! {
        svg.share viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" {
            rect width=(short(percent)) height="10" {}
        }
    }
}

/// How much was going on on each of some days, as small columns.
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
        assert_eq!(Unit::Week.first_day(date(2026, 8, 9)), date(2026, 8, 3));
    }
}
