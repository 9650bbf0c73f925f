//! Finds the files that have changed.
//!
//! Every update checks the files of the requesting session and those written in the last minutes. All others are
//! checked in turn, a few at a time: a check costs microseconds, and there are thousands of files.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::state::{State, modified};
use super::{HORIZON, MINUTE, SECOND};
use sources::find::leads_to_secret;
use sources::path_text;
use sources::source::SourceKind;

/// Minimum interval between rounds through all folders.
const EVERY: i64 = 30 * SECOND;

/// A file written within this time is likely to be written again.
const RECENT: i64 = 3 * MINUTE;

/// How many files one update may check: about a millisecond.
const SOME: usize = 150;

/// The same until all files have been checked once.
const MANY: usize = 5000;

/// `subagents` contains `workflows`, which has a folder for each workflow.
const DEEPEST: u8 = 3;

/// A round through all folders of projects.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Round {
    /// When it began, in milliseconds since 1970.
    began: i64,
    /// Where it resumes: after this name in this folder. `None` if it is complete.
    after: Option<(String, String)>,
}

impl Round {
    /// Updates the list of known files and returns whether there is something to store.
    pub(super) fn check(
        &mut self,
        state: &mut State,
        projects: &[PathBuf],
        transcript: Option<&Path>,
        now: i64,
    ) -> bool {
        let had_seen_all = state.has_seen_all;
        if state.written == 0 {
            *self = Self::default();
        }
        let since = now.saturating_sub(HORIZON);
        let mut check = FileCheck { state, since, asked: 0, found: false };
        if self.after.is_none() && !(0..EVERY).contains(&now.saturating_sub(self.began)) {
            *self = Self { began: now, after: Some(Default::default()) };
            check.state.files.retain(|_, file| file.modified >= since);
        }
        if let Some(after) = self.after.take() {
            self.after = check.go_on(projects, &after, if had_seen_all { SOME } else { MANY });
            check.state.has_seen_all |= self.after.is_none();
        }
        let keep = check.found || check.state.has_seen_all != had_seen_all;
        if let Some(transcript) = transcript.filter(|path| path.is_absolute() && is_transcript(path)) {
            check.file(transcript);
            check.new_agents(transcript);
        }
        check.written_since(now.saturating_sub(RECENT));
        keep
    }
}

struct FileCheck<'s> {
    state: &'s mut State,
    /// Files last written before this time are ignored.
    since: i64,
    /// The number of files checked.
    asked: usize,
    /// Whether any of them has something to read.
    found: bool,
}

impl FileCheck<'_> {
    /// Resumes a round and returns where it stopped.
    fn go_on(&mut self, projects: &[PathBuf], after: &(String, String), most: usize) -> Option<(String, String)> {
        let mut folders: Vec<String> = projects.iter().flat_map(|folder| folders_in(folder)).collect();
        folders.sort_unstable();
        for folder in folders.into_iter().filter(|folder| *folder >= after.0) {
            let last = if folder == after.0 { after.1.as_str() } else { "" };
            let names: BTreeMap<String, bool> =
                entries(&path_text::decode(&folder)).map(|it| name_and_kind(&it)).collect();
            for (name, is_folder) in names.iter().filter(|(name, _)| name.as_str() > last) {
                let path = path_text::decode(&folder).join(path_text::decode(name));
                let main = format!("{name}.jsonl");
                if !is_folder {
                    self.session(&path);
                } else if !names.contains_key(&main) {
                    self.agents(&path.with_file_name(path_text::decode(&main)));
                }
                if self.asked >= most {
                    return Some((folder, name.clone()));
                }
            }
        }
        None
    }

    /// Checks a session, and its agents if it was written recently: agents never outlive their session.
    fn session(&mut self, main: &Path) {
        if is_transcript(main) && self.file(main) {
            self.agents(main);
        }
    }

    /// Checks the agents of the session with this main file.
    fn agents(&mut self, main: &Path) {
        for path in agents_of(main) {
            self.file(&path);
        }
    }

    /// Checks those of its agents that are not yet known.
    fn new_agents(&mut self, main: &Path) {
        for path in agents_of(main) {
            if !self.state.files.contains_key(&*path_text::encode(&path)) {
                self.file(&path);
            }
        }
    }

    /// Checks a file and returns whether it was written recently.
    fn file(&mut self, path: &Path) -> bool {
        self.asked += 1;
        let name = &*path_text::encode(path);
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() && modified(&metadata) >= self.since && !leads_to_secret(path) => {
                let known = match self.state.files.get_mut(name) {
                    Some(known) => known,
                    None => self.state.files.entry(name.to_owned()).or_default(),
                };
                known.meet(&metadata);
                self.found |= known.has_more();
                true
            }
            _ => {
                self.state.files.remove(name);
                false
            }
        }
    }

    fn written_since(&mut self, moment: i64) {
        let files = self.state.files.iter().filter(|(_, file)| file.modified >= moment);
        let paths: Vec<String> = files.map(|(path, _)| path.clone()).collect();
        for path in paths {
            self.file(&path_text::decode(&path));
        }
    }
}

/// The files of agents that belong to a main file.
fn agents_of(main: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut to_do = vec![(main.with_extension("").join("subagents"), 0)];
    while let Some((folder, depth)) = to_do.pop() {
        for entry in entries(&folder) {
            let path = entry.path();
            if is_transcript(&path) {
                files.push(path);
            } else if depth < DEEPEST && is_folder(&entry) {
                to_do.push((path, depth + 1));
            }
        }
    }
    files
}

/// The folders in a folder, including links to folders.
fn folders_in(folder: &Path) -> Vec<String> {
    let is_link = |entry: &DirEntry| entry.file_type().is_ok_and(|kind| kind.is_symlink());
    let folders = entries(folder).filter(|entry| is_folder(entry) || is_link(entry) && entry.path().is_dir());
    folders.map(|entry| path_text::encode(&entry.path()).into_owned()).collect()
}

/// The entries of a folder; none if it is missing or unreadable.
fn entries(folder: &Path) -> impl Iterator<Item = DirEntry> {
    fs::read_dir(folder).into_iter().flatten().flatten()
}

/// The name of a folder's entry, and whether it is a folder.
fn name_and_kind(entry: &DirEntry) -> (String, bool) {
    (path_text::encode(Path::new(&entry.file_name())).into_owned(), is_folder(entry))
}

fn is_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_ok_and(|kind| kind.is_dir())
}

fn is_transcript(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("jsonl"))
        && matches!(SourceKind::of(path), SourceKind::Transcript | SourceKind::Subagent)
}
