//! What was used, and what it cost: by day as a drawing, and by model and project.

use index::catalogue::Used;
use jiff::ToSpan as _;
use jiff::civil::Date;
use ledger::Totals;
use maud::{Markup, html};
use render::html::text;
use render::human;

use super::{Page, cost, project};
use crate::usage::Usage;

/// How many days are drawn, the latest.
const DAYS: i32 = 60;
const WIDTH: i32 = 12;
const HEIGHT: i32 = 160;

/// How many rows tables have.
const ROWS: usize = 50;

/// The page.
pub(crate) fn page(usage: &Usage) -> Markup {
    let main = html! {
        h1 { "Usage" }
        @if usage.unread > 0 {
            p.note { (human::counted(usage.unread as u64, "file", "files")) " could not be read; `recount check` says which." }
        }
        dl.totals {
            div { dt { "all in all" } dd { (cost(&Used::of(&usage.totals))) } }
            div { dt { "tokens" } dd { (human::tokens(usage.totals.tokens.total())) } }
            div { dt { "days" } dd { (human::thousands(usage.days.len() as u64)) } }
        }
        (days(usage))
        (table("Models", "model", &usage.models, |name| html! { (text(name)) }))
        (table("Projects", "project", &usage.projects, |name| project(Some(name))))
    };
    Page { title: "Usage", place: "/usage", script: None, query: "", main }.markup()
}

/// A bar for every day, as high as what it cost.
fn days(usage: &Usage) -> Markup {
    let Some((last, _)) = usage.days.last_key_value() else { return html! { p.none { "Nothing was used yet." } } };
    let days: Vec<(Date, Option<&Totals>)> = (0..DAYS)
        .rev()
        .filter_map(|back| last.checked_sub(back.days()).ok())
        .map(|day| (day, usage.days.get(&day)))
        .collect();
    let dollars = |totals: Option<&Totals>| totals.map_or(0.0, |totals| totals.cost.dollars());
    let most = days.iter().map(|(_, totals)| dollars(*totals)).fold(0.0, f64::max);
    #[expect(clippy::cast_possible_truncation, reason = "it is a part of the height")]
    let height = |totals| if most > 0.0 { (dollars(totals) / most * f64::from(HEIGHT)).ceil() as i32 } else { 0 };
    let shown = format!("what each of the last {DAYS} days cost, at most {}", human::dollars(most));
    html! {
        figure.days {
            svg viewBox={ "0 0 " (WIDTH * DAYS) " " (HEIGHT + 16) } role="img" aria-label=(shown) {
                @for (place, (day, totals)) in (0..).zip(&days) {
                    @let high = height(*totals);
                    @if high > 0 {
                        rect x=(place * WIDTH + 1) y=(HEIGHT - high) width=(WIDTH - 2) height=(high) {
                            title { (day) " · " (human::dollars(dollars(*totals))) }
                        }
                    }
                    @if day.day() == 1 || place == 0 {
                        text x=(place * WIDTH) y=(HEIGHT + 12) { (day.strftime("%b %-d")) }
                    }
                }
            }
            figcaption { (shown) }
        }
    }
}

fn table(title: &str, column: &str, rows: &[(String, Totals)], name: impl Fn(&str) -> Markup) -> Markup {
    html! {
        @if !rows.is_empty() {
            section {
                h2 { (title) }
                div.wide tabindex="0" role="region" aria-label=(title) {
                    table.sessions {
                        thead { tr {
                            th scope="col" { (column) }
                            th.number scope="col" { "tokens" }
                            th.number scope="col" { "cost" }
                        } }
                        tbody {
                            @for (label, totals) in rows.iter().take(ROWS) {
                                tr {
                                    td { (name(label)) }
                                    td.number { (human::tokens(totals.tokens.total())) }
                                    td.number { (cost(&Used::of(totals))) }
                                }
                            }
                        }
                    }
                }
                @if rows.len() > ROWS { p.none { (human::thousands((rows.len() - ROWS) as u64)) " more" } }
            }
        }
    }
}
