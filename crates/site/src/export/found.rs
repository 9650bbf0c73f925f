//! The files from which an export is made, and whether a session has changed since the last one.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use reader::Copied;
use sources::{FileKey, Source, SourceKind, Twin};

use crate::folder::Folder;
use crate::record::{Made, Stamp};

/// All sources by path, with the number of files that may belong to each session.
pub(super) struct Sources<'s> {
    stamps: HashMap<String, Stamp>,
    /// The number of sources in a folder and below it.
    below: HashMap<PathBuf, usize>,
    /// The number of agent files beside sessions.
    beside: HashMap<&'s Path, usize>,
    /// Names that several sessions share.
    pub(super) shared_names: HashSet<&'s OsStr>,
    /// What counts for other sessions, for each session that the index knows.
    copied: &'s HashMap<FileKey, Copied>,
}

impl<'s> Sources<'s> {
    pub(super) fn of(sources: &'s [Source], sessions: &'s [Source], copied: &'s HashMap<FileKey, Copied>) -> Self {
        let mut found = Self {
            copied,
            stamps: HashMap::new(),
            below: HashMap::new(),
            beside: HashMap::new(),
            shared_names: HashSet::new(),
        };
        let mut names = HashSet::new();
        let stems = sessions.iter().filter_map(Source::stem);
        found.shared_names.extend(stems.filter(|stem| !names.insert(*stem)));
        let prompts = sessions.iter().filter(|session| session.kind == SourceKind::Prompts);
        for source in sources.iter().chain(prompts) {
            let Some(path) = source.input.path() else { continue };
            let stamps = source.earlier.iter().chain([source]).filter_map(Stamp::of);
            found.stamps.extend(stamps.map(|stamp| (stamp.path.clone(), stamp)));
            match source.kind {
                SourceKind::Subagent | SourceKind::Journal => {
                    if let Some(companions) = path.ancestors().find(|folder| folder.ends_with("subagents")) {
                        *found.below.entry(companions.to_path_buf()).or_default() += 1;
                    } else if let Some(folder) = path.parent() {
                        *found.beside.entry(folder).or_default() += 1;
                    }
                }
                SourceKind::Transcript
                | SourceKind::History
                | SourceKind::Capture
                | SourceKind::Partial
                | SourceKind::Prompts => {}
            }
        }
        found
    }

    /// How many files may belong to a session.
    pub(super) fn relatives(&self, source: &Source) -> usize {
        let Some(path) = source.input.path() else { return 0 };
        let companions = self.below.get(&path.with_extension("").join("subagents")).copied().unwrap_or_default();
        let captures = if let Twin::CapturedIn(files) = &source.twin { files.len() } else { 0 };
        companions
            + captures
            + source.strays.len()
            + source.earlier.len()
            + path.parent().and_then(|folder| self.beside.get(folder)).copied().unwrap_or_default()
    }

    pub(super) fn copied(&self, source: &Source) -> Option<&Copied> {
        self.copied.get(&source.input.key()?)
    }

    /// Whether the files of a session still exist and are up to date.
    pub(super) fn is_current(&self, source: &Source, made: &Made, folder: &Folder) -> bool {
        let is_same = |stamp: &Stamp| self.stamps.get(&stamp.path) == Some(stamp);
        !made.from.is_empty()
            && made.relatives == self.relatives(source)
            && made.copied == hash_of(self.copied(source))
            && made.from.iter().all(is_same)
            && made.files.iter().all(|name| folder.has(name))
    }
}

/// A hash that changes with what counts for other sessions, however often it is computed.
pub(super) fn hash_of(copied: Option<&Copied>) -> u64 {
    let Some(Copied { messages, calls }) = copied else { return 0 };
    let add = |hash: u64, key: &u64| hash.rotate_left(5).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ key;
    messages.iter().chain(calls).fold(1, add)
}
