//! What was found, for programs. Its fields are described in `docs/search.md`.

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use index::search::{AgentInfo, Count, Hit, Hits, SessionHits, Snippet};
use jiff::Timestamp;
use serde::Serialize;

/// The name and version of the format: the number changes when a field changes its meaning or goes.
const SCHEMA: &str = "recount.search/1";

pub(super) fn write(out: &mut impl Write, query: &str, hits: &Hits) -> io::Result<()> {
    let document = Document {
        schema: SCHEMA,
        query,
        partial: hits.is_partial,
        more: hits.has_more,
        sessions: hits.sessions.iter().map(SessionOut::of).collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

pub(super) fn write_count(out: &mut impl Write, query: &str, count: Count) -> io::Result<()> {
    let document = CountOut { schema: SCHEMA, query, entries: count.entries, sessions: count.sessions };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

#[derive(Serialize)]
struct CountOut<'a> {
    schema: &'static str,
    query: &'a str,
    entries: u64,
    sessions: u64,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    query: &'a str,
    partial: bool,
    more: bool,
    sessions: Vec<SessionOut<'a>>,
}

#[derive(Serialize)]
struct SessionOut<'a> {
    session: &'a str,
    file: String,
    title: Option<&'a str>,
    project: Option<&'a str>,
    branch: Option<&'a str>,
    first: Option<String>,
    last: Option<String>,
    matches: u64,
    more: bool,
    hits: Vec<HitOut<'a>>,
}

impl<'a> SessionOut<'a> {
    fn of(group: &'a SessionHits) -> Self {
        let session = &group.session;
        Self {
            session: &session.name,
            file: path(&session.path),
            title: session.title.as_deref(),
            project: session.project.as_deref(),
            branch: session.branch.as_deref(),
            first: moment(session.first),
            last: moment(session.last),
            matches: group.matches,
            more: group.has_more,
            hits: group.hits.iter().map(HitOut::of).collect(),
        }
    }
}

#[derive(Serialize)]
struct HitOut<'a> {
    file: String,
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
    snippets: Vec<SnippetOut<'a>>,
}

impl<'a> HitOut<'a> {
    fn of(hit: &'a Hit) -> Self {
        Self {
            file: path(&hit.path),
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
            snippets: hit.snippets.iter().map(SnippetOut::of).collect(),
        }
    }
}

/// A subagent.
#[derive(Serialize)]
pub(crate) struct AgentOut<'a> {
    id: &'a str,
    r#type: Option<&'a str>,
    description: Option<&'a str>,
}

impl<'a> AgentOut<'a> {
    pub(crate) fn of(agent: &'a AgentInfo) -> Self {
        Self { id: &agent.name, r#type: agent.kind.as_deref(), description: agent.description.as_deref() }
    }
}

#[derive(Serialize)]
struct SnippetOut<'a> {
    r#in: &'static str,
    text: &'a str,
    marks: Vec<[usize; 2]>,
    cut_before: bool,
    cut_after: bool,
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

pub(crate) fn path(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

pub(crate) fn moment(at: Option<i64>) -> Option<String> {
    at.and_then(|at| Timestamp::from_millisecond(at).ok()).map(|at| at.to_string())
}
