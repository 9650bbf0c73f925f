//! Packs: about a megabyte of pieces of files, compressed together.
//!
//! ```text
//! bytes (4) · pieces (4) · checksum of the list (16) · list: hash (16) and length (4) of each · zstd frame
//! ```
//!
//! Pieces of one run share a pack, regardless of their files: small pieces compress badly alone. The list of pieces
//! serves to find equal content; it can be read without the rest.

use crate::record::{SUM, first};

/// A pack is closed when it has this many bytes.
pub(crate) const FULL: usize = 1 << 20;

/// The compression level. On transcripts, higher levels save 3 % and take twice the time.
const LEVEL: i32 = 3;

const NUMBERS: usize = 4 + 4 + SUM;
const ITEM: usize = SUM + 4;

/// The hash that identifies a piece.
pub(crate) type PieceHash = [u8; SUM];

/// The hash of a piece.
pub(crate) fn hash(piece: &[u8]) -> PieceHash {
    first(&blake3::hash(piece))
}

/// Makes packs.
pub(crate) struct Packer(zstd::bulk::Compressor<'static>);

impl Packer {
    pub(crate) fn new() -> std::io::Result<Self> {
        zstd::bulk::Compressor::new(LEVEL).map(Self)
    }

    /// The content of a pack's record. The pieces make up all of `raw`, in order.
    pub(crate) fn pack(&mut self, raw: &[u8], pieces: &[(PieceHash, u32)]) -> std::io::Result<Vec<u8>> {
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes();
        let mut list = Vec::with_capacity(pieces.len() * ITEM);
        for (hash, length) in pieces {
            list.extend(hash);
            list.extend(length.to_le_bytes());
        }
        let mut content = Vec::with_capacity(NUMBERS + list.len() + raw.len() / 4);
        content.extend(number(raw.len()));
        content.extend(number(pieces.len()));
        content.extend(first(&blake3::hash(&list)));
        content.extend(list);
        content.extend(self.0.compress(raw)?);
        Ok(content)
    }
}

/// The parsed content of a pack's record.
pub(crate) struct Pack<'a> {
    raw: usize,
    list: &'a [u8],
    compressed: &'a [u8],
}

impl<'a> Pack<'a> {
    /// The length of the head, before the compressed bytes, if `content` begins a pack.
    pub(crate) fn head(content: &[u8]) -> Option<usize> {
        let count = u32::from_le_bytes(*content.get(4..)?.first_chunk()?);
        usize::try_from(count).ok()?.checked_mul(ITEM)?.checked_add(NUMBERS)
    }

    /// Parses the head of a pack and what follows it. `None` if it is damaged.
    pub(crate) fn read(content: &'a [u8]) -> Option<Self> {
        let (list, compressed) = content.split_at_checked(Self::head(content)?)?;
        let (numbers, list) = list.split_at_checked(NUMBERS)?;
        let raw = usize::try_from(u32::from_le_bytes(*numbers.first_chunk()?)).ok()?;
        let is_right = first(&blake3::hash(list)) == *numbers.last_chunk::<SUM>()?;
        is_right.then_some(Self { raw, list, compressed })
    }

    /// Its pieces: hash, start and length.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (PieceHash, u32, u32)> {
        let mut start = 0_u32;
        self.list.as_chunks::<ITEM>().0.iter().filter_map(move |item| {
            let length = u32::from_le_bytes(*item.last_chunk()?);
            let at = start;
            start = start.checked_add(length)?;
            Some((*item.first_chunk()?, at, length))
        })
    }

    /// The bytes of files. `None` if they are damaged.
    pub(crate) fn unpack(&self) -> Option<Vec<u8>> {
        /// No valid pack is much larger than a full one; a larger stated size must not allocate memory.
        const LARGEST: usize = 8 * FULL;
        let raw = zstd::bulk::decompress(self.compressed, self.raw.min(LARGEST)).ok()?;
        (raw.len() == self.raw).then_some(raw)
    }
}
