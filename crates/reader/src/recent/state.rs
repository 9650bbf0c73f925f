//! The state stored between updates, and its file format.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::io::{self, Write as _};
use std::path::Path;
use std::time::UNIX_EPOCH;

use ledger::Ledger;
use serde::{Deserialize, Serialize};

use super::hash;
use sources::follow::FileId;

/// The stored state. Times are in milliseconds since 1970.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct State {
    /// When it was last updated.
    pub(super) written: i64,
    /// When outdated messages were last dropped.
    pub(super) forgotten: i64,
    /// Whether all folders have been checked once.
    pub(super) has_seen_all: bool,
    /// Recently written files, by path.
    pub(super) files: BTreeMap<String, Known>,
    pub(super) ledger: Ledger,
}

/// A file, and the position reached in it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Known {
    /// The file's identity, where the system provides one.
    id: FileId,
    /// When it was last written to.
    pub(super) modified: i64,
    pub(super) size: u64,
    /// Where the first unread line begins.
    pub(super) offset: u64,
    /// Where the file ended when it was last read to its end: there may be half a line after the offset.
    pub(super) end: u64,
    /// Whether the line at the offset is skipped because it began earlier.
    pub(super) is_inside: bool,
    /// The bytes before the offset: their number and their hash.
    pub(super) before: (u16, u64),
}

impl Known {
    /// Takes over the file's current metadata.
    pub(super) fn meet(&mut self, metadata: &Metadata) {
        let (id, size) = (FileId::of(metadata), metadata.len());
        if id != self.id || size < self.offset {
            *self = Self { id, ..Self::default() };
        }
        self.modified = modified(metadata);
        self.size = size;
        self.end = self.end.min(size);
    }

    /// Resets the position to the start.
    pub(super) fn start_anew(&mut self) {
        let Self { id, modified, size, .. } = *self;
        *self = Self { id, modified, size, ..Self::default() };
    }

    /// Whether something was added since the last read.
    pub(super) fn has_more(&self) -> bool {
        self.size > self.end
    }
}

pub(super) fn modified(metadata: &Metadata) -> i64 {
    let since_1970 = metadata.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    since_1970.and_then(|duration| i64::try_from(duration.as_millis()).ok()).unwrap_or_default()
}

/// The start of the file. It contains the version, because another version may store other data.
const MAGIC: &[u8] = concat!("recount ", env!("CARGO_PKG_VERSION"), " statusline 2\n").as_bytes();

/// The size of the hash that follows.
const HASH: usize = size_of::<u64>();

impl State {
    /// Reads the stored state, if it exists and is intact.
    pub(super) fn read(path: &Path) -> Option<Self> {
        let bytes = fs::read(path).ok()?;
        let (sum, content) = bytes.strip_prefix(MAGIC)?.split_first_chunk::<HASH>()?;
        if u64::from_le_bytes(*sum) != hash(content) {
            return None;
        }
        postcard::from_bytes(content).ok()
    }

    /// Writes the state atomically.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let content = postcard::to_extend(self, Vec::new()).map_err(io::Error::other)?;
        let sum = hash(content.as_slice()).to_le_bytes();
        let new = path.with_extension("new");
        let mut file = private::options().create(true).write(true).truncate(true).open(&new)?;
        private::close(&new)?;
        for part in [MAGIC, &sum, &content] {
            file.write_all(part)?;
        }
        fs::rename(new, path)
    }
}
