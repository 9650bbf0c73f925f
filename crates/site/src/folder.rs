//! The folder of an export: its ownership, and how files are written.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use app::{AppError, RedactSessionError};
use output::Unfinished;
use reader::RedactionError;
use redact::Undecided;
use thiserror::Error;

use crate::record::{self, Record};

/// Why an export failed.
#[derive(Debug, Error)]
pub enum SiteError {
    /// The folder is not empty and is not an export.
    #[error("{path} is not empty and is not an export of recount")]
    NotOurs {
        /// The folder.
        path: PathBuf,
    },
    /// The settings cannot be used.
    #[error(transparent)]
    App(#[from] AppError),
    /// Likely secrets need a decision.
    #[error(transparent)]
    Undecided(Box<Undecided>),
    /// A session cannot be redacted.
    #[error(transparent)]
    Redaction(#[from] RedactionError),
    /// A file or folder could not be written.
    #[error("cannot write {path}")]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        #[source]
        error: io::Error,
    },
}

impl From<RedactSessionError> for SiteError {
    fn from(error: RedactSessionError) -> Self {
        match error {
            RedactSessionError::App(error) => error.into(),
            RedactSessionError::Redaction(error) => error.into(),
        }
    }
}

/// The folder of an export. No link in it is followed.
#[derive(Debug)]
pub(crate) struct Folder(output::Folder);

impl Folder {
    /// Opens the folder, and reads the record of the last export.
    pub(crate) fn open(path: &Path) -> Result<(Self, Record), SiteError> {
        let failed = |error| SiteError::Write { path: path.to_path_buf(), error };
        let folder = Self(output::Folder::create(path).map_err(failed)?);
        match folder.0.read(Path::new(record::NAME)) {
            // A damaged record still identifies the folder; everything is then written again.
            Ok(Some(json)) => Ok((folder, serde_json::from_slice(&json).unwrap_or_default())),
            Ok(None) => {
                if fs::read_dir(path).map_err(failed)?.next().is_some() {
                    return Err(SiteError::NotOurs { path: path.to_path_buf() });
                }
                Ok((folder, Record::default()))
            }
            Err(error) => Err(SiteError::Write { path: path.join(record::NAME), error }),
        }
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.has_file(Path::new(name))
    }

    /// Writes a file to a temporary name, and renames it when it is complete.
    pub(crate) fn write(
        &self,
        name: &str,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), SiteError> {
        let put = || {
            let mut out = self.begin(name)?;
            fill(&mut out)?;
            out.finish()?.place()
        };
        put().map_err(|error| SiteError::Write { path: self.0.path().join(name), error })
    }

    /// Starts a file under a temporary name.
    pub(crate) fn begin(&self, name: &str) -> io::Result<Unfinished> {
        self.0.begin(Path::new(name))
    }

    /// Writes a file, unless it already has this content.
    pub(crate) fn write_news(&self, name: &str, content: &[u8]) -> Result<(), SiteError> {
        // What cannot be read is written, which says why not.
        let is_news = !matches!(self.0.read(Path::new(name)), Ok(Some(old)) if old == content);
        if is_news { self.write(name, |out| out.write_all(content)) } else { Ok(()) }
    }

    /// Removes a file, and its folder if that is empty.
    pub(crate) fn remove(&self, name: &str) -> Result<(), SiteError> {
        match self.0.remove(Path::new(name)) {
            // What is behind a link or outside is not of this export.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
            removed => removed.map_err(|error| SiteError::Write { path: self.0.path().join(name), error }),
        }
    }

    /// Saves the record.
    pub(crate) fn keep(&self, record: &Record) -> Result<(), SiteError> {
        let json = serde_json::to_vec(record)
            .map_err(|error| SiteError::Write { path: self.0.path().join(record::NAME), error: error.into() })?;
        self.write_news(record::NAME, &json)
    }
}
