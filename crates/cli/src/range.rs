//! Ranges of numbers as typed by users: `5..10`, `5..`, `..10`, `5`.

use std::ops::RangeInclusive;
use std::str::FromStr;

/// A range of numbers from 1 on, including both ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Range(pub(crate) RangeInclusive<u64>);

impl FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str, open: u64| match text.trim() {
            "" => Some(open),
            text => text.parse().ok().filter(|number| *number > 0),
        };
        let ends = match text.split_once("..") {
            Some((first, last)) => number(first, 1).zip(number(last.strip_prefix('=').unwrap_or(last), u64::MAX)),
            None => number(text, 0).map(|number| (number, number)),
        };
        match ends {
            Some((first, last)) if 0 < first && first <= last => Ok(Self(first..=last)),
            _ => Err("expected numbers from 1 on, such as 5..10, 5.., ..10 or 5".to_owned()),
        }
    }
}
