//! A session's page: the page of `recount show`, served window by window, which grows with the session.

use std::sync::Arc;

use axum::extract::{Path as InPath, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use page::{Dress, LedgerView, PageOptions, asked, growth, piece, whereabouts, write_growing_page};
use story::{Detail, StepKind};

use crate::open_sessions::OpenSession;
use crate::pages::share;
use crate::routes::{Failure, Named, WebApp, html, in_pieces, json};

/// The page.
pub(crate) async fn page(State(app): State<Arc<WebApp>>, InPath(id): Named) -> Result<Response, Failure> {
    // Taken before the session is read: later events may already be on the page, but none is missed.
    let event = app.board.feed.name(app.board.feed.last());
    let page = app.read_session(id, move |app, reading| {
        let mut page = Vec::new();
        let written = with_options(app, reading, &event, |story, texts, options| {
            write_growing_page(&mut page, story, texts, options)
        });
        written.map_err(|error| Failure::Broken(error.to_string()))?;
        Ok(page)
    });
    Ok(([(CONTENT_TYPE, "text/html; charset=utf-8")], in_pieces(page.await?)).into_response())
}

/// The parts of the page that are replaced when the session has grown.
pub(crate) async fn grown(State(app): State<Arc<WebApp>>, InPath(id): Named) -> Result<Response, Failure> {
    let answer = app.read_session(id, move |app, reading| {
        let growth = with_options(app, reading, "", |story, _, options| growth(story, options));
        growth.map(|growth| json(&growth)).map_err(|error| Failure::Broken(error.to_string()))
    });
    answer.await
}

/// A window of the page.
pub(crate) async fn window(
    State(app): State<Arc<WebApp>>,
    InPath((id, name)): InPath<(String, String)>,
) -> Result<Response, Failure> {
    let answer = app.read_session(id, move |app, reading| {
        let piece = with_options(app, reading, "", |story, texts, options| piece(story, texts, options, &name));
        piece.map(|piece| json(&piece)).ok_or(Failure::Missing)
    });
    answer.await
}

/// The location of an anchor on the page, so that a link to it does not have to search all windows.
pub(crate) async fn place(
    State(app): State<Arc<WebApp>>,
    InPath((id, name)): InPath<(String, String)>,
) -> Result<Response, Failure> {
    let answer = app.read_session(id, move |app, reading| {
        let place = with_options(app, reading, "", |story, _, options| whereabouts(story, options, &name));
        place.map(|place| json(&place)).ok_or(Failure::Missing)
    });
    answer.await
}

/// The full input of a call.
pub(crate) async fn call(
    State(app): State<Arc<WebApp>>,
    InPath((id, call_id)): InPath<(String, String)>,
) -> Result<Response, Failure> {
    let answer = app.read_session(id, move |_, reading| {
        let (story, texts) = reading.growing.reader().parts();
        let called = story.threads().flat_map(|(_, thread)| thread.steps.iter().rev()).find_map(|step| {
            let step = story.step(*step)?;
            match &step.kind {
                StepKind::Call(call) if *call.id == *call_id => Some((step, call)),
                _ => None,
            }
        });
        let (step, call) = called.ok_or(Failure::Missing)?;
        Ok(asked(story, texts, step, call))
    });
    answer.await.map(html)
}

fn with_options<T>(
    app: &WebApp,
    reading: &mut OpenSession,
    event: &str,
    show: impl FnOnce(&story::Story, &mut reader::Texts, &PageOptions<'_>) -> T,
) -> T {
    let reader = reading.growing.reader();
    let settings = &app.settings;
    let bill = settings.bill(reader);
    let ledger = reader.ledger().map(|ledger| ledger.summary(&settings.prices));
    let ledger = ledger.and_then(|summary| LedgerView::of(&summary, bill, &settings.locale));
    let (story, texts) = reader.parts();
    let sources = texts.labels();
    let status = Some(app.status(&reading.session, story));
    let share = share::address(&reading.session);
    let options = PageOptions {
        detail: Detail::Steps,
        sources: &sources,
        ledger,
        status,
        locale: app.locale().clone(),
        dress: Dress::page().shared("/"),
        index: Some("/sessions"),
        share: Some(&share),
        event,
        ..PageOptions::default()
    };
    show(story, texts, &options)
}
