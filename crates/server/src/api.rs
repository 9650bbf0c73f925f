//! The JSON API for programs, version 1.
//!
//! | module | for |
//! |---|---|
//! | `board` | the board |
//! | `sessions` | the list of sessions, and one session with its turns and subagents |
//! | `story` | the story of one session, as `recount show --format json` writes it |
//! | `search` | search results |
//! | `figures` | usage, projects, tools and archives |
//! | `openapi` | the document that describes the API |

mod board;
mod figures;
#[cfg(test)]
mod openapi;
mod search;
mod sessions;
mod story;

use std::sync::Arc;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;

use crate::routes::WebApp;

/// The routes of the API.
pub(crate) fn router() -> Router<Arc<WebApp>> {
    Router::new()
        .route("/api/v1/board", get(board::answer))
        .route("/api/v1/sessions", get(sessions::answer))
        .route("/api/v1/sessions/{id}", get(sessions::one))
        .route("/api/v1/sessions/{id}/story", get(story::answer))
        .route("/api/v1/search", get(search::answer))
        .route("/api/v1/usage", get(figures::usage))
        .route("/api/v1/projects", get(figures::projects))
        .route("/api/v1/tools", get(figures::tools))
        .route("/api/v1/archive", get(figures::archive))
        .route("/api/v1/openapi.json", get(async || ([(CONTENT_TYPE, "application/json")], OPENAPI)))
}

/// The document that describes the API.
pub(crate) const OPENAPI: &str = include_str!("../../../docs/openapi.json");
