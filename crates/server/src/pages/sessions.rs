//! All sessions, as a table.

use index::catalogue::Session;
use maud::{Markup, html};
use page::text;

use super::{Page, address, cost, moment, project, session_address, time};

/// How many are on a page.
pub(crate) const MOST: usize = 200;

/// Which sessions, and in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(default)]
pub(crate) struct Wanted {
    /// Words of the title, the project or the branch.
    pub(crate) q: String,
    /// Only those of this project.
    pub(crate) project: String,
    /// The column by which they are ordered.
    pub(crate) sort: String,
    /// The other end first.
    pub(crate) reverse: bool,
    /// Which page, from 1.
    pub(crate) page: u32,
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
        let is_there = |session: &&Session| {
            !session.is_agent && (self.project.is_empty() || session.project.as_deref() == Some(&self.project))
        };
        let mut chosen: Vec<&Session> = sessions.iter().filter(is_there).filter(fits).collect();
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
        if self.reverse {
            chosen.reverse();
        }
        chosen
    }

    /// Those on the page that is wanted.
    pub(crate) fn shown<'s>(&self, chosen: &[&'s Session]) -> Vec<&'s Session> {
        let before = usize::try_from(self.page.saturating_sub(1)).unwrap_or(usize::MAX).saturating_mul(MOST);
        chosen.iter().skip(before).take(MOST).copied().collect()
    }

    fn is_sorted_by(&self, key: &str) -> bool {
        self.sort == key || self.sort.is_empty() && key == "last"
    }

    fn address(&self, sort: &str, reverse: bool, page: u32) -> String {
        let page = if page > 1 { page.to_string() } else { String::new() };
        let reverse = if reverse { "true" } else { "" };
        let all =
            [("q", self.q.as_str()), ("project", &self.project), ("sort", sort), ("reverse", reverse), ("page", &page)];
        address("/sessions", &all)
    }
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
    let main = html! {
        div.heading {
            h1 { "Sessions" @if !wanted.project.is_empty() { " in " (project(Some(&wanted.project))) } }
            form.filter action="/sessions" role="search" {
                input type="search" name="q" value=(text(&wanted.q)) placeholder="title, project, branch" aria-label="Filter sessions"
                    autocomplete="off" spellcheck="false" data-part="#listed";
                @for (name, value) in [("project", &wanted.project), ("sort", &wanted.sort)] {
                    @if !value.is_empty() { input type="hidden" name=(name) value=(text(value)); }
                }
            }
        }
        @if !wanted.project.is_empty() {
            p.help {
                a href="/sessions" { "all sessions" } " · " a href=(address("/tools", &[("project", &wanted.project)])) { "tools of this project" }
            }
        }
        div #listed { (listed(wanted, chosen)) }
    };
    Page { title: "Sessions", place: "/sessions", script: None, query: "", main }.markup()
}

/// The table and the ways to its other pages, without what is around them.
pub(crate) fn listed(wanted: &Wanted, chosen: &[&Session]) -> Markup {
    let number = wanted.page.max(1);
    let pages = u32::try_from(chosen.len().div_ceil(MOST).max(1)).unwrap_or(u32::MAX);
    html! {
        p.help role="status" { (human::counted(chosen.len() as u64, "session", "sessions")) }
        @if !chosen.is_empty() { (table(wanted.shown(chosen).into_iter(), Some(wanted))) }
        @if pages > 1 {
            nav.pages aria-label="Pages" {
                @if number > 1 { a rel="prev" href=(wanted.address(&wanted.sort, wanted.reverse, number - 1)) { "previous" } }
                span { "page " (number) " of " (pages) }
                @if number < pages { a rel="next" href=(wanted.address(&wanted.sort, wanted.reverse, number + 1)) { "next" } }
            }
        }
    }
}

/// Sessions as a table, which can be put in another order if it is that of a list.
pub(super) fn table<'s>(sessions: impl Iterator<Item = &'s Session>, wanted: Option<&Wanted>) -> Markup {
    html! {
        div.wide tabindex="0" role="region" aria-label="Sessions" {
            table.figures.sessions {
                thead { tr {
                    @for (key, name, is_number) in COLUMNS {
                        @let is_sorted = wanted.is_some_and(|wanted| wanted.is_sorted_by(key));
                        @let is_reversed = wanted.is_some_and(|wanted| wanted.reverse);
                        // Words begin with the first letter, figures with the largest.
                        @let order = if is_reversed == (is_number || key == "last") { "ascending" } else { "descending" };
                        th scope="col" class=[is_number.then_some("number")] aria-sort=[is_sorted.then_some(order)] {
                            @match wanted {
                                Some(wanted) => a href=(wanted.address(key, is_sorted && !is_reversed, 1)) { (name) },
                                None => (name),
                            }
                        }
                    }
                } }
                tbody { @for session in sessions { (row(session)) } }
            }
        }
    }
}

fn row(session: &Session) -> Markup {
    let counts = &session.counts;
    let title = session.title.as_deref().filter(|title| !title.trim().is_empty()).unwrap_or("(no title)");
    html! {
        tr {
            td.title {
                a href=(session_address(&session.name, "")) { (text(title)) }
                @if let Some(branch) = &session.branch { " " small.branch { (text(branch)) } }
                @if session.is_archived { " " small.archived { "archived" } }
            }
            td.when { (moment(session.last)) }
            td { (project(session.project.as_deref())) }
            td.number { (human::thousands(counts.turns.into())) }
            td.number { (human::thousands(counts.calls.into())) }
            td.number { @if counts.failed > 0 { b.failed { (human::thousands(counts.failed.into())) } } }
            td.number { (human::tokens(session.used.tokens)) }
            td.number { (cost(&session.used)) }
            td.number { (time(session.active_ms)) }
        }
    }
}
