//! The board: who needs somebody, who is at work, and what today came to.

use live::alert::window;
use live::board::Card;
use live::glance::Progress;
use live::state::{Confidence, Doing};
use maud::{Markup, html};
use render::html::text;
use render::human;
use story::step::Millis;

use super::{Page, ago, cost, project};
use crate::api;
use crate::desk::{Totals, View};

/// Which part of the board a session is in.
pub(crate) fn part(card: &Card) -> &'static str {
    match (card.needs_you(), card.state.doing.is_active()) {
        (true, _) => "needs",
        (false, true) => "work",
        (false, false) => "ended",
    }
}

/// The whole page.
pub(crate) fn page(view: &View, event: &str) -> Markup {
    let needs_you = view.cards.iter().filter(|view| view.card.needs_you()).count();
    let title = if needs_you > 0 { format!("({needs_you}) Board") } else { "Board".to_owned() };
    let main = html! {
        div #board data-event=(event) data-at=(view.at) data-ready[view.is_ready] {
            div #notes { (notes(&view.notes)) }
            div.bar {
                div #totals { (totals(&view.totals)) }
                div.tools role="toolbar" aria-label="Board" {
                    input #filter type="search" placeholder="Filter  f" aria-label="Filter sessions" autocomplete="off";
                    label { "group by " select #group { option value="state" { "state" } option value="project" { "project" } } }
                    button #notify type="button" aria-pressed="false" hidden { "notify me" }
                }
            }
            section #needs.stack aria-labelledby="needs-title" {
                h2 #needs-title { "Needs you " span.count #needs-count { (needs_you) } }
                ol.cards { (cards(view, "needs")) }
                p.none { "Nobody waits for you." }
            }
            section #timeline aria-labelledby="timeline-title" {
                h2 #timeline-title { "Timeline" }
                div.controls role="toolbar" aria-label="Timeline" {
                    button type="button" data-span="900000" { "15 min" }
                    button type="button" data-span="3600000" aria-pressed="true" { "1 h" }
                    button type="button" data-span="14400000" { "4 h" }
                    button type="button" data-span="86400000" { "24 h" }
                    button type="button" #now hidden { "now" }
                }
                div.plot role="group" aria-label="What all sessions did, on one clock" {}
            }
            section #work.stack aria-labelledby="work-title" {
                h2 #work-title { "At work" }
                ol.cards { (cards(view, "work")) }
                p.none { "No session is at work." }
            }
            section #ended.stack aria-labelledby="ended-title" {
                h2 #ended-title { "Ended lately" }
                ol.cards { (cards(view, "ended")) }
                p.none { "No session ended today." }
            }
            (bars(view))
        }
    };
    Page { title: &title, place: "/", script: Some("board"), query: "", main }.markup()
}

fn cards(view: &View, wanted: &str) -> Markup {
    html! {
        @for view in view.cards.iter().filter(|view| part(&view.card) == wanted) {
            (maud::PreEscaped(&view.html))
        }
    }
}

/// All that took time, for the script.
fn bars(view: &View) -> Markup {
    let all: Vec<(&str, Vec<api::BarOut<'_>>)> = view
        .cards
        .iter()
        .map(|view| (view.card.name.as_str(), view.card.glance.bars.iter().map(api::BarOut::of).collect()))
        .collect();
    let json = serde_json::to_string(&all).unwrap_or_default().replace('<', "\\u003c");
    html! { script #bars type="application/json" { (maud::PreEscaped(json)) } }
}

/// What today came to.
pub(crate) fn totals(totals: &Totals) -> Markup {
    html! {
        dl.totals {
            div { dt { "today" } dd { (cost(&totals.used)) } }
            div { dt { "tokens" } dd { (human::tokens(totals.used.tokens)) } }
            div { dt { "worked" } dd { (human::duration(totals.worked)) } }
            div { dt title="between turns, at most an hour each" { "waited for you" } dd { (human::duration(totals.waited)) } }
        }
    }
}

/// What the reader should know about the board itself.
pub(crate) fn notes(notes: &[String]) -> Markup {
    html! { @for note in notes { p.note { (text(note)) } } }
}

/// A session.
pub(crate) fn card(card: &Card, alerts: &[String], now: Millis) -> Markup {
    let doing = &card.state.doing;
    let session = card.session.as_ref();
    let is_sure = card.state.confidence == Confidence::Sure;
    html! {
        li.card id={ "s-" (text(&card.name)) } data-session=(text(&card.name)) data-state=(doing.word().replace(' ', "-"))
            data-part=(part(card)) data-project=(text(card.project().unwrap_or_default())) {
            div.first {
                span.state { @if !is_sure { "probably " } (doing.word()) }
                (ago(card.state.since, now))
                h3 { a href={ "/session/" (text(&card.name)) } { (text(card.title().unwrap_or("(no title)"))) } }
            }
            (what(doing))
            @for alert in alerts { p.alert { (text(alert)) } }
            div.place {
                (project(card.project()))
                @if let Some(branch) = session.and_then(|session| session.branch.as_deref()) {
                    span.branch { (text(branch)) }
                }
                @if let Some(model) = session.and_then(|session| session.models.last()) { span.model { (text(model)) } }
            }
            (figures(card, now))
        }
    }
}

/// What it is at, or waits for.
fn what(doing: &Doing) -> Markup {
    let words = doing.what();
    let is_code = matches!(doing, Doing::Working(Some(_)) | Doing::Permission(Some(_)));
    html! {
        @if !words.is_empty() {
            @if is_code { p.what { code { (text(&words)) } } } @else { p.what { (text(&words)) } }
        }
    }
}

fn figures(card: &Card, now: Millis) -> Markup {
    let glance = &card.glance;
    let context = glance.context.map(|tokens| (tokens, window(tokens)));
    html! {
        div.figures {
            @if let Some(Progress { done, all, current }) = &glance.tasks {
                span.tasks title=[current.as_deref().map(text)] {
                    progress max=(all) value=(done) aria-label="tasks" {} " " (done) "/" (all)
                }
            }
            @if let Some((tokens, window)) = context {
                span.context title={ (human::thousands(tokens.into())) " tokens of about " (human::tokens(window.into())) } {
                    meter min="0" max=(window) low=(window / 10 * 6) high=(window / 10 * 8) value=(tokens) aria-label="context" {}
                    " " (u64::from(tokens) * 100 / u64::from(window)) " %"
                }
            }
            @if let Some(session) = &card.session {
                (cost(&session.used))
                @if let Some(per_hour) = card.cost_per_hour(now) {
                    span.rate { (human::dollars(per_hour)) "/h" }
                }
            }
            @if glance.added + glance.removed > 0 {
                span.change {
                    span.added { "+" (human::thousands(glance.added)) } " "
                    span.removed { "−" (human::thousands(glance.removed)) }
                }
            }
            @if glance.tail.agents > 0 { span.agents { (human::counted(glance.tail.agents as u64, "agent", "agents")) } }
            @if glance.failed_in_a_row > 1 {
                span.failing { (human::thousands(glance.failed_in_a_row.into())) " failed in a row" }
            }
        }
    }
}
