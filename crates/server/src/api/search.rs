//! Search results, for programs.

use std::sync::Arc;

use axum::extract::{Query as InQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use index::search::{Hit, Hits, SessionHits};
use wire::found::FoundOut;

use crate::pages::search::{SearchOutcome, anchor};
use crate::pages::session_address;
use crate::routes::{Failure, Sought, WebApp, find, json};

pub(super) async fn answer(
    State(app): State<Arc<WebApp>>,
    InQuery(sought): InQuery<Sought>,
) -> Result<Response, Failure> {
    let address = |found: &SessionHits, hit: &Hit| Some(session_address(&found.session.name, &anchor(hit)));
    let answer = app.ask(move |app, index| {
        Ok(match find(app, index, &sought.q)? {
            SearchOutcome::Nothing => json(&FoundOut::of(&sought.q, &Hits::default(), &address)),
            SearchOutcome::Hits(hits) => json(&FoundOut::of(&sought.q, &hits, &address)),
            SearchOutcome::Wrong(error) => (StatusCode::BAD_REQUEST, format!("{error}\n")).into_response(),
        })
    });
    answer.await
}
