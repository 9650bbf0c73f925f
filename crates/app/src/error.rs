//! Why something that every door needs is not there.

use std::io;
use std::path::PathBuf;

use index::IndexError;

/// Why settings, moments or the index cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// The settings file cannot be read.
    #[error("cannot read the settings: {}: {error}", path.display())]
    ConfigUnreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A setting in the file has a value that it cannot have.
    #[error("{}:{line}: {message}", path.display())]
    ConfigInvalid {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong, and what is expected.
        message: String,
    },
    /// A variable has a value that it cannot have.
    #[error("{name}={value}: {expected}")]
    Variable {
        /// The variable.
        name: String,
        /// Its value.
        value: String,
        /// What is wrong, and what is expected.
        expected: String,
    },
    /// A moment cannot be read.
    #[error("{flag} {text}: {expected}")]
    Moment {
        /// Where it was typed.
        flag: String,
        /// What was typed.
        text: String,
        /// What is expected.
        expected: String,
    },
    /// There is no folder to keep the index in.
    #[error("there is no folder for the index: neither XDG_CACHE_HOME nor HOME is set")]
    NoCache,
    /// The index cannot be used.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// No threads can be started.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl AppError {
    /// What can be done about it.
    pub fn hints(&self) -> Vec<String> {
        match self {
            Self::Index(_) => {
                let folder = sources::folders::cache().map(|folder| folder.join("recount"));
                let hint = folder.map(|folder| format!("check that {} can be written and has room", folder.display()));
                hint.into_iter().collect()
            }
            Self::ConfigUnreadable { .. }
            | Self::ConfigInvalid { .. }
            | Self::Variable { .. }
            | Self::Moment { .. }
            | Self::NoCache
            | Self::Threads(_) => Vec::new(),
        }
    }
}
