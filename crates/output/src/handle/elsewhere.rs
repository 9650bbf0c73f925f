//! A folder on systems that cannot resolve names relative to an open one: each name is checked before it is used.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(crate) struct Handle(PathBuf);

impl Handle {
    /// A folder, through links if there are any.
    pub(crate) fn top(path: &Path) -> io::Result<Self> {
        fs::canonicalize(path).map(Self)
    }

    /// A folder in it.
    pub(crate) fn enter(&self, name: &OsStr, is_created: bool) -> io::Result<Self> {
        let path = self.0.join(name);
        if is_created && !self.is_taken(name)? {
            match fs::create_dir(&path) {
                // Another thread may have created it.
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
        }
        let metadata = self.checked(name)?;
        if metadata.is_dir() { Ok(Self(path)) } else { Err(io::ErrorKind::NotADirectory.into()) }
    }

    /// A file in it, for reading.
    pub(crate) fn open(&self, name: &OsStr) -> io::Result<File> {
        let metadata = self.checked(name)?;
        if metadata.is_file() { File::open(self.0.join(name)) } else { Err(io::Error::other("not a file")) }
    }

    /// A new file in it, for writing.
    pub(crate) fn create_new(&self, name: &OsStr) -> io::Result<File> {
        File::create_new(self.0.join(name))
    }

    pub(crate) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        fs::rename(self.0.join(from), self.0.join(to))
    }

    pub(crate) fn remove(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_file(self.0.join(name))
    }

    pub(crate) fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_dir(self.0.join(name))
    }

    pub(crate) fn is_taken(&self, name: &OsStr) -> io::Result<bool> {
        match self.0.join(name).symlink_metadata() {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn checked(&self, name: &OsStr) -> io::Result<fs::Metadata> {
        let metadata = self.0.join(name).symlink_metadata()?;
        if metadata.is_symlink() {
            let what = "it is a link, and links in this folder are not followed";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        Ok(metadata)
    }
}
