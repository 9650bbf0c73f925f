//! Removes files for good.
//!
//! What stays is written into new segments: packs without forgotten pieces as they are, the others without them, and
//! every commit without the forgotten files. Numbers and times stay. Then one rename replaces the log, and the old
//! segments are removed. Until the rename the new segments are leftovers of a run that did not finish, after it the old
//! ones are; the next run clears either away.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::Range;

use memchr::memchr;

use super::begin::{NEW_LOG, put};
use super::{Segment, Writer, encode, too_large};
use crate::commit::{Base, Commit, Extent, FileChange, Owner, PackPlace, Rewriting};
use crate::error::ArchiveError;
use crate::open::Archive;
use crate::pack::{self, Pack, PieceHash};
use crate::record::{self, RecordKind};
use crate::state::{Kept, State, Version, push};
use crate::store::{LOG, commits, read_pack, segment_path, segments};

/// Whether forgetting keeps, shortens or removes a file.
pub enum Fate<'f> {
    /// It stays as it is.
    Stays,
    /// It is removed with all its versions.
    Goes,
    /// It stays without the lines for which this returns true, in all versions.
    Without(&'f dyn Fn(&[u8]) -> bool),
}

/// What was removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Removed {
    /// Whole files.
    pub files: u64,
    /// Files that lost lines.
    pub shortened: u64,
    /// Bytes that the archive has fewer on the disk.
    pub bytes: u64,
}

impl Writer {
    /// Removes files and lines for good, from all versions. Pieces that other files share stay for these.
    ///
    /// Needs as much space on the disk as what stays. Calls `progress` with the number of bytes that were written.
    pub fn forget<'f>(
        mut self,
        fate: &dyn Fn(&Kept) -> Fate<'f>,
        progress: &dyn Fn(u64),
    ) -> Result<Removed, ArchiveError> {
        self.commit()?;
        let before = self.before.stored();
        let fates = Fates::of(&self.before, fate);
        let removed = Removed { files: fates.gone(), shortened: fates.shortened(), bytes: 0 };
        if removed == Removed::default() {
            return Ok(removed);
        }
        let old = segments(&self.folder)?;
        let since = old.last().map_or(0, |last| last + 1);
        self.segment = Segment { number: since, end: 0, sink: None };
        let path = self.folder.join(LOG);
        let replaced = self.rewrite(&fates, since, progress).and_then(|log| {
            let new = self.folder.join(NEW_LOG);
            put(&*self.disk, &new, &log)?;
            self.disk.rename(&new, &path).map_err(ArchiveError::write(&path))
        });
        if let Err(error) = replaced {
            // Gives the space back; what cannot be removed is left to the next run.
            let _ = self.remove_segments(|segment| segment >= since);
            let _ = self.disk.remove(&self.folder.join(NEW_LOG));
            return Err(error);
        }
        self.disk.sync_folder(&self.folder).map_err(ArchiveError::write(&path))?;
        self.remove_segments(|segment| segment < since)?;
        for path in &self.aside {
            match self.disk.remove(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(ArchiveError::write(path)(error)),
                _ => {}
            }
        }
        self.disk.sync_folder(&self.folder).map_err(ArchiveError::write(&self.folder))?;
        Ok(Removed { bytes: before.saturating_sub(self.before.stored()), ..removed })
    }

    fn remove_segments(&mut self, is_meant: impl Fn(u32) -> bool) -> Result<(), ArchiveError> {
        self.segment.sink = None;
        for segment in segments(&self.folder)?.into_iter().filter(|segment| is_meant(*segment)) {
            let path = segment_path(&self.folder, segment);
            self.disk.remove(&path).map_err(ArchiveError::write(path))?;
        }
        Ok(())
    }

    /// Writes what stays into new segments, and returns the new log.
    fn rewrite(&mut self, fates: &Fates, since: u32, progress: &dyn Fn(u64)) -> Result<Vec<u8>, ArchiveError> {
        let old = commits(&self.folder)?;
        let last = old.last().map_or(0, |(commit, _)| commit.number);
        let mut new = Vec::with_capacity(old.len());
        let mut state = State::default();
        for (commit, length) in old {
            new.push((commit.packs.clone(), fates.without(&commit, &state)));
            state.apply(commit, length);
        }
        let mut packs = Packs::used_by(new.iter().map(|(_, commit)| commit));
        let (mut log, mut checked) = (Vec::new(), State::default());
        for (places, mut commit) in new {
            for place in places {
                commit.packs.extend(self.rewrite_pack(&mut packs, &place)?);
                progress(place.stored.into());
            }
            for change in &mut commit.changes {
                change.extents = packs.moved(&change.extents);
            }
            commit.rewriting = Rewriting { since, last };
            (commit.segment, commit.offset) = (self.segment.number, self.segment.end);
            let bytes = encode(&commit).ok_or_else(|| too_large(&self.folder.join(LOG)))?;
            self.append_to_segment(&bytes)?;
            log.extend_from_slice(&bytes);
            checked.apply(commit, bytes.len() - record::HEADER);
        }
        self.sync_segment()?;
        self.check(fates, checked)?;
        Ok(log)
    }

    /// Writes a pack without the bytes that no file uses. `None` if there are no others.
    fn rewrite_pack(&mut self, packs: &mut Packs, place: &PackPlace) -> Result<Option<PackPlace>, ArchiveError> {
        let Some(used) = packs.used.get(&place.number) else { return Ok(None) };
        let path = segment_path(&self.folder, self.segment.number);
        let is_whole = matches!(used.as_slice(), [only] if *only == (0..place.raw));
        let (bytes, raw) = if is_whole {
            (read_record(&self.folder, place), place.raw)
        } else {
            let Some((raw, pieces)) = self.pieces_within(place, used) else {
                // It is damaged: what other files had in it is lost already.
                packs.lost.push(place.number);
                return Ok(None);
            };
            let content = self.packer.pack(&raw, &pieces).map_err(ArchiveError::write(&path))?;
            let mut bytes = Vec::with_capacity(content.len() + record::HEADER);
            record::append(RecordKind::Pack, &content, &mut bytes).ok_or_else(|| too_large(&path))?;
            (bytes, u32::try_from(raw.len()).map_err(|_| too_large(&path))?)
        };
        let stored = u32::try_from(bytes.len()).map_err(|_| too_large(&path))?;
        let segment = self.segment.number;
        let offset = self.append_to_segment(&bytes)?;
        self.begin_segment_if_full()?;
        Ok(Some(PackPlace { number: place.number, segment, offset, stored, raw }))
    }

    /// The used bytes of a pack, and their pieces. `None` if they cannot be read.
    fn pieces_within(&self, place: &PackPlace, used: &[Range<u32>]) -> Option<UsedPieces> {
        let all = read_pack(&self.folder, place).ok()?;
        let record = read_record(&self.folder, place);
        let (_, content) = record::read(&record)?;
        let mut raw = Vec::new();
        let mut pieces = Vec::new();
        for (hash, start, length) in Pack::read(content)?.pieces() {
            for range in used.iter().filter(|range| range.start < start + length && start < range.end) {
                let (from, to) = (range.start.max(start), range.end.min(start + length));
                let piece = all.get(usize::try_from(from).ok()?..usize::try_from(to).ok()?)?;
                let is_whole = to - from == length;
                pieces.push((if is_whole { hash } else { pack::hash(piece) }, to - from));
                raw.extend_from_slice(piece);
            }
        }
        Some((raw, pieces))
    }

    /// Compares the files that stay with what was written.
    fn check(&self, fates: &Fates, written: State) -> Result<(), ArchiveError> {
        let new = Archive::with(&self.folder, written);
        let differ = |file: &Kept| {
            let what = format!("the rewritten archive would differ: {}", file.name.full().display());
            ArchiveError::write(&self.folder)(io::Error::other(what))
        };
        for file in self.before.files().filter(|file| !fates.is_gone(file.number)) {
            let Some(now) = new.state().files.get(&file.number) else { return Err(differ(file)) };
            for (version, copy) in file.versions.iter().zip(&now.versions) {
                let is_right = match fates.lines.get(&(file.number, version.number)) {
                    Some(lines) => copy.length + total(lines) == version.length,
                    None => is_same(&self.before, (file, version), &new, (now, copy)),
                };
                if !is_right {
                    return Err(differ(file));
                }
            }
            if file.versions.len() != now.versions.len() || file.name != now.name {
                return Err(differ(file));
            }
        }
        Ok(())
    }
}

/// Bytes of a pack, and the hashes and lengths of the pieces that they consist of.
type UsedPieces = (Vec<u8>, Vec<(PieceHash, u32)>);

/// Whether two versions have the same bytes, as far as the first one can be read.
fn is_same(old: &Archive, one: (&Kept, &Version), new: &Archive, other: (&Kept, &Version)) -> bool {
    const STEP: u64 = 1 << 20;
    if (one.1.length, one.1.since, one.1.until) != (other.1.length, other.1.since, other.1.until) {
        return false;
    }
    let (mut ours, mut theirs) = (old.read(one.0, one.1), new.read(other.0, other.1));
    let (mut left, mut right) = (Vec::new(), Vec::new());
    loop {
        left.clear();
        right.clear();
        match ours.by_ref().take(STEP).read_to_end(&mut left) {
            Ok(length) if length > 0 => {}
            // The end, or damage from before: what follows cannot be compared.
            _ => return true,
        }
        if theirs.by_ref().take(STEP).read_to_end(&mut right).is_err() || left != right {
            return false;
        }
    }
}

/// The record of a pack as it is on the disk. What is missing there is filled up, so that its damage stays visible.
fn read_record(folder: &std::path::Path, place: &PackPlace) -> Vec<u8> {
    let length = usize::try_from(place.stored).unwrap_or_default();
    let mut bytes = Vec::with_capacity(length);
    let read = File::open(segment_path(folder, place.segment)).and_then(|mut file| {
        file.seek(SeekFrom::Start(place.offset))?;
        file.take(place.stored.into()).read_to_end(&mut bytes)
    });
    if read.is_err() {
        bytes.clear();
    }
    bytes.resize(length, 0);
    bytes
}

/// The decisions about all files.
#[derive(Debug, Default)]
struct Fates {
    gone: Vec<u32>,
    /// The bytes to remove from versions of other files, in order.
    lines: HashMap<(u32, u32), Vec<Range<u64>>>,
}

impl Fates {
    fn of<'f>(archive: &Archive, fate: &dyn Fn(&Kept) -> Fate<'f>) -> Self {
        let mut fates = Self::default();
        for file in archive.files() {
            match fate(file) {
                Fate::Stays => {}
                Fate::Goes => fates.gone.push(file.number),
                Fate::Without(is_meant) => {
                    for version in &file.versions {
                        let lines = lines_of(archive, file, version, is_meant);
                        if !lines.is_empty() {
                            fates.lines.insert((file.number, version.number), lines);
                        }
                    }
                }
            }
        }
        fates
    }

    fn gone(&self) -> u64 {
        self.gone.len() as u64
    }

    fn shortened(&self) -> u64 {
        let mut files: Vec<u32> = self.lines.keys().map(|(file, _)| *file).collect();
        files.sort_unstable();
        files.dedup();
        files.len() as u64
    }

    /// Files are numbered in order, so the list is sorted.
    fn is_gone(&self, file: u32) -> bool {
        self.gone.binary_search(&file).is_ok()
    }

    fn loses_lines(&self, file: u32) -> bool {
        self.lines.keys().any(|(other, _)| *other == file)
    }

    /// A commit without the files that go. `state` is that before the commit.
    fn without(&self, commit: &Commit, state: &State) -> Commit {
        let owners = commit.owners.iter().map(|owner| {
            let files = owner.files.iter().copied().filter(|file| !self.is_gone(*file)).collect();
            Owner { files, ..owner.clone() }
        });
        let changes = commit.changes.iter().filter(|change| !self.is_gone(change.file));
        Commit {
            packs: Vec::new(),
            files: commit.files.iter().filter(|file| !self.is_gone(file.number)).cloned().collect(),
            changes: changes.map(|change| self.change(change, state)).collect(),
            owners: owners.filter(|owner| !owner.files.is_empty()).collect(),
            ..commit.clone()
        }
    }

    fn change(&self, change: &FileChange, state: &State) -> FileChange {
        let Some(base) = change.base.filter(|base| self.concerns(base.file) || self.concerns(change.file)) else {
            return match self.lines.get(&(change.file, change.version)) {
                Some(lines) => without_lines(change, None, 0, &change.extents, lines),
                None => change.clone(),
            };
        };
        let no_lines = Vec::new();
        let lines = self.lines.get(&(change.file, change.version)).unwrap_or(&no_lines);
        let known = state.files.get(&change.file).and_then(Kept::latest);
        let is_extended = base.file == change.file
            && known.is_some_and(|last| (last.number, last.length) == (base.version, base.length));
        if is_extended && base.version == change.version {
            let length = base.length - within(lines, 0..base.length);
            let base = Base { length, ..base };
            return without_lines(change, Some(base), base_length(change), &change.extents, lines);
        }
        // The start of another version, or of a file that goes: from now on its own.
        let mut extents = state.beginning(base);
        extents.extend(&change.extents);
        without_lines(change, None, 0, &extents, lines)
    }

    fn concerns(&self, file: u32) -> bool {
        self.is_gone(file) || self.loses_lines(file)
    }
}

fn base_length(change: &FileChange) -> u64 {
    change.base.map_or(0, |base| base.length)
}

/// A change whose extents, which begin at a position in the file, have lost lines.
fn without_lines(
    change: &FileChange,
    base: Option<Base>,
    start: u64,
    extents: &[Extent],
    lines: &[Range<u64>],
) -> FileChange {
    let mut left = Vec::new();
    let mut at = start;
    for extent in extents {
        let end = at + extent.length;
        let mut from = at;
        for line in lines.iter().filter(|line| line.start < end && at < line.end) {
            push_part(&mut left, extent, at, from..line.start.max(from));
            from = line.end.min(end);
        }
        push_part(&mut left, extent, at, from..end);
        at = end;
    }
    let mut stamp = change.stamp;
    if stamp.size == at {
        stamp.size -= within(lines, 0..at);
    }
    FileChange { base, extents: left, stamp, ..change.clone() }
}

/// Adds a part of an extent that begins at a position.
fn push_part(to: &mut Vec<Extent>, extent: &Extent, at: u64, part: Range<u64>) {
    if part.start < part.end {
        let start = extent.start.saturating_add(u32::try_from(part.start - at).unwrap_or(u32::MAX));
        push(to, Extent { start, length: part.end - part.start, ..*extent });
    }
}

/// How many bytes of a range are in lines.
fn within(lines: &[Range<u64>], range: Range<u64>) -> u64 {
    lines.iter().map(|line| line.end.min(range.end).saturating_sub(line.start.max(range.start))).sum()
}

fn total(lines: &[Range<u64>]) -> u64 {
    lines.iter().map(|line| line.end - line.start).sum()
}

/// The bytes of the lines of a version for which `is_meant` returns true. Lines that cannot be read are not.
fn lines_of(archive: &Archive, file: &Kept, version: &Version, is_meant: &dyn Fn(&[u8]) -> bool) -> Vec<Range<u64>> {
    let mut content = archive.read(file, version);
    let (mut lines, mut line, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
    let (mut at, mut start) = (0, 0);
    let mut end = |line: &mut Vec<u8>, start: u64, end: u64| {
        if is_meant(line) {
            lines.push(start..end);
        }
        line.clear();
    };
    for extent in &version.extents {
        bytes.clear();
        let read = content
            .seek(SeekFrom::Start(at))
            .and_then(|_| content.by_ref().take(extent.length).read_to_end(&mut bytes));
        if read.is_err() {
            line.clear();
            at += extent.length;
            start = at;
            continue;
        }
        let mut rest = bytes.as_slice();
        while let Some((whole, behind)) = memchr(b'\n', rest).and_then(|end| rest.split_at_checked(end + 1)) {
            line.extend_from_slice(whole);
            at += whole.len() as u64;
            end(&mut line, start, at);
            start = at;
            rest = behind;
        }
        line.extend_from_slice(rest);
        at += rest.len() as u64;
    }
    if !line.is_empty() {
        end(&mut line, start, at);
    }
    lines
}

/// The bytes of packs that are used.
#[derive(Debug, Default)]
struct Packs {
    /// In order, not overlapping.
    used: BTreeMap<u32, Vec<Range<u32>>>,
    /// Packs that cannot be read.
    lost: Vec<u32>,
}

impl Packs {
    fn used_by<'c>(commits: impl Iterator<Item = &'c Commit>) -> Self {
        let mut used: BTreeMap<u32, Vec<Range<u32>>> = BTreeMap::new();
        for extent in commits.flat_map(|commit| &commit.changes).flat_map(|change| &change.extents) {
            if let Some(pack) = extent.pack {
                let end = u32::try_from(extent.length).ok().and_then(|length| extent.start.checked_add(length));
                used.entry(pack).or_default().push(extent.start..end.unwrap_or(u32::MAX));
            }
        }
        for ranges in used.values_mut() {
            ranges.sort_unstable_by_key(|range| range.start);
            let mut merged: Vec<Range<u32>> = Vec::with_capacity(ranges.len());
            for range in ranges.drain(..) {
                match merged.last_mut().filter(|last| range.start <= last.end) {
                    Some(last) => last.end = last.end.max(range.end),
                    None => merged.push(range),
                }
            }
            *ranges = merged;
        }
        Self { used, lost: Vec::new() }
    }

    /// The same extents in the packs as they are now.
    fn moved(&self, extents: &[Extent]) -> Vec<Extent> {
        let mut moved = Vec::with_capacity(extents.len());
        for extent in extents {
            let start = extent.pack.and_then(|pack| self.place(pack, extent.start));
            let pack = extent.pack.filter(|_| start.is_some());
            push(&mut moved, Extent { pack, start: start.unwrap_or_default(), ..*extent });
        }
        moved
    }

    /// Where a byte of a pack is now.
    fn place(&self, pack: u32, start: u32) -> Option<u32> {
        if self.lost.contains(&pack) {
            return None;
        }
        let mut before = 0;
        for range in self.used.get(&pack)? {
            if range.contains(&start) {
                return Some(before + start - range.start);
            }
            before += range.end - range.start;
        }
        // An extent without bytes.
        Some(before)
    }
}
