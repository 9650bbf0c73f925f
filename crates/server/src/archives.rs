//! The contents of the archives that the server reads from.

use std::path::PathBuf;

use archive::{Archive, last_run};
use jiff::Timestamp;
use sources::Root;
use sources::kept::{Holdings, kept_sessions};
use story::step::Millis;

/// An archive.
#[derive(Debug)]
pub(crate) struct ArchiveView {
    pub(crate) folder: PathBuf,
    /// The contents, or why they cannot be read.
    pub(crate) state: Result<State, String>,
}

/// The contents of an archive.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) holdings: Holdings,
    /// When the archive was last updated.
    pub(crate) last_run: Option<Millis>,
    /// When a line was last added.
    pub(crate) last_change: Option<Millis>,
}

/// Views of the archives among the roots.
pub(crate) fn archive_views(roots: &[Root]) -> Vec<ArchiveView> {
    let archives = roots.iter().filter(|root| root.is_archive());
    archives.map(|root| ArchiveView { folder: root.path.clone(), state: State::of(root) }).collect()
}

impl State {
    fn of(root: &Root) -> Result<Self, String> {
        let archive = Archive::open(&root.path).map_err(|error| error.to_string())?;
        let ran = last_run(&root.path).and_then(|at| Timestamp::try_from(at).ok());
        Ok(Self {
            holdings: Holdings::of(&archive, &kept_sessions(&archive)),
            last_run: ran.map(Timestamp::as_millisecond),
            last_change: archive.changed_at(),
        })
    }
}
