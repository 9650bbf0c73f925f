//! The content of an archive, built from its commits.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustc_hash::FxHashMap;

use crate::commit::{Base, Commit, Extent, FileChange, NewFile, Owner, PackPlace, Rewriting, Stamp};
use crate::name::{FileKey, Name, Origin, path_of};
use crate::record;

/// A file in the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Its identity.
    pub name: Name,
    /// Its versions, oldest first: a new one begins whenever the file lost bytes.
    pub versions: Vec<Version>,
    pub(crate) number: u32,
}

/// A version of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// Its length in bytes.
    pub length: u64,
    /// When its first bytes were archived, in milliseconds since 1970.
    pub since: i64,
    /// When its last bytes were archived.
    pub until: i64,
    pub(crate) number: u32,
    pub(crate) extents: Vec<Extent>,
    pub(crate) stamp: Stamp,
    pub(crate) racy: bool,
}

impl Kept {
    /// The last archived version.
    pub fn latest(&self) -> Option<&Version> {
        self.versions.last()
    }

    pub(crate) fn version(&self, number: u32) -> Option<&Version> {
        self.versions.iter().find(|version| version.number == number)
    }
}

impl Version {
    /// Device and number of the file, as the system said; nothing where there is no such thing.
    pub fn file_id(&self) -> Option<(u64, u64)> {
        (self.stamp.inode != 0).then_some((self.stamp.device, self.stamp.inode))
    }

    /// When the file was last modified, according to the system.
    pub fn modified(&self) -> SystemTime {
        let since = Duration::from_nanos(self.stamp.modified.unsigned_abs());
        let time = if self.stamp.modified < 0 { UNIX_EPOCH.checked_sub(since) } else { UNIX_EPOCH.checked_add(since) };
        time.unwrap_or(UNIX_EPOCH)
    }
}

/// The whole state.
#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    pub(crate) packs: FxHashMap<u32, PackPlace>,
    pub(crate) files: BTreeMap<u32, Kept>,
    by_key: FxHashMap<FileKey, u32>,
    /// The number of the last commit.
    pub(crate) commits: u64,
    /// When that was written.
    pub(crate) at: Option<i64>,
    /// The last segment, and where it ends.
    pub(crate) end: Option<(u32, u64)>,
    /// The last time that files were removed.
    pub(crate) rewriting: Rewriting,
}

impl State {
    pub(crate) fn file(&self, key: &FileKey) -> Option<&Kept> {
        self.files.get(self.by_key.get(key)?)
    }

    /// Applies a commit whose record has `content` bytes of content.
    pub(crate) fn apply(&mut self, commit: Commit, content: usize) {
        let Commit { number, at, segment, offset, packs, files, changes, owners, rewriting } = commit;
        self.commits = number;
        self.rewriting = rewriting;
        self.at = Some(at);
        self.end = Some((segment, offset + (record::HEADER + content) as u64));
        self.packs.extend(packs.into_iter().map(|pack| (pack.number, pack)));
        let mut owned: FxHashMap<u32, (Box<str>, Box<str>)> = FxHashMap::default();
        for Owner { tenant, machine, files } in owners {
            owned.extend(files.into_iter().map(|file| (file, (tenant.clone(), machine.clone()))));
        }
        for NewFile { number, root, path, kind, session } in files {
            let (tenant, machine) = owned.remove(&number).unwrap_or_default();
            let origin = Origin { tenant, machine, root: path_of(&root) };
            let name = Name { origin, path: path_of(&path), kind, session };
            self.by_key.insert(name.key(), number);
            self.files.insert(number, Kept { name, versions: Vec::new(), number });
        }
        for (number, (tenant, machine)) in owned {
            self.claim(number, tenant, machine);
        }
        for change in changes {
            self.change(change, at);
        }
    }

    /// Notes where a file comes from that did not say so before.
    fn claim(&mut self, number: u32, tenant: Box<str>, machine: Box<str>) {
        let Some(file) = self.files.get_mut(&number) else { return };
        self.by_key.remove(&file.name.key());
        (file.name.origin.tenant, file.name.origin.machine) = (tenant, machine);
        self.by_key.insert(file.name.key(), number);
    }

    fn change(&mut self, change: FileChange, at: i64) {
        let FileChange { file: number, version, base, extents, stamp, racy } = change;
        // The usual case, without copying the extents.
        if let Some(file) = self.files.get_mut(&number)
            && let Some(last) = file.versions.last_mut()
            && base == Some(Base { file: number, version: last.number, length: last.length })
            && version == last.number
        {
            last.extend(&extents);
            if !extents.is_empty() {
                last.until = at;
            }
            (last.stamp, last.racy) = (stamp, racy);
            return;
        }
        let before = base.map(|base| self.beginning(base)).unwrap_or_default();
        let Some(file) = self.files.get_mut(&number) else { return };
        let mut new = Version { length: 0, since: at, until: at, number: version, extents: Vec::new(), stamp, racy };
        new.extend(&before);
        new.extend(&extents);
        match file.versions.iter_mut().find(|known| known.number == version) {
            Some(known) => *known = Version { since: known.since, ..new },
            None => file.versions.push(new),
        }
    }

    /// The extents of the first bytes of a version; an extent without a pack where they are no longer known.
    pub(crate) fn beginning(&self, base: Base) -> Vec<Extent> {
        let known = self.files.get(&base.file).and_then(|file| file.version(base.version));
        let mut extents = Vec::new();
        let mut left = base.length;
        for extent in known.map(|version| version.extents.as_slice()).unwrap_or_default() {
            let length = extent.length.min(left);
            if length > 0 {
                extents.push(Extent { length, ..*extent });
                left -= length;
            }
        }
        if left > 0 {
            extents.push(Extent { pack: None, start: 0, length: left, aliased: false });
        }
        extents
    }
}

impl Version {
    fn extend(&mut self, extents: &[Extent]) {
        for extent in extents {
            self.length += extent.length;
            push(&mut self.extents, *extent);
        }
    }
}

/// Adds an extent, merged with the previous one if it follows it in the same pack.
pub(crate) fn push(extents: &mut Vec<Extent>, extent: Extent) {
    if let Some(last) = extents.last_mut()
        && last.pack.is_some()
        && last.pack == extent.pack
        && last.aliased == extent.aliased
        && u64::from(last.start) + last.length == u64::from(extent.start)
    {
        last.length += extent.length;
    } else {
        extents.push(extent);
    }
}
