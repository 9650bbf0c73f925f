//! Gathers the lines that may be what is looked for, with work that is bounded by what is shown.
//!
//! The order of lines is about that of time, but a file that was found late has high numbers and old lines, and of two
//! sessions at the same time either may have the later match. So it goes in three steps:
//!
//! 1. The latest lines that match are looked at, up to [`GLANCE`]. If that were all there are, everything is known.
//! 2. Sessions are gone through, the latest first, until none can have a later match than those that are shown. Of each
//!    only the lines are looked at that the first step has not come to. Where matches are rare, and it would take long
//!    to look for them in each session, the first step goes on first until it has come to most of these lines.
//! 3. If there are still too few, which means that matches are rare, the first step goes on to the end.

use std::cmp::Reverse;

use rusqlite::{Connection, OptionalExtension as _, Params};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Search;
pub(super) use super::statement::Found;
use super::statement::{Asking, Owners, Plan, Session, expression};
use crate::store::Index;

/// How many lines are looked at before sessions are.
const GLANCE: usize = 4_000;

/// How many at least, even if they are of enough sessions.
const FIRST_GLANCE: usize = 400;

/// Matches are rare if a part of all lines, one in so many, had to be passed for a few.
const RARE: i64 = 16;

/// How many sessions are looked into for rare matches.
const FEW_SESSIONS: usize = 4;

/// How many files are looked into in the second step.
const MOST_FILES: usize = 64;

/// The same if filters choose the sessions.
const MOST_CHOSEN_FILES: usize = 3_000;

/// How many lines are looked at in one file.
const MOST_OF_FILE: usize = 2_000;

/// How many matches of one file are taken at least.
const FEW_OF_FILE: usize = 8;

/// How many lines of a session are kept at least, since some may turn out to be wrong.
const KEPT: usize = 64;

/// How many lines that filters name are looked up one by one.
const FEW: usize = 1_000;

/// Lines of one session.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) session: i64,
    /// The latest first, or the best.
    pub(super) rows: Vec<Found>,
    pub(super) matches: u64,
    pub(super) has_more: bool,
    /// The latest match.
    key: i64,
}

/// What may be found.
#[derive(Debug)]
pub(super) struct Gathered {
    pub(super) sessions: Vec<Group>,
    /// There is nothing else.
    pub(super) is_all: bool,
    /// Words were left out that are too common to ask for.
    pub(super) is_rough: bool,
    /// How much of the query a line must hold.
    pub(super) least: f32,
}

/// The latest sessions that match, at least so many, if there are.
pub(super) fn recent(index: &Index, search: &Search<'_>, asking: Asking, limit: usize) -> rusqlite::Result<Gathered> {
    let mut gatherer = Gatherer::new(index, search, asking, limit)?;
    if let Some(lines) = gatherer.plan.only()
        && (gatherer.expression.is_none() || lines.len() <= FEW)
    {
        gatherer.look_up(&lines)?;
        return Ok(gatherer.finish());
    }
    // Of few sessions, the latest lines of all are no good sample.
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

/// The latest lines that match, at most so many, and whether these are all.
pub(super) fn latest(index: &Index, search: &Search<'_>, most: usize) -> rusqlite::Result<(Vec<(Found, i64)>, bool)> {
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

/// Hands out all lines that match, with their sessions.
pub(super) fn all(
    index: &Index,
    search: &Search<'_>,
    mut each: impl FnMut(Found, i64) -> rusqlite::Result<()>,
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
    /// How many lines of a session are kept.
    kept: usize,
    /// How many matches of one file are taken in the second step.
    per_file: usize,
    owners: Owners<'a>,
    groups: FxHashMap<i64, Group>,
    /// All lines from here on have been looked at.
    floor: i64,
    /// Few lines match.
    is_rare: bool,
    is_all: bool,
    /// All sessions have been looked into.
    is_every_session: bool,
    /// Something was left out in a file that was looked into.
    is_cut: bool,
    /// Lines that were taken from files, below the floor.
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

    /// Hands out lines below a number, with their sessions if they are let through, until it is enough. Says whether
    /// that were all.
    fn each(
        &mut self,
        below: i64,
        mut each: impl FnMut(Found, Option<Session>) -> rusqlite::Result<bool>,
    ) -> rusqlite::Result<bool> {
        let Self { db, plan, owners, .. } = self;
        match &self.expression {
            Some(words) => scan(db, plan, owners, &plan.words(), (words, below), &mut each),
            None => scan(db, plan, owners, &plan.lines(), [below], &mut each),
        }
    }

    /// Takes the latest lines, until there are enough sessions; at least and at most so many, unless they are rare.
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

    /// If matches are rare, takes more of them, until few sessions are left that may have a later one.
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

    /// Takes lines on from where it stopped, while something is true of a line and how many sessions there are.
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

    /// Goes through sessions, the latest first, until none can have a match that is later than those there are. Says
    /// whether it came to the end.
    fn walk(&mut self) -> rusqlite::Result<bool> {
        let chosen = self.plan.sessions.clone();
        let mut most = if chosen.is_some() { MOST_CHOSEN_FILES } else { MOST_FILES };
        let mut enough = self.enough();
        let mut look = |gatherer: &mut Self, session: Session| -> rusqlite::Result<bool> {
            if most == 0 || enough.is_some_and(|enough| session.last <= enough) {
                return Ok(false);
            }
            // What it has cannot be later than it is itself.
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

    /// How late a match must be to be shown, if there are as many as are shown.
    fn enough(&self) -> Option<i64> {
        let mut keys: Vec<i64> = self.groups.values().map(|group| group.key).collect();
        let last = self.limit.checked_sub(1)?;
        (last < keys.len()).then(|| *keys.select_nth_unstable_by_key(last, |key| Reverse(*key)).1)
    }

    /// Looks for matches in those files of a session that were not looked at, if they can be late enough. Says how many
    /// more may be.
    fn look_into(&mut self, session: Session, enough: Option<i64>, mut most: usize) -> rusqlite::Result<usize> {
        let db = self.db;
        let mut statement = db.prepare_cached("SELECT id, first FROM source WHERE session = ? AND first < ?")?;
        let sources = statement.query_map([session.id, self.floor], |row| Ok((row.get(0)?, row.get(1)?)))?;
        for (source, first) in sources.collect::<Result<Vec<(i64, i64)>, _>>()? {
            // The later lines of a file have the higher numbers.
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
            // Where somebody chose the sessions, each of them matters.
            let is_chosen = plan.sessions.is_some();
            let mut each = |found: Found, session: Option<Session>| {
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

    /// Takes those of a few lines that match.
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
            // What has no time is said about the whole session.
            group.rows.sort_by_key(|row| Reverse((row.at, row.id)));
        }
        Gathered { sessions, is_all: is_all || self.is_every_session, is_rough: self.is_rough, least: 1.0 }
    }
}

/// Runs a statement, until it is enough. Says whether that were all.
fn scan(
    db: &Connection,
    plan: &Plan,
    owners: &mut Owners<'_>,
    sql: &str,
    params: impl Params,
    each: &mut dyn FnMut(Found, Option<Session>) -> rusqlite::Result<bool>,
) -> rusqlite::Result<bool> {
    let mut statement = db.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    while let Some(row) = rows.next()? {
        let (found, is_fitting) = Found::of(row)?;
        let session = if is_fitting { owners.of(&found)? } else { None };
        let session = session.filter(|session| plan.allows(&found, session.id));
        if !each(found, session)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn put(groups: &mut FxHashMap<i64, Group>, found: Found, session: Session, kept: usize) {
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

/// Groups lines by session. The order of sessions is that of their first lines.
pub(super) fn in_order(lines: impl IntoIterator<Item = (Found, i64)>, has_more: bool) -> Vec<Group> {
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
