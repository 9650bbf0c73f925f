//! The record of an export: its output, and the files it came from.

use std::collections::BTreeMap;
use std::time::UNIX_EPOCH;

use content::Listed;
use serde::{Deserialize, Serialize};
use sources::{FileKey, Source, path_text};
use story::Ending;

/// The file name of the record. It also identifies the folder as an export.
pub(crate) const NAME: &str = ".recount-export.json";

/// The record of an export.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The program and options that wrote it: if either changes, everything is written again.
    pub(crate) made: String,
    /// Files that belong to no session.
    pub(crate) shared: Vec<String>,
    /// By the place of the session's main file.
    pub(crate) sessions: BTreeMap<String, Made>,
}

/// The output of one session.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Made {
    /// The files that it came from.
    pub(crate) from: Vec<Stamp>,
    /// A fingerprint of what other sessions and the disk say about it.
    #[serde(default)]
    pub(crate) around: u64,
    /// How many files may belong to it.
    pub(crate) relatives: usize,
    /// What is in them and counts for other sessions, as a hash.
    #[serde(default)]
    pub(crate) copied: u64,
    /// The files written, below the folder.
    pub(crate) files: Vec<String>,
    /// Its entry in the list.
    pub(crate) listed: Listed,
    /// Its id, and the end of its story: its state follows from them and may change while its files do not.
    #[serde(default)]
    pub(crate) id: String,
    #[serde(default)]
    pub(crate) ending: Ending,
}

/// Detects changes of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp {
    pub(crate) path: String,
    pub(crate) size: u64,
    pub(crate) modified: u128,
}

/// The location of a file: its path, after its machine if that is another one. `None` for a source without a path.
pub(crate) fn place_of(source: &Source) -> Option<String> {
    let FileKey { tenant, machine, path } = source.input.key()?;
    let path = path_text::encode(&path).into_owned();
    let is_here = tenant.is_empty() && machine.is_empty();
    Some(if is_here { path } else { format!("{tenant}:{machine}:{path}") })
}

impl Stamp {
    /// `None` for a source without a path.
    pub(crate) fn of(source: &Source) -> Option<Self> {
        let path = place_of(source)?;
        let modified = source.modified.and_then(|at| at.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
        Some(Self { path, size: source.size, modified: modified.as_nanos() })
    }
}
