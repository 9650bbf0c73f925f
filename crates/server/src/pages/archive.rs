//! The page about the archives, and the sessions that only they still contain.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use human::Locale;
use index::catalogue::Session;
use maud::{Markup, html};
use page::text;

use super::{Page, moment};
use crate::archives::{ArchiveView, State as Holding, archive_views};
use crate::pages::sessions;
use crate::routes::{self, Failure, WebApp};

/// Maximum number of listed sessions.
const MOST: usize = 200;

/// The page.
pub(crate) async fn page(State(app): State<Arc<WebApp>>) -> Result<Response, Failure> {
    let page = app.ask(|app, index| {
        let sessions = app.all_sessions(index)?;
        let archived: Vec<&Session> = sessions.iter().filter(|session| session.is_archived).collect();
        let there = sessions.len() - sessions.iter().filter(|session| session.is_archived).count();
        Ok(markup(&archive_views(app.app.roots()), &archived, there, app.locale()))
    });
    page.await.map(routes::html)
}

fn markup(archive_views: &[ArchiveView], archived: &[&Session], there: usize, locale: &Locale) -> Markup {
    let main = html! {
        h1 { "Archive" }
        @if archive_views.is_empty() {
            p { "Claude Code deletes sessions after a while. Nothing is archived yet: " code { "recount archive" } " keeps what there is now, "
                code { "recount archive install" } " does so every day." }
            p.none { (human::counted(there as u64, "session is", "sessions are")) " on the disk." }
        }
        @for shelf in archive_views { (self::shelf(shelf, locale)) }
        @if !archived.is_empty() {
            section {
                h2 { "Only here any more " span.count { (human::thousands(archived.len() as u64)) } }
                p.help { "These are gone from the disk. They are read, found and counted as all others are; "
                    code { "recount archive restore" } " writes one back." }
                (sessions::table(archived.iter().take(MOST).copied(), None, locale))
                @if archived.len() > MOST { p.none { (human::thousands((archived.len() - MOST) as u64)) " more" } }
            }
        }
    };
    Page { title: "Archive", place: "/archive", script: None, query: "", locale, main }.markup()
}

fn shelf(shelf: &ArchiveView, locale: &Locale) -> Markup {
    html! {
        section.shelf {
            p.help { code { (text(&shelf.folder.display().to_string())) } }
            @match &shelf.state {
                Err(why) => p.note { "It cannot be read: " (text(why)) ". " code { "recount archive verify" } " says more." },
                Ok(state) => (holding(state, locale)),
            }
        }
    }
}

fn holding(state: &Holding, locale: &Locale) -> Markup {
    let held = &state.holdings;
    let older = held.versions.saturating_sub(held.files);
    html! {
        dl.totals {
            div { dt { "sessions" } dd { (human::thousands(held.sessions)) } }
            div { dt { "only here any more" } dd { (human::thousands(held.deleted)) } }
            div { dt { "files" } dd { (human::thousands(held.files)) } }
            @if older > 0 { div { dt title="files that lost bytes and were kept as they were" { "older versions" } dd { (human::thousands(older)) } } }
            div { dt { "size" } dd { (human::bytes(held.bytes)) } }
            div { dt { "stored in" } dd { (human::bytes(held.stored)) " " @if held.bytes > 0 { small { (held.stored * 100 / held.bytes) " %" } } } }
        }
        p.help {
            @match state.last_run { Some(at) => { "Last brought up to date " (moment(Some(at), locale)) }, None => "Never brought up to date" }
            @if state.last_change.is_some() { ", last addition " (moment(state.last_change, locale)) }
            "."
        }
    }
}
