//! Commits: what became of files, and where their bytes are. All of a commit counts, or nothing.

use serde::{Deserialize, Serialize};

/// Something that is added to an archive at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Commit {
    /// They are counted from 1, without gaps.
    pub(crate) number: u64,
    /// When it was made, in milliseconds since 1970.
    pub(crate) at: i64,
    /// The segment that has a copy of it.
    pub(crate) segment: u32,
    /// Where the copy is: the segment ends behind it.
    pub(crate) offset: u64,
    pub(crate) packs: Vec<PackPlace>,
    pub(crate) files: Vec<NewFile>,
    pub(crate) changes: Vec<FileChange>,
    /// Where files come from, as far as that is stated. It is encoded behind the rest, which version 0.1 passes over.
    #[serde(skip)]
    pub(crate) owners: Vec<Owner>,
}

impl Commit {
    pub(crate) fn encode(&self) -> Option<Vec<u8>> {
        let content = postcard::to_extend(self, Vec::new()).ok()?;
        if self.owners.is_empty() { Some(content) } else { postcard::to_extend(&self.owners, content).ok() }
    }

    pub(crate) fn decode(content: &[u8]) -> Option<Self> {
        let (commit, rest) = postcard::take_from_bytes::<Self>(content).ok()?;
        let owners = if rest.is_empty() { Vec::new() } else { postcard::from_bytes(rest).unwrap_or_default() };
        Some(Self { owners, ..commit })
    }
}

/// A machine, and files that come from it: new ones, or such that did not say so before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Owner {
    pub(crate) tenant: Box<str>,
    pub(crate) machine: Box<str>,
    pub(crate) files: Vec<u32>,
}

/// Where a pack is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PackPlace {
    pub(crate) number: u32,
    pub(crate) segment: u32,
    /// Where its record begins.
    pub(crate) offset: u64,
    /// The length of that record.
    pub(crate) stored: u32,
    /// How many bytes of files are in it.
    pub(crate) raw: u32,
}

/// A file that was not known before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NewFile {
    pub(crate) number: u32,
    pub(crate) root: Vec<u8>,
    pub(crate) path: Vec<u8>,
    pub(crate) kind: Box<str>,
    pub(crate) session: Box<str>,
}

/// What became of a file: it has a new version, or its last one was added to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileChange {
    pub(crate) file: u32,
    /// Versions are counted from 0.
    pub(crate) version: u32,
    /// Its beginning is that of another version, which may be itself.
    pub(crate) base: Option<Base>,
    /// The bytes after that.
    pub(crate) extents: Vec<Extent>,
    pub(crate) stamp: Stamp,
    /// Whether the times are so close to those of the reading that a later change might have the same.
    pub(crate) racy: bool,
}

/// The beginning of a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Base {
    pub(crate) file: u32,
    pub(crate) version: u32,
    /// So many bytes of it.
    pub(crate) length: u64,
}

/// Bytes in a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Extent {
    /// `None` if it is not known any more where they are.
    pub(crate) pack: Option<u32>,
    pub(crate) start: u32,
    pub(crate) length: u64,
    /// Whether the id of the session was taken out.
    pub(crate) aliased: bool,
}

/// What the system says about a file, to see whether it has changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// The device, where the system says so.
    pub device: u64,
    /// The number of the file on it.
    pub inode: u64,
    /// Its length.
    pub size: u64,
    /// When it was last written to, in nanoseconds since 1970.
    pub modified: i64,
    /// When that or anything else about it was changed. It cannot be set back.
    pub changed: i64,
}

impl Stamp {
    /// What the system says.
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

    /// What the system says.
    #[cfg(not(unix))]
    pub fn of(metadata: &std::fs::Metadata) -> Self {
        let modified = metadata.modified().map_or(0, nanoseconds);
        Self { device: 0, inode: 0, size: metadata.len(), modified, changed: modified }
    }

    /// Whether it is the same file, whatever its name, as far as the system says so.
    pub(crate) fn is_same_file(&self, other: &Self) -> bool {
        self.inode != 0 && (self.device, self.inode) == (other.device, other.inode)
    }

    /// Whether a change right now might leave the times as they are.
    pub(crate) fn is_racy(&self) -> bool {
        /// Systems note times as coarsely as this.
        const TICK: i64 = 2_000_000_000;
        nanoseconds(std::time::SystemTime::now()).saturating_sub(self.modified.max(self.changed)) < TICK
    }
}

fn nanoseconds(time: std::time::SystemTime) -> i64 {
    let of = |duration: std::time::Duration| i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX);
    time.duration_since(std::time::UNIX_EPOCH).map_or_else(|before| -of(before.duration()), of)
}
