//! Opens and updates the index of all sessions, and rebuilds it if it is damaged.

use std::collections::HashMap;
use std::path::PathBuf;

use index::{Index, IndexError};
use reader::Copied;
use sources::{FileKey, FoundSources, Problem, Source};

use crate::{App, AppError};

/// An up-to-date index.
pub struct OpenIndex {
    /// The index, limited to the requested roots.
    pub index: Index,
    /// All sources.
    pub found: FoundSources,
    /// Sources that could not be found or read.
    pub problems: Vec<Problem>,
}

/// Whether the index is kept for the next run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeping {
    /// Uses the index in the user's cache, if possible.
    Kept,
    /// Reads all sessions into an index that lasts for this run and contains sessions, but not their words.
    Fresh,
}

impl OpenIndex {
    /// Queries the index. A damaged index is rebuilt, which gives sessions other numbers.
    pub fn ask<T>(&mut self, app: &App, question: impl Fn(&Index) -> Result<T, IndexError>) -> Result<T, AppError> {
        match question(&self.index) {
            Err(error) if error.is_damage() => {
                let progress = app.progress(self.found.sources.iter().map(|source| source.size).sum());
                let updated = self.index.update_anew(&self.found, app.prices()?, &|bytes| progress.add(bytes));
                drop(progress);
                updated?;
                Ok(question(&self.index)?)
            }
            answer => Ok(answer?),
        }
    }
}

impl App {
    /// Returns the path of the kept index.
    pub fn index_path(&self) -> Result<PathBuf, AppError> {
        Ok(self.environment().cache.as_ref().ok_or(AppError::NoCache)?.join("index.db"))
    }

    /// Returns the kept index without updating it; `None` if there is no usable one.
    pub fn stale_index(&self) -> Option<Index> {
        self.kept_index().ok()
    }

    /// Returns what counts for other sessions although it is in the files of this one, as far as the kept index knows,
    /// which is not updated; `None` if it does not know the session.
    pub fn copied(&self, session: &Source) -> Option<Copied> {
        let index = Index::open_existing(&self.index_path().ok()?)?;
        // An index that fails is rebuilt by the next command that needs it.
        index.copied(&session.input.key()?).ok().flatten()
    }

    /// Returns the same for all sessions that the kept index knows, by their main files.
    pub fn all_copied(&self) -> HashMap<FileKey, Copied> {
        let index = self.index_path().ok().and_then(|path| Index::open_existing(&path));
        index.and_then(|index| index.all_copied().ok()).unwrap_or_default()
    }

    /// Returns the kept index without updating it.
    pub fn kept_index(&self) -> Result<Index, AppError> {
        let path = self.index_path()?;
        self.close_kept_folders();
        self.within_roots(Index::open(&path)?)
    }

    /// Returns an empty index that lasts for this run.
    pub fn fresh_index(&self) -> Result<Index, AppError> {
        self.within_roots(Index::in_memory()?)
    }

    /// Limits an index to the roots of this app, and sets the user's time zone.
    fn within_roots(&self, index: Index) -> Result<Index, AppError> {
        let index = index.within(self.roots().iter().map(|root| root.path.clone()).collect());
        Ok(index.shown_in(self.locale()?.clone(), self.timestamp().as_millisecond()))
    }

    /// Returns the kept index, up to date.
    pub fn open_index(&self) -> Result<OpenIndex, AppError> {
        self.open_index_of(self.sources())
    }

    fn open_index_of(&self, found: FoundSources) -> Result<OpenIndex, AppError> {
        self.update_index(self.kept_index()?, found).map_err(|failed| failed.0)
    }

    /// Returns an up-to-date index of all roots. If none can be kept, warns and uses one that lasts for this run.
    pub fn any_index(&self, keeping: Keeping) -> Result<OpenIndex, AppError> {
        let found = match keeping {
            Keeping::Kept => match self.try_kept_index(self.sources()) {
                Ok(open) => return Ok(open),
                Err(found) => found,
            },
            Keeping::Fresh => self.sources(),
        };
        self.update_index(self.fresh_index()?, found).map_err(|failed| failed.0)
    }

    /// Returns the kept index, up to date, or the given sources with a warning why it cannot be used.
    pub fn try_kept_index(&self, found: FoundSources) -> Result<OpenIndex, FoundSources> {
        let (error, found) = match self.kept_index() {
            Ok(index) => match self.update_index(index, found) {
                Ok(open) => return Ok(open),
                Err(failed) => *failed,
            },
            Err(error) => (error, found),
        };
        let mut hints = vec!["all sessions are read instead, which takes longer".to_owned()];
        hints.extend(self.cache_hint());
        self.warn(&error.to_string(), &hints);
        Err(found)
    }

    /// Returns a hint about the folder of the index.
    pub fn cache_hint(&self) -> Option<String> {
        let folder = self.environment().cache.as_ref()?;
        Some(format!("check that {} is writable and has space", folder.display()))
    }

    /// Indexes new data, and shows progress.
    fn update_index(
        &self,
        mut index: Index,
        mut found: FoundSources,
    ) -> Result<OpenIndex, Box<(AppError, FoundSources)>> {
        let prices = match self.prices() {
            Ok(prices) => prices,
            Err(error) => return Err(Box::new((error, found))),
        };
        let progress = self.progress(found.sources.iter().map(|source| source.size).sum());
        let updated = index.update(&found, prices, &|bytes| progress.add(bytes));
        drop(progress);
        match updated {
            Ok(updated) => {
                let mut problems = std::mem::take(&mut found.problems);
                problems.extend(updated.problems);
                Ok(OpenIndex { index, found, problems })
            }
            Err(error) => Err(Box::new((error.into(), found))),
        }
    }
}
