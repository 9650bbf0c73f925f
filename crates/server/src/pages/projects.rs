//! The page about projects.

use std::collections::BTreeMap;
use std::sync::Arc;

use app::SortKey;
use axum::extract::{Query as InQuery, State};
use axum::response::Response;
use human::Locale;
use index::catalogue::{Project, Session, projects};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use maud::{Markup, html};

use super::{Page, address, chart, cost, moment, named_project, periods, time};
use crate::chosen::Chosen;
use crate::routes::{self, Failure, WebApp};

/// Number of days in a project's small chart.
const DAYS: i32 = 30;

/// The projects of the sessions that were active in a period, latest first.
pub(crate) fn latest(sessions: &[Session]) -> Vec<Project> {
    let mut list = projects(sessions);
    SortKey::LAST.sort(&mut list, false);
    list
}

/// The page.
pub(crate) async fn page(
    State(app): State<Arc<WebApp>>,
    InQuery(chosen): InQuery<Chosen>,
) -> Result<Response, Failure> {
    let page = app.ask(move |app, index| {
        let sessions = app.sessions(index, &chosen.filter(app)?)?;
        let recent = recent(&sessions, app.today(), &app.locale().zone);
        Ok(markup(&latest(&sessions), &recent, &chosen, app.locale()))
    });
    page.await.map(routes::html)
}

/// Number of sessions by project and day of their last activity, for the most recent days.
fn recent(sessions: &[Session], today: Date, zone: &TimeZone) -> BTreeMap<String, Vec<u32>> {
    let mut all: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for session in sessions {
        let Some(last) = session.last.and_then(|last| Timestamp::from_millisecond(last).ok()) else { continue };
        let Ok(back) = last.to_zoned(zone.clone()).date().until(today) else { continue };
        let Ok(place) = usize::try_from(DAYS - 1 - back.get_days()) else { continue };
        let days = all.entry(session.project.clone().unwrap_or_default()).or_insert_with(|| vec![0; DAYS as usize]);
        if let Some(day) = days.get_mut(place) {
            *day += 1;
        }
    }
    all
}

fn markup(projects: &[Project], recent: &BTreeMap<String, Vec<u32>>, chosen: &Chosen, locale: &Locale) -> Markup {
    let main = html! {
        div.heading {
            h1 { "Projects " span.count { (human::thousands(projects.len() as u64)) } }
            (periods("/projects", chosen))
        }
        @if projects.is_empty() { p.none { "No project." } } @else {
            div.wide tabindex="0" role="region" aria-label="Projects" {
                table.figures {
                    thead { tr {
                        th scope="col" { "project" }
                        th scope="col" { "last active" }
                        th scope="col" { "last " (DAYS) " days" }
                        th.number scope="col" { "sessions" }
                        th.number scope="col" { "turns" }
                        th.number scope="col" { "calls" }
                        th.number scope="col" { "failed" }
                        th.number scope="col" { "tokens" }
                        th.number scope="col" { "cost" }
                        th.number scope="col" { "worked" }
                        th.number scope="col" title="between turns" { "waited for you" }
                    } }
                    tbody { @for project in projects { (row(project, recent.get(&project.path), locale)) } }
                }
            }
        }
    };
    Page { title: "Projects", place: "/projects", script: None, query: "", locale, main }.markup()
}

fn row(of: &Project, recent: Option<&Vec<u32>>, locale: &Locale) -> Markup {
    html! {
        tr {
            th scope="row" {
                @if of.path.is_empty() { "(not known)" } @else {
                    a href=(address("/sessions", &[("project", &of.path)])) { (named_project(&of.path, &of.name)) }
                    " " a.quiet href=(address("/tools", &[("project", &of.path)])) { "tools" }
                }
            }
            td.when { (moment(of.last, locale)) }
            td { @if let Some(days) = recent { (chart::spark(days, "sessions by the day they were last active")) } }
            td.number { (human::thousands(of.sessions)) }
            td.number { (human::thousands(of.turns)) }
            td.number { (human::thousands(of.calls)) }
            td.number { @if of.failed > 0 { span.failed { (human::thousands(of.failed)) } } }
            td.number { (human::tokens(of.used.tokens)) }
            td.number { (cost(&of.used, locale)) }
            td.number { (time(of.active_ms)) }
            td.number { (time(of.waiting_ms)) }
        }
    }
}
