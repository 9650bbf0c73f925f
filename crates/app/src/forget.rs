//! Forgets sessions: removes them from everything that recount keeps, for good.
//!
//! First the list of forgotten sessions is extended, which hides them everywhere. Then they are removed from the
//! archive, from captures and from the events of hooks, and the index and all caches are emptied. Whatever fails in
//! between, they stay hidden, and the next attempt continues.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use archive::{Archive, ArchiveError, Fate, Kept, Writer, is_archive};
use index::{Index, IndexError};
use record::forget::Forgot;
use record::{Conversation, RecordError, Store};
use sources::keep::kind;
use sources::{Forgotten, ForgottenName, FoundSources, Input, SourceKind, machine};

use crate::{App, AppError};

/// Why sessions could not be removed.
#[derive(Debug, thiserror::Error)]
pub enum ForgetError {
    /// The list of forgotten sessions cannot be read or written.
    #[error("cannot use the list of forgotten sessions: {}: {error}", path.display())]
    List {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The archive cannot be rewritten.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A capture cannot be changed.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The index cannot be emptied.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A file of a cache cannot be removed.
    #[error("cannot remove {}: {error}", path.display())]
    Cache {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The settings cannot be used.
    #[error(transparent)]
    App(#[from] AppError),
}

/// Where recount keeps sessions.
#[derive(Debug, Clone, Default)]
pub struct KeptPlaces {
    /// The archive.
    pub archive: Option<PathBuf>,
    /// The captures.
    pub store: Option<PathBuf>,
}

/// What there is of sessions.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Traces {
    /// Their files in the archive.
    pub archived: u64,
    /// Captures that have them.
    pub captures: Vec<PathBuf>,
    /// Files of Claude Code, which are not touched.
    pub untouched: Vec<PathBuf>,
    /// Prompt histories of Claude Code that have prompts of them, which are not touched either.
    pub histories: Vec<PathBuf>,
}

/// What was removed.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Forgetting {
    /// Files of the archive.
    pub archived: u64,
    /// Bytes that the archive has fewer on the disk.
    pub bytes: u64,
    /// Captures that were removed, or have other sessions only.
    pub captures: u64,
}

impl App {
    /// Returns the forgotten sessions.
    pub fn forgotten(&self) -> Result<Forgotten, ForgetError> {
        Forgotten::load().map_err(list_error)
    }

    /// Returns what there is of sessions.
    pub fn traces(
        &self,
        names: &[ForgottenName],
        found: &FoundSources,
        places: &KeptPlaces,
    ) -> Result<Traces, ForgetError> {
        let mut meant = Forgotten::default();
        meant.add(names);
        let mut traces = Traces::default();
        if let Some(folder) = places.archive() {
            let here = machine::known();
            let archive = Archive::open(folder)?;
            traces.archived = archive.files().filter(|file| meant.has_kept(file, here.as_deref())).count() as u64;
        }
        for conversation in places.conversations()? {
            if is_of(&conversation, &meant)? {
                traces.captures.push(conversation.path().to_path_buf());
            }
        }
        for source in &found.sources {
            let Input::File(path) = &source.input else { continue };
            if source.kind == SourceKind::History {
                let has_some = fs::read(path)
                    .is_ok_and(|bytes| bytes.split(|byte| *byte == b'\n').any(|line| meant.has_prompt(line)));
                traces.histories.extend(has_some.then(|| path.clone()));
            } else if meant.has_source(source) && !traces.captures.contains(path) {
                traces.untouched.push(path.clone());
            }
        }
        Ok(traces)
    }

    /// Hides sessions and removes them for good, with those that an earlier attempt has left.
    pub fn forget(&self, names: &[ForgottenName], places: &KeptPlaces) -> Result<Forgetting, ForgetError> {
        let mut forgotten = self.forgotten()?;
        forgotten.add(names);
        forgotten.save().map_err(list_error)?;
        let mut done = Forgetting::default();
        if let Some(folder) = places.archive() {
            self.forget_archived(folder, &forgotten, &mut done)?;
        }
        for conversation in places.conversations()? {
            if !is_of(&conversation, &forgotten)? {
                continue;
            }
            let is_whole = forgotten.has_path(&key_of(&conversation));
            let forgot = conversation.forget(&|session| is_whole || forgotten.has_id(session))?;
            done.captures += u64::from(forgot != Forgot::Untouched);
        }
        if let Ok(path) = self.index_path() {
            Index::wipe(&path)?;
        }
        self.empty_caches()?;
        if let Some(folder) = live::hooks::folder() {
            let failed = |error| ForgetError::Cache { path: folder.clone(), error };
            live::hooks::forget(&folder, &|session| forgotten.has_id(session)).map_err(failed)?;
        }
        forgotten.finish();
        forgotten.save().map_err(list_error)?;
        Ok(done)
    }

    fn forget_archived(&self, folder: &Path, forgotten: &Forgotten, done: &mut Forgetting) -> Result<(), ForgetError> {
        /// How long to wait for another run to finish.
        const PATIENCE: Duration = Duration::from_secs(60);
        let here = machine::known();
        let is_prompt = |line: &[u8]| forgotten.has_prompt(line);
        let fate = |file: &Kept| {
            if forgotten.has_kept(file, here.as_deref()) {
                Fate::Goes
            } else if &*file.name.kind == kind(SourceKind::History) {
                Fate::Without(&is_prompt)
            } else {
                Fate::Stays
            }
        };
        let writer = Writer::open(folder, PATIENCE)?;
        let progress = self.progress(writer.before().stored());
        let removed = writer.forget(&fate, &|bytes| progress.add(bytes))?;
        drop(progress);
        (done.archived, done.bytes) = (removed.files, removed.bytes);
        Ok(())
    }

    /// Removes the state of the status line and all temporary pages.
    fn empty_caches(&self) -> Result<(), ForgetError> {
        let Some(cache) = &self.environment().cache else { return Ok(()) };
        let is_of_status_line = |path: &PathBuf| {
            path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(reader::recent::PREFIX.as_bytes()))
        };
        let pages = cache.join(crate::kept::PAGES);
        for path in files_in(cache).into_iter().filter(is_of_status_line).chain(files_in(&pages)) {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(ForgetError::Cache { path, error });
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl KeptPlaces {
    /// The archive, if there is one.
    fn archive(&self) -> Option<&Path> {
        self.archive.as_deref().filter(|folder| is_archive(folder))
    }

    fn conversations(&self) -> Result<Vec<Conversation>, RecordError> {
        match self.store.as_deref().filter(|folder| record::is_store(folder)) {
            Some(folder) => Store::open(folder)?.conversations(),
            None => Ok(Vec::new()),
        }
    }
}

/// Whether a conversation has forgotten sessions, or is one that is known by its file.
fn is_of(conversation: &Conversation, forgotten: &Forgotten) -> Result<bool, RecordError> {
    let has_some = || Ok(conversation.sessions()?.iter().any(|session| forgotten.has_id(session)));
    if forgotten.has_path(&key_of(conversation)) { Ok(true) } else { has_some() }
}

fn key_of(conversation: &Conversation) -> sources::FileKey {
    let path = std::path::absolute(conversation.path()).unwrap_or_else(|_| conversation.path().to_path_buf());
    sources::FileKey { path, ..sources::FileKey::default() }
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect()
}

fn list_error(error: io::Error) -> ForgetError {
    ForgetError::List { path: Forgotten::path().unwrap_or_default(), error }
}
