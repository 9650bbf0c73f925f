//! The list of sessions: filter, order and selection.
//!
//! Sessions of this project come first, then all others. Each group has a heading, which takes a row but cannot be
//! selected.

use std::collections::HashMap;

use app::{ProjectFilter, SortKey};
use index::catalogue::Session;

use super::finder::{self, SessionMatch};
use super::story_lines::Step;
use crate::listing::SessionList;

/// All sessions, and the ones that are listed.
#[derive(Debug)]
pub(crate) struct List {
    /// In the order of `sort`.
    sessions: Vec<Session>,
    /// Shortened prompts of each session.
    prompts: HashMap<i64, Prompts>,
    /// Text that a filter searches, by session. It excludes ids, since they match almost any letter.
    haystacks: HashMap<i64, String>,
    project: ProjectFilter,
    pub(crate) scope: Scope,
    pub(crate) sort: SortKey,
    filter: String,
    /// Full-text matches of the filter, by session.
    found: HashMap<i64, SessionMatch>,
    /// Positions in `sessions` of the listed ones.
    listed: Vec<usize>,
    /// Number of listed sessions of this project; they come first.
    here: usize,
    selected: usize,
    /// The first visible row.
    top: usize,
    /// The number of visible rows.
    height: usize,
}

/// The prompts of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Prompts {
    pub(crate) first: String,
    /// All prompts.
    pub(crate) all: String,
}

/// The scope of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    All,
    ThisProject,
}

/// The content of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Row<'l> {
    /// Heading of this project, with its number of sessions.
    Here(usize),
    /// Heading of the others, with their number.
    Elsewhere(usize),
    Session {
        session: &'l Session,
        is_selected: bool,
    },
}

/// The orders that the sort key cycles through.
const SORTS: [SortKey; 6] =
    [SortKey::LAST, SortKey::COST, SortKey::TURNS, SortKey::FAILED, SortKey::ACTIVE, SortKey::TITLE];

impl List {
    pub(crate) fn new(project: ProjectFilter) -> Self {
        Self {
            sessions: Vec::new(),
            prompts: HashMap::new(),
            haystacks: HashMap::new(),
            project,
            scope: Scope::All,
            sort: SortKey::LAST,
            filter: String::new(),
            found: HashMap::new(),
            listed: Vec::new(),
            here: 0,
            selected: 0,
            top: 0,
            height: 0,
        }
    }

    /// Replaces all sessions and keeps the selection.
    pub(crate) fn set_sessions(&mut self, sessions: Vec<Session>) {
        let (selected, was_first) = (self.selected().map(|session| session.id), self.selected == 0);
        self.sessions = sessions;
        self.haystacks.clear();
        self.order();
        self.choose();
        // The selection stays on the latest session until the user moves it.
        self.select_id(selected.filter(|_| !was_first));
    }

    pub(crate) fn set_prompts(&mut self, prompts: HashMap<i64, Prompts>) {
        self.prompts = prompts;
        self.haystacks.clear();
        self.refilter();
    }

    pub(crate) fn filter(&self) -> &str {
        &self.filter
    }

    pub(crate) fn set_filter(&mut self, filter: String) {
        self.filter = filter;
        self.found.clear();
        self.refilter();
    }

    /// Stores the matches of a query, unless the filter has changed since.
    pub(crate) fn set_found(&mut self, query: &str, found: HashMap<i64, SessionMatch>) {
        if self.filter == query {
            self.found = found;
            self.refilter();
        }
    }

    pub(crate) fn found(&self, session: &Session) -> Option<&SessionMatch> {
        self.found.get(&session.id)
    }

    /// Switches to the next order.
    pub(crate) fn resort(&mut self) {
        let at = SORTS.iter().position(|sort| *sort == self.sort).unwrap_or(0);
        self.sort = SORTS.get(at + 1).copied().unwrap_or_default();
        self.order();
        self.choose();
        self.selected = 0;
        self.show_selected();
    }

    pub(crate) fn set_scope(&mut self, scope: Scope) {
        self.scope = scope;
        self.refilter();
    }

    /// Returns whether a session belongs to this project.
    pub(crate) fn is_here(&self, session: &Session) -> bool {
        self.project.matches(session.project.as_deref().unwrap_or_default())
    }

    pub(crate) fn count(&self) -> usize {
        self.sessions.len()
    }

    pub(crate) fn count_here(&self) -> usize {
        self.sessions.iter().filter(|session| self.is_here(session)).count()
    }

    pub(crate) fn count_listed(&self) -> usize {
        self.listed.len()
    }

    pub(crate) fn selected(&self) -> Option<&Session> {
        self.listed.get(self.selected).and_then(|at| self.sessions.get(*at))
    }

    pub(crate) fn go(&mut self, step: Step) {
        self.selected = step.apply(self.selected, self.height, self.listed.len().saturating_sub(1));
        self.show_selected();
    }

    /// Selects the row at this offset from the first visible one. Returns whether it is a session.
    pub(crate) fn select_row(&mut self, below: usize) -> bool {
        let place = self.place_in(self.top + below);
        if let Some(place) = place {
            self.selected = place;
        }
        place.is_some()
    }

    pub(crate) fn set_height(&mut self, height: usize) {
        if self.height != height {
            self.height = height;
            self.show_selected();
        }
    }

    pub(crate) fn visible(&self) -> impl Iterator<Item = Row<'_>> {
        (self.top..self.row_count()).take(self.height).filter_map(|row| self.row(row))
    }

    fn order(&mut self) {
        let sessions = std::mem::take(&mut self.sessions);
        let mut list = SessionList { sessions, agents: HashMap::new(), is_tree: false };
        list.sort(self.sort, false);
        self.sessions = list.sessions;
    }

    fn refilter(&mut self) {
        let selected = self.selected().map(|session| session.id);
        self.choose();
        self.select_id(selected.filter(|_| self.filter.is_empty()));
    }

    /// Recomputes the listed sessions.
    fn choose(&mut self) {
        let words = finder::words(&self.filter);
        let (mut here, mut elsewhere) = (Vec::new(), Vec::new());
        for (at, session) in self.sessions.iter().enumerate() {
            if !words.is_empty() {
                let prompts = self.prompts.get(&session.id);
                let text = self.haystacks.entry(session.id).or_insert_with(|| haystack(session, prompts));
                let has = |word: &String| text.contains(word.as_str()) || session.name.starts_with(word.as_str());
                if !self.found.contains_key(&session.id) && !words.iter().all(has) {
                    continue;
                }
            }
            if self.project.matches(session.project.as_deref().unwrap_or_default()) {
                here.push(at);
            } else if self.scope == Scope::All {
                elsewhere.push(at);
            }
        }
        self.here = here.len();
        self.listed = here;
        self.listed.append(&mut elsewhere);
    }

    /// Selects the session with this number, or the first.
    fn select_id(&mut self, id: Option<i64>) {
        let is_it = |at: &usize| self.sessions.get(*at).map(|session| session.id) == id;
        self.selected = id.and_then(|_| self.listed.iter().position(is_it)).unwrap_or(0);
        self.show_selected();
    }

    fn has_two_groups(&self) -> bool {
        self.here > 0 && self.here < self.listed.len()
    }

    fn row_count(&self) -> usize {
        let headings = if self.has_two_groups() { 2 } else { usize::from(!self.listed.is_empty()) };
        self.listed.len() + headings
    }

    fn row(&self, row: usize) -> Option<Row<'_>> {
        let elsewhere = self.listed.len() - self.here;
        if row == 0 {
            return Some(if self.here > 0 { Row::Here(self.here) } else { Row::Elsewhere(elsewhere) });
        }
        match self.place_in(row) {
            None => (row < self.row_count()).then_some(Row::Elsewhere(elsewhere)),
            Some(place) => {
                let session = self.sessions.get(*self.listed.get(place)?)?;
                Some(Row::Session { session, is_selected: place == self.selected })
            }
        }
    }

    /// Returns the position of a row among the listed sessions; `None` for a heading.
    fn place_in(&self, row: usize) -> Option<usize> {
        let second = self.here + 1;
        let place = match row {
            0 => return None,
            row if self.has_two_groups() && row == second => return None,
            row if self.has_two_groups() && row > second => row - 2,
            row => row - 1,
        };
        (place < self.listed.len()).then_some(place)
    }

    fn row_of(&self, place: usize) -> usize {
        place + 1 + usize::from(self.has_two_groups() && place >= self.here)
    }

    /// Scrolls to the selected row, with the heading above it if there is room.
    fn show_selected(&mut self) {
        let row = self.row_of(self.selected);
        let is_first = self.selected == 0 || self.has_two_groups() && self.selected == self.here;
        let first = if is_first && self.height > 1 { row - 1 } else { row };
        let top = self.top.min(first).max((row + 1).saturating_sub(self.height));
        self.top = top.min(self.row_count().saturating_sub(self.height));
    }
}

fn haystack(session: &Session, prompts: Option<&Prompts>) -> String {
    let parts = [
        Some(session.title.as_str()),
        session.project.as_deref(),
        session.branch.as_deref(),
        prompts.map(|prompts| prompts.all.as_str()),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n").to_lowercase()
}

#[cfg(test)]
mod tests;
