//! The file: its tables, and how it is opened.
//!
//! The index can always be made again from the sessions. So a file of another
//! version, or one that is damaged, is no error: it goes, and a new one is made.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

/// The index of all sessions.
#[derive(Debug)]
pub struct Index {
    pub(crate) db: Connection,
    path: PathBuf,
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
const VERSION: i32 = 1;

/// How long one process waits for another.
const PATIENCE: Duration = Duration::from_secs(20);

const TABLES: &str = "
    -- Types, models, branches, tools, paths: each is stored once.
    CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
    -- Files, and how far each has been read.
    CREATE TABLE source (
        id INTEGER PRIMARY KEY,
        path TEXT NOT NULL UNIQUE,
        device INTEGER NOT NULL,
        inode INTEGER NOT NULL,
        mark BLOB NOT NULL,
        -- Calls that have no answer yet.
        open_calls BLOB NOT NULL,
        session TEXT NOT NULL,
        agent TEXT,
        project TEXT);
    CREATE INDEX source_by_file ON source (device, inode);
    CREATE INDEX source_by_session ON source (session);
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
    CREATE TABLE file (
        path INTEGER NOT NULL,
        line INTEGER NOT NULL,
        touch INTEGER NOT NULL,
        PRIMARY KEY (path, line, touch)) WITHOUT ROWID;
    -- The words of the lines; their texts stay in the sessions.
    CREATE VIRTUAL TABLE text USING fts5 (
        said, replied, done, seen, thought,
        content = '', contentless_delete = 1, tokenize = \"ascii\");
";

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
        let index = Self { db: connect(path)?, path: path.to_path_buf() };
        index.db.execute_batch(&format!(
            "BEGIN IMMEDIATE; {TABLES} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}; COMMIT;"
        ))?;
        drop(lock);
        Ok(index)
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
        Ok(is_ours.then(|| Self { db, path: path.to_path_buf() }))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
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
