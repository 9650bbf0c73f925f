//! An archive that is written.
//!
//! | module | for |
//! |---|---|
//! | `begin` | takes the lock, and repairs what the last run left behind |
//! | `take` | a file: what is new in it |
//! | `pieces` | bytes cut into pieces, of which equal ones are stored once |
//!
//! The order of writing is what makes it safe: packs, then a copy of the commit behind them in the segment, then the
//! commit in the log, each on the disk before the next begins. What a run that ended in between left behind is found
//! by the next one, which takes it if it is whole, and cuts it off if it is not.

mod begin;
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
use crate::record::{self, Kind};
use crate::store::{LOG, segment_path};

pub use begin::last_run;
pub use take::Taken;

/// When a segment is this long, the next one begins. Backups need to copy only the last one again.
const SEGMENT_FULL: u64 = 64 << 20;

/// After so many new bytes what was taken is committed, so that a long first run does not lose everything at its end.
const ENOUGH: u64 = 64 << 20;

/// The one process that may add to an archive.
pub struct Writer {
    folder: PathBuf,
    disk: Arc<dyn Disk>,
    /// Held until the end. Its time says when the last run ended.
    lock: File,
    /// What was there when it was opened. What is added after that is only needed here as far as it is kept below.
    before: Archive,
    segment: Segment,
    log: Log,
    packs: FxHashMap<u32, PackPlace>,
    next_pack: u32,
    next_file: u32,
    /// Where pieces are, by their content; read when the first new byte comes.
    known: Option<FxHashMap<PieceHash, (u32, u32)>>,
    /// The pack that is being filled.
    filling: Filling,
    packer: Packer,
    recent: Recent,
    /// What is not committed yet.
    pending: Pending,
    taken: HashSet<FileKey>,
    /// Files by device and number, to find those that were renamed.
    by_inode: Option<FxHashMap<(u64, u64), u32>>,
    /// Read buffer.
    input: Vec<u8>,
    compares_all: bool,
    /// What was cut off, until the run succeeds.
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
    /// Where the piece begins that is not complete.
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

/// What a run did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Report {
    /// Files that were looked at.
    pub files: u64,
    /// Files that were not known.
    pub new: u64,
    /// Files that had more at their end.
    pub grown: u64,
    /// Files that were cut or written anew, and have a new version.
    pub replaced: u64,
    /// Bytes of files that were not in the archive.
    pub bytes: u64,
    /// Of these, bytes that it had under another name.
    pub shared: u64,
    /// Bytes that the archive grew by.
    pub stored: u64,
}

impl Writer {
    /// What was in the archive when it was opened.
    pub fn before(&self) -> &Archive {
        &self.before
    }

    /// Compares every file with its copy, byte for byte, whatever the system says about it. What is damaged in the
    /// archive and still there is archived again.
    pub fn compare_all(&mut self) {
        self.compares_all = true;
    }

    /// What was done so far.
    pub fn report(&self) -> Report {
        self.report
    }

    /// Makes everything that was taken count. When it is done, it is on the disk.
    pub fn commit(&mut self) -> Result<(), ArchiveError> {
        self.flush()?;
        let Pending { packs, files, changes, owners, bytes: _ } = std::mem::take(&mut self.pending);
        if packs.is_empty() && files.is_empty() && changes.is_empty() && owners.is_empty() {
            return Ok(());
        }
        let number = self.log.commits + 1;
        let (segment, offset) = (self.segment.number, self.segment.end);
        let commit = Commit { number, at: now(), segment, offset, packs, files, changes, owners };
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

    /// Commits, and ends the run.
    pub fn finish(mut self) -> Result<Report, ArchiveError> {
        self.commit()?;
        for path in &self.aside {
            // The next run will.
            let _ = self.disk.remove(path);
        }
        let _ = self.lock.set_modified(SystemTime::now());
        Ok(self.report)
    }

    /// Writes the pack that is being filled, if there is something in it.
    fn flush(&mut self) -> Result<(), ArchiveError> {
        if self.filling.bytes.is_empty() {
            return Ok(());
        }
        let path = segment_path(&self.folder, self.segment.number);
        let content = self.packer.pack(&self.filling.bytes, &self.filling.pieces);
        let content = content.map_err(ArchiveError::write(&path))?;
        let mut bytes = Vec::with_capacity(content.len() + record::HEADER);
        record::append(Kind::Pack, &content, &mut bytes).ok_or_else(|| too_large(&path))?;
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
        if self.segment.end >= SEGMENT_FULL {
            self.sync_segment()?;
            self.segment = Segment { number: self.segment.number + 1, end: 0, sink: None };
        }
        Ok(())
    }

    /// Writes at the end of the segment, and says where that was.
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
    record::append(Kind::Commit, &content, &mut bytes)?;
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
