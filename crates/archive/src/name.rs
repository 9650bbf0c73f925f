//! The identity of a file in an archive.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A file, identified by where it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The config root that it was found in.
    pub root: PathBuf,
    /// Its path below that root.
    pub path: PathBuf,
    /// Its kind, in the caller's terms.
    pub kind: Box<str>,
    /// The session that it belongs to; empty if none or unknown.
    pub session: Box<str>,
}

impl Name {
    /// The full path of the file.
    pub fn full(&self) -> PathBuf {
        self.root.join(&self.path)
    }
}

/// The bytes of a path.
#[cfg(unix)]
pub(crate) fn bytes_of(path: &Path) -> Vec<u8> {
    std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_vec()
}

/// The bytes of a path: names on such systems are Unicode, except for rare damage.
#[cfg(not(unix))]
pub(crate) fn bytes_of(path: &Path) -> Vec<u8> {
    path.to_string_lossy().into_owned().into_bytes()
}

/// The path for these bytes.
#[cfg(unix)]
pub(crate) fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(<OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes))
}

/// The path for these bytes.
#[cfg(not(unix))]
pub(crate) fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(AsRef::<OsStr>::as_ref(String::from_utf8_lossy(bytes).as_ref()))
}
