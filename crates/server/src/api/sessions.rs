//! Sessions, for programs.

use std::sync::Arc;

use axum::extract::{Path as InPath, Query as InQuery, State};
use axum::response::Response;
use index::catalogue::{Agent, Session, Turn};
use story::readable::Moment;
use wire::figures::{SESSION, SessionDetailOut, TurnOut};
use wire::list::{SessionOut, SessionsOut};

use crate::chosen::Chosen;
use crate::pages::sessions::{ListOrder, SessionsQuery};
use crate::routes::{Failure, Named, WebApp, json};

pub(super) async fn answer(
    State(app): State<Arc<WebApp>>,
    InQuery(chosen): InQuery<Chosen>,
    InQuery(order): InQuery<ListOrder>,
) -> Result<Response, Failure> {
    let answer = app.ask(move |app, index| {
        let query = SessionsQuery { chosen, order };
        let sessions = query.sessions(app, index)?;
        let shown = query.shown(&sessions).iter().map(|session| SessionOut::of(session, None)).collect();
        Ok(json(&SessionsOut::new(shown, sessions.len())))
    });
    answer.await
}

pub(super) async fn one(State(app): State<Arc<WebApp>>, InPath(id): Named) -> Result<Response, Failure> {
    let answer = app.ask(move |app, index| {
        let session = app.session(index, &id)?;
        let (turns, agents) = (index.turns(session.id)?, index.agents(session.id)?);
        Ok(json(&detail_of(&session, &turns, &agents)))
    });
    answer.await
}

fn detail_of<'a>(session: &'a Session, turns: &'a [Turn], agents: &'a [Agent]) -> SessionDetailOut<'a> {
    let turn = |turn: &'a Turn| TurnOut { number: turn.number, at: turn.at.map(Moment), prompt: &turn.prompt };
    SessionDetailOut {
        schema: SESSION,
        session: SessionOut::of(session, Some(agents)),
        turn_list: turns.iter().map(turn).collect(),
    }
}
