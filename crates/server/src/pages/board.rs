//! The board: sessions that wait for you, sessions that work, and the totals of today.

use content::wording;
use human::Locale;
use live::alert::window;
use live::board::{Card, Totals};
use live::glance::Progress;
use live::state::Doing;
use maud::{Markup, html};
use page::text;
use story::OpenCall;
use story::step::Millis;
use wire::board::BarOut;

use super::{Page, ago, cost, project, session_address};
use crate::live_board::View;

/// The part of the board that a session is in.
pub(crate) fn part(card: &Card) -> &'static str {
    match (card.needs_you(), card.state.doing.is_active()) {
        (true, _) => "needs",
        (false, true) => "work",
        (false, false) => "ended",
    }
}

/// The whole page.
pub(crate) fn page(view: &View, event: &str, locale: &Locale) -> Markup {
    let needs_you = view.cards.iter().filter(|view| view.card.needs_you()).count();
    let title = if needs_you > 0 { format!("({needs_you}) Board") } else { "Board".to_owned() };
    let main = html! {
        div #board data-event=(event) data-at=(view.at) data-ready[view.is_ready] {
            div #notes { (notes(&view.notes)) }
            div.bar {
                h1.hidden { "Board" }
                div #totals { (totals(&view.totals, locale)) }
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
            section #work.stack aria-labelledby="work-title" {
                h2 #work-title { "Working " span.count #work-count { (counted(view, "work")) } }
                ol.cards { (cards(view, "work")) }
                p.none { "No session is working." }
            }
            (timeline())
            section #ended.stack aria-labelledby="ended-title" {
                h2 #ended-title { "Ended lately " span.count #ended-count { (counted(view, "ended")) } }
                ol.cards { (cards(view, "ended")) }
                p.none { "No session ended lately." }
            }
            p.keys {
                kbd { "1" } "–" kbd { "9" } " go to who waits  " kbd { "j" } " " kbd { "k" } " move  " kbd { "Enter" } " opens  "
                kbd { "f" } " filters  " kbd { "g" } " groups  " kbd { "/" } " searches"
            }
            (bars(view))
        }
    };
    Page { title: &title, place: "/", script: Some("board"), query: "", locale, main }.markup()
}

/// Kinds of bars, with their names.
const KINDS: [(&str, &str); 9] = [
    ("command", "command"),
    ("read", "read"),
    ("edit", "edit"),
    ("web", "web"),
    ("agent", "agent"),
    ("other", "other"),
    ("failed", "failed"),
    ("human", "asked you"),
    ("waiting", "waited for you"),
];

fn timeline() -> Markup {
    html! {
        section #timeline aria-labelledby="timeline-title" {
            div.line {
                h2 #timeline-title { "Timeline" }
                ul.legend aria-label="Colours" { @for (kind, name) in KINDS { li.(kind) { (name) } } }
                div.controls role="toolbar" aria-label="Timeline" {
                    button type="button" #now hidden { "now" }
                    button type="button" data-span="300000" { "5 min" }
                    button type="button" data-span="900000" { "15 min" }
                    button type="button" data-span="3600000" aria-pressed="true" { "1 h" }
                    button type="button" data-span="14400000" { "4 h" }
                    button type="button" data-span="86400000" { "24 h" }
                }
            }
            div.plot role="group" tabindex="0" title="drag to move, Ctrl and wheel to zoom; arrows, + and − do the same"
                aria-label="What all sessions did, on one clock" {}
        }
    }
}

fn counted(view: &View, wanted: &str) -> usize {
    view.cards.iter().filter(|view| part(&view.card) == wanted).count()
}

fn cards(view: &View, wanted: &str) -> Markup {
    html! {
        @for view in view.cards.iter().filter(|view| part(&view.card) == wanted) {
            (maud::PreEscaped(&view.html))
        }
    }
}

/// All bars of the timeline, for the script.
fn bars(view: &View) -> Markup {
    let all: Vec<(&str, Vec<BarOut<'_>>)> = view
        .cards
        .iter()
        .map(|view| (view.card.name.as_str(), view.card.glance.bars.iter().map(BarOut::of).collect()))
        .collect();
    let json = serde_json::to_string(&all).unwrap_or_default().replace('<', "\\u003c");
    html! { script #bars type="application/json" { (maud::PreEscaped(json)) } }
}

/// The totals of today.
pub(crate) fn totals(totals: &Totals, locale: &Locale) -> Markup {
    html! {
        dl.totals {
            div { dt { "cost today" } dd { (cost(&totals.used, locale)) } }
            div { dt { "tokens" } dd { (human::tokens(totals.used.tokens)) } }
            div { dt { "worked" } dd { (human::running_duration(totals.worked)) } }
            div.waited { dt title="at most an hour each time" { "waited for you" } dd data-waited=(totals.waited) { (human::running_duration(totals.waited)) } }
        }
    }
}

/// Notices about the board itself.
pub(crate) fn notes(notes: &[String]) -> Markup {
    html! { @for note in notes { p.note { (text(note)) } } }
}

/// A session.
pub(crate) fn card(card: &Card, now: Millis, locale: &Locale) -> Markup {
    let doing = &card.state.doing;
    let session = card.session.as_ref();
    let status = card.state.status();
    let call = asked(doing).and_then(|open| open.id.as_deref());
    html! {
        li.card id={ "s-" (card.name) } data-session=(card.name) data-state=(status.state().word()) data-reason=(status.reason.name())
            data-part=(part(card)) data-project=(text(card.project().unwrap_or_default())) data-call=[call.map(text)] {
            div.first {
                span.state { (wording::state(status)) }
                (ago(card.state.since, now))
                h3 { a href=(session_address(&card.name, "")) { (text(card.title())) } }
            }
            (what(doing))
            @if call.is_some() { div.asked hidden {} }
            (last_words(card))
            @for alert in &card.alerts { p.alert { (text(alert)) } }
            (tasks(card))
            div.place {
                (place(card))
                @if let Some(branch) = session.and_then(|session| session.branch.as_deref()) {
                    span.branch { (text(branch)) }
                }
                @if let Some(model) = session.and_then(|session| session.models.first()) {
                    span.model title=(text(model)) { (text(short_model(model))) }
                }
            }
            (figures(card, now, locale))
        }
    }
}

/// The call that waits for you.
fn asked(doing: &Doing) -> Option<&OpenCall> {
    match doing {
        Doing::Permission(open) => open.as_ref(),
        Doing::Question(open) | Doing::Plan(open) => Some(open),
        _ => None,
    }
}

/// A model's name without the prefix that all models share.
fn short_model(model: &str) -> &str {
    let name = model.strip_prefix("claude-").unwrap_or(model);
    let date = name.rsplit_once('-').filter(|(_, end)| end.len() == 8 && end.bytes().all(|byte| byte.is_ascii_digit()));
    date.map_or(name, |(name, _)| name)
}

/// The project, and the worktree that the session is in.
fn place(card: &Card) -> Markup {
    html! {
        (project(Some(card.project().unwrap_or_default())))
        @if let Some(path) = card.worktree() {
            span.worktree title=(text(path)) { "worktree " (text(last_part(path))) }
        }
    }
}

fn last_part(path: &str) -> &str {
    path.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or(path)
}

/// What a session works on or waits for.
fn what(doing: &Doing) -> Markup {
    let words = doing.what();
    let is_code = matches!(doing, Doing::Working(Some(_)) | Doing::Permission(Some(_)));
    html! {
        @if !words.is_empty() {
            @if is_code { p.what { code { (text(&words)) } } } @else { p.what { (text(&words)) } }
        }
    }
}

/// The model's last words, unless the card shows them already.
fn last_words(card: &Card) -> Markup {
    let is_said = matches!(card.state.doing, Doing::YourTurn(_) | Doing::Question(_) | Doing::Plan(_));
    let words = card.glance.tail.words.as_deref().filter(|words| !is_said && !words.trim().is_empty());
    html! { @if let Some(words) = words { p.words { (text(words)) } } }
}

/// The progress of the task list.
fn tasks(card: &Card) -> Markup {
    html! {
        @if let Some(Progress { done, all, current }) = &card.glance.tasks {
            div.tasks {
                (gauge(*done as u64, *all as u64, "tasks", ""))
                span { (done) "/" (all) }
                @if let Some(current) = current { span.current { (text(current)) } }
            }
        }
    }
}

fn figures(card: &Card, now: Millis, locale: &Locale) -> Markup {
    let glance = &card.glance;
    html! {
        div.figures {
            @if let Some(tokens) = glance.context {
                @let window = window(tokens);
                @let percent = u64::from(tokens) * 100 / u64::from(window);
                span.context title={ (human::thousands(tokens.into())) " tokens of about " (human::tokens(window.into())) } {
                    (gauge(tokens.into(), window.into(), "context", fullness(percent)))
                    " " (percent) " %"
                }
            }
            @if let Some(session) = &card.session {
                (cost(&session.used, locale))
                @if let Some(per_hour) = card.cost_per_hour(now) {
                    span.rate { (locale.money(per_hour)) "/h" }
                }
            }
            @if glance.added + glance.removed > 0 {
                span.change {
                    span.added { "+" (human::thousands(glance.added)) } " "
                    span.removed { "−" (human::thousands(glance.removed)) }
                }
            }
            @if glance.tail.agents > 0 {
                span.agents { (human::counted(glance.tail.agents as u64, "agent", "agents")) " at work" }
            }
            @if glance.failed_in_a_row > 1 {
                span.failing { (human::thousands(glance.failed_in_a_row.into())) " failed in a row" }
            }
        }
    }
}

/// The class for a level of fullness.
const fn fullness(percent: u64) -> &'static str {
    match percent {
        ..60 => "",
        60..80 => "much",
        _ => "full",
    }
}

/// A gauge.
fn gauge(part: u64, whole: u64, name: &str, class: &str) -> Markup {
    let percent = (part.min(whole) * 100).checked_div(whole).unwrap_or_default();
    html! {
        svg.gauge.(class) viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label={ (name) ": " (percent) " %" } {
            rect.whole width="100" height="10" {}
            rect.part width=(percent) height="10" {}
        }
    }
}
