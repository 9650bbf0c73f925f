//! Starts writing: takes the lock, and repairs what the last run left behind.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use super::{Filling, Log, Pending, Report, Segment, Writer};
use crate::disk::{Disk, Here};
use crate::error::ArchiveError;
use crate::open::{Archive, Recent};
use crate::pack::Packer;
use crate::record::{self, RecordKind};
use crate::store::{Fault, LOG, Loaded, load, segment_path, segments};

/// The file that the writing process locks.
const LOCK: &str = "lock";

/// The log while it is written anew.
pub(super) const NEW_LOG: &str = "commits.new";

/// The extension of files that store truncated bytes.
const ASIDE: &str = "aside";

impl Writer {
    /// Opens the archive in a folder for writing, and creates it if it does not exist. Waits up to `patience` while
    /// another process writes.
    pub fn open(folder: &Path, patience: Duration) -> Result<Self, ArchiveError> {
        Self::open_on(Arc::new(Here), folder, patience)
    }

    pub(super) fn open_on(disk: Arc<dyn Disk>, folder: &Path, patience: Duration) -> Result<Self, ArchiveError> {
        disk.make_folder(folder).map_err(ArchiveError::write(folder))?;
        let lock = lock(folder, patience)?;
        let loaded = load(folder, true)?;
        let mut aside = left_aside(folder)?;
        let log_end = repair_log(&*disk, folder, &loaded, &mut aside)?;
        let segment = repair_segments(&*disk, folder, &loaded, &mut aside)?;
        let before = Archive::with(folder, loaded.state);
        let next = |last: Option<u32>| last.map_or(0, |last| last + 1);
        Ok(Self {
            next_pack: next(before.state().packs.keys().max().copied()),
            next_file: next(before.state().files.keys().next_back().copied()),
            log: Log { end: log_end, commits: before.state().commits, sink: None },
            folder: folder.to_path_buf(),
            disk,
            lock,
            before,
            segment,
            packs: FxHashMap::default(),
            known: None,
            filling: Filling::default(),
            owner: Box::default(),
            packer: Packer::new().map_err(ArchiveError::write(folder))?,
            recent: Recent::default(),
            pending: Pending::default(),
            taken: HashSet::new(),
            by_inode: None,
            input: Vec::new(),
            compares_all: false,
            aside,
            report: Report::default(),
        })
    }
}

/// When the last run ended, whether or not it found anything new.
pub fn last_run(folder: &Path) -> Option<std::time::SystemTime> {
    folder.join(LOCK).metadata().ok()?.modified().ok()
}

fn lock(folder: &Path, patience: Duration) -> Result<File, ArchiveError> {
    const PAUSE: Duration = Duration::from_millis(20);
    let path = folder.join(LOCK);
    let opened = private::options().create(true).truncate(false).write(true).open(&path);
    let lock = opened.map_err(ArchiveError::write(&path))?;
    let started = Instant::now();
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(lock),
            Err(fs::TryLockError::WouldBlock) if started.elapsed() < patience => std::thread::sleep(PAUSE),
            Err(fs::TryLockError::WouldBlock) => return Err(ArchiveError::Busy { path: folder.to_path_buf() }),
            Err(fs::TryLockError::Error(error)) => return Err(ArchiveError::write(path)(error)),
        }
    }
}

/// What earlier runs could not remove: truncated bytes, and a log that did not replace the other one.
fn left_aside(folder: &Path) -> Result<Vec<PathBuf>, ArchiveError> {
    let entries = fs::read_dir(folder).map_err(ArchiveError::read(folder))?;
    let paths = entries.flatten().map(|entry| entry.path());
    let is_left = |path: &PathBuf| path.extension().is_some_and(|end| end == ASIDE) || path.ends_with(NEW_LOG);
    Ok(paths.filter(is_left).collect())
}

/// Rewrites the log if it has faults that the segments can repair. Returns its length.
fn repair_log(disk: &dyn Disk, folder: &Path, loaded: &Loaded, aside: &mut Vec<PathBuf>) -> Result<u64, ArchiveError> {
    // Rewriting the log does not bring back lost commits.
    if !loaded.faults.iter().any(|fault| matches!(fault, Fault::Damage { .. } | Fault::Recovered { .. })) {
        return Ok(loaded.log_length);
    }
    let (log, new) = (folder.join(LOG), folder.join(NEW_LOG));
    let mut bytes = Vec::new();
    for content in loaded.commits.values() {
        // They were records before, so they fit.
        let _ = record::append(RecordKind::Commit, content, &mut bytes);
    }
    if loaded.log_length > 0 {
        let old = fs::read(&log).map_err(ArchiveError::read(&log))?;
        keep_aside(disk, &log, &old, aside)?;
    }
    put(disk, &new, &bytes)?;
    disk.rename(&new, &log).and_then(|()| disk.sync_folder(folder)).map_err(ArchiveError::write(&log))?;
    Ok(bytes.len() as u64)
}

/// Truncates everything after the last commit, and returns where to continue.
fn repair_segments(
    disk: &dyn Disk,
    folder: &Path,
    loaded: &Loaded,
    aside: &mut Vec<PathBuf>,
) -> Result<Segment, ArchiveError> {
    let (number, end) = loaded.state.end.unwrap_or((0, 0));
    // Replaced by a rewriting that was killed before it could remove them.
    for earlier in segments(folder)?.into_iter().filter(|earlier| *earlier < loaded.state.rewriting.since) {
        let path = segment_path(folder, earlier);
        disk.remove(&path).map_err(ArchiveError::write(&path))?;
    }
    for later in segments(folder)?.into_iter().filter(|later| *later > number) {
        let path = segment_path(folder, later);
        let place = free_place(&path);
        disk.rename(&path, &place).map_err(ArchiveError::write(&path))?;
        aside.push(place);
    }
    let path = segment_path(folder, number);
    let length = match path.metadata() {
        Ok(metadata) => metadata.len(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
        Err(error) => return Err(ArchiveError::read(path)(error)),
    };
    if length < end {
        // Another program truncated it: the rest stays as it is.
        return Ok(Segment { number: number + 1, end: 0, sink: None });
    }
    if length > end {
        let all = fs::read(&path).map_err(ArchiveError::read(&path))?;
        let tail = usize::try_from(end).ok().and_then(|end| all.get(end..)).unwrap_or_default();
        keep_aside(disk, &path, tail, aside)?;
        let cut = disk.open(&path).and_then(|mut sink| {
            sink.set_length(end)?;
            sink.sync()
        });
        cut.map_err(ArchiveError::write(&path))?;
    }
    Ok(Segment { number, end, sink: None })
}

/// Stores bytes truncated from a file beside it.
fn keep_aside(disk: &dyn Disk, path: &Path, bytes: &[u8], aside: &mut Vec<PathBuf>) -> Result<(), ArchiveError> {
    let place = free_place(path);
    put(disk, &place, bytes)?;
    aside.push(place);
    Ok(())
}

/// An unused name beside a path.
fn free_place(path: &Path) -> PathBuf {
    let name = |number: u32| path.with_extension(format!("{number}.{ASIDE}"));
    (0..u32::MAX).map(name).find(|place| !place.exists()).unwrap_or_else(|| name(u32::MAX))
}

pub(super) fn put(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> Result<(), ArchiveError> {
    let write = disk.open(path).and_then(|mut sink| {
        sink.set_length(0)?;
        sink.write_at(0, bytes)?;
        sink.sync()
    });
    write.map_err(ArchiveError::write(path))
}
