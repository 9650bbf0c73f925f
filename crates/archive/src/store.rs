//! Reads the files of an archive: its log of commits, and its segments.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use crate::commit::{Commit, PackPlace, Rewriting};
use crate::error::ArchiveError;
use crate::pack::Pack;
use crate::record::{self, HEADER, RecordItem, RecordKind};
use crate::state::State;

/// The log of commits.
pub(crate) const LOG: &str = "commits.log";

/// Whether a folder contains an archive.
pub fn is_archive(folder: &Path) -> bool {
    folder.join(LOG).is_file() || segments(folder).is_ok_and(|segments| !segments.is_empty())
}

/// The path of a segment.
pub(crate) fn segment_path(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("segment-{number:06}.pack"))
}

/// The existing segments, in order.
pub(crate) fn segments(folder: &Path) -> Result<Vec<u32>, ArchiveError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(ArchiveError::read(folder)(error)),
    };
    let mut numbers = Vec::new();
    for entry in entries {
        let name = entry.map_err(ArchiveError::read(folder))?.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix("segment-")?.strip_suffix(".pack"));
        numbers.extend(number.and_then(|number| number.parse::<u32>().ok()));
    }
    numbers.sort_unstable();
    Ok(numbers)
}

/// An archive as read from its files.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    pub(crate) state: State,
    /// The length of the log.
    pub(crate) log_length: u64,
    /// The faults of the log.
    pub(crate) faults: Vec<Fault>,
    /// The commits' records; only if there are faults.
    pub(crate) commits: BTreeMap<u64, Vec<u8>>,
}

/// A fault of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Bytes that are not a record.
    Damage { offset: u64, length: u64, at_end: bool },
    /// The start of a commit that is complete in the segments: a run was killed while it wrote to the log.
    Torn { length: u64 },
    /// A commit that is in a segment but not in the log.
    Recovered { number: u64, segment: u32 },
    /// Commits that are missing everywhere.
    Lost { from: u64, to: u64 },
}

/// Reads the content of an archive. A missing archive is empty.
///
/// The log alone is sufficient. The copies of its commits in the segments are read only if the log is damaged or ends
/// in the middle of a record.
///
/// Writers pass `deep` to always check the ends of the segments.
pub(crate) fn load(folder: &Path, deep: bool) -> Result<Loaded, ArchiveError> {
    let (mut loaded, commits) = read(folder, deep)?;
    let keeps = !loaded.faults.is_empty();
    for (number, (commit, content)) in commits {
        loaded.state.apply(commit, content.len());
        if keeps {
            loaded.commits.insert(number, content);
        }
    }
    Ok(loaded)
}

/// All commits of an archive, each with the length of its content.
pub(crate) fn commits(folder: &Path) -> Result<Vec<(Commit, usize)>, ArchiveError> {
    let (_, commits) = read(folder, false)?;
    Ok(commits.into_values().map(|(commit, content)| (commit, content.len())).collect())
}

/// Commits by number, with their content.
type Commits = BTreeMap<u64, (Commit, Vec<u8>)>;

/// The log, its faults, and the commits, which are not applied yet.
fn read(folder: &Path, deep: bool) -> Result<(Loaded, Commits), ArchiveError> {
    let path = folder.join(LOG);
    let log = match fs::read(&path) {
        Ok(log) => Some(log),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(ArchiveError::read(&path)(error)),
    };
    let is_there = log.is_some();
    let log = log.unwrap_or_default();
    let mut loaded = Loaded { log_length: log.len() as u64, ..Loaded::default() };
    let mut commits = BTreeMap::new();
    for found in record::scan(&log) {
        match found {
            RecordItem::Record { kind: RecordKind::Commit, content, .. } => {
                if let Some(commit) = Commit::decode(content) {
                    commits.insert(commit.number, (commit, content.to_vec()));
                }
            }
            RecordItem::Record { kind: RecordKind::Pack, offset, content } => {
                let length = (HEADER + content.len()) as u64;
                loaded.faults.push(Fault::Damage { offset, length, at_end: false });
            }
            RecordItem::Damage { offset, length, at_end } => {
                loaded.faults.push(Fault::Damage { offset, length, at_end });
            }
        }
    }
    let in_log = commits.len() as u64;
    let last = commits.keys().next_back().copied().unwrap_or(0);
    let gaps = last != in_log;
    if in_log == 0 && record::is_of_later_version(&log) {
        return Err(ArchiveError::Foreign { path });
    }
    if gaps || !loaded.faults.is_empty() || !is_there || deep && has_more(folder, commits.values().next_back())? {
        // If only the end is missing, its copies are in the last segments.
        let from =
            if gaps || in_log == 0 { 0 } else { commits.values().next_back().map_or(0, |(last, _)| last.segment) };
        let mut copies = Copies::default();
        for segment in segments(folder)?.into_iter().filter(|segment| *segment >= from) {
            copies.read(folder, segment)?;
        }
        let in_log = commits.values().next_back().map(|(commit, _)| commit.rewriting);
        let rewriting = in_log.unwrap_or_else(|| copies.rewriting());
        let of_rewriting = (rewriting, 0)..=(rewriting, u64::MAX);
        let found: Vec<_> = copies.commits.range(of_rewriting).map(|((_, number), _)| *number).collect();
        for number in found {
            let Some((commit, content)) = copies.commits.remove(&(rewriting, number)) else { continue };
            // The last commits may be unfinished: the packs they refer to must exist.
            let is_whole = copies.has_packs_of(&commit);
            if number > last && !is_whole {
                break;
            }
            commits.entry(number).or_insert_with(|| {
                loaded.faults.push(Fault::Recovered { number, segment: commit.segment });
                (commit, content)
            });
        }
        if let Some(length) = torn_by_a_run(&log, &loaded.faults, &commits, last) {
            loaded.faults.retain(|fault| !matches!(fault, Fault::Damage { at_end: true, .. }));
            loaded.faults.push(Fault::Torn { length });
        }
        let mut expected = 1;
        for number in commits.keys() {
            if *number > expected {
                loaded.faults.push(Fault::Lost { from: expected, to: *number - 1 });
            }
            expected = *number + 1;
        }
    }
    Ok((loaded, commits))
}

/// The number of bytes at the end of the log that begin a commit which is complete only in the segments. The log may
/// also be missing, if that is the first commit.
fn torn_by_a_run(log: &[u8], faults: &[Fault], commits: &BTreeMap<u64, (Commit, Vec<u8>)>, last: u64) -> Option<u64> {
    let (_, content) = commits.get(&(last + 1))?;
    let start = match faults.iter().find(|fault| matches!(fault, Fault::Damage { at_end: true, .. })) {
        Some(Fault::Damage { offset, .. }) => usize::try_from(*offset).ok()?,
        // None of it was written.
        _ => log.len(),
    };
    let mut whole = Vec::new();
    record::append(RecordKind::Commit, content, &mut whole)?;
    let rest = log.get(start..)?;
    let is_last = commits.len() as u64 == last + 1;
    (is_last && rest.len() < whole.len() && whole.starts_with(rest)).then_some(rest.len() as u64)
}

/// Whether the segments continue after the last commit.
fn has_more(folder: &Path, last: Option<&(Commit, Vec<u8>)>) -> Result<bool, ArchiveError> {
    let Some((last, content)) = last else { return Ok(!segments(folder)?.is_empty()) };
    let end = last.offset + (HEADER + content.len()) as u64;
    let length = segment_path(folder, last.segment).metadata().map_or(0, |metadata| metadata.len());
    Ok(length > end || segments(folder)?.last().is_some_and(|segment| *segment > last.segment))
}

/// The commits and packs found in segments.
#[derive(Debug, Default)]
struct Copies {
    commits: BTreeMap<(Rewriting, u64), (Commit, Vec<u8>)>,
    /// Intact packs, by segment and offset.
    packs: HashSet<(u32, u64)>,
}

impl Copies {
    /// The last rewriting that was completed: one that was killed leaves the archive as it was before.
    fn rewriting(&self) -> Rewriting {
        let mut all: Vec<Rewriting> = self.commits.keys().map(|(rewriting, _)| *rewriting).collect();
        all.dedup();
        let is_complete = |rewriting: &Rewriting| {
            let mut written = self.commits.range((*rewriting, 0)..=(*rewriting, rewriting.last));
            self.commits.contains_key(&(*rewriting, rewriting.last))
                && written.all(|(_, (commit, _))| self.has_packs_of(commit))
        };
        // Before the first one there is nothing to complete.
        let first = || all.first().copied().unwrap_or_default();
        all.iter().rev().copied().find(is_complete).unwrap_or_else(first)
    }

    /// Whether all packs that a commit adds are intact.
    fn has_packs_of(&self, commit: &Commit) -> bool {
        commit.packs.iter().all(|pack| self.packs.contains(&(pack.segment, pack.offset)))
    }

    /// Reads a segment, skipping damaged parts.
    fn read(&mut self, folder: &Path, segment: u32) -> Result<(), ArchiveError> {
        let path = segment_path(folder, segment);
        let bytes = fs::read(&path).map_err(ArchiveError::read(path))?;
        for found in record::scan(&bytes) {
            match found {
                RecordItem::Record { kind: RecordKind::Commit, content, .. } => {
                    if let Some(commit) = Commit::decode(content) {
                        self.commits.insert((commit.rewriting, commit.number), (commit, content.to_vec()));
                    }
                }
                RecordItem::Record { kind: RecordKind::Pack, offset, .. } => {
                    self.packs.insert((segment, offset));
                }
                RecordItem::Damage { .. } => {}
            }
        }
        Ok(())
    }
}

/// The checked bytes of files in a pack. The error names the location of the damage.
pub(crate) fn read_pack(folder: &Path, place: &PackPlace) -> io::Result<Vec<u8>> {
    let path = segment_path(folder, place.segment);
    let read = || {
        let mut file = File::open(&path)?;
        file.seek(SeekFrom::Start(place.offset))?;
        let mut bytes = Vec::with_capacity(usize::try_from(place.stored).unwrap_or(0));
        file.take(place.stored.into()).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes =
        read().map_err(|error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
    let raw = match record::read(&bytes) {
        Some((RecordKind::Pack, content)) => Pack::read(content).and_then(|pack| pack.unpack()),
        Some((RecordKind::Commit, _)) | None => None,
    };
    raw.ok_or_else(|| {
        let what = format!("the archive is damaged: {} at byte {}", path.display(), place.offset);
        io::Error::new(io::ErrorKind::InvalidData, what)
    })
}

/// The head of a pack: the list of its pieces. `None` if it cannot be read.
pub(crate) fn read_head(file: &mut File, place: &PackPlace) -> Option<Vec<u8>> {
    /// Most lists are shorter.
    const USUAL: u64 = 4 << 10;
    let content = usize::try_from(place.stored).ok()?.checked_sub(HEADER)?;
    let mut read = |length: usize| {
        let mut bytes = Vec::with_capacity(length);
        file.seek(SeekFrom::Start(place.offset + HEADER as u64)).ok()?;
        file.take(length as u64).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    };
    let mut bytes = read(content.min(usize::try_from(USUAL).ok()?))?;
    let head = Pack::head(&bytes).filter(|head| *head <= content)?;
    if head > bytes.len() {
        bytes = read(head)?;
    }
    bytes.truncate(head);
    Some(bytes)
}
