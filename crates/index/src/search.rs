//! Finds entries, the most recent first or by relevance, and shows where in them the words are.
//!
//! The tables say which lines may hold what is looked for; the lines themselves are read back from their files, and only
//! those that do hold it are returned. What has changed in a file since it was taken in is left out and counted.
//!
//! | module | for |
//! |---|---|
//! | [`condition`] | what filters mean |
//! | [`needle`] | what is looked for in a text: words, or a pattern |
//! | [`snippet`] | the part of a text that shows where it is |
//! | [`scan`] | the same without the index: sources are read as they are |
//! | [`touch`] | what was done to a file |
//!
//! Work is bounded by what is shown, not by how often a word occurs; see `search/gather.rs`.

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

use crate::query::Query;
use crate::store::{Index, IndexError};
use crate::texts::{Column, Role};
pub use condition::Conditions;
pub use needle::Needle;
pub use snippet::{Cut, Snippet};

use gather::Gathered;
use line::Lines;
use statement::Asking;

/// What is looked for, and how much of it is shown.
#[derive(Debug, Clone)]
pub struct Search<'q> {
    /// The words.
    pub query: &'q Query,
    /// What its filters mean.
    pub conditions: &'q Conditions,
    /// Where the words must be. None are all.
    pub columns: &'q [Column],
    /// What comes first.
    pub order: Order,
    /// How many sessions.
    pub limit: usize,
    /// How many entries of each.
    pub per_session: usize,
    /// How long snippets are.
    pub cut: Cut,
}

/// What comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// The sessions with the latest entries.
    #[default]
    Recent,
    /// Those with the best entries among the latest few thousand.
    Rank,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Hits {
    /// By session, in the order that was asked for.
    pub sessions: Vec<SessionHits>,
    /// No entry holds all words: these hold some of them.
    pub is_partial: bool,
    /// There are more sessions than were asked for.
    pub has_more: bool,
    /// How many lines could not be read back, since their files have changed or are gone.
    pub changed: u64,
}

/// What was found in a session.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionHits {
    /// The session.
    pub session: SessionInfo,
    /// What was found in it, its subagents included.
    pub hits: Vec<Hit>,
    /// How many entries were seen that match.
    pub matches: u64,
    /// Whether there may be more than that.
    pub has_more: bool,
}

/// A session, as it is listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionInfo {
    /// Its id.
    pub name: String,
    /// Its own file.
    pub path: PathBuf,
    /// What it is called.
    pub title: Option<String>,
    /// The folder that it ran in.
    pub project: Option<String>,
    /// The branch.
    pub branch: Option<String>,
    /// When it began, in milliseconds since 1970.
    pub first: Option<i64>,
    /// When it ended.
    pub last: Option<i64>,
}

/// An entry that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The file.
    pub path: PathBuf,
    /// The line in it, from 1.
    pub line: u64,
    /// Where the line begins, in bytes.
    pub offset: u64,
    /// The subagent in whose file it is.
    pub agent: Option<AgentInfo>,
    /// The turn of the session, from 1.
    pub turn: Option<u64>,
    /// When, in milliseconds since 1970.
    pub at: Option<i64>,
    /// Its type, such as `user`.
    pub kind: String,
    /// Who speaks.
    pub role: Option<Role>,
    /// The tools that it calls, or whose results it has.
    pub tools: Vec<String>,
    /// Something failed.
    pub is_error: bool,
    /// Where in its texts it is. The first shows most.
    pub snippets: Vec<Snippet>,
    /// How much of what was looked for it holds: 1 is all.
    pub share: f32,
}

/// A subagent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentInfo {
    /// Its id.
    pub name: String,
    /// Its type, such as `Explore`.
    pub kind: Option<String>,
    /// What it was asked to do.
    pub description: Option<String>,
}

/// How many entries and sessions hold what was looked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// Entries.
    pub entries: u64,
    /// Sessions.
    pub sessions: u64,
}

/// One in so many lines must have a word that begins as it was typed, if the table is not to be asked for it.
const LEAST_COMMON: u64 = 8;

impl Index {
    /// Finds entries that hold all words; if there are none, those that hold most of them.
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
            // The best are looked for among a certain number, and among no more.
            let is_all = gathered.is_all || search.order == Order::Rank;
            let is_rough = gathered.is_rough;
            let (hits, wrong) = self.read_back(gathered, search, &mut lines)?;
            let found: u64 = hits.sessions.iter().map(|group| group.hits.len() as u64).sum();
            // Words that begin like this are not as common as it seemed.
            if is_rough && found * LEAST_COMMON < found + wrong {
                asking = Asking::Exactly;
                continue;
            }
            // What the tables find wrongly is rare: then others are needed in its place.
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

    /// Counts all entries that hold all words. This takes time where they are many.
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

    /// Reads what was found, and leaves out what does not hold the words. Says how much that was.
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
                // A line may have several entries.
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
                session: about::session(self, group.session)?,
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
    /// Whether the table finds just what is there: phrases may also be found across names.
    fn is_found_exactly(&self) -> bool {
        let is_asked_for = !self.groups.is_empty() || self.not.is_empty();
        is_asked_for && self.groups.iter().flatten().chain(&self.not).all(|wanted| wanted.term.count() == 1)
    }
}
