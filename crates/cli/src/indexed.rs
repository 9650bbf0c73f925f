//! The index of all sessions, brought up to date before it is asked.

use std::path::PathBuf;

use anyhow::Context as _;
use index::{Index, IndexError};
use ledger::Prices;
use sources::Environment;
use sources::Found;
use sources::Problem;
use sources::Root;
use sources::find_in_roots;
use sources::folders;
use sources::roots;

use crate::failure;
use crate::progress::Progress;

/// An index that is up to date.
pub(crate) struct Reading {
    pub(crate) index: Index,
    /// What was read.
    pub(crate) roots: Vec<Root>,
    /// What could not be read.
    pub(crate) problems: Vec<Problem>,
    found: Found,
}

impl Reading {
    /// Asks the index. If it turns out to be damaged, it is made anew, in which sessions have other numbers.
    pub(crate) fn ask<T>(
        &mut self,
        prices: &Prices,
        question: impl Fn(&Index) -> Result<T, IndexError>,
    ) -> Result<T, IndexError> {
        ask(&mut self.index, &self.found, prices, question)
    }
}

/// Brings the index of all roots up to date. Without one, and where none can be kept, all sessions are read into one
/// that lasts as long as this run and knows sessions, but not their words.
pub(crate) fn read(extra: &[PathBuf], prices: &Prices, without: bool) -> anyhow::Result<Reading> {
    let roots = roots(&Environment::of_process(), extra);
    let mut found = find_in_roots(&roots);
    let kept = if without { None } else { open_or_say(&found, &roots, prices) };
    let (index, mut problems) = match kept {
        Some(kept) => kept,
        None => update(Index::in_memory()?, &found, &roots, prices).context("cannot list sessions")?,
    };
    problems.splice(0..0, std::mem::take(&mut found.problems));
    Ok(Reading { index, roots, problems, found })
}

/// The index if it can be used; else it says why not, and that it goes on without.
pub(crate) fn open_or_say(found: &Found, roots: &[Root], prices: &Prices) -> Option<(Index, Vec<Problem>)> {
    let say = |error: &anyhow::Error| {
        let place = cache().map(|folder| format!("; see whether {} can be written and has room", folder.display()));
        let hint = format!("all sessions are read instead, which takes longer{}", place.unwrap_or_default());
        failure::say(&error.to_string(), Some(&hint));
    };
    open(found, roots, prices).inspect_err(say).ok()
}

/// Asks the index. If it turns out to be damaged, it is made anew: that is noticed where it is looked at.
pub(crate) fn ask<T>(
    index: &mut Index,
    found: &Found,
    prices: &Prices,
    question: impl Fn(&Index) -> Result<T, IndexError>,
) -> Result<T, IndexError> {
    match question(index) {
        Err(error) if error.is_damage() => {
            let progress = Progress::new(found.sources.iter().map(|source| source.size).sum());
            let updated = index.update_anew(found, prices, &|bytes| progress.add(bytes));
            progress.finish();
            updated?;
            question(index)
        }
        answer => answer,
    }
}

/// The index, up to date, with what could not be read.
pub(crate) fn open(found: &Found, roots: &[Root], prices: &Prices) -> anyhow::Result<(Index, Vec<Problem>)> {
    Ok(update(Index::open(&path()?)?, found, roots, prices)?)
}

/// Takes in what is new, with a progress bar if that takes a while.
fn update(index: Index, found: &Found, roots: &[Root], prices: &Prices) -> Result<(Index, Vec<Problem>), IndexError> {
    let progress = Progress::new(found.sources.iter().map(|source| source.size).sum());
    let mut index = within(index, roots);
    let updated = index.update(found, prices, &|bytes| progress.add(bytes));
    progress.finish();
    Ok((index, updated?.problems))
}

/// What an index knows of roots.
pub(crate) fn within(index: Index, roots: &[Root]) -> Index {
    index.within(roots.iter().map(|root| root.path.clone()).collect())
}

/// The user's home, if that is known.
pub(crate) fn home() -> Option<String> {
    std::env::home_dir().map(|home| home.to_string_lossy().into_owned()).filter(|home| home.len() > 1)
}

/// Where the index is.
pub(crate) fn path() -> anyhow::Result<PathBuf> {
    let folder = cache().context("there is no folder for the index: neither XDG_CACHE_HOME nor HOME is set")?;
    Ok(folder.join("index.db"))
}

/// Where to keep what can be found out again.
pub(crate) fn cache() -> Option<PathBuf> {
    Some(folders::cache()?.join("recount"))
}
