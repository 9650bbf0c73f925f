//! Errors of the store.

use std::io;
use std::path::{Path, PathBuf};

/// Why something could not be recorded or read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// A name that cannot be a file name.
    #[error("invalid name: {name:?}: {why}")]
    Name {
        /// The name.
        name: String,
        /// The reason.
        why: &'static str,
    },
    /// The folder contains something else.
    #[error("not a store: {}: {why}", path.display())]
    NotAStore {
        /// The folder.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// A later version of the program created the store.
    #[error("the store has version {version}, but this program supports versions up to {known}: {}", path.display())]
    Newer {
        /// The folder.
        path: PathBuf,
        /// Its version.
        version: u64,
        /// The latest supported version.
        known: u64,
    },
    /// Another process is recording this conversation.
    #[error("another process is recording this conversation: {name}")]
    Busy {
        /// The conversation.
        name: String,
    },
    /// A conversation that was to be new already exists.
    #[error("a conversation with this name already exists: {name}")]
    Exists {
        /// The conversation.
        name: String,
    },
    /// There is no such conversation.
    #[error("no such conversation: {name}")]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// How many conversations there are.
        among: usize,
    },
    /// Several conversations have this name.
    #[error("{} conversations have this name: {name}", places.len())]
    Ambiguous {
        /// The name that was asked for.
        name: String,
        /// Their paths.
        places: Vec<PathBuf>,
    },
    /// A line of the store is not a record.
    #[error("{}, line {line}: not a record: {why}", path.display())]
    NotARecord {
        /// The file.
        path: PathBuf,
        /// The line number, from 1.
        line: u64,
        /// The reason.
        why: String,
    },
    /// An I/O error.
    #[error("cannot {doing} {}: {error}", path.display())]
    Disk {
        /// The operation that failed.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
}

impl RecordError {
    /// For `map_err`: the operation and the file.
    pub(crate) fn disk(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |error| Self::Disk { doing, path, error }
    }
}
