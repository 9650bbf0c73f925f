//! What is kept between two looks, and how it is written.

use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::path::Path;
use std::time::UNIX_EPOCH;

use ledger::Ledger;
use serde::{Deserialize, Serialize};

use super::hash;
use sources::follow::FileId;

/// All that is kept. Times are in milliseconds since 1970.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct State {
    /// When it was last brought up to date.
    pub(super) written: i64,
    /// When what is too old was last forgotten.
    pub(super) forgotten: i64,
    /// Whether all folders have been looked through once.
    pub(super) has_seen_all: bool,
    /// The files that were written to lately, by their paths.
    pub(super) files: BTreeMap<String, Known>,
    pub(super) ledger: Ledger,
}

/// A file, and how far it has been read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Known {
    /// What makes it the same file, where the system says so.
    id: FileId,
    /// When it was last written to.
    pub(super) modified: i64,
    pub(super) size: u64,
    /// Where the first line begins that has not been read.
    pub(super) offset: u64,
    /// Where the file ended when it was last read to its end: behind the offset there may be half a line.
    pub(super) end: u64,
    /// Whether the line at the offset is passed over, because it began before.
    pub(super) is_inside: bool,
    /// The bytes before the offset: how many, and their hash.
    pub(super) before: (u16, u64),
}

impl Known {
    /// Takes what the system says about the file now.
    pub(super) fn meet(&mut self, metadata: &Metadata) {
        let (id, size) = (FileId::of(metadata), metadata.len());
        if id != self.id || size < self.offset {
            *self = Self { id, ..Self::default() };
        }
        self.modified = modified(metadata);
        self.size = size;
        self.end = self.end.min(size);
    }

    /// Forgets that it was read.
    pub(super) fn start_anew(&mut self) {
        let Self { id, modified, size, .. } = *self;
        *self = Self { id, modified, size, ..Self::default() };
    }

    /// Whether something was added since it was read.
    pub(super) fn has_more(&self) -> bool {
        self.size > self.end
    }
}

pub(super) fn modified(metadata: &Metadata) -> i64 {
    let since_1970 = metadata.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    since_1970.and_then(|duration| i64::try_from(duration.as_millis()).ok()).unwrap_or_default()
}

/// What the file begins with. Another version of the program may keep other things.
const MAGIC: &[u8] = concat!("recount ", env!("CARGO_PKG_VERSION"), " statusline 1\n").as_bytes();

/// The bytes of the hash that follows.
const HASH: usize = size_of::<u64>();

impl State {
    /// Reads what is kept, if it is there and in order.
    pub(super) fn read(path: &Path) -> Option<Self> {
        let bytes = fs::read(path).ok()?;
        let (sum, content) = bytes.strip_prefix(MAGIC)?.split_first_chunk::<HASH>()?;
        if u64::from_le_bytes(*sum) != hash(content) {
            return None;
        }
        postcard::from_bytes(content).ok()
    }

    /// Writes it so that others see all of it or nothing.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let content = postcard::to_extend(self, Vec::new()).map_err(io::Error::other)?;
        let sum = hash(content.as_slice()).to_le_bytes();
        let new = path.with_extension("new");
        let mut file = File::create(&new)?;
        for part in [MAGIC, &sum, &content] {
            file.write_all(part)?;
        }
        fs::rename(new, path)
    }
}
