//! The page about tools: how often they are called, how often they fail, and how long they take.

use std::sync::Arc;

use axum::extract::{Query as InQuery, State};
use axum::response::Response;
use human::Locale;
use maud::{Markup, html};
use page::text;

use super::{Page, address, chart, moment, project, session_address, time};
use crate::chosen::Chosen;
use crate::routes::{self, Failure, WebApp};
use crate::tools::{Repeated, Report, Slow, Tool};

/// Number of tools in the table before the rest is folded.
const BUSIEST: usize = 25;

/// The tool that the page is about.
#[derive(Debug, Clone, Default, serde::Deserialize)]
#[serde(default)]
pub(crate) struct ToolsQuery {
    /// Limits slow calls and errors to this tool.
    pub(crate) tool: String,
}

impl ToolsQuery {
    /// Whether this is the selected tool.
    fn means(&self, tool: &Tool) -> bool {
        format::tool::Tool::named(&tool.name).is_meant_by(&self.tool)
    }

    /// The report on the tools in the selected sessions.
    pub(crate) fn report(&self, app: &WebApp, index: &index::Index, chosen: &Chosen) -> Result<Report, Failure> {
        let sessions = app.sessions(index, &chosen.filter(app)?)?;
        let only = Some(self.tool.as_str()).filter(|tool| !tool.is_empty());
        Ok(Report::of(index.tools(&sessions)?, only))
    }
}

/// The page.
pub(crate) async fn page(
    State(app): State<Arc<WebApp>>,
    InQuery(chosen): InQuery<Chosen>,
    InQuery(query): InQuery<ToolsQuery>,
) -> Result<Response, Failure> {
    let page =
        app.ask(move |app, index| Ok(markup(&query.report(app, index, &chosen)?, &query, &chosen, app.locale())));
    page.await.map(routes::html)
}

/// The URL of the page for another tool, or another number of days.
fn address_of(chosen: &Chosen, tool: &str, days: u32) -> String {
    let days = days.to_string();
    address("/tools", &[&[("tool", tool)][..], &chosen.parts(&days)].concat())
}

fn markup(report: &Report, query: &ToolsQuery, chosen: &Chosen, locale: &Locale) -> Markup {
    let totals = report.totals();
    let main = html! {
        div.heading {
            h1 { "Tools" @if !chosen.project.is_empty() { " in " (project(Some(&chosen.project))) } }
            nav.choices aria-label="Days" {
                @for (days, name) in Chosen::DAYS {
                    a href=(address_of(chosen, &query.tool, days)) aria-current=[(days == chosen.days).then_some("true")] { (name) }
                }
            }
        }
        @if !chosen.project.is_empty() { p.help { a href="/tools" { "all projects" } } }
        @if report.tools.is_empty() { p.none { "No tool was called." } } @else {
            dl.totals {
                div { dt { "calls" } dd { (human::thousands(totals.calls)) } }
                div { dt { "failed" } dd { (human::thousands(totals.failed)) " " small { (rate(&totals)) } } }
                div { dt title="what was to be ended had ended, or a parallel call had failed" { "failed as expected" } dd { (human::thousands(totals.expected)) } }
                div { dt { "not allowed" } dd { (human::thousands(totals.rejected)) } }
                div { dt { "time in calls" } dd { (human::duration(totals.durations.sum())) } }
                div { dt { "sessions" } dd { (human::thousands(report.sessions as u64)) } }
            }
            (table(report, query, chosen))
            @if !query.tool.is_empty() {
                p.help { "Below: " b { (text(&query.tool)) } " only. " a href=(address_of(chosen, "", chosen.days)) { "all tools" } }
            }
            div.columns {
                (errors(&report.errors, locale))
                (slowest(&report.slowest, locale))
            }
        }
    };
    Page { title: "Tools", place: "/tools", script: None, query: "", locale, main }.markup()
}

fn rate(tool: &Tool) -> String {
    format!("{:.1} %", tool.failure_rate())
}

fn table(report: &Report, query: &ToolsQuery, chosen: &Chosen) -> Markup {
    let most = report.tools.first().map_or(0, |tool| tool.calls);
    html! {
        div.wide tabindex="0" role="region" aria-label="Tools" {
            (rows(report.tools.iter().take(BUSIEST), most, query, chosen))
            @if report.tools.len() > BUSIEST {
                details open[report.tools.iter().skip(BUSIEST).any(|tool| query.means(tool))] {
                    summary { (human::counted((report.tools.len() - BUSIEST) as u64, "more tool", "more tools")) }
                    (rows(report.tools.iter().skip(BUSIEST), most, query, chosen))
                }
            }
        }
        p.help { "Durations are those of finished calls, including the time until you allowed them." }
    }
}

/// Tools as a table.
fn rows<'t>(tools: impl Iterator<Item = &'t Tool>, most: u64, query: &ToolsQuery, chosen: &Chosen) -> Markup {
    #[expect(clippy::cast_precision_loss, reason = "it is about the size")]
    let size = |number: u64| number as f64;
    let took = |millis: Option<u64>| millis.map(human::duration).unwrap_or_default();
    html! {
            table.figures {
                thead { tr {
                    th scope="col" { "tool" }
                    th.number scope="col" { "calls" }
                    td {}
                    th.number scope="col" { "failed" }
                    th.number scope="col" { "of calls" }
                    th.number scope="col" title="failed as was to be expected" { "expected" }
                    th.number scope="col" title="by the user, a rule or a mode" { "not allowed" }
                    th.number scope="col" title="by the user" { "interrupted" }
                    th.number scope="col" title="half of the calls took no longer" { "p50" }
                    th.number scope="col" title="95 of 100 calls took no longer" { "p95" }
                    th.number scope="col" { "longest" }
                    th.number scope="col" { "in all" }
                } }
                tbody {
                    @for tool in tools {
                        tr data-chosen[query.means(tool)] {
                            th scope="row" { a href=(address_of(chosen, &tool.name, chosen.days)) { (text(&tool.name)) } }
                            td.number { (human::thousands(tool.calls)) }
                            td { (chart::share(size(tool.calls), size(most))) }
                            td.number { (some(tool.failed, "failed")) }
                            td.number { @if tool.failed > 0 { (rate(tool)) } }
                            td.number { (some(tool.expected, "quiet")) }
                            td.number { (some(tool.rejected, "quiet")) }
                            td.number { (some(tool.interrupted, "quiet")) }
                            td.number { (took(tool.durations.percentile(50))) }
                            td.number { (took(tool.durations.percentile(95))) }
                            td.number { (took(tool.durations.longest())) }
                            td.number { (time(tool.durations.sum())) }
                        }
                    }
                }
            }
    }
}

/// A number, unless it is zero.
fn some(number: u64, class: &str) -> Markup {
    html! { @if number > 0 { span class=(class) { (human::thousands(number)) } } }
}

fn errors(errors: &[Repeated], locale: &Locale) -> Markup {
    html! {
        section {
            h2 { "Most repeated errors" }
            @if errors.is_empty() { p.none { "Nothing failed." } } @else {
                ol.rows {
                    @for error in errors {
                        li {
                            span.number { (human::thousands(error.times)) " ×" }
                            div {
                                p.excerpt { (text(&error.text)) }
                                p.about {
                                    (text(&error.tool)) " · " (human::counted(error.sessions as u64, "session", "sessions")) " · "
                                    a href=(session_address(&error.session, &error.anchor)) { "last" }
                                    " " (moment(error.at, locale))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn slowest(calls: &[Slow], locale: &Locale) -> Markup {
    html! {
        section {
            h2 { "Slowest calls" }
            @if calls.is_empty() { p.none { "No call says how long it took." } } @else {
                ol.rows {
                    @for slow in calls {
                        li {
                            span.number { (human::duration(slow.call.millis)) }
                            div {
                                p.excerpt { a href=(session_address(&slow.session, &slow.call.anchor)) {
                                    (text(&slow.tool)) " " (text(&slow.call.subject))
                                } }
                                p.about { (text(&slow.title)) " · " (moment(slow.call.at, locale)) }
                            }
                        }
                    }
                }
            }
        }
    }
}
