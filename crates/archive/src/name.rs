//! The identity of a file in an archive.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The origin of files. A path alone is ambiguous: two homes may contain the same one.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// The tenant that it belongs to, where several share a store; empty otherwise.
    pub tenant: Box<str>,
    /// The machine; empty if that is not stated, as in archives of version 0.1.
    pub machine: Box<str>,
    /// The folder on that machine: a config root.
    pub root: PathBuf,
}

impl Origin {
    /// Whether both have the same tenant and machine, in any folder.
    pub fn is_same_machine(&self, other: &Self) -> bool {
        self.tenant == other.tenant && self.machine == other.machine
    }

    /// Whether it has neither a tenant nor a machine.
    pub fn is_unstated(&self) -> bool {
        self.tenant.is_empty() && self.machine.is_empty()
    }
}

/// A file, identified by its location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The machine and the folder in which it was found.
    pub origin: Origin,
    /// Its path below that folder.
    pub path: PathBuf,
    /// Its kind, in the caller's terms.
    pub kind: Box<str>,
    /// The session that it belongs to; empty if none or unknown.
    pub session: Box<str>,
}

impl Name {
    /// The full path of the file.
    pub fn full(&self) -> PathBuf {
        self.origin.root.join(&self.path)
    }

    /// The key that distinguishes it from other files.
    pub fn key(&self) -> FileKey {
        FileKey::new(&self.origin, self.full())
    }
}

/// The key that distinguishes files. It does not depend on the root: another run may name another folder of the path.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileKey {
    /// As in the [`Origin`].
    pub tenant: Box<str>,
    /// Likewise.
    pub machine: Box<str>,
    /// The path of the file on that machine.
    pub path: PathBuf,
}

impl FileKey {
    /// A path on the machine of an origin.
    pub fn new(origin: &Origin, path: PathBuf) -> Self {
        Self { tenant: origin.tenant.clone(), machine: origin.machine.clone(), path }
    }

    /// Another path on the same machine.
    #[must_use]
    pub fn beside(&self, path: PathBuf) -> Self {
        Self { path, ..self.clone() }
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
