//! The report of `recount check`, for people ([`text`]) and for programs ([`json`]).

pub(crate) mod json;
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
    /// How the program will end.
    pub(crate) code: u8,
}

impl Report<'_> {
    /// Where a place is.
    fn input(&self, place: Place) -> Option<&Input> {
        self.sources.get(place.source).map(|source| &source.input)
    }

    /// Versions with their number of entries, the oldest first.
    fn versions(&self) -> Vec<(&str, u64)> {
        let mut versions: Vec<_> =
            self.census.versions.by_name().into_iter().map(|(name, count)| (name, *count)).collect();
        versions.sort_by_key(|(name, _)| numbers(name));
        versions
    }
}

/// The numbers of a version, for their order: 2.1.9 comes before 2.1.12.
fn numbers(version: &str) -> Vec<u64> {
    version.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_by_their_numbers() {
        let mut versions = ["2.1.12", "2.0.1", "2.1.9", "1.0.128", "2.1.9-dev.2"];
        versions.sort_by_key(|version| numbers(version));
        assert_eq!(versions, ["1.0.128", "2.0.1", "2.1.9", "2.1.9-dev.2", "2.1.12"]);
    }
}
