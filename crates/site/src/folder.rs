//! The folder of an export: whose it is, and how files get into it.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Component, Path, PathBuf};

use app::AppError;
use tempfile::{NamedTempFile, TempPath};
use thiserror::Error;

use crate::record::{self, Record};

/// Why an export failed.
#[derive(Debug, Error)]
pub enum SiteError {
    /// The folder holds something, and not an export of ours.
    #[error("{path} is not empty, and nothing in it says that it is an export of recount")]
    NotOurs {
        /// The folder.
        path: PathBuf,
    },
    /// The settings cannot be used.
    #[error(transparent)]
    App(#[from] AppError),
    /// Something could not be written.
    #[error("cannot write {path}")]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
}

/// A folder that we made, or will have made.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Opens the folder, and reads what was made there before.
    pub(crate) fn open(path: &Path) -> Result<(Self, Record), SiteError> {
        let failed = |error| SiteError::Write { path: path.to_path_buf(), error };
        fs::create_dir_all(path).map_err(failed)?;
        let folder = Self { path: path.to_path_buf() };
        match fs::read(path.join(record::NAME)) {
            // One that is damaged still says whose folder it is; everything is made anew then.
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

    /// The path of a file of ours; `None` if its name leads out of the folder.
    fn place(&self, name: &str) -> Option<PathBuf> {
        let name = Path::new(name);
        let is_below = name.components().all(|part| matches!(part, Component::Normal(_)));
        (is_below && name.components().next().is_some()).then(|| self.path.join(name))
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.place(name).is_some_and(|path| path.is_file())
    }

    /// Writes a file beside its place, and puts it there when it is whole.
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

    /// Begins a file beside its place.
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

    /// Writes a file, unless it says that already.
    pub(crate) fn write_news(&self, name: &str, content: &[u8]) -> Result<(), SiteError> {
        let is_news = self.place(name).and_then(|path| fs::read(path).ok()).is_none_or(|old| old != content);
        if is_news { self.write(name, |out| out.write_all(content)) } else { Ok(()) }
    }

    /// Removes a file of ours, and its folder if nothing else is in it.
    pub(crate) fn remove(&self, name: &str) -> Result<(), SiteError> {
        let Some(path) = self.place(name) else { return Ok(()) };
        match fs::remove_file(&path) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(SiteError::Write { path, error }),
        }
        if let Some(folder) = path.parent().filter(|folder| *folder != self.path) {
            // It fails where somebody else has something in it, as it should.
            let _ = fs::remove_dir(folder);
        }
        Ok(())
    }

    /// Keeps what was made.
    pub(crate) fn keep(&self, record: &Record) -> Result<(), SiteError> {
        let json = serde_json::to_vec(record)
            .map_err(|error| SiteError::Write { path: self.path.join(record::NAME), error: error.into() })?;
        self.write_news(record::NAME, &json)
    }
}

/// A file that is being written, beside its place.
#[derive(Debug)]
pub(crate) struct Unfinished {
    file: BufWriter<NamedTempFile>,
    path: PathBuf,
}

impl Unfinished {
    /// Ends it; it is closed, and not in its place yet.
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

/// A file that is whole, beside its place. It is gone if it is never put there.
#[derive(Debug)]
pub(crate) struct Whole {
    file: TempPath,
    path: PathBuf,
}

impl Whole {
    /// Puts it in its place.
    pub(crate) fn place(self) -> io::Result<()> {
        self.file.persist(self.path).map_err(|error| error.error)
    }
}

/// A file that is not whole yet. Others may read it when it is, as they may read any new file.
fn unfinished() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".recount-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder
}
