//! A report of usage, for people and for programs.

use human::Locale;
use reader::account::Doubtful;
use sources::{Input, Source};

use super::{BlockReport, UsageKind, UsageRows};
use crate::SessionFilter;

/// A report with everything that its outputs show.
#[derive(Debug)]
pub struct UsageReport<'a> {
    /// What it is about.
    pub kind: UsageKind,
    /// Its rows.
    pub rows: UsageRows,
    /// Instead of rows, if those were asked for.
    pub blocks: Option<BlockReport>,
    /// Which sessions.
    pub filter: &'a SessionFilter,
    /// The zone and the currency.
    pub locale: &'a Locale,
    /// Models below each row.
    pub breakdown: bool,
    /// Whether costs are shown.
    pub with_cost: bool,
    /// Lines that could not be counted as they are, the first few.
    pub doubtful: &'a [Doubtful],
    /// How many such lines there are.
    pub doubtful_lines: u64,
    /// What the numbers in places stand for.
    pub sources: &'a [Source],
}

impl UsageReport<'_> {
    /// Where a doubtful line is.
    pub fn input(&self, doubtful: &Doubtful) -> Option<&Input> {
        self.sources.get(doubtful.place.source).map(|source| &source.input)
    }

    /// Whether there is nothing to report.
    pub fn is_empty(&self) -> bool {
        match &self.blocks {
            Some(report) => report.items().is_empty(),
            None => self.rows.list.is_empty(),
        }
    }
}
