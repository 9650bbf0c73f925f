//! The fate of every line: each line ends in exactly one category.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::place::LineId;

/// The fate of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fate {
    /// At least part of it is shown.
    Shown,
    /// It contains nothing for a reader.
    Bookkeeping(BookkeepingKind),
    /// It repeats another line.
    Duplicate(LineId),
    /// It could not be parsed.
    Malformed,
    /// No known version writes it.
    Unknown,
}

/// A kind of bookkeeping, as a number; [`Story::kind_name`](crate::Story::kind_name) gives its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BookkeepingKind(pub(crate) u16);

/// The number of lines by fate.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Accounting {
    /// All lines that were read.
    pub lines: u64,
    /// Lines that are shown.
    pub shown: u64,
    /// Lines that contain nothing for a reader, by kind.
    pub bookkeeping: BTreeMap<String, u64>,
    /// Lines that repeat another line.
    pub duplicate: u64,
    /// Lines that could not be parsed.
    pub malformed: u64,
    /// Lines that no known version writes.
    pub unknown: u64,
}

impl Accounting {
    /// The sum over all fates; equal to the number of lines read.
    pub fn sum(&self) -> u64 {
        self.shown + self.bookkeeping.values().sum::<u64>() + self.duplicate + self.malformed + self.unknown
    }
}

impl fmt::Display for Accounting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut row = |name: &str, count: u64| writeln!(f, "{name:<44}{count:>10}");
        row("shown", self.shown)?;
        for (kind, count) in &self.bookkeeping {
            row(&format!("bookkeeping: {kind}"), *count)?;
        }
        row("duplicate", self.duplicate)?;
        row("malformed", self.malformed)?;
        row("unknown", self.unknown)?;
        row("lines", self.lines)
    }
}
