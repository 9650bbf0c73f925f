//! What `recount usage` reports, for people ([`text`]) and for programs ([`json`], [`csv`], [`ccusage`]).

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

/// All that is reported.
pub(crate) struct Report<'a> {
    pub(crate) kind: UsageKind,
    pub(crate) rows: UsageRows,
    /// Instead of rows, if those were asked for.
    pub(crate) blocks: Option<BlockReport>,
    pub(crate) filter: &'a SessionFilter,
    pub(crate) locale: &'a Locale,
    /// Models below each row.
    pub(crate) breakdown: bool,
    pub(crate) with_cost: bool,
    pub(crate) doubtful: &'a [Doubtful],
    pub(crate) doubtful_lines: u64,
    /// What the numbers in places stand for.
    pub(crate) sources: &'a [Source],
}

impl Report<'_> {
    /// Where a doubtful line is.
    fn input(&self, doubtful: &Doubtful) -> Option<&Input> {
        self.sources.get(doubtful.place.source).map(|source| &source.input)
    }

    /// Whether there is nothing to report.
    pub(crate) fn is_empty(&self) -> bool {
        match &self.blocks {
            Some(report) => report.items().is_empty(),
            None => self.rows.list.is_empty(),
        }
    }
}
