//! What is done to files of an archive when it is written. Tests put a disk in its place that fails.

use std::fs::{self, File};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::Path;

/// Where an archive is written.
pub(crate) trait Disk: Send + Sync {
    /// Makes a folder and those above it, for this user only.
    fn make_folder(&self, path: &Path) -> io::Result<()>;

    /// Opens a file for writing, and makes it if it is not there.
    fn open(&self, path: &Path) -> io::Result<Box<dyn Sink>>;

    /// Puts a file in the place of another.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Waits until the names in a folder are on the disk.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;
}

/// A file that is written.
pub(crate) trait Sink: Send {
    /// Writes all bytes from a place on.
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Cuts it off, or makes it longer.
    fn set_length(&mut self, length: u64) -> io::Result<()>;

    /// Waits until everything is on the disk.
    fn sync(&mut self) -> io::Result<()>;
}

/// The disk of this machine.
#[derive(Debug)]
pub(crate) struct Here;

impl Disk for Here {
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn Sink>> {
        let mut options = File::options();
        options.create(true).truncate(false).write(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        Ok(Box::new(options.open(path)?))
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

    /// Folders cannot be opened there; the system looks after them itself.
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
