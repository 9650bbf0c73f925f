//! The names of workspaces, agents, conversations and records.

use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::path::Path;

use jiff::Timestamp;

use crate::error::RecordError;

/// The name of a workspace, an agent or a conversation, which is also that of a file or a folder.
///
/// ```
/// use record::Name;
/// assert!(Name::new("add-retries_2").is_ok());
/// assert!(Name::new("../secret").is_err());
/// assert_eq!(Name::of_folder("/home/ana/work/shop".as_ref()).as_str(), "home-ana-work-shop");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(Box<str>);

/// Some systems allow no more than 255 bytes, and extensions are added.
const LONGEST: usize = 200;

impl Name {
    /// Allows letters, digits, `-`, `_` and `.`, the last not at the start.
    pub fn new(text: &str) -> Result<Self, RecordError> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let why = if text.is_empty() {
            "it is empty"
        } else if text.len() > LONGEST {
            "it is too long"
        } else if text.starts_with(['.', '-']) {
            "it begins with a dot or a dash"
        } else if !text.chars().all(is_plain) {
            "it may contain only letters, digits, `-`, `_` and `.`"
        } else {
            return Ok(Self(text.into()));
        };
        Err(RecordError::Name { name: text.to_owned(), why })
    }

    /// A name for a folder: its path, with dashes for characters that a name cannot contain.
    pub fn of_folder(path: &Path) -> Self {
        let text: String =
            path.to_string_lossy().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let text = text.trim_matches('-');
        // The end of a path is more specific than its start.
        let text = text.get(text.len().saturating_sub(LONGEST)..).unwrap_or(text).trim_start_matches('-');
        Self(if text.is_empty() { "root".into() } else { text.into() })
    }

    /// A unique name for a conversation that begins now.
    pub fn of_moment(at: Timestamp) -> Self {
        // The unique part comes first, since lists show the start and people type it.
        let number = RandomState::new().hash_one(std::process::id()) >> 32;
        Self(format!("{number:08x}-{}", at.strftime("%Y%m%d-%H%M%S")).into())
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Generates ids for the records of one run: version 7 UUIDs, in chronological order.
#[derive(Debug)]
pub(crate) struct Ids {
    /// The same for all records of a run, different for every run.
    run: u32,
    count: u64,
}

impl Ids {
    pub(crate) fn new() -> Self {
        let random = RandomState::new().hash_one(std::process::id());
        Self { run: u32::try_from(random >> 34).unwrap_or_default(), count: 0 }
    }

    /// The next one.
    pub(crate) fn next(&mut self, at: Timestamp) -> String {
        let count = self.count;
        self.count += 1;
        let milliseconds = u64::try_from(at.as_millisecond()).unwrap_or_default() & 0xffff_ffff_ffff;
        let (high, low) = (milliseconds >> 16, milliseconds & 0xffff);
        // 44 bits are the counter, 30 identify the run.
        let (upper, lower) = ((count >> 32) & 0xfff, count & 0xffff_ffff);
        let (run, rest) = (self.run >> 16 & 0x3fff | 0x8000, self.run & 0xffff);
        format!("{high:08x}-{low:04x}-7{upper:03x}-{run:04x}-{rest:04x}{lower:08x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_names_are_refused() {
        for text in ["", ".", "..", ".hidden", "-x", "a/b", "a\\b", "a b", "ä", "a\0", &"x".repeat(201)] {
            assert!(Name::new(text).is_err(), "{text}");
        }
        for text in ["a", "4c1e0f7a-0000", "a.b", &"x".repeat(200)] {
            assert_eq!(Name::new(text).unwrap().as_str(), text);
        }
    }

    #[test]
    fn every_folder_has_a_name() {
        for path in ["/", "", "...", "/home/änne/x y", &"/x".repeat(300)] {
            let name = Name::of_folder(path.as_ref());
            assert!(Name::new(name.as_str()).is_ok(), "{path}: {name}");
        }
    }

    #[test]
    fn ids_are_uuids_in_order() {
        let (mut one, mut other) = (Ids::new(), Ids::new());
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let (early, late) = (at("2026-08-08T09:15:00Z"), at("2026-08-08T09:15:00.5Z"));
        let ids = [one.next(early), one.next(early), other.next(late)];
        assert!(ids.is_sorted() && ids[0] != ids[1], "{ids:?}");
        for id in ids {
            assert!(format::id::is_uuid(&id), "{id}");
            assert_eq!((id.as_bytes()[14], id.len()), (b'7', 36));
        }
    }
}
