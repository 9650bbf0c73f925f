//! Errors of the app.

use std::io;
use std::path::PathBuf;

use index::IndexError;

/// An error about settings, moments, the index or threads.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// The settings file cannot be read.
    #[error("cannot read the settings: {}: {error}", path.display())]
    ConfigUnreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// A setting in the file has an invalid value.
    #[error("{}:{line}: {message}", path.display())]
    ConfigInvalid {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong, and what is expected.
        message: String,
    },
    /// A variable has an invalid value.
    #[error("{name}={value}: {expected}")]
    Variable {
        /// The variable.
        name: String,
        /// Its value.
        value: String,
        /// What is wrong, and what is expected.
        expected: String,
    },
    /// A moment cannot be parsed.
    #[error("{flag} {text}: {expected}")]
    Moment {
        /// The flag.
        flag: String,
        /// The typed text.
        text: String,
        /// What is expected.
        expected: String,
    },
    /// There is no folder for the index.
    #[error("there is no folder for the index: neither XDG_CACHE_HOME nor HOME is set")]
    NoCache,
    /// There is no folder for data.
    #[error("there is no folder for data: neither XDG_DATA_HOME nor HOME is set")]
    NoData,
    /// The list of values that are always kept cannot be used.
    #[error("cannot use {}: {error}", path.display())]
    KeptValues {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The rules or the user's words and patterns cannot be used.
    #[error(transparent)]
    Redact(#[from] redact::BadSettings),
    /// A temporary page cannot be written.
    #[error("cannot write a page to {}: {error}", path.display())]
    Page {
        /// The folder.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The index cannot be used.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// No threads can be started.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl AppError {
    /// Returns hints.
    pub fn hints(&self) -> Vec<String> {
        match self {
            Self::Index(_) => {
                let folder = sources::folders::cache().map(|folder| folder.join("recount"));
                let hint = folder.map(|folder| format!("check that {} is writable and has space", folder.display()));
                hint.into_iter().collect()
            }
            Self::Page { .. } => vec!["name a file with -o".to_owned()],
            Self::ConfigUnreadable { .. }
            | Self::ConfigInvalid { .. }
            | Self::Variable { .. }
            | Self::Moment { .. }
            | Self::NoCache
            | Self::NoData
            | Self::KeptValues { .. }
            | Self::Redact(_)
            | Self::Threads(_) => Vec::new(),
        }
    }
}
