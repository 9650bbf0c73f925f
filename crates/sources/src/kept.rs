//! What of sessions is in an archive.

use std::collections::BTreeMap;

use archive::{Archive, Kept};

use crate::keep::kind;
use crate::source::SourceKind;

/// The files of a session in an archive.
#[derive(Debug)]
pub struct KeptSession<'a> {
    /// Its id.
    pub id: &'a str,
    /// They may have older versions.
    pub files: Vec<&'a Kept>,
}

/// All sessions of an archive, by their ids.
pub fn kept_sessions(archive: &Archive) -> Vec<KeptSession<'_>> {
    let mut all: BTreeMap<&str, Vec<&Kept>> = BTreeMap::new();
    for file in archive.files().filter(|file| !file.name.session.is_empty()) {
        all.entry(&file.name.session).or_default().push(file);
    }
    all.into_iter().map(|(id, files)| KeptSession { id, files }).collect()
}

impl KeptSession<'_> {
    /// Whether the session itself is not there any more, outside the archive.
    pub fn is_deleted(&self) -> bool {
        let is_main = |file: &&&Kept| &*file.name.kind == kind(SourceKind::Transcript);
        let mut main = self.files.iter().filter(is_main).peekable();
        if main.peek().is_some() {
            main.all(|file| !file.name.full().exists())
        } else {
            self.files.iter().all(|file| !file.name.full().exists())
        }
    }
}

/// How much there is in an archive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Holdings {
    /// Sessions.
    pub sessions: u64,
    /// Sessions that are only there any more.
    pub deleted: u64,
    /// Files.
    pub files: u64,
    /// Their versions.
    pub versions: u64,
    /// Bytes of all versions.
    pub bytes: u64,
    /// Bytes that they take on the disk.
    pub stored: u64,
}

impl Holdings {
    /// How much there is.
    pub fn of(archive: &Archive, sessions: &[KeptSession<'_>]) -> Self {
        let bytes_of = |file: &Kept| file.versions.iter().map(|version| version.length).sum::<u64>();
        Self {
            sessions: sessions.len() as u64,
            deleted: sessions.iter().filter(|session| session.is_deleted()).count() as u64,
            files: archive.files().count() as u64,
            versions: archive.files().map(|file| file.versions.len() as u64).sum(),
            bytes: archive.files().map(bytes_of).sum(),
            stored: archive.stored(),
        }
    }
}
