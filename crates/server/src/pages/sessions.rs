//! The page with the table of all sessions.

use app::SortKey;
use app::columns::{Cell, Column, SESSION_COLUMNS};
use human::Locale;
use index::Index;
use index::catalogue::Session;
use maud::{Markup, html};
use page::text;
use story::SessionStatus;

use super::{Page, address, cost, moment, named_project, project, session_address, time};
use crate::chosen::Chosen;
use crate::routes::{Failure, WebApp};

/// Sessions per page.
pub(crate) const MOST: usize = 200;

/// The parameters of the page: filter and order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SessionsQuery {
    pub(crate) chosen: Chosen,
    pub(crate) order: ListOrder,
}

/// Search words, sort order and page number.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(default)]
pub(crate) struct ListOrder {
    /// Words in the title, project, branch or id.
    pub(crate) q: String,
    /// The column to sort by.
    pub(crate) sort: String,
    /// Reverse the order.
    pub(crate) reverse: bool,
    /// The page number, from 1.
    pub(crate) page: u32,
}

impl SessionsQuery {
    /// The selected sessions, sorted.
    pub(crate) fn sessions(&self, app: &WebApp, index: &Index) -> Result<Vec<Session>, Failure> {
        let filter = self.chosen.filter(app)?.with_words(&self.order.q);
        let mut sessions = app.sessions(index, &filter)?;
        self.key().sort(&mut sessions, self.order.reverse);
        Ok(sessions)
    }

    /// The sort key; an unknown one means the default.
    fn key(&self) -> SortKey {
        SortKey::named(&self.order.sort).unwrap_or_default()
    }

    /// The sessions on the requested page.
    pub(crate) fn shown<'s>(&self, sessions: &'s [Session]) -> &'s [Session] {
        let before = usize::try_from(self.order.page.saturating_sub(1)).unwrap_or(usize::MAX).saturating_mul(MOST);
        let rest = sessions.get(before..).unwrap_or_default();
        rest.get(..MOST).unwrap_or(rest)
    }

    fn address(&self, key: SortKey, reverse: bool, page: u32) -> String {
        let page = if page > 1 { page.to_string() } else { String::new() };
        let reverse = if reverse { "true" } else { "" };
        let sort = if key == SortKey::default() { "" } else { key.name() };
        let days = self.chosen.days.to_string();
        let order = [("q", self.order.q.as_str()), ("sort", sort), ("reverse", reverse), ("page", &page)];
        address("/sessions", &[&self.chosen.parts(&days)[..], &order].concat())
    }
}

/// The columns of the table. The title comes first and links to the session, so that its id needs no column.
fn columns() -> impl Iterator<Item = &'static Column<Session>> {
    let shown = || SESSION_COLUMNS.iter().filter(|column| column.heading.is_some());
    let titles = shown().filter(|column| column.key == "title");
    titles.chain(shown().filter(|column| !["title", "session"].contains(&column.key)))
}

/// The page.
pub(crate) fn page(query: &SessionsQuery, sessions: &[Session], locale: &Locale) -> Markup {
    let named = &query.chosen.project;
    let days = query.chosen.days.to_string();
    let main = html! {
        div.heading {
            h1 { "Sessions" @if !named.is_empty() { " in " (project(Some(named))) } }
            form.filter action="/sessions" role="search" {
                input type="search" name="q" value=(text(&query.order.q)) placeholder="title, project, branch" aria-label="Filter sessions"
                    autocomplete="off" spellcheck="false" data-part="#listed";
                @for (name, value) in query.chosen.parts(&days).into_iter().chain([("sort", query.order.sort.as_str())]) {
                    @if !value.is_empty() { input type="hidden" name=(name) value=(text(value)); }
                }
            }
        }
        @if !named.is_empty() {
            p.help {
                a href="/sessions" { "all sessions" } " · " a href=(address("/tools", &[("project", named)])) { "tools of this project" }
            }
        }
        div #listed { (listed(query, sessions, locale)) }
    };
    Page { title: "Sessions", place: "/sessions", script: None, query: "", locale, main }.markup()
}

/// The table and the links to its other pages, without the rest of the page.
pub(crate) fn listed(query: &SessionsQuery, sessions: &[Session], locale: &Locale) -> Markup {
    let (number, key, is_reversed) = (query.order.page.max(1), query.key(), query.order.reverse);
    let pages = u32::try_from(sessions.len().div_ceil(MOST).max(1)).unwrap_or(u32::MAX);
    html! {
        p.help role="status" { (human::counted(sessions.len() as u64, "session", "sessions")) }
        @if !sessions.is_empty() { (table(query.shown(sessions).iter(), Some(query), locale)) }
        @if pages > 1 {
            nav.pages aria-label="Pages" {
                @if number > 1 { a rel="prev" href=(query.address(key, is_reversed, number - 1)) { "previous" } }
                span { "page " (number) " of " (pages) }
                @if number < pages { a rel="next" href=(query.address(key, is_reversed, number + 1)) { "next" } }
            }
        }
    }
}

/// Sessions as a table, which is sortable if it belongs to a list.
pub(super) fn table<'s>(
    sessions: impl Iterator<Item = &'s Session>,
    query: Option<&SessionsQuery>,
    locale: &Locale,
) -> Markup {
    html! {
        div.wide tabindex="0" role="region" aria-label="Sessions" {
            table.figures.sessions {
                thead { tr {
                    @for column in columns() {
                        @let (name, is_number) = (column.heading.unwrap_or(column.key), column.is_figure());
                        @let key = SortKey::named(column.name).filter(|_| column.sort.is_some());
                        @let is_sorted = key.is_some() && query.is_some_and(|query| Some(query.key()) == key);
                        @let is_reversed = query.is_some_and(|query| query.order.reverse);
                        // By default words ascend and figures descend.
                        @let order = if is_reversed == (is_number || key == Some(SortKey::LAST)) { "ascending" } else { "descending" };
                        th scope="col" class=[is_number.then_some("number")] aria-sort=[is_sorted.then_some(order)] {
                            @match (query, key) {
                                (Some(query), Some(key)) => a href=(query.address(key, is_sorted && !is_reversed, 1)) { (name) },
                                _ => (name),
                            }
                        }
                    }
                } }
                tbody { @for session in sessions { (row(session, locale)) } }
            }
        }
    }
}

fn row(session: &Session, locale: &Locale) -> Markup {
    html! {
        tr {
            @for column in columns() {
                @match column.key {
                    "title" => td.title { (title(session)) },
                    "project" => td {
                        (named_project(session.project.as_deref().unwrap_or_default(), &session.project_name))
                    },
                    "state" => td { (session.status.map(SessionStatus::word).unwrap_or_default()) },
                    _ => (cell(column.cell(session), locale)),
                }
            }
        }
    }
}

/// The title of a session, with its marks.
fn title(session: &Session) -> Markup {
    html! {
        a href=(session_address(&session.name, "")) { (text(&session.title)) }
        @if let Some(branch) = &session.branch { " " small.branch { (text(branch)) } }
        @if let Some(remnant) = session.remnant { " " small.partial { "only " (remnant.as_str()) } }
        @if session.is_archived { " " small.archived { "archived" } }
    }
}

/// A value of a column.
fn cell(cell: Cell<'_>, locale: &Locale) -> Markup {
    html! {
        @match cell {
            Cell::Empty => td {},
            Cell::Text(words) => td { (text(&words)) },
            Cell::Texts(list) => td { (text(&list.join(" "))) },
            Cell::Count(number) => td.number { (human::thousands(number)) },
            Cell::Faults(number) => td.number { @if number > 0 { b.failed { (human::thousands(number)) } } },
            Cell::Tokens(number) => td.number { (human::tokens(number)) },
            Cell::Cost(used) => td.number { (cost(&used, locale)) },
            Cell::Moment(at) => td.when { (moment(Some(at), locale)) },
            Cell::Duration(millis) => td.number { (time(millis)) },
            Cell::Flag(flag) => td { @if flag { "yes" } },
        }
    }
}
