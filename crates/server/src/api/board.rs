//! The board, for programs.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use wire::board::BoardOut;

use crate::routes::{WebApp, json};

pub(super) async fn answer(State(app): State<Arc<WebApp>>) -> Response {
    let view = app.board.view();
    let cards = view.cards.iter().map(|view| &view.card);
    json(&BoardOut::new(cards, &view.totals, &view.notes, view.at))
}
