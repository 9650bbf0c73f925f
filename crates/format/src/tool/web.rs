//! The web.

use super::file::ArtifactVersion;
use super::result::{Outcome, Said, said_in};
use crate::id::ToolUseId;
use crate::json::fields::Each;
use crate::json::{Broken, Cursor, Notes, Shape, Text, Value, Visit, record};

record! {
    /// What `WebFetch` takes.
    pub struct WebFetchInput<'a>: "WebFetch input" {
        url: Option<Text<'a>> = "url",
        prompt: Option<Text<'a>> = "prompt",
        offset: Option<i64> = "offset",
    }

    /// A page as a small model tells it.
    pub struct WebFetchResult<'a>: "WebFetch result" {
        url: Option<Text<'a>> = "url",
        /// The HTTP status.
        code: Option<i64> = "code",
        code_text: Option<Text<'a>> = "codeText",
        bytes: Option<i64> = "bytes",
        result: Option<Text<'a>> = "result",
        duration_ms: Option<i64> = "durationMs",
        artifact_read: Option<ArtifactVersion<'a>> = "artifactRead",
    }

    /// What `WebSearch` takes.
    pub struct WebSearchInput<'a>: "WebSearch input" {
        query: Option<Text<'a>> = "query",
        allowed_domains: Vec<Text<'a>> = "allowed_domains",
        blocked_domains: Vec<Text<'a>> = "blocked_domains",
    }

    /// What a search found.
    pub struct WebSearchResult<'a>: "WebSearch result" {
        query: Option<Text<'a>> = "query",
        results: Vec<Found<'a>> = "results",
        duration_seconds: Option<f64> = "durationSeconds",
        search_count: Option<i64> = "searchCount",
    }

    /// The pages of one search.
    pub struct Hits<'a>: "search hits" {
        tool_use_id: Option<ToolUseId<'a>> = "tool_use_id",
        links: Vec<Link<'a>> = "content",
    }

    /// A page.
    pub struct Link<'a>: "link" {
        title: Option<Text<'a>> = "title",
        url: Option<Text<'a>> = "url",
        snippet: Option<Text<'a>> = "snippet",
    }
}

/// Pages, or what the model that searched says about them.
#[derive(Debug, Clone, PartialEq)]
pub enum Found<'a> {
    /// Pages.
    Hits(Hits<'a>),
    /// Prose.
    Comment(Text<'a>),
}

impl Visit for Found<'_> {
    fn visit<'e>(&'e self, key: &'e str, each: &mut Each<'_, 'e>) {
        match self {
            Self::Hits(hits) => hits.visit(key, each),
            Self::Comment(text) => text.visit(key, each),
        }
    }
    fn shape() -> Shape {
        Shape::Either(vec![Text::shape, Hits::shape])
    }
}

impl<'a> Value<'a> for Found<'a> {
    const EXPECTED: &'static str = "text or an object";

    fn from_text(text: &'a str) -> Option<Self> {
        Some(Self::Comment(Text::from(text)))
    }

    fn from_map(cursor: &mut Cursor<'a>, notes: &mut Notes<'a>) -> Result<Option<Self>, Broken> {
        Ok(Hits::from_map(cursor, notes)?.map(Self::Hits))
    }
}

said_in! { WebFetchResult.result }

impl<'a> Outcome<'a> for WebSearchResult<'a> {
    /// The query in a first line, then lines of links (JSON) and prose between them.
    fn from_said(said: &Said<'a, '_>, notes: &mut Notes<'a>) -> Option<Self> {
        let Some(rest) = said.text.strip_prefix("Web search results for query: \"") else { return said.json(notes) };
        let (query, body) = rest.split_once("\"\n").unwrap_or((rest.trim_end_matches('"'), ""));
        let body = body.rsplit_once("\n\nREMINDER: ").map_or(body, |(body, _)| body);
        let mut results = Vec::new();
        let mut rest = body;
        while let Some((before, links)) = split_links(rest) {
            results.extend(comment(before));
            let (line, after) = links.split_once('\n').unwrap_or((links, ""));
            match super::result::json_text(line, notes) {
                Some(links) => results.push(Found::Hits(Hits { tool_use_id: None, links })),
                None => results.extend(comment(line)),
            }
            rest = after;
        }
        results.extend(comment(rest));
        Some(Self { query: Some(Text::from(query)), results, ..Self::default() })
    }
}

/// Splits before the next line of links.
fn split_links(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix("Links: ").map(|links| ("", links)).or_else(|| text.split_once("\nLinks: "))
}

fn comment(text: &str) -> Option<Found<'_>> {
    let text = text.trim();
    (!text.is_empty() && text != "No links found.").then(|| Found::Comment(Text::from(text)))
}
