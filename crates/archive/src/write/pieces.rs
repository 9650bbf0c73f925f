//! Cuts bytes into pieces, and adds new pieces to packs.

use std::fs::File;
use std::io::Read;

use memchr::memchr;
use rustc_hash::FxHashMap;

use super::Writer;
use crate::alias::Alias;
use crate::commit::Extent;
use crate::cut::{self, LONGEST};
use crate::error::{ArchiveError, TakeError};
use crate::pack::{self, FULL, Pack, PieceHash};
use crate::state::push;
use crate::store::{read_head, segment_path};

/// How much is read at a time.
const CHUNK: usize = 256 << 10;

impl Writer {
    /// Stores everything from the reader, and returns the extents and the number of bytes.
    pub(super) fn store(
        &mut self,
        mut reader: impl Read,
        alias: Option<&Alias>,
    ) -> Result<(Vec<Extent>, u64), TakeError> {
        let mut extents = Vec::new();
        let mut input = std::mem::take(&mut self.input);
        let stored = self.store_with(&mut reader, alias, &mut input, &mut extents);
        self.input = input;
        if stored.is_err() {
            // Complete pieces stay: they are unused, but harmless.
            self.filling.bytes.truncate(self.filling.piece);
        }
        Ok((extents, stored?))
    }

    fn store_with(
        &mut self,
        reader: &mut impl Read,
        alias: Option<&Alias>,
        input: &mut Vec<u8>,
        extents: &mut Vec<Extent>,
    ) -> Result<u64, TakeError> {
        let mut total = 0;
        input.clear();
        loop {
            let before = input.len();
            reader.by_ref().take(CHUNK as u64).read_to_end(input).map_err(TakeError::Source)?;
            let read = input.len() - before;
            total += read as u64;
            let mut rest = input.as_slice();
            while let Some((line, behind)) = split(rest, read == 0) {
                self.add_line(line, alias, extents)?;
                rest = behind;
            }
            let left = rest.len();
            input.drain(..input.len() - left);
            if read == 0 {
                self.end_piece(alias.is_some(), extents)?;
                return Ok(total);
            }
        }
    }

    fn add_line(&mut self, line: &[u8], alias: Option<&Alias>, extents: &mut Vec<Extent>) -> Result<(), ArchiveError> {
        let is_long = line.len() >= LONGEST;
        let may_alias = alias.is_some() && Alias::fits(line);
        if is_long || may_alias != alias.is_some() {
            self.end_piece(alias.is_some(), extents)?;
        }
        let start = self.filling.bytes.len();
        self.filling.bytes.extend(line);
        let added = self.filling.bytes.get_mut(start..).unwrap_or_default();
        if let Some(alias) = alias.filter(|_| may_alias) {
            alias.take_out(added);
        }
        let hash = cut::hash(added);
        let length = self.filling.bytes.len() - self.filling.piece;
        if is_long || may_alias != alias.is_some() || cut::ends_after(length, line.len(), hash) {
            self.end_piece(may_alias, extents)?;
        }
        Ok(())
    }

    /// Ends the current piece: adds it to the pack, or drops it if it is already stored.
    fn end_piece(&mut self, aliased: bool, extents: &mut Vec<Extent>) -> Result<(), ArchiveError> {
        let piece = self.filling.bytes.get(self.filling.piece..).unwrap_or_default();
        if piece.is_empty() {
            return Ok(());
        }
        let hash = pack::hash(piece);
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let (start, length) = (number(self.filling.piece), number(piece.len()));
        if self.known.is_none() {
            self.known = Some(self.pieces_before());
        }
        let known = self.known.as_ref().and_then(|known| known.get(&hash)).copied();
        let same = known.filter(|(pack, start)| self.is_at(*pack, *start));
        let (pack, start) = same.unwrap_or((self.next_pack, start));
        push(extents, Extent { pack: Some(pack), start, length: length.into(), aliased });
        if same.is_some() {
            self.report.shared += u64::from(length);
            self.filling.bytes.truncate(self.filling.piece);
            return Ok(());
        }
        self.filling.pieces.push((hash, length));
        self.filling.piece = self.filling.bytes.len();
        if let Some(known) = &mut self.known {
            known.insert(hash, (pack, start));
        }
        if self.filling.bytes.len() >= FULL { self.flush() } else { Ok(()) }
    }

    /// Whether the current piece is stored at a position, byte for byte: the archive may be damaged there.
    fn is_at(&self, pack: u32, start: u32) -> bool {
        let piece = self.filling.bytes.get(self.filling.piece..).unwrap_or_default();
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        let is_in = |bytes: &[u8]| bytes.get(start..).is_some_and(|bytes| bytes.starts_with(piece));
        if pack == self.next_pack {
            return self.filling.bytes.get(..self.filling.piece).is_some_and(is_in);
        }
        let place = self.packs.get(&pack).or_else(|| self.before.state().packs.get(&pack));
        self.recent.get(&self.folder, pack, place).is_ok_and(|bytes| is_in(&bytes))
    }

    /// The positions of the pieces that existed before.
    fn pieces_before(&self) -> FxHashMap<PieceHash, (u32, u32)> {
        let mut packs: Vec<_> = self.before.state().packs.values().collect();
        packs.sort_unstable_by_key(|pack| (pack.segment, pack.offset));
        let mut known = FxHashMap::default();
        for packs in packs.chunk_by(|a, b| a.segment == b.segment) {
            let Some(first) = packs.first() else { continue };
            let Ok(mut file) = File::open(segment_path(&self.folder, first.segment)) else { continue };
            for place in packs {
                // Unreadable packs are not shared.
                let Some(head) = read_head(&mut file, place) else { continue };
                let Some(pack) = Pack::read(&head) else { continue };
                known.extend(pack.pieces().map(|(hash, start, _)| (hash, (place.number, start))));
            }
        }
        known
    }
}

/// The next line, and the rest. An overlong line comes in parts. A line without a newline counts only at the end.
fn split(bytes: &[u8], at_end: bool) -> Option<(&[u8], &[u8])> {
    let within = bytes.get(..LONGEST).unwrap_or(bytes);
    match memchr(b'\n', within) {
        Some(end) => bytes.split_at_checked(end + 1),
        None if within.len() == LONGEST => bytes.split_at_checked(LONGEST),
        None if at_end && !bytes.is_empty() => Some((bytes, &[])),
        None => None,
    }
}
