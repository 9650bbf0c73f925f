//! Commits: changes to files, and where their bytes are. A commit counts as a whole or not at all.

use serde::{Deserialize, Serialize};

/// Changes that are added to an archive atomically.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Commit {
    /// Counted from 1, without gaps.
    pub(crate) number: u64,
    /// When it was written, in milliseconds since 1970.
    pub(crate) at: i64,
    /// The segment that contains a copy of it.
    pub(crate) segment: u32,
    /// The position of the copy: the segment ends after it.
    pub(crate) offset: u64,
    pub(crate) packs: Vec<PackPlace>,
    pub(crate) files: Vec<NewFile>,
    pub(crate) changes: Vec<FileChange>,
    /// The origins of files, as far as they are stated. They are encoded at the end, which version 0.1 ignores.
    #[serde(skip)]
    pub(crate) owners: Vec<Owner>,
    /// The rewriting that it belongs to or follows. Encoded after the owners.
    #[serde(skip)]
    pub(crate) rewriting: Rewriting,
}

/// The last time that files were removed from the archive: what stays was written anew, into segments of its own. All
/// zero if that has never happened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Rewriting {
    /// Its first segment. Earlier ones do not belong to the archive any more.
    pub(crate) since: u32,
    /// The last commit that it wrote. It counts only if this one is there.
    pub(crate) last: u64,
}

impl Commit {
    pub(crate) fn encode(&self) -> Option<Vec<u8>> {
        let content = postcard::to_extend(self, Vec::new()).ok()?;
        match (self.owners.is_empty(), self.rewriting == Rewriting::default()) {
            (true, true) => Some(content),
            (false, true) => postcard::to_extend(&self.owners, content).ok(),
            (_, false) => postcard::to_extend(&(&self.owners, self.rewriting), content).ok(),
        }
    }

    pub(crate) fn decode(content: &[u8]) -> Option<Self> {
        let (commit, rest) = postcard::take_from_bytes::<Self>(content).ok()?;
        if rest.is_empty() {
            return Some(commit);
        }
        let (owners, rest) = postcard::take_from_bytes(rest).unwrap_or_default();
        let rewriting = postcard::from_bytes(rest).unwrap_or_default();
        Some(Self { owners, rewriting, ..commit })
    }
}

/// A machine, and files that come from it: new ones, or files without an origin until now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Owner {
    pub(crate) tenant: Box<str>,
    pub(crate) machine: Box<str>,
    pub(crate) files: Vec<u32>,
}

/// The position of a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PackPlace {
    pub(crate) number: u32,
    pub(crate) segment: u32,
    /// Where its record begins.
    pub(crate) offset: u64,
    /// The length of that record.
    pub(crate) stored: u32,
    /// How many bytes of files it contains.
    pub(crate) raw: u32,
}

/// A file that is new to the archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NewFile {
    pub(crate) number: u32,
    pub(crate) root: Vec<u8>,
    pub(crate) path: Vec<u8>,
    pub(crate) kind: Box<str>,
    pub(crate) session: Box<str>,
}

/// A change to a file: a new version, or an extension of the last one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileChange {
    pub(crate) file: u32,
    /// Versions are counted from 0.
    pub(crate) version: u32,
    /// The version it starts with, which may be itself.
    pub(crate) base: Option<Base>,
    /// The bytes after the base.
    pub(crate) extents: Vec<Extent>,
    pub(crate) stamp: Stamp,
    /// Whether the times are so close to the time of reading that a later change might leave them the same.
    pub(crate) racy: bool,
}

/// The start of a version, shared with another version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Base {
    pub(crate) file: u32,
    pub(crate) version: u32,
    /// How many bytes of it are shared.
    pub(crate) length: u64,
}

/// Bytes in a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Extent {
    /// `None` if their position is no longer known.
    pub(crate) pack: Option<u32>,
    pub(crate) start: u32,
    pub(crate) length: u64,
    /// Whether the id of the session was replaced by the placeholder.
    pub(crate) aliased: bool,
}

/// The file system's metadata about a file, to detect changes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// The device, where the system provides it.
    pub device: u64,
    /// The inode number on the device.
    pub inode: u64,
    /// Its length.
    pub size: u64,
    /// When the content was last modified, in nanoseconds since 1970.
    pub modified: i64,
    /// When the content or the metadata last changed. It cannot be set back.
    pub changed: i64,
}

impl Stamp {
    /// The stamp of a file's metadata.
    #[cfg(unix)]
    pub fn of(metadata: &std::fs::Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        let time = |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.len(),
            modified: time(metadata.mtime(), metadata.mtime_nsec()),
            changed: time(metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    /// The stamp of a file's metadata.
    #[cfg(not(unix))]
    pub fn of(metadata: &std::fs::Metadata) -> Self {
        let modified = metadata.modified().map_or(0, nanoseconds);
        Self { device: 0, inode: 0, size: metadata.len(), modified, changed: modified }
    }

    /// Whether this is the same file under any name, as far as the system shows it.
    pub(crate) fn is_same_file(&self, other: &Self) -> bool {
        self.inode != 0 && (self.device, self.inode) == (other.device, other.inode)
    }

    /// Whether a change at this moment might leave the times unchanged.
    pub(crate) fn is_racy(&self) -> bool {
        /// The coarsest resolution of file times.
        const TICK: i64 = 2_000_000_000;
        nanoseconds(std::time::SystemTime::now()).saturating_sub(self.modified.max(self.changed)) < TICK
    }
}

fn nanoseconds(time: std::time::SystemTime) -> i64 {
    let of = |duration: std::time::Duration| i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX);
    time.duration_since(std::time::UNIX_EPOCH).map_or_else(|before| -of(before.duration()), of)
}
