//! A session's page: that of `recount show`, as it grows.

use std::sync::Arc;

use axum::extract::{Path as InPath, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use render::html::{Dress, PageOptions, write_page};
use story::Detail;

use crate::routes::{App, Failure, Named, session_named};

/// The page.
pub(crate) async fn page(State(app): State<Arc<App>>, InPath(id): Named) -> Result<Response, Failure> {
    let page = app.ask(move |_, index| {
        let session = session_named(index, &id)?;
        let mut telling = index.telling(session.id)?.ok_or(Failure::Missing)?;
        let (story, texts) = telling.parts();
        let sources = texts.labels();
        let options = PageOptions {
            detail: Detail::Steps,
            sources: &sources,
            dress: Dress::page().shared("/"),
            index: Some("/sessions"),
            ..PageOptions::default()
        };
        let mut page = Vec::new();
        write_page(&mut page, story, texts, &options).map_err(|error| Failure::Broken(error.to_string()))?;
        Ok(page)
    });
    Ok(([(CONTENT_TYPE, "text/html; charset=utf-8")], page.await?).into_response())
}
