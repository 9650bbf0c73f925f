//! What an archive knows a file by.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A file by where it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The folder that it was found in: a config root.
    pub root: PathBuf,
    /// Where it was below that folder.
    pub path: PathBuf,
    /// What it is, in a word of whoever archives it.
    pub kind: Box<str>,
    /// The session that it belongs to; empty if to none, or if nobody knows.
    pub session: Box<str>,
}

impl Name {
    /// Where the file was.
    pub fn full(&self) -> PathBuf {
        self.root.join(&self.path)
    }
}

/// A path as bytes.
#[cfg(unix)]
pub(crate) fn bytes_of(path: &Path) -> Vec<u8> {
    std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_vec()
}

/// A path as text: such systems have Unicode names, but for rare damage.
#[cfg(not(unix))]
pub(crate) fn bytes_of(path: &Path) -> Vec<u8> {
    path.to_string_lossy().into_owned().into_bytes()
}

/// The path that bytes stand for.
#[cfg(unix)]
pub(crate) fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(<OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes))
}

/// The path that bytes stand for.
#[cfg(not(unix))]
pub(crate) fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(AsRef::<OsStr>::as_ref(String::from_utf8_lossy(bytes).as_ref()))
}
