//! Builds the SQL statements of a search, including its filters.

use std::cmp::Reverse;

use rusqlite::{Connection, Row};
use rustc_hash::{FxHashMap, FxHashSet};
use sources::archived::file_of_version;

use super::condition::{Conditions, Rule, SessionTraits, Test};
use crate::query::Query;
use crate::store::Index;
use crate::store::place::{PLACE, key_at};
use crate::texts::{Column, Role};

/// A candidate line.
#[derive(Debug, Clone)]
pub(super) struct CandidateLine {
    pub(super) id: i64,
    pub(super) source: i64,
    pub(super) number: u64,
    pub(super) offset: u64,
    pub(super) length: usize,
    pub(super) at: Option<i64>,
    /// Whether it is a message, not an entry of the program.
    is_message: bool,
}

/// The columns of a [`CandidateLine`]; a column that says whether the line is accepted follows.
pub(super) const COLUMNS: &str = "l.id, l.source, l.number, l.offset, l.length, l.at, l.role";

impl CandidateLine {
    pub(super) fn of(row: &Row<'_>) -> rusqlite::Result<(Self, bool)> {
        let unsigned = |at| Ok::<u64, rusqlite::Error>(row.get::<_, i64>(at)?.cast_unsigned());
        let found = Self {
            id: row.get(0)?,
            source: row.get(1)?,
            number: unsigned(2)?,
            offset: unsigned(3)?,
            length: usize::try_from(unsigned(4)?).unwrap_or(usize::MAX),
            at: row.get(5)?,
            is_message: row.get::<_, Option<i64>>(6)?.is_some_and(|role| role != Role::System as i64),
        };
        Ok((found, row.get(7)?))
    }
}

/// The number of lines with a tool or file up to which each is looked up separately.
const FEW_LINES: usize = 20_000;

/// The filters in executable form.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// The condition on a line, in SQL.
    condition: String,
    /// The accepted sessions, latest first, unless all are accepted.
    pub(super) sessions: Option<Vec<Session>>,
    /// Whether these are a small part of all sessions.
    pub(super) is_selective: bool,
    /// The same as a set.
    allowed: FxHashSet<i64>,
    /// Sets of lines; a line must be in each set, or must not if the flag says so.
    lines: Vec<(bool, FxHashSet<i64>)>,
}

/// A session, for ordering.
#[derive(Debug, Clone, Copy)]
pub(super) struct Session {
    pub(super) id: i64,
    pub(super) last: i64,
}

impl Plan {
    pub(super) fn of(index: &Index, conditions: &Conditions) -> rusqlite::Result<Self> {
        let db = &index.db;
        let mut plan = Self { condition: "1".to_owned(), ..Self::default() };
        plan.choose_sessions(index, conditions)?;
        let tests: Vec<&Test> = conditions.tests.iter().filter(|test| !test.is_about_session()).collect();
        let names = names(db, &tests)?;
        for (test, names) in tests.into_iter().zip(names) {
            plan.add(db, test, &names)?;
        }
        Ok(plan)
    }

    fn choose_sessions(&mut self, index: &Index, conditions: &Conditions) -> rusqlite::Result<()> {
        let (after, before) = conditions.span();
        if !conditions.are_about_sessions() && (after, before) == (i64::MIN, i64::MAX) {
            return Ok(());
        }
        let mut statement = index.db.prepare_cached(&format!(
            "SELECT n.id, n.name, n.project, n.first, n.last, s.is_archived, {PLACE}
             FROM session n JOIN source s ON s.id = n.main JOIN origin o ON o.id = s.origin
             WHERE n.intact ORDER BY n.last DESC",
        ))?;
        let mut rows = statement.query([])?;
        let mut sessions = Vec::new();
        let mut age = 0;
        while let Some(row) = rows.next()? {
            let key = key_at(row, 6)?;
            if !index.is_meant(&key.path, row.get(5)?) {
                continue;
            }
            let (first, last): (Option<i64>, Option<i64>) = (row.get(3)?, row.get(4)?);
            let (name, project) = (row.get_ref(1)?.as_str()?, row.get_ref(2)?.as_str_or_null()?);
            let is_in_time = last.is_none_or(|last| last >= after) && first.is_none_or(|first| first < before);
            if is_in_time && conditions.allow_session(&SessionTraits { id: name, main: Some(&key), project, age }) {
                sessions.push(Session { id: row.get(0)?, last: last.unwrap_or(i64::MIN) });
            }
            age += 1;
        }
        self.is_selective = sessions.len() < age / 4;
        self.allowed = sessions.iter().map(|session| session.id).collect();
        self.sessions = Some(sessions);
        Ok(())
    }

    /// Adds a filter on lines. `names` are the ids of the matching names.
    fn add(&mut self, db: &Connection, test: &Test, names: &[i64]) -> rusqlite::Result<()> {
        let table = match test.any.first() {
            Some(Rule::Tool(_)) => Some(("tool", "name")),
            Some(Rule::File(_)) => Some(("file", "path")),
            _ => None,
        };
        if let Some((table, column)) = table {
            let list = list(names);
            let sql = format!("SELECT line FROM {table} WHERE {column} IN ({list}) LIMIT {}", FEW_LINES + 1);
            let lines: FxHashSet<i64> = db.prepare(&sql)?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
            if lines.len() <= FEW_LINES {
                self.lines.push((test.is_not, lines));
                return Ok(());
            }
            self.require(
                test.is_not,
                &format!("EXISTS (SELECT 1 FROM {table} x WHERE x.{column} IN ({list}) AND x.line = l.id)"),
            );
            return Ok(());
        }
        let alternatives: Vec<String> = test.any.iter().map(|rule| in_sql(rule, names)).collect();
        self.require(test.is_not, &alternatives.join(" OR "));
        Ok(())
    }

    fn require(&mut self, is_not: bool, condition: &str) {
        let not = if is_not { "NOT " } else { "" };
        self.condition = format!("{} AND {not}coalesce({condition}, 0)", self.condition);
    }

    /// Whether a line that satisfies the condition is accepted.
    pub(super) fn allows(&self, found: &CandidateLine, session: i64) -> bool {
        (self.sessions.is_none() || self.allowed.contains(&session))
            && self.lines.iter().all(|(is_not, lines)| lines.contains(&found.id) != *is_not)
    }

    /// The candidate lines, latest first, if a filter selects only a few.
    pub(super) fn only(&self) -> Option<Vec<i64>> {
        let sets = self.lines.iter().filter(|(is_not, _)| !is_not).map(|(_, lines)| lines);
        let mut lines: Vec<i64> = sets.min_by_key(|lines| lines.len())?.iter().copied().collect();
        lines.sort_unstable_by_key(|id| Reverse(*id));
        Some(lines)
    }

    /// Lines with the words (`?1`) below an id (`?2`), latest first.
    pub(super) fn words(&self) -> String {
        format!(
            "SELECT {COLUMNS}, {} FROM text CROSS JOIN line l ON l.id = text.rowid
             WHERE text MATCH ?1 AND text.rowid < ?2 ORDER BY text.rowid DESC",
            self.condition
        )
    }

    /// Lines of a source (`?2`) with the words (`?1`), between two ids (`?3`, `?4`).
    pub(super) fn words_of_source(&self) -> String {
        format!(
            "SELECT {COLUMNS}, {} FROM text CROSS JOIN line l ON l.id = text.rowid
             WHERE text MATCH ?1 AND text.rowid BETWEEN ?3 AND ?4 AND l.source = ?2 ORDER BY text.rowid DESC",
            self.condition
        )
    }

    /// All lines below an id (`?1`), latest first.
    pub(super) fn lines(&self) -> String {
        format!("SELECT {COLUMNS}, {} FROM line l WHERE l.id < ?1 ORDER BY l.id DESC", self.condition)
    }

    /// The lines of a source (`?1`) between two ids (`?2`, `?3`), latest first.
    pub(super) fn lines_of_source(&self) -> String {
        format!(
            "SELECT {COLUMNS}, {} AND l.id BETWEEN ?2 AND ?3 FROM line l WHERE l.source = ?1 ORDER BY l.number DESC",
            self.condition
        )
    }

    /// One line (`?1`).
    pub(super) fn line(&self) -> String {
        format!("SELECT {COLUMNS}, {} FROM line l WHERE l.id = ?1", self.condition)
    }

    /// One line (`?2`), if it contains the words (`?1`).
    pub(super) fn words_of_line(&self) -> String {
        format!(
            "SELECT {COLUMNS}, {} FROM text CROSS JOIN line l ON l.id = text.rowid WHERE text MATCH ?1 AND text.rowid = ?2",
            self.condition
        )
    }
}

/// A rule in SQL. Names are represented by ids.
fn in_sql(rule: &Rule, names: &[i64]) -> String {
    match rule {
        Rule::Role(who) => format!("l.role = {}", *who as i64),
        Rule::Model(_) => format!("l.model IN ({})", list(names)),
        Rule::Branch(_) => format!("l.branch IN ({})", list(names)),
        Rule::Type(_) => format!("l.type IN ({})", list(names)),
        Rule::Error => "l.is_error".to_owned(),
        Rule::After(at) => format!("l.at >= {at}"),
        Rule::Before(at) => format!("l.at < {at}"),
        Rule::Project(_) | Rule::Session(_) | Rule::Last(_) | Rule::Tool(_) | Rule::File(_) => "0".to_owned(),
    }
}

fn list(numbers: &[i64]) -> String {
    numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(",")
}

/// The ids of the names that satisfy each test.
fn names(db: &Connection, tests: &[&Test]) -> rusqlite::Result<Vec<Vec<i64>>> {
    let is_named =
        |rule: &Rule| matches!(rule, Rule::Tool(_) | Rule::File(_) | Rule::Model(_) | Rule::Branch(_) | Rule::Type(_));
    let mut fitting = vec![Vec::new(); tests.len()];
    if !tests.iter().any(|test| test.any.iter().any(is_named)) {
        return Ok(fitting);
    }
    // Most names are paths, and only paths begin like them.
    let is_file = tests.iter().any(|test| test.any.iter().any(|rule| matches!(rule, Rule::File(_))));
    let which = if is_file { "" } else { "WHERE text < '/' OR text >= '0'" };
    let mut statement = db.prepare_cached(&format!("SELECT id, text FROM name {which}"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let name = row.get_ref(1)?.as_str()?;
        for (test, fitting) in tests.iter().zip(&mut fitting) {
            if test.any.iter().any(|rule| rule.fits(name)) {
                fitting.push(row.get(0)?);
            }
        }
    }
    Ok(fitting)
}

/// How the table is queried for prefixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asking {
    /// The table reads all lines of all words with the prefix before it returns the first line.
    Exactly,
    /// The table is queried for the completions, if they are few. If they are many, most lines contain one, and the
    /// reader of the lines checks them.
    Cheaply,
}

/// The full-text expression, and whether it leaves out words. `None` if the query has only filters.
pub(super) fn expression(
    db: &Connection,
    query: &Query,
    columns: &[Column],
    asking: Asking,
) -> rusqlite::Result<(Option<String>, bool)> {
    if asking == Asking::Exactly {
        return Ok((query.match_expression(columns), false));
    }
    let mut is_rough = false;
    let expression = query.match_expression_of(columns, &mut |term| -> rusqlite::Result<Option<String>> {
        let expression = term.expression_of(&mut |beginning| completions(db, beginning))?;
        is_rough |= expression.is_none();
        Ok(expression)
    })?;
    Ok((expression, is_rough))
}

/// The maximum number of completions. Finding one takes about as long as reading a line.
const MOST_COMPLETIONS: usize = 200;

/// The words of the table with this prefix, unless there are too many.
fn completions(db: &Connection, beginning: &str) -> rusqlite::Result<Option<Vec<String>>> {
    db.execute_batch("CREATE VIRTUAL TABLE IF NOT EXISTS temp.word USING fts5vocab (main, text, instance)")?;
    let mut statement = db.prepare_cached("SELECT term FROM temp.word WHERE term >= ? LIMIT 1")?;
    let mut words: Vec<String> = Vec::new();
    let mut from = beginning.to_owned();
    while words.len() <= MOST_COMPLETIONS {
        let next: Option<String> = statement.query_map([&from], |row| row.get(0))?.next().transpose()?;
        match next.filter(|word| word.starts_with(beginning)) {
            // No other word sorts in between.
            Some(word) => {
                from = format!("{word}\u{1}");
                words.push(word);
            }
            None => return Ok(Some(words)),
        }
    }
    Ok(None)
}

/// Finds the sessions of lines.
#[derive(Debug)]
pub(super) struct Owners<'q> {
    /// The session of each source, and whether the source is a capture of a session with a file of its own.
    known: FxHashMap<i64, Option<(Session, bool)>>,
    index: &'q Index,
}

impl<'q> Owners<'q> {
    pub(super) fn new(index: &'q Index) -> Self {
        Self { known: FxHashMap::default(), index }
    }

    /// The session of a line, if its file is selected. The text of a captured session is found in the session's own
    /// file, from which it is shown.
    pub(super) fn of(&mut self, found: &CandidateLine) -> rusqlite::Result<Option<Session>> {
        let owner = match self.known.get(&found.source) {
            Some(known) => *known,
            None => self.look_up(found.source)?,
        };
        Ok(owner.filter(|(_, is_capture)| !(*is_capture && found.is_message)).map(|(session, _)| session))
    }

    fn look_up(&mut self, source: i64) -> rusqlite::Result<Option<(Session, bool)>> {
        let mut statement = self.index.db.prepare_cached(&format!(
            "SELECT s.session, n.last, s.is_archived, coalesce(s.id != n.main AND s.agent IS NULL, 0), {PLACE}
             FROM source s JOIN origin o ON o.id = s.origin LEFT JOIN session n ON n.id = s.session
             WHERE s.id = ? AND s.intact AND o.intact",
        ))?;
        let owner = statement.query_row([source], |row| {
            let session = Session { id: row.get(0)?, last: row.get::<_, Option<i64>>(1)?.unwrap_or(i64::MIN) };
            let path = key_at(row, 4)?.path;
            let is_capture = row.get::<_, bool>(3)? && file_of_version(&path).is_none();
            Ok(self.index.is_meant(&path, row.get(2)?).then_some((session, is_capture)))
        })?;
        self.known.insert(source, owner);
        Ok(owner)
    }
}
