//! The search page: matches by session, updated while you type.

use human::Locale;
use index::query::QueryError;
use index::search::{Hit, Hits, SessionHits, Snippet};
use index::texts::Column;
use maud::{Markup, html};
use page::text;

use super::{Page, moment, project, session_address};

/// The page, with the results of a query.
pub(crate) fn page(query: &str, found: &SearchOutcome, locale: &Locale) -> Markup {
    let main = html! {
        h1 { "Search" }
        p.help {
            "Words, " code { "\"phrases\"" } ", " code { "-not" } ", " code { "begin*" } ", and filters: "
            code { "project:" } " " code { "tool:" } " " code { "file:" } " " code { "model:" } " " code { "branch:" } " "
            code { "is:error" } " " code { "after:2026-08-01" }
        }
        div #found aria-live="polite" { (results(query, found, locale)) }
    };
    let title = if query.is_empty() { "Search".to_owned() } else { format!("{query} · Search") };
    Page { title: &title, place: "/search", script: None, query, locale, main }.markup()
}

/// The result of a search.
pub(crate) enum SearchOutcome {
    /// The query is empty.
    Nothing,
    /// The query is invalid.
    Wrong(QueryError),
    /// The matches.
    Hits(Hits),
}

/// The results, without the page around them.
pub(crate) fn results(query: &str, found: &SearchOutcome, locale: &Locale) -> Markup {
    html! {
        @match found {
            SearchOutcome::Nothing => {},
            SearchOutcome::Wrong(error) => p.error { (wrong(query, error)) },
            SearchOutcome::Hits(hits) => {
                @if hits.sessions.is_empty() { p.none { "Nothing was found." } }
                @if hits.is_partial && !hits.sessions.is_empty() { p.note { "Nothing holds all words; these hold some of them." } }
                @for session in &hits.sessions { (session_hits(session, locale)) }
                @if hits.has_more { p.note { "There are more; add words to narrow it down." } }
                @if hits.changed > 0 {
                    p.note { (human::counted(hits.changed, "line", "lines")) " changed since and could not be read back." }
                }
            }
        }
    }
}

/// The query with the invalid part marked, and why it is invalid.
fn wrong(query: &str, error: &QueryError) -> Markup {
    let (start, end) = (error.range.start, error.range.end);
    html! {
        @match (query.get(..start), query.get(start..end), query.get(end..)) {
            (Some(before), Some(part), Some(after)) => {
                code { (text(before)) mark { (text(part)) } (text(after)) } br;
            },
            _ => {}
        }
        (text(&error.to_string()))
    }
}

fn session_hits(found: &SessionHits, locale: &Locale) -> Markup {
    let session = &found.session;
    html! {
        section.hits {
            h2 {
                a href=(session_address(&session.name, "")) { (text(&session.title)) }
                " " small {
                    (project(session.project.as_deref()))
                    @if let Some(branch) = &session.branch { " · " (text(branch)) }
                    " · " (moment(session.last, locale))
                    @if found.matches > 1 {
                        " · " @if found.has_more { "at least " } (human::counted(found.matches, "match", "matches"))
                    }
                }
            }
            ul { @for hit in &found.hits { li { (self::hit(&session.name, hit, locale)) } } }
        }
    }
}

/// The anchor of a match on its session's page.
pub(crate) fn anchor(hit: &Hit) -> String {
    let prefix = hit.agent.as_ref().map(|agent| story::anchor::of_agent(&agent.name)).unwrap_or_default();
    format!("{prefix}l{}", hit.line)
}

fn hit(session: &str, hit: &Hit, locale: &Locale) -> Markup {
    html! {
        div.about {
            a href=(session_address(session, &anchor(hit))) {
                @match hit.turn { Some(turn) => { "turn " (turn) }, None => { "line " (hit.line) } }
            }
            @if let Some(agent) = &hit.agent { " · agent " (text(agent.kind.as_deref().unwrap_or(&agent.name))) }
            @if !hit.tools.is_empty() { " · " (text(&hit.tools.join(", "))) }
            @if hit.is_error { " · " span.failed { "error" } }
            @if hit.at.is_some() { " · " (moment(hit.at, locale)) }
        }
        @for snippet in &hit.snippets { (self::snippet(snippet)) }
    }
}

fn snippet(snippet: &Snippet) -> Markup {
    let who = match snippet.column {
        Column::Said => "said",
        Column::Replied => "replied",
        Column::Done => "done",
        Column::Seen => "seen",
        Column::Thought => "thought",
    };
    let part = |from: usize, to: usize| text(snippet.text.get(from..to).unwrap_or_default());
    let ends = std::iter::once(0).chain(snippet.marks.iter().map(|mark| mark.end));
    let last = snippet.marks.last().map_or(0, |mark| mark.end);
    html! {
        p.snippet data-column=(who) {
            @if snippet.is_cut_before { "… " }
            @for (before, found) in ends.zip(&snippet.marks) {
                (part(before, found.start))
                mark { (part(found.start, found.end)) }
            }
            (part(last, snippet.text.len()))
            @if snippet.is_cut_after { " …" }
        }
    }
}
