//! The folder of an export: its ownership, and how files are written.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Component, Path, PathBuf};

use app::{AppError, RedactSessionError};
use reader::RedactionError;
use redact::Undecided;
use tempfile::{NamedTempFile, TempPath};
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

/// The folder of an export.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Opens the folder, and reads the record of the last export.
    pub(crate) fn open(path: &Path) -> Result<(Self, Record), SiteError> {
        let failed = |error| SiteError::Write { path: path.to_path_buf(), error };
        fs::create_dir_all(path).map_err(failed)?;
        let folder = Self { path: path.to_path_buf() };
        match fs::read(path.join(record::NAME)) {
            // A damaged record still identifies the folder; everything is then written again.
            Ok(json) => Ok((folder, serde_json::from_slice(&json).unwrap_or_default())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if fs::read_dir(path).map_err(failed)?.next().is_some() {
                    return Err(SiteError::NotOurs { path: path.to_path_buf() });
                }
                Ok((folder, Record::default()))
            }
            Err(error) => Err(failed(error)),
        }
    }

    /// The path of a file; `None` if its name leads out of the folder.
    fn place(&self, name: &str) -> Option<PathBuf> {
        let name = Path::new(name);
        let is_below = name.components().all(|part| matches!(part, Component::Normal(_)));
        (is_below && name.components().next().is_some()).then(|| self.path.join(name))
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.place(name).is_some_and(|path| path.is_file())
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
        put().map_err(|error| SiteError::Write { path: self.place_or_aside(name), error })
    }

    /// Starts a file under a temporary name.
    pub(crate) fn begin(&self, name: &str) -> io::Result<Unfinished> {
        let path = self.place_or_aside(name);
        let folder = path.parent().unwrap_or(&self.path);
        fs::create_dir_all(folder)?;
        let file = BufWriter::with_capacity(1 << 16, unfinished().tempfile_in(folder)?);
        Ok(Unfinished { file, path })
    }

    fn place_or_aside(&self, name: &str) -> PathBuf {
        self.place(name).unwrap_or_else(|| self.path.join("elsewhere"))
    }

    /// Writes a file, unless it already has this content.
    pub(crate) fn write_news(&self, name: &str, content: &[u8]) -> Result<(), SiteError> {
        let is_news = self.place(name).and_then(|path| fs::read(path).ok()).is_none_or(|old| old != content);
        if is_news { self.write(name, |out| out.write_all(content)) } else { Ok(()) }
    }

    /// Removes a file, and its folder if that is empty.
    pub(crate) fn remove(&self, name: &str) -> Result<(), SiteError> {
        let Some(path) = self.place(name) else { return Ok(()) };
        match fs::remove_file(&path) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(SiteError::Write { path, error }),
        }
        if let Some(folder) = path.parent().filter(|folder| *folder != self.path) {
            // Fails if other files are in it, as it should.
            let _ = fs::remove_dir(folder);
        }
        Ok(())
    }

    /// Saves the record.
    pub(crate) fn keep(&self, record: &Record) -> Result<(), SiteError> {
        let json = serde_json::to_vec(record)
            .map_err(|error| SiteError::Write { path: self.path.join(record::NAME), error: error.into() })?;
        self.write_news(record::NAME, &json)
    }
}

/// A file being written under a temporary name.
#[derive(Debug)]
pub(crate) struct Unfinished {
    file: BufWriter<NamedTempFile>,
    path: PathBuf,
}

impl Unfinished {
    /// Completes and closes it, still under its temporary name.
    pub(crate) fn finish(self) -> io::Result<Whole> {
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(Whole { file: file.into_temp_path(), path: self.path })
    }
}

impl Write for Unfinished {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A complete file under a temporary name. It is deleted if it is never put in place.
#[derive(Debug)]
pub(crate) struct Whole {
    file: TempPath,
    path: PathBuf,
}

impl Whole {
    /// Renames it to its final name.
    pub(crate) fn place(self) -> io::Result<()> {
        self.file.persist(self.path).map_err(|error| error.error)
    }
}

/// A temporary file. Its permissions are those of any new file.
pub(crate) fn unfinished() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".recount-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder
}
