//! The reports of `recount usage`, as text ([`text`]) and for programs ([`json`], [`csv`], [`ccusage`]).

pub(crate) mod ccusage;
pub(crate) mod csv;
pub(crate) mod json;
pub(crate) mod text;

use app::SessionFilter;
use app::usage::{BlockReport, UsageKind, UsageRows};
use human::Locale;
use reader::account::Doubtful;
use sources::Input;
use sources::Source;

/// A report.
pub(crate) struct Report<'a> {
    pub(crate) kind: UsageKind,
    pub(crate) rows: UsageRows,
    /// Blocks in place of rows, if requested.
    pub(crate) blocks: Option<BlockReport>,
    pub(crate) filter: &'a SessionFilter,
    pub(crate) locale: &'a Locale,
    /// Whether models are shown below each row.
    pub(crate) breakdown: bool,
    pub(crate) with_cost: bool,
    pub(crate) doubtful: &'a [Doubtful],
    pub(crate) doubtful_lines: u64,
    /// The sources that places refer to by number.
    pub(crate) sources: &'a [Source],
}

impl Report<'_> {
    /// Returns the input that contains a doubtful line.
    fn input(&self, doubtful: &Doubtful) -> Option<&Input> {
        self.sources.get(doubtful.place.source).map(|source| &source.input)
    }

    /// Returns whether there is nothing to report.
    pub(crate) fn is_empty(&self) -> bool {
        match &self.blocks {
            Some(report) => report.items().is_empty(),
            None => self.rows.list.is_empty(),
        }
    }
}
