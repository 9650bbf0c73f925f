//! Finds sources under roots, folders and paths.
//!
//! Every file comes once, whatever links lead to it, and in the order of the
//! names. Files with secrets are passed over unopened (FORMAT.md A.4, M).

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use crate::follow;
use crate::problem::Problem;
use crate::roots::Root;
use crate::source::{Input, Origin, Source, SourceKind};

/// Sources, and what was in the way of finding more.
#[derive(Debug, Default)]
pub struct Found {
    /// In the order of the paths asked for, then of their names.
    pub sources: Vec<Source>,
    /// In the order they were met.
    pub problems: Vec<Problem>,
}

/// All sources of `roots`: what is under `projects`, and the prompt history.
pub fn find_in_roots(roots: &[Root]) -> Found {
    let mut search = Search::default();
    for root in roots {
        search.root(root);
    }
    if search.found.sources.is_empty() && search.found.problems.is_empty() {
        let roots = roots.iter().map(|root| root.path.clone()).collect();
        search.found.problems.push(Problem::NoRoots { roots });
    }
    search.found
}

/// The sources at `paths`: files of any name, folders with all below them, and `-` for standard input.
pub fn find_at(paths: &[PathBuf]) -> Found {
    let mut search = Search::default();
    for path in paths {
        search.path(path);
    }
    search.found
}

#[derive(Default)]
struct Search {
    found: Found,
    /// Files and folders met so far.
    seen: HashSet<FileId>,
    read_stdin: bool,
}

impl Search {
    fn root(&mut self, root: &Root) {
        if !root.path.is_dir() {
            if root.named {
                self.found.problems.push(Problem::Missing { path: root.path.clone() });
            }
            return;
        }
        // Some name the folder of the projects instead.
        let is_inside = root.path.ends_with("projects") && !root.path.join("projects").is_dir();
        let path = if is_inside { root.path.parent().unwrap_or(&root.path) } else { &root.path };
        let (projects, history) = (path.join("projects"), path.join("history.jsonl"));
        self.expect_sources(&projects, root, |search| {
            if projects.is_dir() {
                search.folder(projects.clone(), Origin::Root);
            }
            if let Ok(metadata) = fs::metadata(&history)
                && metadata.is_file()
            {
                search.file(history, &metadata, Origin::Root);
            }
        });
    }

    /// Notes it if a search gives nothing, neither sources nor problems.
    fn expect_sources(&mut self, folder: &Path, root: &Root, search: impl FnOnce(&mut Self)) {
        let before = (self.found.sources.len(), self.found.problems.len());
        // Then its sources are there already.
        let again = self.has_seen(folder);
        search(self);
        if root.named && !again && before == (self.found.sources.len(), self.found.problems.len()) {
            self.found.problems.push(Problem::NoSessions { path: root.path.clone() });
        }
    }

    fn path(&mut self, path: &Path) {
        if path.as_os_str() == "-" {
            if !std::mem::replace(&mut self.read_stdin, true) {
                self.found.sources.push(Source::stdin());
            }
            return;
        }
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) => return self.found.problems.push(refused(path, error)),
        };
        if metadata.is_dir() {
            let root = Root { path: path.to_path_buf(), named: true };
            self.expect_sources(path, &root, |search| search.folder(path.to_path_buf(), Origin::Folder));
        } else if leads_to_secret(path) {
            self.found.problems.push(Problem::Secret { path: path.to_path_buf() });
        } else if metadata.is_file() || is_pipe(&metadata) {
            self.file(path.to_path_buf(), &metadata, Origin::Named);
        } else {
            self.found.problems.push(Problem::NotAFile { path: path.to_path_buf() });
        }
    }

    /// Everything below a folder that looks like a transcript by its name.
    ///
    /// A list of what is still to do instead of recursion: folders may be nested as deep as they like.
    fn folder(&mut self, path: PathBuf, origin: Origin) {
        let mut to_do = vec![path];
        while let Some(path) = to_do.pop() {
            let metadata = match fs::metadata(&path) {
                Ok(metadata) => metadata,
                // A link to nowhere, or a file that was just removed.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => {
                    self.found.problems.push(refused(&path, error));
                    continue;
                }
            };
            if metadata.is_dir() {
                if self.first_time(&path, &metadata) {
                    let mut inside = self.list(&path);
                    inside.sort_unstable_by(|a, b| b.cmp(a));
                    to_do.append(&mut inside);
                }
            } else if metadata.is_file() {
                self.file(path, &metadata, origin);
            }
        }
    }

    /// The folders in a folder, and the files that may be transcripts.
    fn list(&mut self, path: &Path) -> Vec<PathBuf> {
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) => {
                self.found.problems.push(refused(path, error));
                return Vec::new();
            }
        };
        let mut inside = Vec::new();
        for entry in entries {
            match entry {
                Ok(entry) => {
                    // Asking for the type costs nothing here; a link may lead to anything.
                    let kind = entry.file_type();
                    let is_link = kind.as_ref().is_ok_and(fs::FileType::is_symlink);
                    let is_folder = kind.is_ok_and(|kind| kind.is_dir());
                    let path = entry.path();
                    if is_folder || is_link && !leads_to_secret(&path) || !is_link && looks_like_transcript(&path) {
                        inside.push(path);
                    }
                }
                Err(error) => self.found.problems.push(refused(path, error)),
            }
        }
        inside
    }

    fn file(&mut self, path: PathBuf, metadata: &Metadata, origin: Origin) {
        // A link in a folder may lead to any file; only the name of a transcript makes it one.
        if origin != Origin::Named && !looks_like_transcript(&path) || !self.first_time(&path, metadata) {
            return;
        }
        self.found.sources.push(Source {
            kind: SourceKind::of(&path),
            input: Input::File(path),
            origin,
            size: metadata.len(),
            modified: metadata.modified().ok(),
        });
    }

    fn first_time(&mut self, path: &Path, metadata: &Metadata) -> bool {
        self.seen.insert(FileId::of(path, metadata))
    }

    fn has_seen(&self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|metadata| self.seen.contains(&FileId::of(path, &metadata)))
    }
}

fn refused(path: &Path, error: io::Error) -> Problem {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Problem::Missing { path: path.to_path_buf() },
        _ => Problem::unreadable(path, error),
    }
}

fn looks_like_transcript(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "jsonl" || extension == "ndjson")
}

/// Keys of running sessions, and the account's tokens.
fn is_secret(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("key"))
        || path.file_name().is_some_and(|name| name == ".claude.json" || name == ".credentials.json")
}

/// Whether a path, or what it is a link to, holds secrets.
fn leads_to_secret(path: &Path) -> bool {
    is_secret(path) || fs::canonicalize(path).is_ok_and(|path| is_secret(&path))
}

#[cfg(unix)]
fn is_pipe(metadata: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type())
}

#[cfg(not(unix))]
fn is_pipe(_: &Metadata) -> bool {
    false
}

/// What makes a file the same file under another name.
#[derive(PartialEq, Eq, Hash)]
enum FileId {
    #[cfg(unix)]
    Number(follow::FileId),
    #[cfg(not(unix))]
    Path(PathBuf),
}

impl FileId {
    #[cfg(unix)]
    fn of(_: &Path, metadata: &Metadata) -> Self {
        Self::Number(follow::FileId::of(metadata))
    }

    #[cfg(not(unix))]
    fn of(path: &Path, _: &Metadata) -> Self {
        Self::Path(fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf()))
    }
}

#[cfg(test)]
mod tests;
