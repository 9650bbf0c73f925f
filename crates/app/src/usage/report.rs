//! A usage report, which all outputs share.

use human::Locale;
use reader::account::Doubtful;
use sources::{Input, Source};

use super::{BlockReport, UsageKind, UsageRows};
use crate::SessionFilter;

/// A report with everything that its outputs show.
#[derive(Debug)]
pub struct UsageReport<'a> {
    /// The kind of the report.
    pub kind: UsageKind,
    /// The rows.
    pub rows: UsageRows,
    /// Blocks in place of rows, if requested.
    pub blocks: Option<BlockReport>,
    /// Selects sessions.
    pub filter: &'a SessionFilter,
    /// Time zone and currency.
    pub locale: &'a Locale,
    /// Whether models are shown below each row.
    pub breakdown: bool,
    /// Whether costs are shown.
    pub with_cost: bool,
    /// The first few lines that could not be counted as written.
    pub doubtful: &'a [Doubtful],
    /// The number of such lines.
    pub doubtful_lines: u64,
    /// The sources that places refer to by number.
    pub sources: &'a [Source],
}

impl UsageReport<'_> {
    /// Returns the input that contains a doubtful line.
    pub fn input(&self, doubtful: &Doubtful) -> Option<&Input> {
        self.sources.get(doubtful.place.source).map(|source| &source.input)
    }

    /// Returns whether there is nothing to report.
    pub fn is_empty(&self) -> bool {
        match &self.blocks {
            Some(report) => report.items().is_empty(),
            None => self.rows.list.is_empty(),
        }
    }
}
