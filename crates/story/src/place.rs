//! Positions: sources, lines, entries, blocks.

use serde::{Deserialize, Serialize};

use crate::number::{Number, numbered};

/// The index of a source in a story.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SourceId(pub(crate) u32);

impl SourceId {
    /// The source with this number; `None` if it is out of range.
    pub fn new(number: usize) -> Option<Self> {
        u32::try_from(number).ok().map(Self)
    }

    /// Its number, in the order sources were added.
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Its index in the list of sources.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The index of a line in a story, over all sources in reading order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LineId(Number);

numbered!(LineId);

/// A block of an entry of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BlockPlace {
    /// The line.
    pub line: LineId,
    /// The entry in the line: 0, unless the line contains several.
    pub entry: u32,
    /// The block in the entry: 0 for the first, and where there are no blocks.
    pub block: u32,
}

/// The bytes of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// The source.
    pub source: SourceId,
    /// The line number in the source, from 1.
    pub number: u32,
    /// The byte offset.
    pub offset: u64,
    /// The length in bytes.
    pub length: u32,
    /// How many lines of the source it spans: more than one if an object is spread over several.
    pub lines: u32,
}
