//! The file: its tables, and how it is opened.
//!
//! The index can always be made again from the sessions. So a file of another
//! version, or one that is damaged, is no error: it is emptied and made anew.
//! That is done where it is, since others may have it open: of a file that is
//! removed, they would go on with what nobody else sees, and take away what
//! belongs to the new one.
//!
//! Sessions, their turns, their agents, their files and their skeletons have
//! checksums. Words and lines have none: they say where to look, and what is
//! found there is what is shown.

mod seal;
mod tables;

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, Error, ErrorCode, OpenFlags, Transaction};
use sources::archived::Shelf;

pub(crate) use seal::damage;
use tables::{SETTINGS, TABLES};

/// The index of all sessions.
#[derive(Debug)]
pub struct Index {
    pub(crate) db: Connection,
    /// None if it is only in memory.
    path: Option<PathBuf>,
    /// The file that was opened there.
    file: Option<Identity>,
    /// Whether it has the words of the sessions.
    pub(crate) has_words: bool,
    /// Whether memory matters more than time.
    pub(crate) is_frugal: bool,
    /// Whether sessions of the same name are told apart.
    pub(crate) is_apart: bool,
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

/// Changes with the tables, with how words are made, and with which texts are found: an old index would not find what a
/// new one does.
const VERSION: i32 = 8;

/// How long one process waits for another.
const PATIENCE: Duration = Duration::from_secs(20);

/// More than there are.
const STATEMENTS: usize = 100;

/// How many bytes may wait beside the file until they are written into it. Whoever opens it reads through them, but to
/// write them takes the disk far longer than all the rest.
const MOST_BESIDE: u64 = 1 << 20;

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
        let index = Self::at(connect_anew(path)?, path);
        drop(lock);
        Ok(index)
    }

    /// Opens the file anew if it is another one by now: it may be deleted at any time. Says whether it is.
    pub fn follow_file(&mut self) -> Result<bool, IndexError> {
        let Some(path) = self.path.clone() else { return Ok(false) };
        if identity(&path) == self.file {
            return Ok(false);
        }
        let fresh = Self::open(&path)?;
        (self.db, self.file) = (fresh.db, fresh.file);
        Ok(true)
    }

    /// Makes it anew, with nothing in it.
    pub(crate) fn clear(&mut self) -> Result<(), IndexError> {
        let Some(path) = &self.path else { return Ok(()) };
        self.db = Connection::open_in_memory()?;
        self.db = connect_anew(path)?;
        self.file = identity(path);
        Ok(())
    }

    /// One that lasts as long as this process, and knows sessions but not their words.
    pub fn in_memory() -> Result<Self, IndexError> {
        let db = Connection::open_in_memory()?;
        make(&db)?;
        let (path, file, shelf, places) = (None, None, Shelf::default(), Vec::new());
        Ok(Self { db, path, file, has_words: false, is_frugal: false, is_apart: false, shelf, places })
    }

    /// The same, but only what lies in these folders and in the archive: the file knows every folder that it was ever
    /// shown.
    #[must_use]
    pub fn within(self, places: Vec<PathBuf>) -> Self {
        Self { places, ..self }
    }

    /// The same, for somebody who has less memory to spare than time when it is brought up to date.
    #[must_use]
    pub fn frugal(self) -> Self {
        Self { is_frugal: true, ..self }
    }

    /// The same, for somebody who knows sessions by their names alone: of those that have the same, all but the first get
    /// a number.
    #[must_use]
    pub fn apart(self) -> Self {
        Self { is_apart: true, ..self }
    }

    /// The same, for somebody who does not bring it up to date, and knows where the files are that are gone.
    #[must_use]
    pub fn with_shelf(mut self, archived: Shelf) -> Self {
        self.shelf = archived;
        self
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
        Self {
            db,
            path: Some(path.to_path_buf()),
            file: identity(path),
            has_words: true,
            is_frugal: false,
            is_apart: false,
            shelf: Shelf::default(),
            places: Vec::new(),
        }
    }

    /// `None` if there is none that can be used.
    fn open_if_sound(path: &Path) -> rusqlite::Result<Option<Self>> {
        match Self::open_as_it_is(path) {
            Err(error) if is_damage(&error) => Ok(None),
            // Some damage is told like a mistake in what was asked.
            Err(Error::SqliteFailure(error, _)) if error.code == ErrorCode::Unknown => Ok(None),
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
        if !is_ours || db.is_readonly("main")? && is_of_the_future(path) {
            return Ok(None);
        }
        Ok(are_tables_sound(&db)?.then(|| Self::at(db, path)))
    }

    /// Writes into the file what waits beside it, if that is much.
    pub(crate) fn settle(&self) -> rusqlite::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        let beside = fs::metadata(beside(path, "-wal")).map_or(0, |metadata| metadata.len());
        if beside > MOST_BESIDE {
            // Others may be reading it: then it waits for the next one.
            self.db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        }
        Ok(())
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

/// What tells a file from another one of the same name.
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

/// Where files that are open cannot be deleted, it is the same.
#[cfg(not(unix))]
fn identity(_: &Path) -> Option<Identity> {
    None
}

fn open(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags)?;
    db.busy_timeout(PATIENCE)?;
    Ok(db)
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let db = open(path)?;
    db.pragma_update(None, "journal_mode", "wal")?;
    // A power cut may lose the last words, never the order of the file; what is lost is read again.
    db.pragma_update(None, "synchronous", "normal")?;
    db.pragma_update(None, "temp_store", "memory")?;
    db.pragma_update(None, "cache_size", -16_000)?;
    db.pragma_update(None, "cell_size_check", true)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    db.set_prepared_statement_cache_capacity(STATEMENTS);
    seal::register(&db)?;
    Ok(db)
}

/// Whoever calls this holds the lock.
fn connect_anew(path: &Path) -> Result<Connection, IndexError> {
    match empty(path) {
        Err(error) if is_damage(&error) => remove(path)?,
        emptied => emptied?,
    }
    let db = connect(path)?;
    make(&db)?;
    Ok(db)
}

/// Takes all out of a file, whatever that is.
fn empty(path: &Path) -> rusqlite::Result<()> {
    let db = open(path)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_RESET_DATABASE, true)?;
    db.execute_batch("VACUUM")?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_RESET_DATABASE, false)?;
    Ok(())
}

fn remove(path: &Path) -> Result<(), IndexError> {
    for ending in ["", "-wal", "-shm"] {
        match fs::remove_file(beside(path, ending)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(IndexError::File { path: path.to_path_buf(), error });
            }
            _ => {}
        }
    }
    Ok(())
}

/// A file of the same name with something behind it.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn make(db: &Connection) -> rusqlite::Result<()> {
    seal::register(db)?;
    let ours = format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};");
    let noted = format!("INSERT INTO setting (name, value) VALUES ('tables', ({SEAL_OF_TABLES}));");
    db.execute_batch(&format!("BEGIN IMMEDIATE; {TABLES} {SETTINGS} {noted} {ours} COMMIT;"))
}

/// Where each table is, and what it has.
const SEAL_OF_TABLES: &str = "SELECT seal(group_concat(rootpage || coalesce(sql, name))) FROM sqlite_schema";

/// Whether the tables are those that were made, and the words can be asked for.
fn are_tables_sound(db: &Connection) -> rusqlite::Result<bool> {
    db.prepare("SELECT rowid FROM text LIMIT 1")?.exists([])?;
    let question = format!("SELECT value = ({SEAL_OF_TABLES}) FROM setting WHERE name = 'tables'");
    db.query_row(&question, [], |row| row.get(0))
}

/// Whether a file says that only later versions may write it. There are none.
fn is_of_the_future(path: &Path) -> bool {
    let mut header = [0; 19];
    File::open(path).and_then(|mut file| file.read_exact(&mut header)).is_ok_and(|()| header[18] > 2)
}

impl IndexError {
    /// Whether the file is not as it was written. [`Index::update`] makes it anew then.
    pub fn is_damage(&self) -> bool {
        match self {
            Self::File { .. } => false,
            Self::Database(error) => is_damage(error),
        }
    }
}

/// Whether the file is not a database, or not a whole one, or has what was never written to it.
fn is_damage(error: &Error) -> bool {
    match error {
        Error::SqliteFailure(error, _) => matches!(
            error.code,
            ErrorCode::NotADatabase
                | ErrorCode::DatabaseCorrupt
                | ErrorCode::ConstraintViolation
                | ErrorCode::TypeMismatch
                | ErrorCode::TooBig
        ),
        Error::FromSqlConversionFailure(..)
        | Error::IntegralValueOutOfRange(..)
        | Error::InvalidColumnType(..)
        | Error::Utf8Error(..)
        | Error::QueryReturnedNoRows
        | Error::StatementChangedRows(_) => true,
        _ => false,
    }
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
