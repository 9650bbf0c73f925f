//! What was made from which files: the record that lies in the folder.

use std::collections::BTreeMap;
use std::time::UNIX_EPOCH;

use content::Listed;
use serde::{Deserialize, Serialize};
use sources::{FileKey, Source};

/// The name of the record. It also says that the folder is ours.
pub(crate) const NAME: &str = ".recount-export.json";

/// What was made from which files.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// What made it, and how: another version or another wish makes everything anew.
    pub(crate) made: String,
    /// Files that belong to no session.
    pub(crate) shared: Vec<String>,
    /// By where the session's own file is.
    pub(crate) sessions: BTreeMap<String, Made>,
}

/// What was made of one session.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Made {
    /// The files that it was made from.
    pub(crate) from: Vec<Stamp>,
    /// How many files there were that may belong to it.
    pub(crate) relatives: usize,
    /// The files that were made, below the folder.
    pub(crate) files: Vec<String>,
    /// How it is listed.
    pub(crate) listed: Listed,
}

/// By what a change of a file is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp {
    pub(crate) path: String,
    pub(crate) size: u64,
    pub(crate) modified: u128,
}

/// Where a file is: its path, after its machine if that is another one. `None` for what has no path, or none that can be
/// written down.
pub(crate) fn place_of(source: &Source) -> Option<String> {
    let FileKey { tenant, machine, path } = source.input.key()?;
    let path = path.to_str()?.to_owned();
    let is_here = tenant.is_empty() && machine.is_empty();
    Some(if is_here { path } else { format!("{tenant}:{machine}:{path}") })
}

impl Stamp {
    /// `None` for what has no path, or none that can be written down.
    pub(crate) fn of(source: &Source) -> Option<Self> {
        let path = place_of(source)?;
        let modified = source.modified.and_then(|at| at.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
        Some(Self { path, size: source.size, modified: modified.as_nanos() })
    }
}
