//! What can go wrong.

use std::io;
use std::path::{Path, PathBuf};

/// Why something could not be recorded or read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// A name that cannot be that of a file.
    #[error("not a name: {name:?}: {why}")]
    Name {
        /// What was given.
        name: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The folder holds something else.
    #[error("not a store: {}: {why}", path.display())]
    NotAStore {
        /// The folder.
        path: PathBuf,
        /// What speaks against it.
        why: String,
    },
    /// The store was made by a version that came later.
    #[error("the store has version {version}, and this program knows versions up to {known}: {}", path.display())]
    Newer {
        /// The folder.
        path: PathBuf,
        /// Its version.
        version: u64,
        /// The latest that is known.
        known: u64,
    },
    /// Another process records into the conversation.
    #[error("another process is recording this conversation: {name}")]
    Busy {
        /// The conversation.
        name: String,
    },
    /// A conversation that was to be new is there already.
    #[error("there is a conversation of that name already: {name}")]
    Exists {
        /// The conversation.
        name: String,
    },
    /// There is no such conversation.
    #[error("no such conversation: {name}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// How many there are.
        among: usize,
    },
    /// There are several conversations of that name.
    #[error("{} conversations are called so: {name}", places.len())]
    Ambiguous {
        /// What was asked for.
        name: String,
        /// Where they are.
        places: Vec<PathBuf>,
    },
    /// A line of the store is not a record.
    #[error("{}, line {line}: not a record: {why}", path.display())]
    NotARecord {
        /// The file.
        path: PathBuf,
        /// Its number, from 1.
        line: u64,
        /// What is wrong with it.
        why: String,
    },
    /// The disk says no.
    #[error("cannot {doing} {}: {error}", path.display())]
    Disk {
        /// What was tried.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// Why it failed.
        error: io::Error,
    },
}

impl RecordError {
    /// For `map_err`: what was being done to which file.
    pub(crate) fn disk(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |error| Self::Disk { doing, path, error }
    }
}
