//! Brings the index up to date by reading only what is new.
//!
//! A batch of lines, the marks of their files and all that follows from them go
//! into the file in one transaction: whatever happens, the index says of each
//! file that it has been read as far as its lines are there.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use format::tool::Calls;
use format::{Entry, Line, Scratch, Time};
use library::account::Owner;
use library::follow::{self, Change, FileId, Mark};
use library::{Buffer, Input, Problem, Source, SourceKind};
use rusqlite::{OptionalExtension as _, Transaction, params};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::store::{Index, IndexError, Lock};
use crate::texts::{Column, marks, pieces};
use crate::words;

/// What an update did.
#[derive(Debug, Default)]
pub struct Updated {
    /// Files that were read, from the start or from where reading had stopped.
    pub read: u64,
    /// Files that are not there any more.
    pub gone: u64,
    /// Lines that were added.
    pub lines: u64,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

/// How many bytes of words are added in one transaction.
const BATCH: usize = 24 << 20;

/// A file as the index knows it.
#[derive(Debug)]
struct Known {
    id: i64,
    mark: Mark,
    /// Calls by their ids, and the tools they are of.
    open_calls: Vec<(String, String)>,
}

impl Index {
    /// Takes in what is new in sources, and forgets the files below `roots` that are gone. `progress` is told how many
    /// bytes were looked at.
    pub fn update(
        &mut self,
        sources: &[Source],
        roots: &[PathBuf],
        progress: &dyn Fn(u64),
    ) -> Result<Updated, IndexError> {
        let refused = |error| IndexError::File { path: self.path().to_path_buf(), error };
        let _lock = Lock::take(self.path()).map_err(refused)?;
        let mut known = self.known()?;
        let mut files: Vec<(&Path, &Source)> = Vec::new();
        for source in sources {
            if let (Input::File(path), SourceKind::Transcript | SourceKind::Subagent) = (&source.input, source.kind) {
                files.push((path, source));
            }
        }
        // The oldest first, so that the order of lines is about that of time.
        files.sort_by_key(|(path, source)| (source.modified, *path));
        let mut update = Update { updated: Updated::default(), names: Names::default(), words: Words::default() };
        let there: FxHashSet<&Path> = files.iter().map(|(path, _)| *path).collect();
        let is_gone = |path: &Path| !there.contains(path) && roots.iter().any(|root| path.starts_with(root));
        let mut gone: FxHashMap<FileId, PathBuf> = FxHashMap::default();
        for (path, known) in known.iter().filter(|(path, _)| is_gone(path)) {
            gone.insert(known.mark.id, path.clone());
        }

        let mut buffer = Buffer::default();
        let mut transaction = self.db.transaction()?;
        for (path, source) in files {
            let moved = if known.contains_key(path) {
                None
            } else {
                std::fs::metadata(path).ok().and_then(|it| gone.remove(&FileId::of(&it)))
            };
            let before = moved.as_deref().unwrap_or(path);
            let old = known.remove(before);
            let outcome = update.file(&transaction, path, moved.is_some(), old.as_ref(), &mut buffer);
            match outcome {
                Ok(()) => {}
                Err(Failure::Database(error)) => return Err(error.into()),
                Err(Failure::Read(error)) => update.updated.problems.push(source.unreadable(error)),
            }
            progress(source.size);
            if update.words.is_full() {
                update.words.rest();
                transaction.commit()?;
                transaction = self.db.transaction()?;
            }
        }
        for path in gone.values() {
            if let Some(old) = known.remove(path) {
                forget(&transaction, old.id)?;
                transaction.prepare_cached("DELETE FROM source WHERE id = ?")?.execute([old.id])?;
                update.updated.gone += 1;
            }
        }
        transaction.commit()?;
        Ok(update.updated)
    }

    fn known(&self) -> Result<HashMap<PathBuf, Known>, IndexError> {
        let mut statement = self.db.prepare("SELECT id, path, mark, open_calls FROM source")?;
        let mut rows = statement.query([])?;
        let mut known = HashMap::new();
        while let Some(row) = rows.next()? {
            let (id, path): (i64, String) = (row.get(0)?, row.get(1)?);
            // What cannot be read is as good as nothing: then the file is read from the start.
            let mark = postcard::from_bytes(row.get_ref(2)?.as_blob().unwrap_or_default()).unwrap_or_default();
            let open_calls = postcard::from_bytes(row.get_ref(3)?.as_blob().unwrap_or_default()).unwrap_or_default();
            known.insert(PathBuf::from(path), Known { id, mark, open_calls });
        }
        Ok(known)
    }
}

/// Why a file was not taken in.
enum Failure {
    Read(std::io::Error),
    Database(rusqlite::Error),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

struct Update {
    updated: Updated,
    names: Names,
    words: Words,
}

impl Update {
    fn file(
        &mut self,
        db: &Transaction<'_>,
        path: &Path,
        moved: bool,
        old: Option<&Known>,
        buffer: &mut Buffer,
    ) -> Result<(), Failure> {
        let Some(reading) = follow::look(path, old.map(|old| &old.mark)).map_err(Failure::Read)? else {
            return match old.filter(|_| moved) {
                Some(old) => Ok(note_source(db, old.id, path, &old.mark, &Said::default())?),
                None => Ok(()),
            };
        };
        let change = reading.change;
        let id = match old {
            Some(old) => old.id,
            None => add_source(db, path)?,
        };
        if old.is_some() {
            match change {
                Change::Replaced | Change::New => forget(db, id)?,
                Change::Grown => forget_unfinished(db, id)?,
            }
        }
        let mut said = Said::default();
        let mut failed = None;
        let calls = Calls::default();
        for (id, tool) in old.filter(|_| change == Change::Grown).map_or(&[][..], |old| &old.open_calls) {
            calls.open(id.as_str().into(), tool.as_str());
        }
        // What lines say that are not complete is said again.
        let mut open_calls = None;
        let mut scratch = Scratch::default();
        let mark = reading.read(buffer, |line| {
            if line.unfinished && open_calls.is_none() {
                open_calls = Some(calls.list());
            }
            if failed.is_none() {
                scratch.reset();
                failed = self.line(db, id, line, &calls, &scratch, &mut said).err();
            }
        });
        if let Some(error) = failed {
            return Err(error.into());
        }
        let mark = mark.map_err(Failure::Read)?;
        self.updated.read += 1;
        note_source(db, id, path, &mark, &said)?;
        let open_calls = postcard::to_extend(&open_calls.unwrap_or_else(|| calls.list()), Vec::new());
        db.prepare_cached("UPDATE source SET open_calls = ?2 WHERE id = ?1")?
            .execute(params![id, open_calls.unwrap_or_default()])?;
        Ok(())
    }

    fn line(
        &mut self,
        db: &Transaction<'_>,
        source: i64,
        line: &Line<'_>,
        calls: &Calls,
        scratch: &Scratch,
        said: &mut Said,
    ) -> rusqlite::Result<()> {
        let reading = format::read_with(line.bytes, scratch, calls);
        for entry in &reading.entries {
            said.learn(entry);
            self.entry(db, source, line, entry, calls)?;
        }
        Ok(())
    }

    fn entry(
        &mut self,
        db: &Transaction<'_>,
        source: i64,
        line: &Line<'_>,
        entry: &Entry<'_>,
        calls: &Calls,
    ) -> rusqlite::Result<()> {
        self.words.clear();
        pieces(entry, |column, text| self.words.add(column, text));
        let marks = marks(entry);
        let mut tools: Vec<i64> = Vec::new();
        for call in &marks.calls {
            if let Some(id) = call.id {
                calls.open(id.into(), call.tool);
            }
            tools.push(self.names.number(db, call.tool)?);
        }
        for answer in &marks.answers {
            if let Some(tool) = calls.close((*answer).into()) {
                tools.push(self.names.number(db, &tool)?);
            }
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
        self.updated.lines += 1;
        Ok(())
    }
}

/// Makes a row for a file.
fn add_source(db: &Transaction<'_>, path: &Path) -> rusqlite::Result<i64> {
    let mut statement = db.prepare_cached(
        "INSERT INTO source (path, device, inode, mark, open_calls, session) VALUES (?, 0, 0, x'', x'', '')",
    )?;
    statement.insert([path.to_string_lossy()])
}

/// Notes how far a file has been read, and what its lines say about it.
fn note_source(db: &Transaction<'_>, id: i64, path: &Path, mark: &Mark, said: &Said) -> rusqlite::Result<()> {
    let owner = Owner::of_file(path);
    let bytes = postcard::to_extend(mark, Vec::new()).unwrap_or_default();
    let session = said.stream_session.as_ref().filter(|_| said.session.is_none() && owner.agent.is_none());
    let session = session.or(owner.session.as_ref()).or(said.session.as_ref());
    let mut statement = db.prepare_cached(
        "UPDATE source SET path = ?2, device = ?3, inode = ?4, mark = ?5, agent = ?6,
            session = coalesce(?7, session), project = coalesce(project, ?8)
         WHERE id = ?1",
    )?;
    let (device, inode) = (mark.id.device.cast_signed(), mark.id.inode.cast_signed());
    statement.execute(params![id, path.to_string_lossy(), device, inode, bytes, owner.agent, session, said.project])?;
    Ok(())
}

/// Takes all lines of a file out again.
fn forget(db: &Transaction<'_>, source: i64) -> rusqlite::Result<()> {
    forget_where(db, source, "source = ?")
}

/// Takes out the lines that were not complete: they come again.
fn forget_unfinished(db: &Transaction<'_>, source: i64) -> rusqlite::Result<()> {
    forget_where(db, source, "source = ? AND is_unfinished")
}

fn forget_where(db: &Transaction<'_>, source: i64, condition: &str) -> rusqlite::Result<()> {
    let lines = format!("SELECT id FROM line WHERE {condition}");
    for (table, column) in [("text", "rowid"), ("tool", "line"), ("file", "line")] {
        db.prepare_cached(&format!("DELETE FROM {table} WHERE {column} IN ({lines})"))?.execute([source])?;
    }
    db.prepare_cached(&format!("DELETE FROM line WHERE {condition}"))?.execute([source])?;
    Ok(())
}

/// What the lines of a file say about it.
#[derive(Debug, Default)]
struct Said {
    session: Option<String>,
    stream_session: Option<String>,
    project: Option<String>,
}

impl Said {
    fn learn(&mut self, entry: &Entry<'_>) {
        let envelope = &entry.envelope;
        let learn = |known: &mut Option<String>, said: Option<&str>| {
            if known.is_none() {
                *known = said.map(str::to_owned);
            }
        };
        learn(&mut self.session, envelope.session_id.map(format::id::SessionId::as_str));
        learn(&mut self.stream_session, envelope.stream_session_id.map(format::id::SessionId::as_str));
        learn(&mut self.project, envelope.cwd.map(format::Text::as_str));
    }
}

/// Names and the numbers that stand for them in the file.
#[derive(Debug, Default)]
struct Names(FxHashMap<String, i64>);

impl Names {
    fn number(&mut self, db: &Transaction<'_>, name: &str) -> rusqlite::Result<i64> {
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
    /// How much has gone in since the last rest.
    bytes: usize,
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
        self.bytes >= BATCH
    }

    fn rest(&mut self) {
        self.bytes = 0;
    }
}
