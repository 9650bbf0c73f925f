//! An archive opened for reading.

use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::alias::Alias;
use crate::commit::{Extent, PackPlace};
use crate::error::ArchiveError;
use crate::name::FileKey;
use crate::state::{Kept, State, Version};
use crate::store::{self, load};

/// An archive, for reading. Clones share everything.
///
/// It shows the state at the time of opening. Any number of processes may read while one writes.
#[derive(Debug, Clone)]
pub struct Archive(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    folder: PathBuf,
    state: State,
    recent: Recent,
}

impl Archive {
    /// Opens the archive in a folder. A missing archive is empty.
    pub fn open(folder: &Path) -> Result<Self, ArchiveError> {
        Ok(Self::with(folder, load(folder, false)?.state))
    }

    pub(crate) fn with(folder: &Path, state: State) -> Self {
        Self(Arc::new(Inner { folder: folder.to_path_buf(), state, recent: Recent::default() }))
    }

    pub(crate) fn state(&self) -> &State {
        &self.0.state
    }

    /// The archive's folder.
    pub fn folder(&self) -> &Path {
        &self.0.folder
    }

    /// All files, in the order they were added.
    pub fn files(&self) -> impl Iterator<Item = &Kept> {
        self.0.state.files.values()
    }

    /// A file by its key.
    pub fn file(&self, key: &FileKey) -> Option<&Kept> {
        self.0.state.file(key)
    }

    /// When something was last added, in milliseconds since 1970.
    pub fn changed_at(&self) -> Option<i64> {
        self.0.state.at
    }

    /// The size of the archive on disk, in bytes.
    pub fn stored(&self) -> u64 {
        let length = |path: PathBuf| path.metadata().map_or(0, |metadata| metadata.len());
        let segments = store::segments(&self.0.folder).unwrap_or_default();
        let paths = segments.into_iter().map(|segment| store::segment_path(&self.0.folder, segment));
        paths.chain([self.0.folder.join(store::LOG)]).map(length).sum()
    }

    /// The bytes of a version of one of its files.
    pub fn read(&self, file: &Kept, version: &Version) -> Content {
        let alias = Alias::new(&file.name.session);
        let mut end = 0;
        let extents = version.extents.iter().map(|extent| {
            end += extent.length;
            (end, *extent)
        });
        Content { archive: self.clone(), extents: extents.collect(), alias, length: version.length, at: 0, piece: None }
    }

    /// The bytes in a pack.
    fn pack(&self, number: u32) -> io::Result<Arc<Vec<u8>>> {
        self.0.recent.get(&self.0.folder, number, self.0.state.packs.get(&number))
    }
}

/// The most recently read packs, since the next bytes are often in the same one.
#[derive(Debug, Default)]
pub(crate) struct Recent(Mutex<Vec<(u32, Arc<Vec<u8>>)>>);

impl Recent {
    pub(crate) fn get(&self, folder: &Path, number: u32, place: Option<&PackPlace>) -> io::Result<Arc<Vec<u8>>> {
        /// The number of cached packs, about a megabyte each.
        const KEPT: usize = 8;
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        {
            let mut known = known();
            if let Some(at) = known.iter().position(|(known, _)| *known == number) {
                known.get_mut(at..).unwrap_or_default().rotate_left(1);
                return known.last().map(|(_, bytes)| Arc::clone(bytes)).ok_or_else(|| lost(number));
            }
        }
        let bytes = Arc::new(store::read_pack(folder, place.ok_or_else(|| lost(number))?)?);
        let mut known = known();
        if known.len() >= KEPT {
            known.remove(0);
        }
        known.push((number, Arc::clone(&bytes)));
        Ok(bytes)
    }
}

fn lost(number: u32) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the archive is damaged: pack {number} is unknown"))
}

/// The bytes of a version. Decompresses one pack at a time, wherever reading starts.
#[derive(Debug)]
pub struct Content {
    archive: Archive,
    /// Its extents, each with its end position in the file.
    extents: Vec<(u64, Extent)>,
    alias: Option<Alias>,
    length: u64,
    at: u64,
    piece: Option<Piece>,
}

/// The bytes of one extent.
#[derive(Debug)]
struct Piece {
    /// The position in the file where they begin.
    start: u64,
    bytes: Bytes,
}

#[derive(Debug)]
enum Bytes {
    /// The bytes of a pack, in this range.
    Shared(Arc<Vec<u8>>, usize, usize),
    /// The bytes with the id restored.
    Own(Vec<u8>),
}

impl Bytes {
    fn get(&self) -> &[u8] {
        match self {
            Self::Shared(pack, from, to) => pack.get(*from..*to).unwrap_or_default(),
            Self::Own(bytes) => bytes,
        }
    }
}

impl Content {
    /// The number of bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The bytes from the current position to the end of its extent; empty at the end of the file.
    fn here(&mut self) -> io::Result<&[u8]> {
        let at = self.at;
        let holds = |piece: &Piece| (piece.start..piece.start + piece.bytes.get().len() as u64).contains(&at);
        if !self.piece.as_ref().is_some_and(holds) {
            let number = self.extents.partition_point(|(end, _)| *end <= at);
            let Some(&(end, extent)) = self.extents.get(number) else { return Ok(&[]) };
            let bytes = fetch(&extent, self.alias.as_ref(), |pack| self.archive.pack(pack))?;
            self.piece = Some(Piece { start: end - extent.length, bytes });
        }
        let Some(piece) = &self.piece else { return Ok(&[]) };
        let inside = usize::try_from(at - piece.start).unwrap_or(usize::MAX);
        Ok(piece.bytes.get().get(inside..).unwrap_or_default())
    }
}

/// The bytes of an extent.
fn fetch(
    extent: &Extent,
    alias: Option<&Alias>,
    pack: impl FnOnce(u32) -> io::Result<Arc<Vec<u8>>>,
) -> io::Result<Bytes> {
    let damaged = || io::Error::new(io::ErrorKind::InvalidData, "the archive is damaged: bytes of this file are lost");
    let bytes = pack(extent.pack.ok_or_else(damaged)?)?;
    let from = usize::try_from(extent.start).unwrap_or(usize::MAX);
    let to = usize::try_from(extent.length).ok().and_then(|length| from.checked_add(length)).ok_or_else(damaged)?;
    let slice = bytes.get(from..to).ok_or_else(damaged)?;
    match alias.filter(|_| extent.aliased) {
        Some(alias) => {
            let mut own = slice.to_vec();
            alias.put_in(&mut own);
            Ok(Bytes::Own(own))
        }
        None => Ok(Bytes::Shared(bytes, from, to)),
    }
}

impl Read for Content {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let here = self.here()?;
        let length = here.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..length), here.get(..length)) {
            to.copy_from_slice(from);
        }
        self.at += length as u64;
        Ok(length)
    }
}

impl Seek for Content {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.length.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "before the beginning"))?;
        Ok(self.at)
    }
}
