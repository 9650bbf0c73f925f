//! Sessions, for programs.

use std::sync::Arc;

use axum::extract::{Path as InPath, Query as InQuery, State};
use axum::response::Response;
use index::catalogue::{Agent, Session, Turn};
use serde::Serialize;

use super::{UsedOut, moment};
use crate::pages::sessions::Wanted;
use crate::reading::named;
use crate::routes::{App, Failure, Named, json};

pub(super) async fn answer(State(app): State<Arc<App>>, InQuery(wanted): InQuery<Wanted>) -> Result<Response, Failure> {
    let answer = app.ask(move |_, index| {
        let sessions = index.sessions()?;
        let chosen = wanted.choose(&sessions);
        Ok(json(&SessionsOut::of(&wanted.shown(&chosen), chosen.len())))
    });
    answer.await
}

pub(super) async fn one(State(app): State<Arc<App>>, InPath(id): Named) -> Result<Response, Failure> {
    let answer = app.ask(move |_, index| {
        let session = named(index, &id)?;
        let (turns, agents) = (index.turns(session.id)?, index.agents(session.id)?);
        Ok(json(&OneOut::of(&session, &turns, &agents)))
    });
    answer.await
}

/// A list of sessions.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SessionsOut<'a> {
    schema: &'static str,
    total: usize,
    sessions: Vec<SessionOut<'a>>,
}

/// A session.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SessionOut<'a> {
    session: &'a str,
    title: Option<&'a str>,
    project: Option<&'a str>,
    branch: Option<&'a str>,
    models: &'a [String],
    first: Option<String>,
    last: Option<String>,
    active_ms: u64,
    waiting_ms: u64,
    turns: u32,
    prompts: u32,
    calls: u32,
    failed: u32,
    subagents: u32,
    is_archived: bool,
    #[serde(flatten)]
    used: UsedOut,
}

/// A session with its turns and its subagents.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct OneOut<'a> {
    schema: &'static str,
    #[serde(flatten)]
    session: SessionOut<'a>,
    turn_list: Vec<TurnOut<'a>>,
    agents: Vec<AgentOut<'a>>,
}

/// A turn.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TurnOut<'a> {
    number: u32,
    at: Option<String>,
    prompt: &'a str,
}

/// A subagent.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct AgentOut<'a> {
    agent: &'a str,
    kind: Option<&'a str>,
    description: Option<&'a str>,
    turn: Option<u32>,
    first: Option<String>,
    last: Option<String>,
    calls: u32,
    failed: u32,
    #[serde(flatten)]
    used: UsedOut,
}

impl<'a> SessionsOut<'a> {
    pub(crate) fn of(sessions: &[&'a Session], total: usize) -> Self {
        let sessions = sessions.iter().map(|session| SessionOut::of(session)).collect();
        Self { schema: "recount.sessions/1", total, sessions }
    }
}

impl<'a> SessionOut<'a> {
    pub(crate) fn of(session: &'a Session) -> Self {
        let counts = &session.counts;
        Self {
            session: &session.name,
            title: session.title.as_deref(),
            project: session.project.as_deref(),
            branch: session.branch.as_deref(),
            models: &session.models,
            first: moment(session.first),
            last: moment(session.last),
            active_ms: session.active_ms,
            waiting_ms: session.waiting_ms,
            turns: counts.turns,
            prompts: counts.prompts,
            calls: counts.calls,
            failed: counts.failed,
            subagents: counts.agents,
            is_archived: session.is_archived,
            used: UsedOut::of(&session.used),
        }
    }
}

impl<'a> OneOut<'a> {
    fn of(session: &'a Session, turns: &'a [Turn], agents: &'a [Agent]) -> Self {
        let turn = |turn: &'a Turn| TurnOut { number: turn.number, at: moment(turn.at), prompt: &turn.prompt };
        Self {
            schema: "recount.session/1",
            session: SessionOut::of(session),
            turn_list: turns.iter().map(turn).collect(),
            agents: agents.iter().map(AgentOut::of).collect(),
        }
    }
}

impl<'a> AgentOut<'a> {
    fn of(agent: &'a Agent) -> Self {
        Self {
            agent: &agent.name,
            kind: agent.kind.as_deref(),
            description: agent.description.as_deref(),
            turn: agent.turn,
            first: moment(agent.first),
            last: moment(agent.last),
            calls: agent.calls,
            failed: agent.failed,
            used: UsedOut::of(&agent.used),
        }
    }
}
