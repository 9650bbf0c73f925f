//! Positions: sources, lines, entries, blocks.

use std::ops::Range;

use format::PieceRole;
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

/// What is needed of the entry around a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// All of it.
    Entry,
    /// Its notes about a call, if the block is its only call.
    Call,
    /// Its structured result, if the block is its only result.
    Result,
    /// Nothing.
    Block,
}

/// The part of a line to read again for a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// The whole line.
    Line,
    /// The entry in these bytes of the line.
    Entry(Range<u32>),
    /// The block in these bytes of the line, and what it must know about its entry.
    Block(Range<u32>, PieceRole),
    /// The line holds many, and where they lie is not known.
    Unknown,
}
