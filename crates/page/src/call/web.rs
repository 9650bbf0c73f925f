//! The web.

use format::Raw;
use format::tool::{Found, Link, ServerInput, WebFetchInput, WebFetchResult, WebSearchInput, WebSearchResult};
use maud::{Markup, html};
use serde::Deserialize;

use super::json;
use super::piece::{facts, first_of, label, link, note, notes, sized, with, word};
use crate::{code, output, prose, text};
use styled::highlight::Language;

/// What a page is asked.
pub(super) fn fetch_asked(fetch: &WebFetchInput<'_>) -> Markup {
    html! { p.note { (link("", word(fetch.url))) } (note(word(fetch.prompt))) }
}

/// What a page answered.
pub(super) fn fetched(page: &WebFetchResult<'_>) -> Markup {
    let code = page.code.map(|code| code.to_string()).unwrap_or_default();
    let status = format!("{code} {}", word(page.code_text));
    html! {
        (notes(&[status.trim(), &sized(page.bytes)]))
        @if let Some(told) = page.result { (prose(&told)) }
    }
}

/// Where it is looked for.
pub(super) fn search_asked(search: &WebSearchInput<'_>) -> Markup {
    let list = |domains: &[format::Text<'_>]| domains.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ");
    notes(&[&with("only in", &list(&search.allowed_domains)), &with("not in", &list(&search.blocked_domains))])
}

/// What a search found.
pub(super) fn searched(search: &WebSearchResult<'_>) -> Markup {
    html! {
        @for found in &search.results {
            @match found {
                Found::Hits(hits) => (links(&hits.links)),
                Found::Comment(words) => (prose(words)),
            }
        }
        @if search.results.is_empty() { (note("nothing found")) }
    }
}

fn links(links: &[Link<'_>]) -> Markup {
    html! { @if !links.is_empty() { ul.links { @for found in links {
        li { (link(word(found.title), word(found.url))) @if let Some(words) = found.snippet { p { (text(&words)) } } }
    } } } }
}

/// What a tool at the API was asked for.
pub(super) fn server_asked(asked: &ServerInput<'_>) -> Markup {
    let lines: Vec<String> = asked.view_range.iter().map(ToString::to_string).collect();
    let edits = asked.path.is_some();
    html! {
        (facts(&[
            ("query", word(asked.query)),
            ("pattern", word(asked.pattern)),
            ("address", word(asked.url)),
            ("command", if edits { word(asked.command) } else { "" }),
            ("file", word(asked.path)),
            ("lines", &lines.join("–")),
        ]))
        @if let (Some(command), false) = (asked.command, edits) { (code(&command, Language::named("bash"), None)) }
        @if let Some(source) = asked.code { (code(&source, Language::named("python"), None)) }
        @if let Some(written) = asked.file_text { (code(&written, Language::of_path(word(asked.path)), Some(1))) }
        @if asked.old_str.is_some() || asked.new_str.is_some() {
            (super::files::replacement(asked.old_str, asked.new_str, Language::of_path(word(asked.path))))
        }
    }
}

/// What a tool at the API gave back, as far as that is known.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Served {
    title: String,
    url: String,
    stdout: String,
    stderr: String,
    return_code: Option<i64>,
    error_code: String,
}

/// What a tool at the API gave back.
pub(super) fn served(given: Raw<'_>) -> Markup {
    if let Ok(pages) = serde_json::from_str::<Vec<Served>>(given.as_json())
        && pages.iter().all(|page| !page.url.is_empty())
    {
        return html! { ul.links { @for page in &pages { li { (link(&page.title, &page.url)) } } } };
    }
    match serde_json::from_str::<Served>(given.as_json()) {
        Ok(served) if !served.error_code.is_empty() => note(&with("error:", &served.error_code)),
        Ok(served) if served.return_code.is_some() => {
            let code = served.return_code.filter(|code| *code != 0).map(|code| format!("exit code {code}"));
            html! {
                @if !served.stdout.is_empty() { (output(&served.stdout)) }
                @if !served.stderr.is_empty() { (label("stderr")) (output(&served.stderr)) }
                (note(first_of([code.as_deref().unwrap_or_default()])))
            }
        }
        _ => json::block(given.as_json()),
    }
}
