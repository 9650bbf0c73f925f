//! What was used, and what it cost: by day as a drawing, and by model, project and tool.

use std::sync::Arc;

use axum::extract::{Query as InQuery, State};
use axum::response::Response;
use index::catalogue::Used;
use jiff::civil::Date;
use maud::{Markup, html};
use page::text;

use super::{Page, chart, cost, periods, project};
use crate::period::Period;
use crate::routes::{self, App, Failure};
use crate::usage::{Report, ToolUse};

/// How many rows tables have.
const ROWS: usize = 50;

/// The page.
pub(crate) async fn page(State(app): State<Arc<App>>, InQuery(period): InQuery<Period>) -> Result<Response, Failure> {
    let report = app.ask(move |app, _| Ok(app.counted.get().since(period.first_day(&app.zone)))).await?;
    let first = period.first_day(&app.zone);
    Ok(routes::html(markup(&report, period, first, app.today())))
}

fn markup(report: &Report, period: Period, first: Option<Date>, today: Date) -> Markup {
    let main = html! {
        div.heading { h1 { "Usage" } (periods("/usage", period)) }
        @if report.unread > 0 {
            p.note { (human::counted(report.unread as u64, "file", "files")) " could not be read; `recount check` says which." }
        }
        dl.totals {
            div { dt { "cost" } dd { (cost(&report.totals)) } }
            div { dt { "tokens" } dd { (human::tokens(report.totals.tokens)) } }
            div { dt { "days with sessions" } dd { (human::thousands(report.days.len() as u64)) } }
        }
        @if report.models.is_empty() { p.none { "Nothing was used." } } @else {
            (chart::costs(&report.days, &report.models, first, today))
            div.columns {
                (table("Models", "model", &report.models, |name| html! { (text(chart::named(name))) }))
                (table("Projects", "project", &report.projects, |name| html! { (linked(name)) }))
                (tools(&report.tools))
            }
        }
    };
    Page { title: "Usage", place: "/usage", script: None, query: "", main }.markup()
}

/// A project, and the way to its sessions.
fn linked(path: &str) -> Markup {
    html! {
        @if path.is_empty() { (chart::named(path)) } @else { a href=(super::address("/sessions", &[("project", path)])) { (project(Some(path))) } }
    }
}

fn table(title: &str, column: &str, rows: &[(String, Used)], name: impl Fn(&str) -> Markup) -> Markup {
    let most = rows.iter().map(|(_, used)| used.cost.dollars()).fold(0.0, f64::max);
    html! {
        section {
            h2 { (title) }
            div.wide tabindex="0" role="region" aria-label=(title) {
                table.figures {
                    thead { tr {
                        th scope="col" { (column) }
                        th.number scope="col" { "tokens" }
                        th.number scope="col" { "cost" }
                        td {}
                    } }
                    tbody {
                        @for (label, used) in rows.iter().take(ROWS) {
                            tr {
                                th scope="row" { (name(label)) }
                                td.number { (human::tokens(used.tokens)) }
                                td.number { (cost(used)) }
                                td { (chart::share(used.cost.dollars(), most)) }
                            }
                        }
                    }
                }
            }
            (more(rows.len()))
        }
    }
}

fn more(rows: usize) -> Markup {
    html! { @if rows > ROWS { p.none { (human::thousands((rows - ROWS) as u64)) " more" } } }
}

fn tools(rows: &[(Option<String>, ToolUse)]) -> Markup {
    let most = rows.iter().map(|(_, used)| used.cost.dollars()).fold(0.0, f64::max);
    html! {
        section {
            h2 { "Tools" }
            div.wide tabindex="0" role="region" aria-label="Tools" {
                table.figures {
                    thead { tr {
                        th scope="col" { "tool" }
                        th.number scope="col" { "calls" }
                        th.number scope="col" { "cost" }
                        td {}
                    } }
                    tbody {
                        @for (tool, used) in rows.iter().take(ROWS) {
                            tr {
                                th scope="row" {
                                    @match tool {
                                        Some(tool) => a href=(super::address("/tools", &[("tool", tool)])) { (text(tool)) },
                                        None => i { "the conversation" },
                                    }
                                }
                                td.number { @if tool.is_some() { (human::thousands(used.calls)) } }
                                td.number { (human::dollars(used.cost.dollars())) }
                                td { (chart::share(used.cost.dollars(), most)) }
                            }
                        }
                    }
                }
            }
            (more(rows.len()))
            p.help { "What tools cost is an estimate: what is in the context is due to them by the size of their inputs and results." }
        }
    }
}
