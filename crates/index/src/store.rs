//! The file: its tables, and how it is opened.
//!
//! The index can always be made again from the sessions. So a file of another
//! version, or one that is damaged, is no error: it goes, and a new one is made.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use library::archived::Shelf;
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction};

/// The index of all sessions.
#[derive(Debug)]
pub struct Index {
    pub(crate) db: Connection,
    /// None if it is only in memory.
    path: Option<PathBuf>,
    /// Whether it has the words of the sessions.
    pub(crate) has_words: bool,
    /// Where files are that are gone.
    pub(crate) shelf: Shelf,
    /// The folders that are meant: the file knows every folder that it was ever shown. None are all.
    places: Vec<PathBuf>,
}

/// Why the index cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The file cannot be made or removed.
    #[error("cannot write the index: {}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The database refused.
    #[error("the index failed: {0}")]
    Database(#[from] rusqlite::Error),
}

/// What marks the file as ours: `reco`.
const APPLICATION: i32 = 0x7265_636f;

/// Changes with the tables, and with how words are made: an old index would not find what a new one does.
const VERSION: i32 = 3;

/// How long one process waits for another.
const PATIENCE: Duration = Duration::from_secs(20);

/// More than there are.
const STATEMENTS: usize = 100;

const TABLES: &str = "
    -- What figures were worked out with.
    CREATE TABLE setting (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
    -- Types, models, branches, tools, paths: each is stored once.
    CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
    -- Files, and how far each has been read.
    CREATE TABLE source (
        id INTEGER PRIMARY KEY,
        path TEXT NOT NULL UNIQUE,
        mark BLOB NOT NULL,
        -- What its first lines say: by this, sessions that copied from each other are found.
        head BLOB NOT NULL,
        -- The session that it belongs to.
        session INTEGER NOT NULL,
        -- The subagent whose file it is.
        agent TEXT,
        -- Whether it is gone from the disk.
        is_archived INTEGER NOT NULL DEFAULT 0);
    CREATE INDEX source_by_session ON source (session);
    -- Sessions, with what their stories and ledgers say about them.
    CREATE TABLE session (
        id INTEGER PRIMARY KEY,
        -- Its own file; that of an agent whose session is not there stands for itself.
        main INTEGER NOT NULL UNIQUE,
        name TEXT NOT NULL DEFAULT '',
        title TEXT,
        project TEXT,
        branch TEXT,
        -- One on each line.
        models TEXT NOT NULL DEFAULT '',
        first INTEGER,
        last INTEGER,
        active_ms INTEGER NOT NULL DEFAULT 0,
        waiting_ms INTEGER NOT NULL DEFAULT 0,
        turns INTEGER NOT NULL DEFAULT 0,
        prompts INTEGER NOT NULL DEFAULT 0,
        replies INTEGER NOT NULL DEFAULT 0,
        calls INTEGER NOT NULL DEFAULT 0,
        failed INTEGER NOT NULL DEFAULT 0,
        agents INTEGER NOT NULL DEFAULT 0,
        branches INTEGER NOT NULL DEFAULT 0,
        compactions INTEGER NOT NULL DEFAULT 0,
        state INTEGER,
        -- The session that it was copied from, and the one that it goes on in.
        origin TEXT,
        continued_in TEXT,
        tokens INTEGER NOT NULL DEFAULT 0,
        -- In picodollars, and how good that figure is.
        cost INTEGER NOT NULL DEFAULT 0,
        cost_quality INTEGER NOT NULL DEFAULT 0);
    CREATE INDEX session_by_time ON session (last);
    CREATE INDEX session_by_name ON session (name);
    -- What it takes to tell a session on and to bill it again, without reading its files again.
    CREATE TABLE skeleton (session INTEGER PRIMARY KEY, told BLOB, ledger BLOB NOT NULL);
    -- Turns of conversations, from 1, with the place and the first words of what was asked.
    CREATE TABLE turn (
        session INTEGER NOT NULL,
        number INTEGER NOT NULL,
        source INTEGER NOT NULL,
        line INTEGER NOT NULL,
        at INTEGER,
        prompt TEXT NOT NULL,
        PRIMARY KEY (session, number)) WITHOUT ROWID;
    -- Subagents, and the turns they were at work for.
    CREATE TABLE agent (
        session INTEGER NOT NULL,
        number INTEGER NOT NULL,
        name TEXT NOT NULL,
        -- Its file, if it has one.
        source INTEGER,
        -- The agent that started it.
        parent INTEGER,
        turn INTEGER,
        kind TEXT,
        description TEXT,
        first INTEGER,
        last INTEGER,
        calls INTEGER NOT NULL,
        failed INTEGER NOT NULL,
        tokens INTEGER NOT NULL,
        cost INTEGER NOT NULL,
        cost_quality INTEGER NOT NULL,
        PRIMARY KEY (session, number)) WITHOUT ROWID;
    -- Lines that say something. Their order is about that of time.
    CREATE TABLE line (
        id INTEGER PRIMARY KEY,
        source INTEGER NOT NULL,
        number INTEGER NOT NULL,
        offset INTEGER NOT NULL,
        length INTEGER NOT NULL,
        at INTEGER,
        type INTEGER NOT NULL,
        role INTEGER,
        model INTEGER,
        branch INTEGER,
        is_error INTEGER NOT NULL,
        is_unfinished INTEGER NOT NULL);
    CREATE INDEX line_by_source ON line (source, number);
    -- Which lines have to do with which tools and files.
    CREATE TABLE tool (name INTEGER NOT NULL, line INTEGER NOT NULL, PRIMARY KEY (name, line)) WITHOUT ROWID;
    CREATE INDEX tool_by_line ON tool (line);
    CREATE TABLE file (
        path INTEGER NOT NULL,
        line INTEGER NOT NULL,
        touch INTEGER NOT NULL,
        PRIMARY KEY (path, line, touch)) WITHOUT ROWID;
    CREATE INDEX file_by_line ON file (line);
    -- The words of the lines; their texts stay in the sessions.
    CREATE VIRTUAL TABLE text USING fts5 (
        said, replied, done, seen, thought,
        content = '', contentless_delete = 1, tokenize = \"ascii\");
";

/// The full text gathers this much before it writes, in place of 1 MB, and merges what it has written less often: both
/// makes less work, and searches hardly notice.
const SETTINGS: &str = "
    INSERT INTO text (text, rank) VALUES ('hashsize', 33554432);
    INSERT INTO text (text, rank) VALUES ('automerge', 16);";

impl Index {
    /// Opens the index at a path, or makes one.
    pub fn open(path: &Path) -> Result<Self, IndexError> {
        let refused = |error| IndexError::File { path: path.to_path_buf(), error };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(refused)?;
        }
        if let Some(index) = Self::open_if_sound(path)? {
            return Ok(index);
        }
        // Another process may be about to make it, too.
        let lock = Lock::take(path).map_err(refused)?;
        if let Some(index) = Self::open_if_sound(path)? {
            return Ok(index);
        }
        for ending in ["", "-wal", "-shm"] {
            let mut name = path.as_os_str().to_owned();
            name.push(ending);
            match fs::remove_file(&name) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(refused(error)),
                _ => {}
            }
        }
        let index = Self::at(connect(path)?, path);
        index.make()?;
        drop(lock);
        Ok(index)
    }

    /// One that lasts as long as this process, and knows sessions but not their words.
    pub fn in_memory() -> Result<Self, IndexError> {
        let index = Self {
            db: Connection::open_in_memory()?,
            path: None,
            has_words: false,
            shelf: Shelf::default(),
            places: Vec::new(),
        };
        index.make()?;
        Ok(index)
    }

    /// The same, but only what lies in these folders and in the archive: the file knows every folder that it was ever
    /// shown.
    #[must_use]
    pub fn within(self, places: Vec<PathBuf>) -> Self {
        Self { places, ..self }
    }

    /// Where the files are that are gone from the disk, as far as the index was shown them.
    pub fn shelf(&self) -> &Shelf {
        &self.shelf
    }

    /// Whether a file is one of those that are meant.
    pub(crate) fn is_meant(&self, path: &Path, is_archived: bool) -> bool {
        is_archived || self.places.is_empty() || self.places.iter().any(|place| path.starts_with(place))
    }

    fn at(db: Connection, path: &Path) -> Self {
        Self { db, path: Some(path.to_path_buf()), has_words: true, shelf: Shelf::default(), places: Vec::new() }
    }

    fn make(&self) -> rusqlite::Result<()> {
        let ours = format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};");
        self.db.execute_batch(&format!("BEGIN IMMEDIATE; {TABLES} {SETTINGS} {ours} COMMIT;"))
    }

    /// `None` if there is none that can be used.
    fn open_if_sound(path: &Path) -> rusqlite::Result<Option<Self>> {
        match Self::open_as_it_is(path) {
            Err(error) if is_damage(&error) => Ok(None),
            opened => opened,
        }
    }

    /// `None` if it is not there, or of another version.
    fn open_as_it_is(path: &Path) -> rusqlite::Result<Option<Self>> {
        if !path.exists() {
            return Ok(None);
        }
        let db = connect(path)?;
        let number = |name: &str| db.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
        let is_ours = number("application_id")? == APPLICATION && number("user_version")? == VERSION;
        Ok(is_ours.then(|| Self::at(db, path)))
    }

    /// While this lasts, the file is read as it is now, and no statement has to ask for it anew.
    pub(crate) fn read(&self) -> rusqlite::Result<Transaction<'_>> {
        self.db.unchecked_transaction()
    }

    /// Keeps other processes from bringing it up to date until the lock is dropped.
    pub(crate) fn lock(&self) -> Result<Option<Lock>, IndexError> {
        let Some(path) = &self.path else { return Ok(None) };
        Lock::take(path).map(Some).map_err(|error| IndexError::File { path: path.clone(), error })
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags)?;
    db.busy_timeout(PATIENCE)?;
    db.pragma_update(None, "journal_mode", "wal")?;
    // A power cut may lose the last words, never the order of the file; what is lost is read again.
    db.pragma_update(None, "synchronous", "normal")?;
    db.pragma_update(None, "temp_store", "memory")?;
    db.pragma_update(None, "cache_size", -16_000)?;
    db.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(db)
}

/// Whether the file is not a database, or not a whole one.
pub(crate) fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt))
}

/// Held by the one process that makes the index or brings it up to date.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Waits until no other process has it. It goes with the process, however that ends.
    pub(crate) fn take(index: &Path) -> io::Result<Self> {
        let file = File::options().create(true).truncate(false).write(true).open(index.with_extension("lock"))?;
        file.lock()?;
        Ok(Self { _file: file })
    }
}
