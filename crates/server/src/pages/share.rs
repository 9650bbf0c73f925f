//! A session without its secrets: what would be replaced, and the downloads.
//!
//! Nothing is handed out before each likely secret is decided on. Here that means replacing all of them; `recount share
//! --review` asks about each.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::{Path as InPath, Query as InQuery, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use human::{counted, last_name, thousands};
use index::catalogue::Session;
use maud::{Markup, html};
use page::text;
use redact::{Category, Certainty, Decisions, Place, Report, Undecided};
use serde::Deserialize;
use site::{ShareError, ShareForm, share};
use story::Detail;

use super::Page;
use crate::open_sessions::named;
use crate::routes::{Failure, Named, WebApp, html as page_of};

/// What is asked for.
#[derive(Debug, Deserialize)]
pub(crate) struct ShareQuery {
    /// The form to download; without it, a page says what would be replaced.
    format: Option<String>,
    /// `replace` replaces everything that is likely to be a secret.
    likely: Option<String>,
}

/// The address of this page.
pub(crate) fn address(session: &Session) -> String {
    format!("/session/{}/share", session.name)
}

/// The page, or a download.
pub(crate) async fn page(
    State(app): State<Arc<WebApp>>,
    InPath(id): Named,
    InQuery(query): InQuery<ShareQuery>,
) -> Result<Response, Failure> {
    app.ask(move |app, index| {
        let session = named(index, &id)?;
        let form =
            match query.format.as_deref() {
                Some(name) => Some(ShareForm::ALL.into_iter().find(|form| form.ending() == name).ok_or_else(|| {
                    Failure::Wrong(format!("no such format: {name}; expected html, md, json or jsonl"))
                })?),
                None => None,
            };
        let replaces_likely = query.likely.as_deref() == Some("replace");
        answer(app, &session, form, replaces_likely)
    })
    .await
}

fn answer(app: &WebApp, session: &Session, form: Option<ShareForm>, all: bool) -> Result<Response, Failure> {
    let source = app.app.session_at(&session.key()).ok_or(Failure::Missing)?;
    let mut decide = |_: &redact::Findings| if all { Decisions::replace_all() } else { Decisions::default() };
    let broken = |error: &dyn std::fmt::Display| Failure::Broken(error.to_string());
    let mut shared = match share(&app.app, &source, &BTreeSet::new(), &mut decide, &|_| {}) {
        Ok(shared) => shared,
        Err(ShareError::Undecided(undecided)) => {
            let page = page_of(whole_page(app, session, &undecided_markup(session, &undecided)));
            // A program that asked for a file must not take the page for it.
            let status = if form.is_some() { StatusCode::CONFLICT } else { StatusCode::OK };
            return Ok((status, page).into_response());
        }
        Err(error) => return Err(broken(&error)),
    };
    let Some(form) = form else {
        return Ok(page_of(whole_page(app, session, &report_markup(session, &shared.report, all))));
    };
    let mut bytes = Vec::new();
    shared.write(&app.app, form, Detail::Steps, &mut bytes).map_err(|error| broken(&error))?;
    let name = format!("attachment; filename=\"{}.{}\"", shared.file_stem(), form.ending());
    let headers = [
        (CONTENT_TYPE, form.media_type().to_owned()),
        (CONTENT_DISPOSITION, name),
        (CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((headers, bytes).into_response())
}

fn whole_page(app: &WebApp, session: &Session, main: &Markup) -> Markup {
    let main = html! {
        h1 { "Share without secrets" }
        p.help { a href=(format!("/session/{}", session.name)) { "Back to the session" } }
        (main)
    };
    Page { title: "Share", place: "/sessions", script: None, query: "", locale: app.locale(), main }.markup()
}

fn undecided_markup(session: &Session, undecided: &Undecided) -> Markup {
    let findings: Vec<_> =
        undecided.findings.list().iter().filter(|finding| undecided.ids.contains(&finding.id)).collect();
    html! {
        p.note { (counted(findings.len() as u64, "value is", "values are")) " likely to be a secret. "
            "Nothing is handed out before that is decided." }
        p { a.button href=(format!("{}?likely=replace", address(session))) { "Replace all of them" } }
        p.help { code { "recount share " (session.name) " --review" } " asks about each of them." }
        table {
            thead { tr { th { "Kind" } th { "Value" } th.number { "Found" } th { "First in" } } }
            tbody {
                @for finding in findings {
                    tr {
                        td { (finding.rule) } td { code { (text(&finding.preview)) } }
                        td.number { (thousands(finding.count)) } td { (text(&place(&finding.places))) }
                    }
                }
            }
        }
    }
}

fn report_markup(session: &Session, report: &Report, all: bool) -> Markup {
    let replaced: Vec<_> = report.findings.iter().filter(|finding| finding.replaced > 0).collect();
    let likely = if all { "&likely=replace" } else { "" };
    html! {
        p { "Download: "
            @for (number, form) in ShareForm::ALL.into_iter().enumerate() {
                @if number > 0 { " · " }
                a href=(format!("{}?format={}{likely}", address(session), form.ending())) download { (form.ending()) }
            }
        }
        p.help { "Read the result before you send it. What a session says without naming it is still in it, and pictures are "
            "not searched." }
        @if replaced.is_empty() { p.none { "Nothing was found that has to be replaced." } } @else {
            table {
                thead { tr { th { "Replaced by" } th { "Certainty" } th.number { "Times" } th { "First in" } } }
                tbody {
                    @for finding in replaced {
                        tr {
                            td { code { (text(finding.replacement.as_deref().unwrap_or_default())) } }
                            td { (certainty(finding.category, finding.certainty)) }
                            td.number { (thousands(finding.replaced)) } td { (text(&place(&finding.places))) }
                        }
                    }
                }
            }
        }
        @for line in &report.left_out {
            p.note { "Line " (line.line) " of " (text(last_name(&line.source))) " is neither JSON nor text and is left out." }
        }
    }
}

const fn certainty(category: Category, certainty: Certainty) -> &'static str {
    match (category, certainty) {
        (Category::Secret, Certainty::Certain) => "certain",
        (Category::Secret, Certainty::Likely) => "likely",
        _ => "private",
    }
}

fn place(places: &[Place]) -> String {
    match places.first() {
        Some(Place { source, line: 0, .. }) => last_name(source).to_owned(),
        Some(Place { source, line, path }) => format!("{}:{line} {path}", last_name(source)).trim_end().to_owned(),
        None => String::new(),
    }
}
