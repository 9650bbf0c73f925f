//! Writes the texts of lines as rows of the index.

use std::sync::Arc;

use format::tool::Calls;
use format::{Body, Entry, Line, Time};
use rusqlite::{Connection, OptionalExtension as _, params};
use rustc_hash::FxHashMap;

use crate::texts::{Column, Marks, marks, pieces};
use crate::words;

/// The number of text bytes per transaction; the smaller number saves memory.
const BATCH: usize = 24 << 20;
const SMALL_BATCH: usize = 2 << 20;

/// Adds entries to the index.
#[derive(Debug, Default)]
pub(super) struct Writer {
    is_wanted: bool,
    names: Names,
    words: Words,
    /// The number of added rows.
    pub(super) lines: u64,
}

impl Writer {
    /// A writer that does nothing unless `is_wanted` is set.
    pub(super) fn new(is_wanted: bool, is_frugal: bool) -> Self {
        let words = Words { batch: if is_frugal { SMALL_BATCH } else { BATCH }, ..Words::default() };
        Self { is_wanted, words, ..Self::default() }
    }

    /// Whether the batch is large enough for a commit.
    pub(super) fn is_full(&self) -> bool {
        self.words.is_full()
    }

    /// Resets the batch after a commit.
    pub(super) fn rest(&mut self) {
        self.words.rest();
    }

    /// Adds an entry. `calls` are the calls of its file without a result.
    pub(super) fn add(
        &mut self,
        db: &Connection,
        source: i64,
        line: &Line<'_>,
        entry: &Entry<'_>,
        calls: &Calls,
    ) -> rusqlite::Result<()> {
        if !self.is_wanted {
            return Ok(());
        }
        self.words.clear();
        pieces(entry, |column, text| self.words.add(column, text));
        let marks = marks(entry);
        let mut tools: Vec<i64> = Vec::new();
        for tool in follow_calls(&marks, calls) {
            tools.push(self.names.number(db, &tool)?);
        }
        if self.words.is_empty() && tools.is_empty() && marks.files.is_empty() {
            return Ok(());
        }
        let envelope = &entry.envelope;
        let branch = envelope.git_branch.map(|branch| self.names.number(db, branch.as_str())).transpose()?;
        let model = marks.model.map(|model| self.names.number(db, model)).transpose()?;
        let kind = self.names.number(db, marks.kind)?;
        let mut statement = db.prepare_cached(
            "INSERT INTO line (source, number, offset, length, at, type, role, model, branch, is_error, is_unfinished)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?;
        let id = statement.insert(params![
            source,
            line.number.cast_signed(),
            line.offset.cast_signed(),
            i64::try_from(line.bytes.len()).unwrap_or(i64::MAX),
            envelope.timestamp.and_then(Time::milliseconds),
            kind,
            marks.role.map(|role| role as i64),
            model,
            branch,
            marks.is_error,
            line.unfinished,
        ])?;
        for tool in tools {
            db.prepare_cached("INSERT OR IGNORE INTO tool (name, line) VALUES (?, ?)")?.execute([tool, id])?;
        }
        for (touch, path) in &marks.files {
            let path = self.names.number(db, path)?;
            let touch = *touch as i64;
            db.prepare_cached("INSERT OR IGNORE INTO file (path, line, touch) VALUES (?, ?, ?)")?
                .execute([path, id, touch])?;
        }
        if !self.words.is_empty() {
            let [said, replied, done, seen, thought] = &self.words.columns;
            db.prepare_cached(
                "INSERT INTO text (rowid, said, replied, done, seen, thought) VALUES (?, ?, ?, ?, ?, ?)",
            )?
            .execute(params![id, said, replied, done, seen, thought])?;
        }
        self.lines += 1;
        Ok(())
    }
}

/// Whether an entry was read with other open calls, so that its result has another type.
pub(super) fn is_read_otherwise(entry: &Entry<'_>, calls: &Calls) -> bool {
    let result = match &entry.inner().body {
        Body::User(user) => user.tool_use_result.as_ref(),
        Body::Assistant(assistant) => assistant.tool_use_result.as_ref(),
        _ => None,
    };
    // Only an object can be parsed as a result type.
    let Some(result) = result.filter(|result| result.json.as_json().starts_with('{')) else { return false };
    result.is_typed() != marks(entry).answers.iter().any(|answer| calls.is_open((*answer).into()))
}

/// Updates the open calls for an entry that is already indexed.
pub(super) fn pass_over(entry: &Entry<'_>, calls: &Calls) {
    follow_calls(&marks(entry), calls);
}

/// Opens and closes calls, and returns the tools of both.
fn follow_calls(marks: &Marks<'_>, calls: &Calls) -> Vec<Arc<str>> {
    let mut tools = Vec::new();
    for call in &marks.calls {
        let tool: Arc<str> = call.tool.into();
        if let Some(id) = call.id {
            calls.open(id.into(), Arc::clone(&tool));
        }
        tools.push(tool);
    }
    tools.extend(marks.answers.iter().filter_map(|answer| calls.close((*answer).into())));
    tools
}

/// Removes all lines of a file.
pub(super) fn forget(db: &Connection, source: i64) -> rusqlite::Result<()> {
    forget_where(db, source, "source = ?")
}

/// Removes the incomplete lines of a file, which are read again.
pub(super) fn forget_unfinished(db: &Connection, source: i64) -> rusqlite::Result<()> {
    forget_where(db, source, "source = ? AND is_unfinished")
}

fn forget_where(db: &Connection, source: i64, condition: &str) -> rusqlite::Result<()> {
    let mut lines = db.prepare_cached(&format!("SELECT id FROM line WHERE {condition}"))?;
    let lines: Vec<i64> = lines.query_map([source], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    // Delete rows one by one: a statement that deletes several makes the full-text table flush its buffer.
    for (table, column) in [("text", "rowid"), ("tool", "line"), ("file", "line"), ("line", "id")] {
        let mut statement = db.prepare_cached(&format!("DELETE FROM {table} WHERE {column} = ?"))?;
        for line in &lines {
            statement.execute([line])?;
        }
    }
    Ok(())
}

/// Names and their ids in the file.
#[derive(Debug, Default)]
struct Names(FxHashMap<String, i64>);

impl Names {
    fn number(&mut self, db: &Connection, name: &str) -> rusqlite::Result<i64> {
        if let Some(number) = self.0.get(name) {
            return Ok(*number);
        }
        let known: Option<i64> =
            db.prepare_cached("SELECT id FROM name WHERE text = ?")?.query_row([name], |row| row.get(0)).optional()?;
        let number = match known {
            Some(number) => number,
            None => db.prepare_cached("INSERT INTO name (text) VALUES (?)")?.insert([name])?,
        };
        self.0.insert(name.to_owned(), number);
        Ok(number)
    }
}

/// The words of a line, by column.
#[derive(Debug, Default)]
struct Words {
    columns: [String; 5],
    /// The number of bytes since the last commit.
    bytes: usize,
    /// The maximum number of bytes per commit.
    batch: usize,
}

impl Words {
    fn clear(&mut self) {
        for column in &mut self.columns {
            self.bytes += column.len();
            column.clear();
        }
    }

    fn add(&mut self, column: Column, text: &str) {
        if let Some(words) = self.columns.get_mut(column as usize) {
            words::prepare(text, words);
        }
    }

    fn is_empty(&self) -> bool {
        self.columns.iter().all(String::is_empty)
    }

    fn is_full(&self) -> bool {
        self.bytes >= self.batch
    }

    fn rest(&mut self) {
        self.bytes = 0;
    }
}
