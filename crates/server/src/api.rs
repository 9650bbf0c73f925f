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

use ::story::step::Millis;
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use index::catalogue::Used;
use jiff::Timestamp;
use serde::Serialize;

pub(crate) use board::BarOut;

use crate::routes::App;

/// All that programs can ask for.
pub(crate) fn router() -> Router<Arc<App>> {
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

/// What was used.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct UsedOut {
    tokens: u64,
    cost_usd: f64,
    cost_is_at_least: bool,
    cost_is_partial: bool,
}

impl UsedOut {
    pub(crate) fn of(used: &Used) -> Self {
        let Used { tokens, cost, is_low, is_partial } = *used;
        Self { tokens, cost_usd: cost.dollars(), cost_is_at_least: is_low, cost_is_partial: is_partial }
    }
}

/// A moment, as programs read it.
pub(crate) fn moment(at: Option<Millis>) -> Option<String> {
    Timestamp::from_millisecond(at?).ok().map(|at| at.to_string())
}

/// The document that describes all this.
pub(crate) const OPENAPI: &str = include_str!("../../../docs/openapi.json");
