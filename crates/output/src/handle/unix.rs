//! An open folder: names in it are resolved relative to it, and links are not followed.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, mkdirat, openat, renameat, statat, unlinkat};

#[derive(Debug)]
pub(crate) struct Handle(OwnedFd);

/// Permissions of new files and folders, from which the umask takes some.
const FILE: Mode = Mode::from_raw_mode(0o666);
const FOLDER: Mode = Mode::from_raw_mode(0o777);

impl Handle {
    /// A folder, through links if there are any.
    pub(crate) fn top(path: &Path) -> io::Result<Self> {
        Ok(Self(openat(CWD, path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?))
    }

    /// A folder in it.
    pub(crate) fn enter(&self, name: &OsStr, is_created: bool) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let open = || openat(&self.0, name, flags, Mode::empty()).map_err(io::Error::from);
        let opened = match open() {
            Err(error) if is_created && error.kind() == io::ErrorKind::NotFound => {
                match mkdirat(&self.0, name, FOLDER) {
                    // Another thread may have created it.
                    Ok(()) | Err(rustix::io::Errno::EXIST) => open(),
                    Err(error) => return Err(error.into()),
                }
            }
            opened => opened,
        };
        opened.map(Self).map_err(|error| self.explained(name, error))
    }

    /// A file in it, for reading.
    pub(crate) fn open(&self, name: &OsStr) -> io::Result<File> {
        // Without waiting for the other end of a pipe.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened = openat(&self.0, name, flags, Mode::empty()).map_err(io::Error::from);
        let file = File::from(opened.map_err(|error| self.explained(name, error))?);
        if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("not a file")) }
    }

    /// A new file in it, for writing.
    pub(crate) fn create_new(&self, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(openat(&self.0, name, flags, FILE)?.into())
    }

    pub(crate) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(renameat(&self.0, from, &self.0, to)?)
    }

    pub(crate) fn remove(&self, name: &OsStr) -> io::Result<()> {
        Ok(unlinkat(&self.0, name, AtFlags::empty())?)
    }

    pub(crate) fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
        Ok(unlinkat(&self.0, name, AtFlags::REMOVEDIR)?)
    }

    pub(crate) fn is_taken(&self, name: &OsStr) -> io::Result<bool> {
        match statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(_) => Ok(true),
            Err(rustix::io::Errno::NOENT) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// The error, or the reason for it: systems disagree how they refuse a link.
    fn explained(&self, name: &OsStr, error: io::Error) -> io::Error {
        let found = statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW);
        if found.is_ok_and(|found| FileType::from_raw_mode(found.st_mode) == FileType::Symlink) {
            return io::Error::new(io::ErrorKind::InvalidInput, IS_LINK);
        }
        error
    }
}

const IS_LINK: &str = "it is a link, and links in this folder are not followed";
