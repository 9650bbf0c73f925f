//! The report of `recount check` as text ([`text`]); `wire::check` writes its JSON.

mod table;
pub(crate) mod text;

use ledger::OutdatedList;
use reader::census::{Census, SourceLine};
use sources::Input;
use sources::Problem;
use sources::Source;

/// A report.
pub(crate) struct Report<'a> {
    pub(crate) census: &'a Census,
    /// The sources that places refer to by number.
    pub(crate) sources: &'a [Source],
    pub(crate) problems: &'a [Problem],
    /// The price list, if it is older than a model.
    pub(crate) outdated: Option<&'a OutdatedList>,
}

impl Report<'_> {
    /// Returns the input that contains a place.
    fn input(&self, place: SourceLine) -> Option<&Input> {
        self.sources.get(place.source).map(|source| &source.input)
    }
}
