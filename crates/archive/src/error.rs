//! Errors of an archive.

use std::io;
use std::path::PathBuf;

/// Why an archive could not be used.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// Reading failed.
    #[error("cannot read the archive: {}: {error}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        #[source]
        error: io::Error,
    },
    /// Writing failed.
    #[error("cannot write to the archive: {}: {error}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        #[source]
        error: io::Error,
    },
    /// Another process is writing.
    #[error("another run is writing to the archive: {}", path.display())]
    Busy {
        /// The archive.
        path: PathBuf,
    },
    /// A later version of the program wrote it, or it is not an archive.
    #[error("not an archive, or one of a later version: {}", path.display())]
    Foreign {
        /// The offending file.
        path: PathBuf,
    },
}

impl ArchiveError {
    pub(crate) fn read(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        |error| Self::Read { path, error }
    }

    pub(crate) fn write(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        |error| Self::Write { path, error }
    }
}

/// Why a file was not archived.
#[derive(Debug, thiserror::Error)]
pub enum TakeError {
    /// The file could not be read. Others can still be archived.
    #[error(transparent)]
    Source(io::Error),
    /// The archive could not be read or written. Nothing more can be archived.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
}
