//! Which files have changed.
//!
//! Between two full looks these are the files of the session that asks, and
//! those that were written to in the last minutes.

use std::ffi::OsStr;
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

use super::state::{State, modified};
use super::{HORIZON, MINUTE, SECOND};
use crate::source::SourceKind;

/// How often all folders are looked through.
const EVERY: i64 = 30 * SECOND;

/// What was written to so lately will be written to again.
const LATELY: i64 = 10 * MINUTE;

/// After so many files the rest has to wait for the next time; only the folder that was begun is finished.
const MOST_FILES: usize = 2000;

/// Below `subagents` there are `workflows`, and in it a folder for each.
const DEEPEST: u8 = 3;

/// Brings the known files up to date, and says whether anything is worth keeping.
pub(super) fn look(state: &mut State, projects: &[PathBuf], transcript: Option<&Path>, now: i64) -> bool {
    let mut look = Look { state, since: now.saturating_sub(HORIZON), files: 0 };
    let mut changed = false;
    if look.state.to_do.is_empty() && !(0..EVERY).contains(&now.saturating_sub(look.state.began)) {
        look.state.began = now;
        look.state.to_do = projects.iter().flat_map(|folder| folders_in(folder)).collect();
        changed = true;
        look.forget();
    }
    while look.files < MOST_FILES
        && let Some(project) = look.state.to_do.pop()
    {
        look.project(Path::new(&project));
        changed = true;
    }
    look.state.has_seen_all |= look.state.to_do.is_empty();
    if let Some(transcript) = transcript.filter(|path| path.is_absolute() && is_transcript(path)) {
        look.file(transcript);
        look.companions(transcript);
    }
    look.written_lately(now.saturating_sub(LATELY));
    changed
}

struct Look<'s> {
    state: &'s mut State,
    /// What was last written to before is of no interest.
    since: i64,
    /// How many were looked at.
    files: usize,
}

impl Look<'_> {
    /// The sessions of a project.
    ///
    /// What is beside a session's file belongs to it and is not written to for longer than that.
    fn project(&mut self, folder: &Path) {
        let mut companions = Vec::new();
        for entry in entries(folder) {
            let path = entry.path();
            if is_transcript(&path) {
                self.file(&path);
            } else if is_folder(&entry) {
                let mut main = path.into_os_string();
                main.push(".jsonl");
                companions.push(PathBuf::from(main));
            }
        }
        for main in companions {
            let is_recent = main.to_str().is_some_and(|main| self.state.files.contains_key(main));
            if is_recent || !main.exists() {
                self.companions(&main);
            }
        }
    }

    /// The agents of the session with this main file.
    fn companions(&mut self, main: &Path) {
        let mut to_do = vec![(main.with_extension("").join("subagents"), 0)];
        while let Some((folder, depth)) = to_do.pop() {
            for entry in entries(&folder) {
                let path = entry.path();
                if is_transcript(&path) {
                    self.file(&path);
                } else if depth < DEEPEST && is_folder(&entry) {
                    to_do.push((path, depth + 1));
                }
            }
        }
    }

    /// A file, if it was written to lately.
    fn file(&mut self, path: &Path) {
        self.files += 1;
        // What has no readable name could not be found again.
        let Some(name) = path.to_str() else { return };
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() && modified(&metadata) >= self.since => {
                match self.state.files.get_mut(name) {
                    Some(known) => known.meet(&metadata),
                    None => self.state.files.entry(name.to_owned()).or_default().meet(&metadata),
                }
            }
            _ => drop(self.state.files.remove(name)),
        }
    }

    fn written_lately(&mut self, since: i64) {
        let files = self.state.files.iter().filter(|(_, file)| file.modified >= since);
        let paths: Vec<String> = files.map(|(path, _)| path.clone()).collect();
        for path in paths {
            self.file(Path::new(&path));
        }
    }

    /// What has not been written to for long.
    fn forget(&mut self) {
        let since = self.since;
        self.state.files.retain(|_, file| file.modified >= since);
    }
}

/// The folders in a folder, and those that it has links to.
fn folders_in(folder: &Path) -> Vec<String> {
    let is_link = |entry: &DirEntry| entry.file_type().is_ok_and(|kind| kind.is_symlink());
    let folders = entries(folder).filter(|entry| is_folder(entry) || is_link(entry) && entry.path().is_dir());
    folders.filter_map(|entry| entry.path().into_os_string().into_string().ok()).collect()
}

/// What is in a folder; nothing if it is not there or may not be read.
fn entries(folder: &Path) -> impl Iterator<Item = DirEntry> {
    fs::read_dir(folder).into_iter().flatten().flatten()
}

fn is_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_ok_and(|kind| kind.is_dir())
}

fn is_transcript(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("jsonl"))
        && matches!(SourceKind::of(path), SourceKind::Transcript | SourceKind::Subagent)
}
