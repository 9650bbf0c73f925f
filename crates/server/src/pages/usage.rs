//! The page about usage and cost: a chart by day, and tables by model, project and tool.

use std::sync::Arc;

use app::usage::{UsageLabel, UsageRow};
use axum::extract::{Query as InQuery, State};
use axum::response::Response;
use human::Locale;
use index::catalogue::Used;
use maud::{Markup, html};
use page::text;
use sources::project::ShortNames;

use super::chart::{self, Days};
use super::{Page, cost, named_project, periods, project};
use crate::chosen::Chosen;
use crate::routes::{self, Failure, WebApp};
use crate::usage::{UsageReports, name_of};

/// Rows per table.
const ROWS: usize = 50;

/// The page.
pub(crate) async fn page(
    State(app): State<Arc<WebApp>>,
    InQuery(chosen): InQuery<Chosen>,
) -> Result<Response, Failure> {
    let page = app.ask(move |app, _| {
        let filter = chosen.filter(app)?;
        let reports = app.counted.get()?.reports(&app.app, &filter)?;
        let days = Days::of(&reports, filter.since, app);
        Ok(markup(&reports, &chosen, &days, app.locale()))
    });
    page.await.map(routes::html)
}

fn markup(reports: &UsageReports, chosen: &Chosen, days: &Days, locale: &Locale) -> Markup {
    let totals = Used::of(&reports.days.all.totals);
    let names = ShortNames::of(reports.projects.list.iter().map(name_of));
    let main = html! {
        div.heading {
            h1 { "Usage" @if !chosen.project.is_empty() { " in " (project(Some(&chosen.project))) } }
            (periods("/usage", chosen))
        }
        @if reports.unread > 0 {
            p.note { (human::counted(reports.unread as u64, "file", "files")) " could not be read; `recount check` says which." }
        }
        dl.totals {
            div { dt { "cost" } dd { (cost(&totals, locale)) } }
            div { dt { "tokens" } dd { (human::tokens(totals.tokens)) } }
            div { dt { "days with sessions" } dd { (human::thousands(days.count() as u64)) } }
        }
        @if reports.is_empty() { p.none { "Nothing was used." } } @else {
            (chart::costs(days, &reports.models.list, locale))
            div.columns {
                (table("Models", "model", &reports.models.list, locale, |name| html! { (text(chart::named(name))) }))
                (table("Projects", "project", &reports.projects.list, locale, |path| linked(path, &names)))
                (tools(&reports.tools.list, locale))
            }
        }
    };
    Page { title: "Usage", place: "/usage", script: None, query: "", locale, main }.markup()
}

/// A project with a link to its sessions.
fn linked(path: &str, names: &ShortNames) -> Markup {
    html! {
        @if path.is_empty() { (chart::named(path)) } @else { a href=(super::address("/sessions", &[("project", path)])) { (named_project(path, names.get(path))) } }
    }
}

fn table(title: &str, column: &str, rows: &[UsageRow], locale: &Locale, name: impl Fn(&str) -> Markup) -> Markup {
    let most = rows.iter().map(|row| row.sums.totals.cost.dollars()).fold(0.0, f64::max);
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
                        @for row in rows.iter().take(ROWS) {
                            @let used = Used::of(&row.sums.totals);
                            tr {
                                th scope="row" { (name(name_of(row))) }
                                td.number { (human::tokens(used.tokens)) }
                                td.number { (cost(&used, locale)) }
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

fn tools(rows: &[UsageRow], locale: &Locale) -> Markup {
    let most = rows.iter().map(|row| row.sums.tool.cost.dollars()).fold(0.0, f64::max);
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
                        @for row in rows.iter().take(ROWS) {
                            @let used = row.sums.tool;
                            @let tool = if row.label == UsageLabel::Tool(None) { None } else { Some(name_of(row)) };
                            tr {
                                th scope="row" {
                                    @match tool {
                                        Some(tool) => a href=(super::address("/tools", &[("tool", tool)])) { (text(tool)) },
                                        None => i { "the conversation" },
                                    }
                                }
                                td.number { @if tool.is_some() { (human::thousands(used.calls)) } }
                                td.number { (locale.money(used.cost.dollars())) }
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
