//! The sessions in an archive.

use std::collections::BTreeMap;

use ::archive::{Archive, Kept};
use library::SourceKind;
use library::keep::kind;

/// The files of a session in the archive.
pub(super) struct Session<'a> {
    pub(super) id: &'a str,
    pub(super) files: Vec<&'a Kept>,
}

/// All sessions, by their ids.
pub(super) fn sessions(archive: &Archive) -> Vec<Session<'_>> {
    let mut all: BTreeMap<&str, Vec<&Kept>> = BTreeMap::new();
    for file in archive.files().filter(|file| !file.name.session.is_empty()) {
        all.entry(&file.name.session).or_default().push(file);
    }
    all.into_iter().map(|(id, files)| Session { id, files }).collect()
}

impl Session<'_> {
    /// Whether the session itself is not there any more, outside the archive.
    pub(super) fn is_deleted(&self) -> bool {
        let is_main = |file: &&&Kept| &*file.name.kind == kind(SourceKind::Transcript);
        let mut main = self.files.iter().filter(is_main).peekable();
        if main.peek().is_some() {
            main.all(|file| !file.name.full().exists())
        } else {
            self.files.iter().all(|file| !file.name.full().exists())
        }
    }
}
