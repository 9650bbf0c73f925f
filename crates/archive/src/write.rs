//! An archive opened for writing.
//!
//! | module | for |
//! |---|---|
//! | `begin` | takes the lock, and repairs what the last run left behind |
//! | `take` | archives what is new in a file |
//! | `forget` | removes files for good |
//! | `pieces` | cuts bytes into pieces and stores equal ones once |
//!
//! The order of writes makes it safe: packs, then a copy of the commit after them in the segment, then the commit in
//! the log, each on disk before the next begins. The next run finds what a killed run left behind; it keeps what is
//! complete and truncates the rest.

mod begin;
mod forget;
mod pieces;
mod take;

#[cfg(test)]
mod faults;

use std::collections::HashSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use rustc_hash::FxHashMap;

use crate::commit::{Commit, FileChange, NewFile, Owner, PackPlace};
use crate::disk::{Disk, Sink};
use crate::error::ArchiveError;
use crate::name::FileKey;
use crate::open::{Archive, Recent};
use crate::pack::{Packer, PieceHash};
use crate::record::{self, RecordKind};
use crate::store::{LOG, segment_path};

pub use begin::last_run;
pub use forget::{Fate, Removed};
pub use take::Taken;

/// A new segment begins at this length, so that backups only need to copy the last one again.
const SEGMENT_FULL: u64 = 64 << 20;

/// Commits after this many new bytes, so that a long first run does not lose everything if it is killed.
const ENOUGH: u64 = 64 << 20;

/// The only process that may write to an archive.
pub struct Writer {
    folder: PathBuf,
    disk: Arc<dyn Disk>,
    /// Held until the end. Its time shows when the last run ended.
    lock: File,
    /// The archive as opened. What is added later is tracked only as far as needed, below.
    before: Archive,
    segment: Segment,
    log: Log,
    packs: FxHashMap<u32, PackPlace>,
    next_pack: u32,
    next_file: u32,
    /// The positions of pieces by hash; read when the first new byte arrives.
    known: Option<FxHashMap<PieceHash, (u32, u32)>>,
    /// The pack that is being filled.
    filling: Filling,
    packer: Packer,
    /// The session, or else the file, whose pieces it has: each is alone, so that it can be removed.
    owner: Box<str>,
    recent: Recent,
    /// Changes that are not committed yet.
    pending: Pending,
    taken: HashSet<FileKey>,
    /// Files by device and inode, to find renamed ones.
    by_inode: Option<FxHashMap<(u64, u64), u32>>,
    /// Read buffer.
    input: Vec<u8>,
    compares_all: bool,
    /// Bytes that were truncated from files, stored until the run succeeds.
    aside: Vec<PathBuf>,
    report: Report,
}

struct Segment {
    number: u32,
    end: u64,
    sink: Option<Box<dyn Sink>>,
}

struct Log {
    end: u64,
    commits: u64,
    sink: Option<Box<dyn Sink>>,
}

/// The pack that is being filled.
#[derive(Default)]
struct Filling {
    bytes: Vec<u8>,
    pieces: Vec<(PieceHash, u32)>,
    /// Where the incomplete piece begins.
    piece: usize,
}

#[derive(Default)]
struct Pending {
    packs: Vec<PackPlace>,
    files: Vec<NewFile>,
    changes: Vec<FileChange>,
    owners: Vec<Owner>,
    /// New bytes.
    bytes: u64,
}

/// The result of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Report {
    /// Files that were checked.
    pub files: u64,
    /// New files.
    pub new: u64,
    /// Files that have grown.
    pub grown: u64,
    /// Files that were truncated or rewritten, and have a new version.
    pub replaced: u64,
    /// Bytes that the archive did not have under these names.
    pub bytes: u64,
    /// Of these, bytes that it had under another name.
    pub shared: u64,
    /// Bytes added to the archive on disk.
    pub stored: u64,
}

impl Writer {
    /// The archive as it was opened.
    pub fn before(&self) -> &Archive {
        &self.before
    }

    /// Compares every file with its copy byte for byte, regardless of its metadata. Damaged parts whose bytes still
    /// exist are archived again.
    pub fn compare_all(&mut self) {
        self.compares_all = true;
    }

    /// The report so far.
    pub fn report(&self) -> Report {
        self.report
    }

    /// Commits everything archived so far. On return it is on the disk.
    pub fn commit(&mut self) -> Result<(), ArchiveError> {
        self.flush()?;
        let Pending { packs, files, changes, owners, bytes: _ } = std::mem::take(&mut self.pending);
        if packs.is_empty() && files.is_empty() && changes.is_empty() && owners.is_empty() {
            return Ok(());
        }
        let number = self.log.commits + 1;
        let (segment, offset) = (self.segment.number, self.segment.end);
        let rewriting = self.before.state().rewriting;
        let commit = Commit { number, at: now(), segment, offset, packs, files, changes, owners, rewriting };
        let path = self.folder.join(LOG);
        let bytes = encode(&commit).ok_or_else(|| too_large(&path))?;
        self.append_to_segment(&bytes)?;
        self.sync_segment()?;

        let failed = ArchiveError::write(&path);
        let mut write = || {
            if self.log.sink.is_none() {
                self.log.sink = Some(self.disk.open(&path)?);
            }
            if let Some(sink) = &mut self.log.sink {
                sink.write_at(self.log.end, &bytes)?;
                sink.sync()?;
            }
            if self.log.end == 0 {
                self.disk.sync_folder(&self.folder)?;
            }
            Ok(())
        };
        write().map_err(failed)?;
        self.log.end += bytes.len() as u64;
        self.log.commits = number;
        self.report.stored += bytes.len() as u64;
        Ok(())
    }

    /// Commits and ends the run.
    pub fn finish(mut self) -> Result<Report, ArchiveError> {
        self.commit()?;
        for path in &self.aside {
            // The next run removes it.
            let _ = self.disk.remove(path);
        }
        let _ = self.lock.set_modified(SystemTime::now());
        Ok(self.report)
    }

    /// Writes the current pack, if it is not empty.
    fn flush(&mut self) -> Result<(), ArchiveError> {
        if self.filling.bytes.is_empty() {
            return Ok(());
        }
        let path = segment_path(&self.folder, self.segment.number);
        let content = self.packer.pack(&self.filling.bytes, &self.filling.pieces);
        let content = content.map_err(ArchiveError::write(&path))?;
        let mut bytes = Vec::with_capacity(content.len() + record::HEADER);
        record::append(RecordKind::Pack, &content, &mut bytes).ok_or_else(|| too_large(&path))?;
        let length = |length: usize| u32::try_from(length).map_err(|_| too_large(&path));
        let (stored, raw) = (length(bytes.len())?, length(self.filling.bytes.len())?);
        let offset = self.append_to_segment(&bytes)?;
        let place = PackPlace { number: self.next_pack, segment: self.segment.number, offset, stored, raw };
        self.packs.insert(place.number, place);
        self.pending.packs.push(place);
        self.next_pack += 1;
        self.filling.bytes.clear();
        self.filling.pieces.clear();
        self.filling.piece = 0;
        self.begin_segment_if_full()
    }

    fn begin_segment_if_full(&mut self) -> Result<(), ArchiveError> {
        if self.segment.end >= SEGMENT_FULL {
            self.sync_segment()?;
            self.segment = Segment { number: self.segment.number + 1, end: 0, sink: None };
        }
        Ok(())
    }

    /// Appends to the segment, and returns the offset.
    fn append_to_segment(&mut self, bytes: &[u8]) -> Result<u64, ArchiveError> {
        let path = segment_path(&self.folder, self.segment.number);
        let Segment { end, sink, .. } = &mut self.segment;
        let mut write = || {
            if sink.is_none() {
                *sink = Some(self.disk.open(&path)?);
            }
            sink.as_mut().map_or(Ok(()), |sink| sink.write_at(*end, bytes))
        };
        write().map_err(ArchiveError::write(&path))?;
        let offset = *end;
        *end += bytes.len() as u64;
        self.report.stored += bytes.len() as u64;
        Ok(offset)
    }

    /// Waits until the segment and its name are on the disk.
    fn sync_segment(&mut self) -> Result<(), ArchiveError> {
        let path = segment_path(&self.folder, self.segment.number);
        let mut sync = || {
            self.segment.sink.as_mut().map_or(Ok(()), |sink| sink.sync())?;
            self.disk.sync_folder(&self.folder)
        };
        sync().map_err(ArchiveError::write(path))
    }
}

/// A commit as a record.
fn encode(commit: &Commit) -> Option<Vec<u8>> {
    let content = commit.encode()?;
    let mut bytes = Vec::with_capacity(content.len() + record::HEADER);
    record::append(RecordKind::Commit, &content, &mut bytes)?;
    Some(bytes)
}

fn too_large(path: &Path) -> ArchiveError {
    ArchiveError::write(path)(std::io::Error::from(std::io::ErrorKind::FileTooLarge))
}

/// Milliseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
