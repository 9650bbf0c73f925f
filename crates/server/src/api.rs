//! What programs read: JSON, in version 1.
//!
//! | module | for |
//! |---|---|
//! | `board` | the board |
//! | `sessions` | sessions, and one with its turns and subagents |
//! | `story` | one session told, as `recount show --format json` tells it |
//! | `search` | what was found |
//! | `figures` | usage, projects, tools and archives |
//! | `openapi` | the document that describes all this |

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

/// All that programs can ask for.
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

/// The document that describes all this.
pub(crate) const OPENAPI: &str = include_str!("../../../docs/openapi.json");
