//! Every line ends in exactly one place.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::place::LineId;

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fate {
    /// It is told, at least in part.
    Told,
    /// It tells nothing to a reader.
    Bookkeeping(Kind),
    /// It says again what another line says.
    Duplicate(LineId),
    /// It could not be read.
    Malformed,
    /// No known version writes it.
    Unknown,
}

/// What kind of bookkeeping a line is, by a number that [`Accounting`] has the name for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Kind(pub(crate) u16);

/// How many lines ended where.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Accounting {
    /// All lines that were read.
    pub lines: u64,
    /// Lines that are told.
    pub told: u64,
    /// Lines that tell nothing to a reader, by what they are.
    pub bookkeeping: BTreeMap<String, u64>,
    /// Lines that say again what another says.
    pub duplicate: u64,
    /// Lines that could not be read.
    pub malformed: u64,
    /// Lines that no known version writes.
    pub unknown: u64,
}

impl Accounting {
    /// All lines that ended somewhere; as many as were read.
    pub fn sum(&self) -> u64 {
        self.told + self.bookkeeping.values().sum::<u64>() + self.duplicate + self.malformed + self.unknown
    }
}

impl fmt::Display for Accounting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut row = |name: &str, count: u64| writeln!(f, "{name:<44}{count:>10}");
        row("told", self.told)?;
        for (kind, count) in &self.bookkeeping {
            row(&format!("bookkeeping: {kind}"), *count)?;
        }
        row("duplicate", self.duplicate)?;
        row("malformed", self.malformed)?;
        row("unknown", self.unknown)?;
        row("lines", self.lines)
    }
}
