//! Archives what is new in a file.

use std::io::{self, Read, Seek, SeekFrom};

use super::{ENOUGH, Writer};
use crate::alias::Alias;
use crate::commit::{Base, FileChange, NewFile, Owner, Stamp};
use crate::error::{ArchiveError, TakeError};
use crate::name::{FileKey, Name, Origin, bytes_of};
use crate::open::{Archive, Content};
use crate::state::{Kept, Version};

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// It is new.
    New,
    /// It has grown.
    Grown,
    /// It was truncated or rewritten. The old version stays.
    Replaced,
    /// It is unchanged.
    Unchanged,
}

/// A changed file up to this size is compared as a whole.
const SMALL: u64 = 1 << 20;

/// For a larger file that was only extended, only this much at both ends is compared.
const ENDS: u64 = 64 << 10;

impl Writer {
    /// Archives a file. If its `stamp` is the same as the last time, the file is not even opened.
    ///
    /// It counts once it is [committed](Self::commit), which also happens automatically from time to time. A file is
    /// archived once per run; a second call does nothing.
    pub fn take<R: Read + Seek>(
        &mut self,
        name: &Name,
        stamp: Stamp,
        open: impl FnOnce() -> io::Result<(R, Stamp)>,
    ) -> Result<Taken, TakeError> {
        let key = name.key();
        let before = self.before.clone();
        // A file stored without an origin belongs to the first machine that has a file at its path.
        let unstated = || before.state().file(&FileKey::new(&Origin::default(), name.full()));
        let known = before.state().file(&key).or_else(unstated);
        if !self.taken.insert(key) {
            return Ok(Taken::Unchanged);
        }
        self.report.files += 1;
        if let Some(known) = known.filter(|known| !known.name.origin.is_same_machine(&name.origin)) {
            self.own(&name.origin, known.number);
        }
        let last = known.and_then(Kept::latest);
        if last.is_some_and(|last| !self.compares_all && !last.racy && last.stamp == stamp) {
            return Ok(Taken::Unchanged);
        }
        let (mut file, stamp) = open().map_err(TakeError::Source)?;
        let base = match known.zip(last) {
            Some(known) => Some(known),
            None => self.renamed(&before, name, &stamp),
        };
        let shared = match base {
            Some((kept, version)) => self.shared(&before, kept, version, &mut file, &stamp)?,
            None => 0,
        };
        file.seek(SeekFrom::Start(shared)).map_err(TakeError::Source)?;
        self.begin_pack_of(name)?;
        // The same alias as when it is read.
        let alias = Alias::new(known.map_or(&name.session, |known| &known.name.session));
        let (extents, bytes) = self.store(file.take(stamp.size.saturating_sub(shared)), alias.as_ref())?;

        let taken = match last {
            None => Taken::New,
            Some(last) if shared < last.length => Taken::Replaced,
            Some(_) if bytes > 0 => Taken::Grown,
            Some(_) => Taken::Unchanged,
        };
        let (number, version) = match (known, last, taken) {
            (Some(known), Some(last), Taken::Grown | Taken::Unchanged) => (known.number, last.number),
            (Some(known), Some(last), _) => (known.number, last.number + 1),
            (Some(known), None, _) => (known.number, 0),
            (None, ..) => (self.add_file(name), 0),
        };
        let base = base.map(|(kept, version)| Base { file: kept.number, version: version.number, length: shared });
        let racy = stamp.is_racy();
        self.pending.changes.push(FileChange { file: number, version, base, extents, stamp, racy });
        self.count(taken, bytes);
        if self.pending.bytes >= ENOUGH {
            self.commit()?;
        }
        Ok(taken)
    }

    /// Ends the current pack if it is of another session.
    fn begin_pack_of(&mut self, name: &Name) -> Result<(), ArchiveError> {
        let owner: Box<str> =
            if name.session.is_empty() { name.path.to_string_lossy().into() } else { name.session.clone() };
        if owner != self.owner {
            self.flush()?;
            self.owner = owner;
        }
        Ok(())
    }

    fn count(&mut self, taken: Taken, bytes: u64) {
        self.pending.bytes += bytes;
        self.report.bytes += bytes;
        match taken {
            Taken::New => self.report.new += 1,
            Taken::Grown => self.report.grown += 1,
            Taken::Replaced => self.report.replaced += 1,
            Taken::Unchanged => {}
        }
    }

    fn add_file(&mut self, name: &Name) -> u32 {
        let number = self.next_file;
        self.next_file += 1;
        let Name { origin, path, kind, session } = name;
        let (root, path) = (bytes_of(&origin.root), bytes_of(path));
        self.pending.files.push(NewFile { number, root, path, kind: kind.clone(), session: session.clone() });
        if !origin.is_unstated() {
            self.own(origin, number);
        }
        number
    }

    /// Notes where a file comes from.
    fn own(&mut self, origin: &Origin, file: u32) {
        let owners = &mut self.pending.owners;
        let is_it = |owner: &&mut Owner| owner.tenant == origin.tenant && owner.machine == origin.machine;
        if let Some(owner) = owners.iter_mut().find(is_it) {
            owner.files.push(file);
        } else {
            let (tenant, machine) = (origin.tenant.clone(), origin.machine.clone());
            owners.push(Owner { tenant, machine, files: vec![file] });
        }
    }

    /// The archived file that now has another name.
    fn renamed<'a>(&mut self, before: &'a Archive, name: &Name, stamp: &Stamp) -> Option<(&'a Kept, &'a Version)> {
        let by_inode = self.by_inode.get_or_insert_with(|| {
            let last = before.files().filter_map(|file| Some((file.latest()?.stamp, file.number)));
            last.map(|(stamp, number)| ((stamp.device, stamp.inode), number)).collect()
        });
        let file = before.state().files.get(by_inode.get(&(stamp.device, stamp.inode))?)?;
        let last = file.latest()?;
        // Restoring the placeholder uses the session of this file, so the sessions must be equal.
        let is_here = file.name.origin.is_unstated() || file.name.origin.is_same_machine(&name.origin);
        let is_same = is_here && last.stamp.is_same_file(stamp) && file.name.session == name.session;
        is_same.then_some((file, last))
    }

    /// How many bytes of a version the file begins with.
    fn shared(
        &self,
        before: &Archive,
        kept: &Kept,
        version: &Version,
        file: &mut (impl Read + Seek),
        stamp: &Stamp,
    ) -> Result<u64, TakeError> {
        let mut content = before.read(kept, version);
        let length = version.length;
        let is_added_to = stamp.is_same_file(&version.stamp) && stamp.size > length && version.stamp.size == length;
        if is_added_to && length > SMALL && !self.compares_all {
            let ends = [(0, ENDS), (length - ENDS, ENDS)];
            let mut same = true;
            for (start, length) in ends {
                same = same && same_bytes(&mut content, file, start, length)? == length;
            }
            if same {
                return Ok(length);
            }
        }
        let shared = same_bytes(&mut content, file, 0, length)?;
        Ok(if shared < length { before_id(&mut content, shared, &kept.name.session) } else { shared })
    }
}

/// The position itself; if it lies within an id that was replaced, the position before that id, which cannot be split.
fn before_id(content: &mut Content, place: u64, id: &str) -> u64 {
    let around = id.len() as u64;
    let start = place.saturating_sub(around);
    let mut bytes = Vec::new();
    // Damage ends an extent, and an id never spans two extents, so a short read is fine.
    let _ = content.seek(SeekFrom::Start(start)).and_then(|_| content.take(2 * around).read_to_end(&mut bytes));
    let mut ids = memchr::memmem::find_iter(&bytes, id.as_bytes()).map(|at| start + at as u64);
    ids.find(|at| !id.is_empty() && *at < place && place < at + around).unwrap_or(place)
}

/// How many of `length` bytes from `start` are equal in both. Unreadable bytes of the archive count as different.
fn same_bytes(content: &mut Content, file: &mut (impl Read + Seek), start: u64, length: u64) -> Result<u64, TakeError> {
    const STEP: u64 = 256 << 10;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let mut same = 0;
    file.seek(SeekFrom::Start(start)).map_err(TakeError::Source)?;
    while same < length {
        let step = STEP.min(length - same);
        theirs.clear();
        file.by_ref().take(step).read_to_end(&mut theirs).map_err(TakeError::Source)?;
        ours.clear();
        // The bytes read before an error count.
        let _ = content.seek(SeekFrom::Start(start + same)).and_then(|_| content.take(step).read_to_end(&mut ours));
        let equal = ours.iter().zip(&theirs).take_while(|(ours, theirs)| ours == theirs).count() as u64;
        same += equal;
        if equal < step {
            break;
        }
    }
    Ok(same)
}
