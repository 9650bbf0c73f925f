//! The file operations for writing an archive. Tests replace them with a disk that fails.

use std::fs::{self, File};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::Path;

/// The disk an archive is written to.
pub(crate) trait Disk: Send + Sync {
    /// Creates a folder and its parents, private to this user.
    fn make_folder(&self, path: &Path) -> io::Result<()>;

    /// Opens a file for writing, and creates it if it does not exist.
    fn open(&self, path: &Path) -> io::Result<Box<dyn Sink>>;

    /// Renames a file, replacing the target.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Waits until the names in a folder are on the disk.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;
}

/// A file open for writing.
pub(crate) trait Sink: Send {
    /// Writes all bytes at an offset.
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Truncates or extends it.
    fn set_length(&mut self, length: u64) -> io::Result<()>;

    /// Waits until everything is on the disk.
    fn sync(&mut self) -> io::Result<()>;
}

/// The local disk.
#[derive(Debug)]
pub(crate) struct Here;

impl Disk for Here {
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        private::make_folder(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn Sink>> {
        Ok(Box::new(private::options().create(true).truncate(false).write(true).open(path)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    #[cfg(unix)]
    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    /// Windows cannot open folders; it makes names durable by itself.
    #[cfg(not(unix))]
    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}

impl Sink for File {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.seek(SeekFrom::Start(offset))?;
        self.write_all(bytes)
    }

    fn set_length(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}
