//! Reads everything in an archive, to find damage.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::commit::PackPlace;
use crate::error::ArchiveError;
use crate::pack::{self, Pack};
use crate::record::{self, RecordItem, RecordKind};
use crate::state::State;
use crate::store::{Fault, LOG, Loaded, load, segment_path, segments};

/// The result of verifying an archive.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Files in the archive.
    pub files: u64,
    /// Their versions.
    pub versions: u64,
    /// Bytes on disk that were read.
    pub bytes: u64,
    /// The damage found.
    pub damages: Vec<Damage>,
    /// Bytes left behind by a run that was killed. They belong to nothing; the next run removes them.
    pub unfinished: u64,
}

/// One damaged part.
#[derive(Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file of the archive.
    pub file: PathBuf,
    /// The position in the file.
    pub offset: u64,
    /// The kind of damage.
    pub what: What,
    /// The files that lost bytes, each with its session and the affected versions.
    pub lost: Vec<Loss>,
}

/// The kind of damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// Bytes do not match their checksum.
    Checksum,
    /// A file of the archive is missing or too short.
    Missing,
    /// A part of the log is damaged, but nothing is lost: the segments contain a copy.
    Recovered,
    /// Bytes of files were damaged, and removed when a session was forgotten that shared their pack.
    Gone,
    /// Commits are lost, and with them files and versions.
    Commits {
        /// The first.
        from: u64,
        /// The last.
        to: u64,
    },
}

/// A file that lost bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Loss {
    /// The path of the file.
    pub path: PathBuf,
    /// The session it belongs to.
    pub session: Box<str>,
    /// The versions that cannot be read in full, counted from 1.
    pub versions: Vec<usize>,
}

/// Reads the whole archive in a folder, and calls `progress` with the number of bytes read.
pub fn verify(folder: &Path, progress: &dyn Fn(u64)) -> Result<Verified, ArchiveError> {
    let loaded = load(folder, false)?;
    let mut verified = Verified {
        files: loaded.state.files.len() as u64,
        versions: loaded.state.files.values().map(|file| file.versions.len() as u64).sum(),
        bytes: loaded.log_length,
        ..Verified::default()
    };
    verified.log(folder, &loaded);
    let state = &loaded.state;
    let users = users(state);
    let mut by_segment: BTreeMap<u32, BTreeMap<u64, &PackPlace>> = BTreeMap::new();
    for place in state.packs.values() {
        by_segment.entry(place.segment).or_default().insert(place.offset, place);
    }
    let all: BTreeSet<u32> = segments(folder)?.into_iter().chain(by_segment.keys().copied()).collect();
    for segment in all {
        let expected = by_segment.remove(&segment).unwrap_or_default();
        verified.segment(folder, segment, &expected, state, &users)?;
        progress(verified.bytes);
    }
    for file in state.files.values() {
        let holes = |version: &crate::state::Version| version.extents.iter().any(|extent| extent.pack.is_none());
        let numbered = file.versions.iter().enumerate();
        let versions: Vec<usize> = numbered.filter(|(_, version)| holes(version)).map(|(at, _)| at + 1).collect();
        if versions.is_empty() {
            continue;
        }
        let loss = Loss { path: file.name.full(), session: file.name.session.clone(), versions };
        // Without lost commits, the bytes were lost to damage before a session was forgotten.
        let is_cause = |damage: &&mut Damage| matches!(damage.what, What::Commits { .. } | What::Gone);
        if let Some(damage) = verified.damages.iter_mut().find(is_cause) {
            damage.lost.push(loss);
        } else {
            let damage = Damage { file: folder.join(LOG), offset: 0, what: What::Gone, lost: vec![loss] };
            verified.damages.push(damage);
        }
    }
    Ok(verified)
}

/// The versions that have bytes in each pack: the file's number, and its versions counted from 1.
type Users = HashMap<u32, BTreeMap<u32, BTreeSet<usize>>>;

fn users(state: &State) -> Users {
    let mut users = Users::new();
    for file in state.files.values() {
        for (at, version) in file.versions.iter().enumerate() {
            for pack in version.extents.iter().filter_map(|extent| extent.pack) {
                users.entry(pack).or_default().entry(file.number).or_default().insert(at + 1);
            }
        }
    }
    users
}

impl Verified {
    fn log(&mut self, folder: &Path, loaded: &Loaded) {
        let path = folder.join(LOG);
        let recovers = loaded.faults.iter().any(|fault| matches!(fault, Fault::Recovered { .. }));
        let is_torn = loaded.faults.iter().any(|fault| matches!(fault, Fault::Torn { .. }));
        for fault in &loaded.faults {
            let (offset, what) = match *fault {
                // A run was killed while it wrote to the log. If there is a copy, it is the log that is damaged.
                Fault::Damage { length, at_end: true, .. } if !recovers => {
                    self.unfinished += length;
                    continue;
                }
                Fault::Damage { offset, .. } if recovers => (offset, What::Recovered),
                Fault::Damage { offset, .. } => (offset, What::Checksum),
                Fault::Torn { length } => {
                    self.unfinished += length;
                    continue;
                }
                Fault::Recovered { .. } if loaded.log_length > 0 || is_torn => continue,
                Fault::Recovered { .. } => (0, What::Recovered),
                Fault::Lost { from, to } => (0, What::Commits { from, to }),
            };
            if self.damages.iter().all(|damage| (damage.offset, damage.what) != (offset, what)) {
                self.damages.push(Damage { file: path.clone(), offset, what, lost: Vec::new() });
            }
        }
    }

    fn segment(
        &mut self,
        folder: &Path,
        segment: u32,
        expected: &BTreeMap<u64, &PackPlace>,
        state: &State,
        users: &Users,
    ) -> Result<(), ArchiveError> {
        let path = segment_path(folder, segment);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(ArchiveError::read(path)(error)),
        };
        self.bytes += bytes.len() as u64;
        // After the last commit there are only unfinished writes.
        let end = match state.end {
            // Replaced by a rewriting that was killed before it could remove it.
            _ if segment < state.rewriting.since => 0,
            Some((last, end)) if last == segment => end,
            Some((last, _)) if segment < last => bytes.len() as u64,
            _ => 0,
        };
        self.unfinished += (bytes.len() as u64).saturating_sub(end);
        let mut whole = BTreeSet::new();
        let mut damaged = Vec::new();
        for found in record::scan(&bytes) {
            match found {
                RecordItem::Record { offset, kind: RecordKind::Pack, content } => {
                    if is_right(content) {
                        whole.insert(offset);
                    }
                }
                RecordItem::Damage { offset, length, .. } if offset < end => damaged.push((offset, offset + length)),
                RecordItem::Record { kind: RecordKind::Commit, .. } | RecordItem::Damage { .. } => {}
            }
        }
        let lost = |pack: u32| losses(state, users, [pack]);
        for (offset, place) in expected {
            if whole.contains(offset) {
                continue;
            }
            let is_there = offset + u64::from(place.stored) <= bytes.len() as u64;
            let what = if is_there { What::Checksum } else { What::Missing };
            let damage = Damage { file: path.clone(), offset: *offset, what, lost: lost(place.number) };
            self.damages.push(damage);
        }
        // The remaining damage: copies of commits, and bytes that are not records.
        for (from, to) in damaged {
            if expected.range(..to).next_back().is_none_or(|(offset, place)| offset + u64::from(place.stored) <= from) {
                let damage = Damage { file: path.clone(), offset: from, what: What::Recovered, lost: Vec::new() };
                self.damages.push(damage);
            }
        }
        Ok(())
    }
}

/// Whether the pieces of a pack match their hashes.
fn is_right(content: &[u8]) -> bool {
    let Some((pack, raw)) = Pack::read(content).and_then(|pack| pack.unpack().map(|raw| (pack, raw))) else {
        return false;
    };
    let mut end = 0;
    let pieces = pack.pieces().all(|(hash, start, length)| {
        let from = usize::try_from(start).unwrap_or(usize::MAX);
        end = from.saturating_add(usize::try_from(length).unwrap_or(usize::MAX));
        raw.get(from..end).is_some_and(|piece| pack::hash(piece) == hash)
    });
    pieces && end == raw.len()
}

/// The files that have bytes in packs.
fn losses(state: &State, users: &Users, packs: impl IntoIterator<Item = u32>) -> Vec<Loss> {
    let mut files: BTreeMap<u32, BTreeSet<usize>> = BTreeMap::new();
    for (file, versions) in packs.into_iter().filter_map(|pack| users.get(&pack)).flatten() {
        files.entry(*file).or_default().extend(versions);
    }
    let known = files.into_iter().filter_map(|(number, versions)| Some((state.files.get(&number)?, versions)));
    let mut losses: Vec<Loss> = known
        .map(|(file, versions)| {
            let (path, session) = (file.name.full(), file.name.session.clone());
            Loss { path, session, versions: versions.into_iter().collect() }
        })
        .collect();
    losses.sort();
    losses
}
