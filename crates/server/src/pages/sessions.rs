//! All sessions, as a table.

use index::catalogue::Session;
use maud::{Markup, html};
use render::html::text;
use render::human;

use super::{Page, cost, moment, project};

/// How many are on a page.
pub(crate) const MOST: usize = 200;

/// Which sessions, and in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(default)]
pub(crate) struct Wanted {
    /// Words of the title, the project or the branch.
    pub(crate) q: String,
    /// The column by which they are ordered.
    pub(crate) sort: String,
    /// Which page, from 1.
    pub(crate) page: usize,
}

impl Wanted {
    /// The sessions that fit, in their order.
    pub(crate) fn choose<'s>(&self, sessions: &'s [Session]) -> Vec<&'s Session> {
        let words: Vec<String> = self.q.split_whitespace().map(str::to_lowercase).collect();
        let fits = |session: &&Session| {
            let texts =
                [session.title.as_deref(), session.project.as_deref(), session.branch.as_deref(), Some(&session.name)];
            let all = texts.iter().flatten().map(|text| text.to_lowercase()).collect::<Vec<_>>().join("\n");
            words.iter().all(|word| all.contains(word.as_str()))
        };
        let mut chosen: Vec<&Session> = sessions.iter().filter(|session| !session.is_agent).filter(fits).collect();
        match self.sort.as_str() {
            "cost" => chosen.sort_by_key(|session| std::cmp::Reverse(session.used.cost)),
            "tokens" => chosen.sort_by_key(|session| std::cmp::Reverse(session.used.tokens)),
            "turns" => chosen.sort_by_key(|session| std::cmp::Reverse(session.counts.turns)),
            "calls" => chosen.sort_by_key(|session| std::cmp::Reverse(session.counts.calls)),
            "failed" => chosen.sort_by_key(|session| std::cmp::Reverse(session.counts.failed)),
            "active" => chosen.sort_by_key(|session| std::cmp::Reverse(session.active_ms)),
            "title" => chosen.sort_by_cached_key(|session| session.title.as_ref().map(|title| title.to_lowercase())),
            "project" => chosen.sort_by(|one, other| (&one.project, other.last).cmp(&(&other.project, one.last))),
            _ => chosen.sort_by_key(|session| std::cmp::Reverse(session.last)),
        }
        chosen
    }

    fn address(&self, sort: &str, page: usize) -> String {
        let query: String = self.q.bytes().map(escaped).collect();
        format!("/sessions?q={query}&sort={sort}&page={page}")
    }
}

/// A byte as it may stand in an address.
fn escaped(byte: u8) -> String {
    if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") }
}

const COLUMNS: [(&str, &str, bool); 9] = [
    ("title", "session", false),
    ("last", "when", false),
    ("project", "project", false),
    ("turns", "turns", true),
    ("calls", "calls", true),
    ("failed", "failed", true),
    ("tokens", "tokens", true),
    ("cost", "cost", true),
    ("active", "worked", true),
];

/// The page.
pub(crate) fn page(wanted: &Wanted, chosen: &[&Session]) -> Markup {
    let number = wanted.page.max(1);
    let pages = chosen.len().div_ceil(MOST).max(1);
    let shown = chosen.iter().skip((number - 1).saturating_mul(MOST)).take(MOST);
    let main = html! {
        h1 { "Sessions " span.count { (human::thousands(chosen.len() as u64)) } }
        form.filter action="/sessions" role="search" {
            input type="search" name="q" value=(text(&wanted.q)) placeholder="title, project, branch" aria-label="Filter sessions";
            input type="hidden" name="sort" value=(text(&wanted.sort));
        }
        @if chosen.is_empty() { p.none { "No session fits." } } @else {
            div.wide tabindex="0" role="region" aria-label="Sessions" {
                table.sessions {
                    thead { tr {
                        @for (key, name, is_number) in COLUMNS {
                            @let is_sorted = wanted.sort == key || wanted.sort.is_empty() && key == "last";
                            th scope="col" class=[is_number.then_some("number")] aria-sort=[is_sorted.then_some("descending")] {
                                a href=(wanted.address(key, 1)) { (name) }
                            }
                        }
                    } }
                    tbody { @for session in shown { (row(session)) } }
                }
            }
        }
        @if pages > 1 {
            nav.pages aria-label="Pages" {
                @if number > 1 { a rel="prev" href=(wanted.address(&wanted.sort, number - 1)) { "newer" } }
                span { "page " (number) " of " (pages) }
                @if number < pages { a rel="next" href=(wanted.address(&wanted.sort, number + 1)) { "older" } }
            }
        }
    };
    Page { title: "Sessions", place: "/sessions", script: None, query: "", main }.markup()
}

fn row(session: &Session) -> Markup {
    let counts = &session.counts;
    let title = session.title.as_deref().filter(|title| !title.trim().is_empty()).unwrap_or("(no title)");
    html! {
        tr {
            td.title {
                a href={ "/session/" (text(&session.name)) } { (text(title)) }
                @if let Some(branch) = &session.branch { " " small { (text(branch)) } }
                @if session.is_archived { " " small.archived { "archived" } }
            }
            td.when { (moment(session.last)) }
            td { (project(session.project.as_deref())) }
            td.number { (human::thousands(counts.turns.into())) }
            td.number { (human::thousands(counts.calls.into())) }
            td.number { @if counts.failed > 0 { b.failed { (human::thousands(counts.failed.into())) } } }
            td.number { (human::tokens(session.used.tokens)) }
            td.number { (cost(&session.used)) }
            td.number { (human::duration(session.active_ms)) }
        }
    }
}
