//! What was found, for programs. The fields are those of `recount search --json` (`docs/search.md`), without the paths.

use std::ops::Range;
use std::sync::Arc;

use axum::extract::{Query as InQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use index::search::{AgentInfo, Hit, Hits, SessionHits, Snippet};
use serde::Serialize;

use super::moment;
use crate::pages::search::{Found, anchor};
use crate::pages::session_address;
use crate::routes::{App, Failure, Sought, find, json};

pub(super) async fn answer(State(app): State<Arc<App>>, InQuery(sought): InQuery<Sought>) -> Result<Response, Failure> {
    let answer = app.ask(move |app, index| {
        Ok(match find(index, &sought.q, &app.read_moment)? {
            Found::Nothing => json(&FoundOut::of(&sought.q, &Hits::default())),
            Found::Hits(hits) => json(&FoundOut::of(&sought.q, &hits)),
            Found::Wrong(error) => (StatusCode::BAD_REQUEST, format!("{error}\n")).into_response(),
        })
    });
    answer.await
}

/// What was found.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct FoundOut<'a> {
    schema: &'static str,
    query: &'a str,
    partial: bool,
    more: bool,
    sessions: Vec<FoundInOut<'a>>,
}

/// What was found in a session.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct FoundInOut<'a> {
    session: &'a str,
    title: Option<&'a str>,
    project: Option<&'a str>,
    branch: Option<&'a str>,
    first: Option<String>,
    last: Option<String>,
    matches: u64,
    more: bool,
    hits: Vec<HitOut<'a>>,
}

/// An entry that was found.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct HitOut<'a> {
    line: u64,
    offset: u64,
    agent: Option<AgentOut<'a>>,
    turn: Option<u64>,
    at: Option<String>,
    r#type: &'a str,
    role: Option<&'static str>,
    tools: &'a [String],
    error: bool,
    share: f32,
    /// Where it is on the session's page.
    address: String,
    snippets: Vec<SnippetOut<'a>>,
}

/// The subagent in whose file it is.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "FoundAgentOut"))]
struct AgentOut<'a> {
    id: &'a str,
    r#type: Option<&'a str>,
    description: Option<&'a str>,
}

impl<'a> AgentOut<'a> {
    fn of(agent: &'a AgentInfo) -> Self {
        Self { id: &agent.name, r#type: agent.kind.as_deref(), description: agent.description.as_deref() }
    }
}

/// Where in a text it is.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SnippetOut<'a> {
    r#in: &'static str,
    text: &'a str,
    marks: Vec<[usize; 2]>,
    cut_before: bool,
    cut_after: bool,
}

impl<'a> FoundOut<'a> {
    fn of(query: &'a str, hits: &'a Hits) -> Self {
        Self {
            schema: "recount.search/1",
            query,
            partial: hits.is_partial,
            more: hits.has_more,
            sessions: hits.sessions.iter().map(FoundInOut::of).collect(),
        }
    }
}

impl<'a> FoundInOut<'a> {
    fn of(found: &'a SessionHits) -> Self {
        let session = &found.session;
        Self {
            session: &session.name,
            title: session.title.as_deref(),
            project: session.project.as_deref(),
            branch: session.branch.as_deref(),
            first: moment(session.first),
            last: moment(session.last),
            matches: found.matches,
            more: found.has_more,
            hits: found.hits.iter().map(|hit| HitOut::of(&session.name, hit)).collect(),
        }
    }
}

impl<'a> HitOut<'a> {
    fn of(session: &str, hit: &'a Hit) -> Self {
        Self {
            line: hit.line,
            offset: hit.offset,
            agent: hit.agent.as_ref().map(AgentOut::of),
            turn: hit.turn,
            at: moment(hit.at),
            r#type: &hit.kind,
            role: hit.role.map(index::texts::Role::as_str),
            tools: &hit.tools,
            error: hit.is_error,
            share: hit.share,
            address: session_address(session, &anchor(hit)),
            snippets: hit.snippets.iter().map(SnippetOut::of).collect(),
        }
    }
}

impl<'a> SnippetOut<'a> {
    fn of(snippet: &'a Snippet) -> Self {
        Self {
            r#in: snippet.column.as_str(),
            text: &snippet.text,
            marks: snippet.marks.iter().map(|Range { start, end }| [*start, *end]).collect(),
            cut_before: snippet.is_cut_before,
            cut_after: snippet.is_cut_after,
        }
    }
}
