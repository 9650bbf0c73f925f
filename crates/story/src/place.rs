//! Where things stand: sources, lines, entries, blocks.

use serde::{Deserialize, Serialize};

use crate::number::{Number, numbered};

/// Which source of a story.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SourceId(pub(crate) u16);

impl SourceId {
    /// The source with this number; `None` if no story has so many.
    pub fn new(number: usize) -> Option<Self> {
        u16::try_from(number).ok().map(Self)
    }

    /// Its number, in the order sources were added.
    pub const fn number(self) -> u16 {
        self.0
    }
}

/// Which line of a story, over all sources in the order they were read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LineId(Number);

numbered!(LineId);

/// A block of an entry of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The line.
    pub line: LineId,
    /// The entry in it: 0, unless the line holds several.
    pub entry: u16,
    /// The block in that: 0 for the first, and where there are no blocks.
    pub block: u16,
}

/// The bytes of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// The source it is in.
    pub source: SourceId,
    /// Its number in the source, from 1.
    pub number: u32,
    /// Where it begins.
    pub offset: u64,
    /// How many bytes it has.
    pub length: u32,
    /// How many lines of the source it takes: more than one if an object is spread over several.
    pub lines: u32,
}
