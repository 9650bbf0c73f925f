//! The report of `recount check`, for people ([`text`]); for programs it is `wire::check`.

mod table;
pub(crate) mod text;

use reader::census::{Census, Place};
use sources::Input;
use sources::Problem;
use sources::Source;

/// All that is reported.
pub(crate) struct Report<'a> {
    pub(crate) census: &'a Census,
    /// What the numbers in places stand for.
    pub(crate) sources: &'a [Source],
    pub(crate) problems: &'a [Problem],
}

impl Report<'_> {
    /// Where a place is.
    fn input(&self, place: Place) -> Option<&Input> {
        self.sources.get(place.source).map(|source| &source.input)
    }
}
