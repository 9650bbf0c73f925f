//! The results of a search.

use std::ops::Range;

use index::search::{AgentInfo, Count, Hit, Hits, SessionHits, Snippet};
use index::texts::Role;
use serde::Serialize;
use story::readable::Moment;

use crate::path;

/// The name and version of the matches of a search.
pub const FOUND: &str = "recount.search/2";

/// The name and version of the number of matches.
pub const COUNT: &str = "recount.search-count/1";

/// The results of a search.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct FoundOut<'a> {
    /// The name and version of this document.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = FOUND)))]
    schema: &'static str,
    query: &'a str,
    /// No entry contains all words; these contain some.
    partial: bool,
    more: bool,
    sessions: Vec<FoundInOut<'a>>,
}

/// The matches in a session.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct FoundInOut<'a> {
    session: &'a str,
    file: String,
    title: &'a str,
    project: Option<&'a str>,
    branch: Option<&'a str>,
    first: Option<Moment>,
    last: Option<Moment>,
    matches: u64,
    more: bool,
    hits: Vec<HitOut<'a>>,
}

/// A matching entry.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct HitOut<'a> {
    file: String,
    line: u64,
    offset: u64,
    agent: Option<FoundAgentOut<'a>>,
    turn: Option<u64>,
    at: Option<Moment>,
    r#type: &'a str,
    role: Option<&'static str>,
    tools: &'a [String],
    error: bool,
    /// The share of the search terms that it contains.
    share: f32,
    /// Its URL on the server.
    address: Option<String>,
    snippets: Vec<SnippetOut<'a>>,
}

/// The subagent in whose file it is.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct FoundAgentOut<'a> {
    id: &'a str,
    r#type: Option<&'a str>,
    description: Option<&'a str>,
}

impl<'a> FoundAgentOut<'a> {
    /// A subagent, for programs.
    pub fn of(agent: &'a AgentInfo) -> Self {
        Self { id: &agent.name, r#type: agent.kind.as_deref(), description: agent.description.as_deref() }
    }
}

/// A text with the positions of its matches.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct SnippetOut<'a> {
    r#in: &'static str,
    text: &'a str,
    marks: Vec<[usize; 2]>,
    cut_before: bool,
    cut_after: bool,
}

impl<'a> FoundOut<'a> {
    /// The results of a query, with the URL of each hit if it has one.
    pub fn of(query: &'a str, hits: &'a Hits, address: &dyn Fn(&SessionHits, &Hit) -> Option<String>) -> Self {
        Self {
            schema: FOUND,
            query,
            partial: hits.is_partial,
            more: hits.has_more,
            sessions: hits.sessions.iter().map(|found| FoundInOut::of(found, address)).collect(),
        }
    }
}

impl<'a> FoundInOut<'a> {
    fn of(found: &'a SessionHits, address: &dyn Fn(&SessionHits, &Hit) -> Option<String>) -> Self {
        let session = &found.session;
        Self {
            session: &session.name,
            file: path(&session.path),
            title: &session.title,
            project: session.project.as_deref(),
            branch: session.branch.as_deref(),
            first: session.first.map(Moment),
            last: session.last.map(Moment),
            matches: found.matches,
            more: found.has_more,
            hits: found.hits.iter().map(|hit| HitOut::of(hit, address(found, hit))).collect(),
        }
    }
}

impl<'a> HitOut<'a> {
    fn of(hit: &'a Hit, address: Option<String>) -> Self {
        Self {
            file: path(&hit.path),
            line: hit.line,
            offset: hit.offset,
            agent: hit.agent.as_ref().map(FoundAgentOut::of),
            turn: hit.turn,
            at: hit.at.map(Moment),
            r#type: &hit.kind,
            role: hit.role.map(Role::as_str),
            tools: &hit.tools,
            error: hit.is_error,
            share: hit.share,
            address,
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

/// The number of matches of a search.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct CountOut<'a> {
    /// The name and version of this document.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = COUNT)))]
    schema: &'static str,
    query: &'a str,
    entries: u64,
    sessions: u64,
}

impl<'a> CountOut<'a> {
    /// The number of matches of a query.
    pub const fn of(query: &'a str, count: Count) -> Self {
        Self { schema: COUNT, query, entries: count.entries, sessions: count.sessions }
    }
}
