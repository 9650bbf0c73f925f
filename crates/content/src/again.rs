//! Reads a part of a line again: of a line that holds thousands of blocks, only the one that is wanted.

use std::borrow::Cow;

use format::{Entry, Reach, Scope, Scratch};
use story::{BlockPlace, Part, Story, Texts, Wanted};

/// How many parts of a line are read again if it is not known where they lie: for each of them, the whole line is read.
const MOST_UNKNOWN: u32 = 64;

/// The part of a line that holds a block.
#[derive(Debug)]
pub struct Again<'t> {
    bytes: Cow<'t, [u8]>,
    part: Part,
    place: BlockPlace,
}

impl<'t> Again<'t> {
    /// Reads the bytes of a block, with as much of its entry as is wanted. An error says why they cannot be read.
    pub fn of(story: &Story, texts: &'t mut dyn Texts, place: BlockPlace, wanted: Wanted) -> Result<Self, String> {
        let span = story.span(place.line).ok_or_else(|| "the line is not known".to_owned())?;
        let part = story.part(place, wanted);
        let failed = |why: &dyn std::fmt::Display| format!("line {} cannot be read again: {why}", span.number);
        if part == Part::Unknown && place.entry.max(place.block) >= MOST_UNKNOWN {
            return Err(failed(&"it holds too many parts"));
        }
        let bytes = match &part {
            Part::Line | Part::Unknown => texts.line(span),
            Part::Entry(bytes) | Part::Block(bytes, _) => texts.part(span, bytes.clone()),
        };
        Ok(Self { bytes: Cow::Borrowed(bytes.map_err(|error| failed(&error))?), part, place })
    }

    /// The same, independent of the texts.
    #[must_use]
    pub fn into_owned(self) -> Again<'static> {
        Again { bytes: Cow::Owned(self.bytes.into_owned()), part: self.part, place: self.place }
    }

    /// The bytes that were read.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The place of the block in [`Self::read`].
    pub fn place(&self) -> BlockPlace {
        match self.part {
            Part::Line | Part::Unknown => self.place,
            Part::Entry(_) => BlockPlace { entry: 0, ..self.place },
            Part::Block(..) => BlockPlace { entry: 0, block: 0, ..self.place },
        }
    }

    /// Reads the entry, with its JSON. An entry of which only a block was wanted has no other block.
    pub fn read<'a>(&'a self, scratch: &'a Scratch, scope: impl Into<Scope<'a>>) -> Option<(Entry<'a>, &'a [u8])> {
        let entry = match &self.part {
            Part::Line | Part::Unknown => {
                let mut reading = format::read_with(&self.bytes, scratch, scope);
                let at = self.place.entry as usize;
                let json = reading.piece(at).map_or(&*self.bytes, str::as_bytes);
                let entry = (at < reading.entries.len()).then(|| reading.entries.swap_remove(at))?;
                return Some((entry.into_inner(), json));
            }
            Part::Entry(_) => format::read_piece(&self.bytes, scratch, scope)?,
            Part::Block(_, role) => format::read_block(&self.bytes, *role, scratch, scope)?,
        };
        Some((entry.into_inner(), &self.bytes))
    }
}

/// What is read of an entry to show it: whole files before a change are only in its raw line.
pub const SHOWN: Reach = Reach::Usage;

/// The place of the part of a line that [`raw_line`](crate::view::raw_line) shows for a block: equal for all blocks
/// that it shows together.
pub fn raw_place(story: &Story, place: BlockPlace) -> BlockPlace {
    match story.part(place, Wanted::Block) {
        Part::Line | Part::Unknown => BlockPlace { entry: 0, block: 0, ..place },
        Part::Entry(_) => BlockPlace { block: 0, ..place },
        Part::Block(..) => place,
    }
}
