//! Gathers candidate lines, with work that is bounded by the number of results shown.
//!
//! The order of lines roughly follows time, but a file that was found late has high line ids and old lines, and of two
//! simultaneous sessions either may have the later match. Therefore there are three steps:
//!
//! 1. Examine the latest matching lines, up to [`GLANCE`]. If there are no others, the search is complete.
//! 2. Examine sessions, latest first, until none can have a later match than those shown. In each, only lines that the
//!    first step has not reached are examined. If matches are rare, so that a search in each session would be slow, the
//!    first step first continues until it has covered most of these lines.
//! 3. If there are still too few, which means that matches are rare, continue the first step to the end.

use std::cmp::Reverse;

use rusqlite::{Connection, OptionalExtension as _, Params};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Search;
pub(super) use super::statement::CandidateLine;
use super::statement::{Asking, Owners, Plan, Session, expression};
use crate::store::Index;

/// The maximum number of lines that are examined before sessions.
const GLANCE: usize = 4_000;

/// The minimum number of lines, even if they cover enough sessions.
const FIRST_GLANCE: usize = 400;

/// Matches are rare if the examined ones span more than one in this many of all lines.
const RARE: i64 = 16;

/// The maximum number of sessions that are searched for rare matches.
const FEW_SESSIONS: usize = 4;

/// The maximum number of files that the second step searches.
const MOST_FILES: usize = 64;

/// The same if filters select the sessions.
const MOST_CHOSEN_FILES: usize = 3_000;

/// The maximum number of lines examined in one file.
const MOST_OF_FILE: usize = 2_000;

/// The minimum number of matches taken from one file.
const FEW_OF_FILE: usize = 8;

/// The minimum number of lines kept per session, because some may be false candidates.
const KEPT: usize = 64;

/// The number of lines selected by filters up to which each is looked up separately.
const FEW: usize = 1_000;

/// The candidate lines of one session.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) session: i64,
    /// Latest first, or best first.
    pub(super) rows: Vec<CandidateLine>,
    pub(super) matches: u64,
    pub(super) has_more: bool,
    /// The time of the latest match.
    key: i64,
}

/// The gathered candidates.
#[derive(Debug)]
pub(super) struct Gathered {
    pub(super) sessions: Vec<Group>,
    /// There are no other candidates.
    pub(super) is_all: bool,
    /// Words that are too common to look up were left out.
    pub(super) is_rough: bool,
    /// The minimum share of the query that a line must match.
    pub(super) least: f32,
}

/// The latest sessions with candidates: `limit` or more, if they exist.
pub(super) fn recent(index: &Index, search: &Search<'_>, asking: Asking, limit: usize) -> rusqlite::Result<Gathered> {
    let mut gatherer = Gatherer::new(index, search, asking, limit)?;
    if let Some(lines) = gatherer.plan.only()
        && (gatherer.expression.is_none() || lines.len() <= FEW)
    {
        gatherer.look_up(&lines)?;
        return Ok(gatherer.finish());
    }
    // If filters select few sessions, the latest lines of all sessions are a bad sample.
    let glance = if gatherer.plan.is_selective { FIRST_GLANCE } else { GLANCE };
    gatherer.stream(FIRST_GLANCE, glance)?;
    if !gatherer.is_all {
        gatherer.go_on()?;
    }
    if !gatherer.is_all {
        let is_every_session = gatherer.walk()? && !gatherer.is_cut;
        if gatherer.groups.len() < limit && !is_every_session {
            gatherer.stream(0, usize::MAX)?;
        }
        gatherer.is_every_session = is_every_session;
    }
    Ok(gatherer.finish())
}

/// The latest candidate lines, at most `most`, and whether there are no others.
pub(super) fn latest(
    index: &Index,
    search: &Search<'_>,
    most: usize,
) -> rusqlite::Result<(Vec<(CandidateLine, i64)>, bool)> {
    let mut gatherer = Gatherer::new(index, search, Asking::Exactly, usize::MAX)?;
    let mut lines = Vec::new();
    let mut looked = 0;
    let is_all = gatherer.each(i64::MAX, |found, session| {
        lines.extend(session.map(|session| (found, session.id)));
        looked += 1;
        Ok(lines.len() < most && looked < most * 8)
    })?;
    Ok((lines, is_all))
}

/// Visits all candidate lines with their sessions.
pub(super) fn all(
    index: &Index,
    search: &Search<'_>,
    mut each: impl FnMut(CandidateLine, i64) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let mut gatherer = Gatherer::new(index, search, Asking::Exactly, usize::MAX)?;
    gatherer.each(i64::MAX, |found, session| {
        if let Some(session) = session {
            each(found, session.id)?;
        }
        Ok(true)
    })?;
    Ok(())
}

struct Gatherer<'a> {
    db: &'a Connection,
    plan: Plan,
    expression: Option<String>,
    is_rough: bool,
    limit: usize,
    /// The number of lines kept per session.
    kept: usize,
    /// The number of matches that the second step takes from one file.
    per_file: usize,
    owners: Owners<'a>,
    groups: FxHashMap<i64, Group>,
    /// All lines from this id on have been examined.
    floor: i64,
    /// Few lines match.
    is_rare: bool,
    is_all: bool,
    /// All sessions have been searched.
    is_every_session: bool,
    /// Candidates were left out in a file that was searched.
    is_cut: bool,
    /// Lines below the floor that were taken from files.
    taken: FxHashSet<i64>,
}

impl<'a> Gatherer<'a> {
    fn new(index: &'a Index, search: &Search<'a>, asking: Asking, limit: usize) -> rusqlite::Result<Self> {
        let db = &index.db;
        let (expression, is_rough) = expression(db, search.query, search.columns, asking)?;
        Ok(Self {
            db,
            plan: Plan::of(index, search.conditions)?,
            expression,
            is_rough,
            limit,
            kept: KEPT.max(search.per_session.saturating_mul(2)),
            per_file: FEW_OF_FILE.max(search.per_session.saturating_mul(2)),
            owners: Owners::new(index),
            groups: FxHashMap::default(),
            floor: i64::MAX,
            is_rare: false,
            is_all: false,
            is_every_session: false,
            is_cut: false,
            taken: FxHashSet::default(),
        })
    }

    /// Visits lines below an id with their accepted sessions, until the callback stops. Returns whether it reached the
    /// end.
    fn each(
        &mut self,
        below: i64,
        mut each: impl FnMut(CandidateLine, Option<Session>) -> rusqlite::Result<bool>,
    ) -> rusqlite::Result<bool> {
        let Self { db, plan, owners, .. } = self;
        match &self.expression {
            Some(words) => scan(db, plan, owners, &plan.words(), (words, below), &mut each),
            None => scan(db, plan, owners, &plan.lines(), [below], &mut each),
        }
    }

    /// Takes the latest lines until there are enough sessions: at most `most` lines, and at least `least` lines unless
    /// matches are rare.
    fn stream(&mut self, least: usize, most: usize) -> rusqlite::Result<()> {
        let (limit, mut first, mut looked, mut is_rare) = (self.limit, None, 0, false);
        self.take_while(|line, sessions| {
            looked += 1;
            let first = *first.get_or_insert(line);
            is_rare = first - line > first / RARE;
            looked < least && !is_rare || looked < most && sessions < limit
        })?;
        self.is_rare = is_rare;
        Ok(())
    }

    /// If matches are rare, takes more of them until few sessions may still have a later one.
    fn go_on(&mut self) -> rusqlite::Result<()> {
        let Some(enough) = self.enough().filter(|_| self.is_rare && self.plan.sessions.is_none()) else {
            return Ok(());
        };
        let mut statement = self.db.prepare_cached(
            "SELECT min(x.first) AS low FROM session s JOIN source x ON x.session = s.id
             WHERE s.last > ? GROUP BY s.id HAVING low < ?",
        )?;
        let mut firsts: Vec<i64> =
            statement.query_map([enough, self.floor], |row| row.get(0))?.collect::<Result<_, _>>()?;
        if firsts.len() <= FEW_SESSIONS {
            return Ok(());
        }
        let until = *firsts.select_nth_unstable(FEW_SESSIONS).1;
        self.take_while(|line, _| line > until)
    }

    /// Continues to take lines while a predicate holds for the line and the number of sessions.
    fn take_while(&mut self, mut goes_on: impl FnMut(i64, usize) -> bool) -> rusqlite::Result<()> {
        let mut groups = std::mem::take(&mut self.groups);
        let taken = std::mem::take(&mut self.taken);
        let (kept, mut floor) = (self.kept, self.floor);
        let is_all = self.each(self.floor, |found, session| {
            floor = found.id;
            if let Some(session) = session.filter(|_| !taken.contains(&floor)) {
                put(&mut groups, found, session, kept);
            }
            Ok(goes_on(floor, groups.len()))
        });
        (self.groups, self.floor, self.is_all) = (groups, floor, is_all?);
        Ok(())
    }

    /// Walks through sessions, latest first, until none can have a later match than those found. Returns whether it
    /// reached the end.
    fn walk(&mut self) -> rusqlite::Result<bool> {
        let chosen = self.plan.sessions.clone();
        let mut most = if chosen.is_some() { MOST_CHOSEN_FILES } else { MOST_FILES };
        let mut enough = self.enough();
        let mut look = |gatherer: &mut Self, session: Session| -> rusqlite::Result<bool> {
            if most == 0 || enough.is_some_and(|enough| session.last <= enough) {
                return Ok(false);
            }
            // A match in a session cannot be later than the session itself.
            if gatherer.groups.get(&session.id).is_none_or(|group| group.key < session.last) {
                most = gatherer.look_into(session, enough, most)?;
                enough = gatherer.enough();
            }
            Ok(true)
        };
        if let Some(chosen) = chosen {
            for session in chosen {
                if !look(self, session)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        let db = self.db;
        let mut statement = db.prepare_cached(
            "SELECT id, last FROM session s WHERE (SELECT min(first) FROM source WHERE session = s.id) < ?
             ORDER BY last DESC",
        )?;
        let mut rows = statement.query([self.floor])?;
        while let Some(row) = rows.next()? {
            let last: Option<i64> = row.get(1)?;
            if !look(self, Session { id: row.get(0)?, last: last.unwrap_or(i64::MIN) })? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The time from which a match is shown, if there are already enough results.
    fn enough(&self) -> Option<i64> {
        let mut keys: Vec<i64> = self.groups.values().map(|group| group.key).collect();
        let last = self.limit.checked_sub(1)?;
        (last < keys.len()).then(|| *keys.select_nth_unstable_by_key(last, |key| Reverse(*key)).1)
    }

    /// Searches those files of a session that were not examined, if they may contain a late enough match. Returns the
    /// number of files that may still be searched.
    fn look_into(&mut self, session: Session, enough: Option<i64>, mut most: usize) -> rusqlite::Result<usize> {
        let db = self.db;
        let mut statement = db.prepare_cached("SELECT id, first FROM source WHERE session = ? AND first < ?")?;
        let sources = statement.query_map([session.id, self.floor], |row| Ok((row.get(0)?, row.get(1)?)))?;
        for (source, first) in sources.collect::<Result<Vec<(i64, i64)>, _>>()? {
            // Later lines of a file have higher ids.
            let is_seen = |group: &Group| group.rows.iter().any(|row| row.source == source);
            if self.groups.get(&session.id).is_some_and(is_seen) {
                continue;
            }
            let sql = "SELECT id, at FROM line WHERE source = ? ORDER BY number DESC LIMIT 1";
            let mut statement = db.prepare_cached(sql)?;
            let last = statement.query_row([source], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
            let Some((last, at)): Option<(i64, Option<i64>)> = last else { continue };
            if at.is_some_and(|at| enough.is_some_and(|enough| at <= enough)) {
                self.is_cut = true;
                continue;
            }
            let last = last.min(self.floor - 1);
            let mut groups = std::mem::take(&mut self.groups);
            let (kept, mut looked, mut count) = (self.kept, 0, 0);
            let most_taken = self.per_file;
            let Self { plan, owners, taken, .. } = self;
            // If filters select the sessions, each of them matters.
            let is_chosen = plan.sessions.is_some();
            let mut each = |found: CandidateLine, session: Option<Session>| {
                looked += 1;
                if let Some(session) = session {
                    count += 1;
                    taken.insert(found.id);
                    put(&mut groups, found, session, kept);
                }
                Ok(count < most_taken && (looked < MOST_OF_FILE || is_chosen && count == 0))
            };
            let outcome = match &self.expression {
                Some(words) => scan(db, plan, owners, &plan.words_of_source(), (words, source, first, last), &mut each),
                None => scan(db, plan, owners, &plan.lines_of_source(), (source, first, last), &mut each),
            };
            self.groups = groups;
            self.is_cut |= !outcome? && count == 0;
            most = most.saturating_sub(1);
        }
        Ok(most)
    }

    /// Takes the matching lines among a few.
    fn look_up(&mut self, lines: &[i64]) -> rusqlite::Result<()> {
        let kept = self.kept;
        let Self { db, plan, owners, groups, .. } = self;
        let mut each = |found, session: Option<Session>| {
            if let Some(session) = session {
                put(groups, found, session, kept);
            }
            Ok(true)
        };
        let sql = if self.expression.is_some() { plan.words_of_line() } else { plan.line() };
        for line in lines {
            match &self.expression {
                Some(words) => scan(db, plan, owners, &sql, (words, line), &mut each)?,
                None => scan(db, plan, owners, &sql, [line], &mut each)?,
            };
        }
        self.is_all = true;
        Ok(())
    }

    fn finish(self) -> Gathered {
        let is_all = self.is_all;
        let mut sessions: Vec<Group> = self.groups.into_values().collect();
        sessions.sort_unstable_by_key(|group| Reverse((group.key, group.session)));
        for group in &mut sessions {
            group.has_more = !is_all;
            // An entry without a time concerns the whole session.
            group.rows.sort_by_key(|row| Reverse((row.at, row.id)));
        }
        Gathered { sessions, is_all: is_all || self.is_every_session, is_rough: self.is_rough, least: 1.0 }
    }
}

/// Runs a statement until the callback stops. Returns whether it reached the end.
fn scan(
    db: &Connection,
    plan: &Plan,
    owners: &mut Owners<'_>,
    sql: &str,
    params: impl Params,
    each: &mut dyn FnMut(CandidateLine, Option<Session>) -> rusqlite::Result<bool>,
) -> rusqlite::Result<bool> {
    let mut statement = db.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    while let Some(row) = rows.next()? {
        let (found, is_fitting) = CandidateLine::of(row)?;
        let session = if is_fitting { owners.of(&found)? } else { None };
        let session = session.filter(|session| plan.allows(&found, session.id));
        if !each(found, session)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn put(groups: &mut FxHashMap<i64, Group>, found: CandidateLine, session: Session, kept: usize) {
    let key = found.at.unwrap_or(session.last);
    let group = groups.entry(session.id).or_insert_with(|| Group {
        session: session.id,
        rows: Vec::new(),
        matches: 0,
        has_more: false,
        key,
    });
    group.key = group.key.max(key);
    group.matches += 1;
    if group.rows.len() < kept {
        group.rows.push(found);
    }
}

/// Groups lines by session, in the order of the first line of each session.
pub(super) fn in_order(lines: impl IntoIterator<Item = (CandidateLine, i64)>, has_more: bool) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut places: FxHashMap<i64, usize> = FxHashMap::default();
    for (found, session) in lines {
        let place = *places.entry(session).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => {
                group.matches += 1;
                group.rows.push(found);
            }
            None => groups.push(Group { session, key: 0, rows: vec![found], matches: 1, has_more }),
        }
    }
    groups
}
