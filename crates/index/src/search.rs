//! Searches entries by recency or relevance, and returns snippets of the matches.
//!
//! The tables yield candidate lines; the lines themselves are read from their files, and only real matches are
//! returned. Lines that have changed in their files since they were indexed are left out and counted.
//!
//! | module | contains |
//! |---|---|
//! | [`condition`] | the meaning of filters |
//! | [`needle`] | the search term: words, or a pattern |
//! | [`snippet`] | excerpts around matches |
//! | [`scan`] | searching without the index, directly in sources |
//! | [`touch`] | the history of a file |
//!
//! The work is bounded by the number of results shown, not by the frequency of a word; see `search/gather.rs`.

mod about;
pub mod condition;
mod gather;
mod line;
pub mod needle;
mod partial;
mod rank;
pub mod scan;
pub mod snippet;
mod statement;
pub mod touch;

use std::path::PathBuf;

use rustc_hash::FxHashSet;
use story::TitleSource;

use crate::catalogue::Session;

use crate::query::Query;
use crate::store::{Index, IndexError};
use crate::texts::{Column, Role};
pub use condition::Conditions;
pub use needle::Needle;
pub use snippet::{Cut, Snippet};

use gather::Gathered;
use line::Lines;
use statement::Asking;

/// A search and the amount of results.
#[derive(Debug, Clone)]
pub struct Search<'q> {
    /// The words.
    pub query: &'q Query,
    /// The meaning of its filters.
    pub conditions: &'q Conditions,
    /// The columns to search. Empty means all.
    pub columns: &'q [Column],
    /// The order of the results.
    pub order: Order,
    /// The maximum number of sessions.
    pub limit: usize,
    /// The maximum number of entries per session.
    pub per_session: usize,
    /// The length of snippets.
    pub cut: Cut,
}

/// The order of search results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// Sessions with the latest entries first.
    #[default]
    Recent,
    /// Sessions with the best entries first, among the latest few thousand entries.
    Rank,
}

/// Search results.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Hits {
    /// By session, in the requested order.
    pub sessions: Vec<SessionHits>,
    /// No entry contains all words; these contain some of them.
    pub is_partial: bool,
    /// More sessions match than were requested.
    pub has_more: bool,
    /// The number of lines that could not be read, because their files have changed or are deleted.
    pub changed: u64,
}

/// The matches in a session.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionHits {
    /// The session.
    pub session: SessionInfo,
    /// The matches in it and its subagents.
    pub hits: Vec<Hit>,
    /// The number of matching entries that were seen.
    pub matches: u64,
    /// Whether there may be more.
    pub has_more: bool,
}

/// A session in search results.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionInfo {
    /// Its id.
    pub name: String,
    /// Its main file.
    pub path: PathBuf,
    /// Its title.
    pub title: String,
    /// The source of the title.
    pub title_source: TitleSource,
    /// The project in which it ran.
    pub project: Option<String>,
    /// The branch.
    pub branch: Option<String>,
    /// When it began, in milliseconds since 1970.
    pub first: Option<i64>,
    /// When it ended.
    pub last: Option<i64>,
}

impl From<Session> for SessionInfo {
    fn from(session: Session) -> Self {
        let Session { name, path, title, title_source, project, branch, first, last, .. } = session;
        Self { name, path, title, title_source, project, branch, first, last }
    }
}

/// A matching entry.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The file.
    pub path: PathBuf,
    /// The line number, from 1.
    pub line: u64,
    /// The offset of the line, in bytes.
    pub offset: u64,
    /// The subagent whose file contains it.
    pub agent: Option<AgentInfo>,
    /// The turn of the session, from 1.
    pub turn: Option<u64>,
    /// Its time, in milliseconds since 1970.
    pub at: Option<i64>,
    /// Its type, such as `user`.
    pub kind: String,
    /// Its role.
    pub role: Option<Role>,
    /// The tools that it calls or whose results it contains.
    pub tools: Vec<String>,
    /// Whether something failed.
    pub is_error: bool,
    /// Excerpts around the matches, best first.
    pub snippets: Vec<Snippet>,
    /// The share of the query that it matches, from 0 to 1.
    pub share: f32,
}

/// A subagent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentInfo {
    /// Its id.
    pub name: String,
    /// Its type, such as `Explore`.
    pub kind: Option<String>,
    /// The description of its task.
    pub description: Option<String>,
}

/// The number of entries and sessions that match.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// Entries.
    pub entries: u64,
    /// Sessions.
    pub sessions: u64,
}

/// One in this many lines must contain a word with the typed prefix for the full-text lookup to be skipped.
const LEAST_COMMON: u64 = 8;

impl Index {
    /// Finds entries that contain all words, or those with most of them if there are none.
    ///
    /// ```
    /// use index::{Index, query::Query};
    /// use index::search::{Conditions, Cut, Order, Search};
    ///
    /// let folder = tempfile::tempdir().unwrap();
    /// let index = Index::open(&folder.path().join("index.db")).unwrap();
    /// let query: Query = "retry limit".parse().unwrap();
    /// let conditions = Conditions::default();
    /// let search = Search {
    ///     query: &query,
    ///     conditions: &conditions,
    ///     columns: &[],
    ///     order: Order::Recent,
    ///     limit: 10,
    ///     per_session: 3,
    ///     cut: Cut::Around(160),
    /// };
    /// assert!(index.search(&search).unwrap().sessions.is_empty());
    /// ```
    pub fn search(&self, search: &Search<'_>) -> Result<Hits, IndexError> {
        let _reading = self.read()?;
        let needle = Needle::Words(search.query);
        let mut lines = Lines::new(self, needle, search);
        let (mut limit, mut asking) = (search.limit, Asking::Cheaply);
        loop {
            let gathered = match search.order {
                Order::Recent => gather::recent(self, search, asking, limit)?,
                Order::Rank => rank::best(self, search, &mut lines)?,
            };
            // Ranking considers a fixed number of entries and no more.
            let is_all = gathered.is_all || search.order == Order::Rank;
            let is_rough = gathered.is_rough;
            let (hits, wrong) = self.read_back(gathered, search, &mut lines)?;
            let found: u64 = hits.sessions.iter().map(|group| group.hits.len() as u64).sum();
            // Words with this prefix are less common than estimated.
            if is_rough && found * LEAST_COMMON < found + wrong {
                asking = Asking::Exactly;
                continue;
            }
            // The tables rarely yield false candidates; others then replace them.
            if hits.sessions.len() < search.limit && !is_all {
                limit = limit.saturating_mul(4).max(16);
                continue;
            }
            if !hits.sessions.is_empty() || search.query.groups.len() < 2 {
                return Ok(hits);
            }
            let gathered = partial::nearest(self, search, &mut lines)?;
            let (hits, _) = self.read_back(gathered, search, &mut lines)?;
            return Ok(Hits { is_partial: true, ..hits });
        }
    }

    /// Counts all entries that contain all words. Slow if there are many.
    pub fn count(&self, search: &Search<'_>) -> Result<Count, IndexError> {
        let _reading = self.read()?;
        let mut lines = Lines::new(self, Needle::Words(search.query), search);
        let is_sure = search.query.is_found_exactly();
        let mut sessions = FxHashSet::default();
        let mut count = Count::default();
        gather::all(self, search, |found, session| {
            if is_sure || lines.hit(&found, 1.0)?.is_some() {
                count.entries += 1;
                sessions.insert(session);
            }
            Ok(())
        })?;
        count.sessions = sessions.len() as u64;
        Ok(count)
    }

    /// Reads the candidates and drops those that do not match. Returns the number dropped.
    fn read_back(
        &self,
        gathered: Gathered,
        search: &Search<'_>,
        lines: &mut Lines<'_>,
    ) -> Result<(Hits, u64), IndexError> {
        let mut hits = Hits { has_more: !gathered.is_all, ..Hits::default() };
        let mut all_wrong = 0;
        lines.changed = 0;
        for group in gathered.sessions {
            if hits.sessions.len() >= search.limit {
                hits.has_more = true;
                break;
            }
            let mut found: Vec<Hit> = Vec::new();
            let (mut places, mut wrong) = (FxHashSet::default(), 0);
            for row in &group.rows {
                if found.len() >= search.per_session {
                    break;
                }
                // One line may contain several entries.
                if places.contains(&(row.source, row.offset)) {
                    continue;
                }
                match lines.hit(row, gathered.least)? {
                    Some(hit) => {
                        places.insert((row.source, row.offset));
                        found.push(hit);
                    }
                    None => wrong += 1,
                }
            }
            all_wrong += wrong;
            if found.is_empty() {
                continue;
            }
            hits.sessions.push(SessionHits {
                session: self.session_numbered(group.session)?.map(SessionInfo::from).unwrap_or_default(),
                matches: group.matches.saturating_sub(wrong),
                has_more: group.has_more,
                hits: found,
            });
        }
        hits.changed = lines.changed;
        Ok((hits, all_wrong))
    }
}

impl Query {
    /// Whether the table yields no false candidates: a phrase may also match across names.
    fn is_found_exactly(&self) -> bool {
        let is_asked_for = !self.groups.is_empty() || self.not.is_empty();
        is_asked_for && self.groups.iter().flatten().chain(&self.not).all(|wanted| wanted.term.count() == 1)
    }
}
