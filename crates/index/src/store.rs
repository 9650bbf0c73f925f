//! The index file: its tables, and how it is opened.
//!
//! The index can always be rebuilt from the sessions, so an outdated or damaged file is not an error: it is emptied and
//! rebuilt. This happens in place, because other processes may have the file open. If it were deleted instead, they
//! would continue with a file that no other process sees, and could delete files that belong to the new one.
//!
//! The rows of sessions, turns, agents, files and skeletons have checksums. Words and lines have none: they only locate
//! lines, which are then read from their files.

pub(crate) mod place;
mod seal;
mod tables;

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use human::Locale;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, Error, ErrorCode, OpenFlags, Transaction};
use sources::archived::Shelf;

pub(crate) use seal::damage;
use tables::{SETTINGS, tables};

/// The index of all sessions.
#[derive(Debug)]
pub struct Index {
    pub(crate) db: Connection,
    /// `None` if it is only in memory.
    path: Option<PathBuf>,
    /// The identity of the opened file.
    file: Option<Identity>,
    /// Whether it has the full text of the sessions.
    pub(crate) has_words: bool,
    /// Whether low memory use matters more than speed.
    pub(crate) is_frugal: bool,
    /// The locations of files that are deleted from the disk.
    pub(crate) shelf: Shelf,
    /// The folders to which queries are restricted, because the file contains every folder ever indexed. Empty means
    /// all.
    pub(crate) places: Vec<PathBuf>,
    /// The zone and the present for the titles of sessions without any.
    pub(crate) locale: Locale,
    pub(crate) now: i64,
}

/// An error of the index.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The file cannot be created or removed.
    #[error("cannot write the index: {}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The database reports an error.
    #[error("the index failed: {0}")]
    Database(#[from] rusqlite::Error),
}

/// Marks the file as ours: `reco`.
const APPLICATION: i32 = 0x7265_636f;

/// Increases with every change of the tables, of tokenization or of the indexed texts, because an older index would
/// return other results.
const VERSION: i32 = 15;

/// How long one process waits for another.
const PATIENCE: Duration = Duration::from_secs(20);

/// The capacity of the statement cache; larger than the number of statements.
const STATEMENTS: usize = 100;

/// The size from which the write-ahead log is moved into the file. Readers must read through the log, but moving it
/// takes longer than the rest of an update.
const MOST_BESIDE: u64 = 1 << 20;

impl Index {
    /// Opens the index at a path, or creates it.
    pub fn open(path: &Path) -> Result<Self, IndexError> {
        let refused = |error| IndexError::File { path: path.to_path_buf(), error };
        if let Some(folder) = path.parent() {
            private::make_folder(folder).map_err(refused)?;
        }
        if let Some(index) = Self::open_if_sound(path)? {
            return Ok(index);
        }
        // Another process may be creating it at the same time.
        let lock = Lock::take(path).map_err(refused)?;
        if let Some(index) = Self::open_if_sound(path)? {
            return Ok(index);
        }
        let index = Self::at(connect_anew(path)?, path);
        drop(lock);
        Ok(index)
    }

    /// Opens the index at a path if there is a usable one.
    pub fn open_existing(path: &Path) -> Option<Self> {
        Self::open_if_sound(path).ok().flatten()
    }

    /// Empties the index at a path for good: nothing of its content is left in the file, in its free pages or in its
    /// log. The next update rebuilds it.
    pub fn wipe(path: &Path) -> Result<(), IndexError> {
        if ["", "-wal", "-shm"].iter().all(|ending| !beside(path, ending).exists()) {
            return Ok(());
        }
        let refused = |error| IndexError::File { path: path.to_path_buf(), error };
        let _lock = Lock::take(path).map_err(refused)?;
        let db = connect_anew(path)?;
        let is_busy: bool = db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
        if is_busy {
            return Err(refused(io::Error::new(io::ErrorKind::ResourceBusy, "another process reads it all the time")));
        }
        Ok(())
    }

    /// Reopens the file if it has been replaced, because it may be deleted at any time. Returns whether it was.
    pub fn follow_file(&mut self) -> Result<bool, IndexError> {
        let Some(path) = self.path.clone() else { return Ok(false) };
        if identity(&path) == self.file {
            return Ok(false);
        }
        let fresh = Self::open(&path)?;
        (self.db, self.file) = (fresh.db, fresh.file);
        Ok(true)
    }

    /// Rebuilds the file, empty.
    pub(crate) fn clear(&mut self) -> Result<(), IndexError> {
        let Some(path) = &self.path else { return Ok(()) };
        self.db = Connection::open_in_memory()?;
        self.db = connect_anew(path)?;
        self.file = identity(path);
        Ok(())
    }

    /// An index that lives as long as this process, with sessions but without their full text.
    pub fn in_memory() -> Result<Self, IndexError> {
        let db = Connection::open_in_memory()?;
        make(&db)?;
        let (path, file, shelf, places) = (None, None, Shelf::default(), Vec::new());
        let (locale, now) = (Locale::default(), 0);
        Ok(Self { db, path, file, has_words: false, is_frugal: false, shelf, places, locale, now })
    }

    /// Restricts the index to these folders and the archive, because the file contains every folder ever indexed.
    #[must_use]
    pub fn within(self, places: Vec<PathBuf>) -> Self {
        Self { places, ..self }
    }

    /// Sets the zone and the present, in milliseconds since 1970, for the titles of sessions without any.
    #[must_use]
    pub fn shown_in(self, locale: Locale, now: i64) -> Self {
        Self { locale, now, ..self }
    }

    /// Makes updates prefer low memory use to speed.
    #[must_use]
    pub fn frugal(self) -> Self {
        Self { is_frugal: true, ..self }
    }

    /// Sets the locations of deleted files, for a caller that does not update the index.
    #[must_use]
    pub fn with_shelf(mut self, archived: Shelf) -> Self {
        self.shelf = archived;
        self
    }

    /// The known locations of files that are deleted from the disk.
    pub fn shelf(&self) -> &Shelf {
        &self.shelf
    }

    /// Whether a file is within the selected folders.
    pub(crate) fn is_meant(&self, path: &Path, is_archived: bool) -> bool {
        is_within(&self.places, path, is_archived)
    }

    fn at(db: Connection, path: &Path) -> Self {
        Self {
            db,
            path: Some(path.to_path_buf()),
            file: identity(path),
            has_words: true,
            is_frugal: false,
            shelf: Shelf::default(),
            places: Vec::new(),
            locale: Locale::default(),
            now: 0,
        }
    }

    /// Opens the file; `None` if there is no usable one.
    fn open_if_sound(path: &Path) -> rusqlite::Result<Option<Self>> {
        match Self::open_as_it_is(path) {
            Err(error) if is_damage(&error) => Ok(None),
            // `SQLite` reports some kinds of damage as an error in the statement.
            Err(Error::SqliteFailure(error, _)) if error.code == ErrorCode::Unknown => Ok(None),
            opened => opened,
        }
    }

    /// Opens the file; `None` if it does not exist or has another version.
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

    /// Moves a large write-ahead log into the file.
    pub(crate) fn settle(&self) -> rusqlite::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        let beside = fs::metadata(beside(path, "-wal")).map_or(0, |metadata| metadata.len());
        if beside > MOST_BESIDE {
            // Other processes may be reading the file; a later update then moves the rest.
            self.db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        }
        Ok(())
    }

    /// Begins a read transaction: all statements see the same state, and none needs a lock of its own.
    pub(crate) fn read(&self) -> rusqlite::Result<Transaction<'_>> {
        self.db.unchecked_transaction()
    }

    /// Prevents updates by other processes until the lock is dropped.
    pub(crate) fn lock(&self) -> Result<Option<Lock>, IndexError> {
        let Some(path) = &self.path else { return Ok(None) };
        Lock::take(path).map(Some).map_err(|error| IndexError::File { path: path.clone(), error })
    }
}

/// Whether a file is in one of the folders or in the archive. No folders means all.
pub(crate) fn is_within(places: &[PathBuf], path: &Path, is_archived: bool) -> bool {
    is_archived || places.is_empty() || places.iter().any(|place| path.starts_with(place))
}

/// Distinguishes a file from another file with the same name.
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

/// Where open files cannot be deleted, the file never changes.
#[cfg(not(unix))]
fn identity(_: &Path) -> Option<Identity> {
    None
}

fn open(path: &Path) -> rusqlite::Result<Connection> {
    make_private(path);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags)?;
    db.busy_timeout(PATIENCE)?;
    Ok(db)
}

/// Creates the file if it is missing, and closes it to other users, with the files that `SQLite` puts beside it:
/// new ones get its permissions. What cannot be done is left to `SQLite` to report.
fn make_private(path: &Path) {
    let _ = private::options().write(true).create_new(true).open(path);
    for ending in ["", "-wal", "-shm"] {
        let _ = private::close(&beside(path, ending));
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let db = open(path)?;
    db.pragma_update(None, "journal_mode", "wal")?;
    // A power cut may lose the last transactions, but does not corrupt the file; lost lines are read again.
    db.pragma_update(None, "synchronous", "normal")?;
    db.pragma_update(None, "temp_store", "memory")?;
    db.pragma_update(None, "cache_size", -16_000)?;
    db.pragma_update(None, "cell_size_check", true)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    db.set_prepared_statement_cache_capacity(STATEMENTS);
    seal::register(&db)?;
    Ok(db)
}

/// Creates an empty file. The caller holds the lock.
fn connect_anew(path: &Path) -> Result<Connection, IndexError> {
    match empty(path) {
        Err(error) if is_damage(&error) => remove(path)?,
        emptied => emptied?,
    }
    let db = connect(path)?;
    make(&db)?;
    Ok(db)
}

/// Empties a file, whatever it contains.
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

/// The path of a file with the same name and an additional ending.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn make(db: &Connection) -> rusqlite::Result<()> {
    seal::register(db)?;
    let ours = format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};");
    let noted = format!("INSERT INTO setting (name, value) VALUES ('tables', ({SEAL_OF_TABLES}));");
    db.execute_batch(&format!("BEGIN IMMEDIATE; {} {SETTINGS} {noted} {ours} COMMIT;", tables()))
}

/// A checksum of the schema: the location and definition of each table.
const SEAL_OF_TABLES: &str = "SELECT seal(group_concat(rootpage || coalesce(sql, name))) FROM sqlite_schema";

/// Whether the tables are as they were created, and the full text can be queried.
fn are_tables_sound(db: &Connection) -> rusqlite::Result<bool> {
    db.prepare("SELECT rowid FROM text LIMIT 1")?.exists([])?;
    let question = format!("SELECT value = ({SEAL_OF_TABLES}) FROM setting WHERE name = 'tables'");
    db.query_row(&question, [], |row| row.get(0))
}

/// Whether the file header requires a later `SQLite` version for writing. None exists.
fn is_of_the_future(path: &Path) -> bool {
    let mut header = [0; 19];
    File::open(path).and_then(|mut file| file.read_exact(&mut header)).is_ok_and(|()| header[18] > 2)
}

impl IndexError {
    /// Whether the file is damaged. [`Index::update`] then rebuilds it.
    pub fn is_damage(&self) -> bool {
        match self {
            Self::File { .. } => false,
            Self::Database(error) => is_damage(error),
        }
    }
}

/// Whether an error means that the file is not a database, is truncated or contains corrupt data.
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

/// The lock of the process that creates or updates the index.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Waits until no other process holds the lock. The system releases it when the process ends.
    pub(crate) fn take(index: &Path) -> io::Result<Self> {
        let lock = index.with_extension("lock");
        let file = private::options().create(true).truncate(false).write(true).open(lock)?;
        file.lock()?;
        Ok(Self { _file: file })
    }
}
