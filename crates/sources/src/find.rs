//! Finds sources under roots, folders and paths.
//!
//! Every file comes once, whatever links lead to it, and in the order of the
//! names. Files with secrets are passed over unopened (docs/format A.4, K). Names
//! decide what may be a transcript; a file is asked about once, and not opened.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, DirEntry, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use archive::Archive;
use rustc_hash::FxHashSet;

use crate::archived::{self, Shelf};
use crate::captured;
use crate::follow;
use crate::problem::Problem;
use crate::roots::{COWORK, Root};
use crate::source::{Input, Origin, Source, SourceKind, Twin};

/// Sources, and what was in the way of finding more.
#[derive(Debug, Default)]
pub struct Found {
    /// In the order of the paths asked for, then of their names.
    pub sources: Vec<Source>,
    /// In the order they were met.
    pub problems: Vec<Problem>,
    /// Where files are that are gone.
    pub shelf: Shelf,
}

/// All sources of `roots`: what is under `projects`, the prompt history, and the sessions of Cowork.
pub fn find_in_roots(roots: &[Root]) -> Found {
    let mut search = Search::default();
    let (archives, others): (Vec<&Root>, Vec<&Root>) = roots.iter().partition(|root| root.is_archive());
    let (stores, others): (Vec<&Root>, Vec<&Root>) = others.into_iter().partition(|root| root.is_store());
    for root in others {
        search.root(root);
    }
    // What is gone from all roots comes last.
    for root in archives {
        search.archive(root, roots);
    }
    let captures = search.found.sources.len();
    for root in stores {
        search.folder(root.path.join("conversations"), Origin::Root);
    }
    captured::pair(&mut search.found.sources, captures);
    if search.found.sources.is_empty() && search.found.problems.is_empty() {
        // Most people do not have the Desktop app, and need not hear where it would be.
        let is_news = |root: &&Root| root.named || !root.is_out_of_the_way() || root.path.is_dir();
        let roots = roots.iter().filter(is_news).map(|root| root.path.clone()).collect();
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

/// The sources in a folder itself, not those below it; what is in the way is passed over.
pub(crate) fn find_beside(folder: &Path) -> Vec<Source> {
    let mut search = Search::default();
    let mut inside = search.list(folder, Origin::Folder);
    while let Some(Met { path, metadata }) = inside.pop() {
        if metadata.is_file() {
            search.file(path, &metadata, Origin::Folder);
        }
    }
    search.found.sources
}

#[derive(Default)]
struct Search {
    found: Found,
    /// Files and folders met so far.
    seen: FxHashSet<FileId>,
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
        // Some name the folder of the projects instead, or that of the sessions.
        let is_inside = |name| root.path.ends_with(name) && !root.path.join(name).is_dir();
        let parent = root.path.parent().filter(|_| is_inside("projects") || is_inside(COWORK));
        let path = parent.unwrap_or(&root.path);
        let (projects, cowork) = (path.join("projects"), path.join(COWORK));
        self.expect_sources(&[&projects, &cowork], root, |search| {
            search.config(path);
            if cowork.is_dir() {
                search.desktop(cowork.clone());
            }
        });
    }

    /// What an archive holds and is gone from the roots: of all roots that are looked at, or all of it if somebody
    /// names the archive.
    fn archive(&mut self, root: &Root, roots: &[Root]) {
        let archive = match Archive::open(&root.path) {
            Ok(archive) => archive,
            Err(error) => {
                let error = io::Error::other(error);
                return self.found.problems.push(Problem::unreadable(&root.path, error));
            }
        };
        let is_of_root = |path: &Path| root.named || roots.iter().any(|root| path.starts_with(&root.path));
        // A session that lies elsewhere now is not gone.
        let name = |source: &Source| (source.kind, source.input.path().and_then(Path::file_name).map(OsStr::to_owned));
        let there: HashSet<_> = self.found.sources.iter().map(name).collect();
        let mut gone: Vec<Source> = archived::sources(&archive, |path| is_of_root(path) && !path.exists())
            .filter(|source| source.kind == SourceKind::Journal || !there.contains(&name(source)))
            .collect();
        gone.sort_by(|one, other| one.input.cmp(&other.input));
        self.found.shelf.push(archive);
        self.found.sources.append(&mut gone);
    }

    /// What a config root holds.
    fn config(&mut self, path: &Path) {
        let (projects, history) = (path.join("projects"), path.join("history.jsonl"));
        if projects.is_dir() {
            self.folder(projects, Origin::Root);
        }
        self.file_if_there(history);
    }

    /// The sessions of Cowork: folders with config roots of their own, below those of accounts and organisations.
    ///
    /// What users upload and get lies beside these roots, and is not searched.
    fn desktop(&mut self, path: PathBuf) {
        /// An account, an organisation, and sometimes a kind of agent.
        const DEEPEST: u8 = 4;
        let mut to_do = vec![(path, 0)];
        while let Some((path, depth)) = to_do.pop() {
            let is_first_time = fs::metadata(&path).is_ok_and(|metadata| self.first_time(&path, &metadata));
            if !is_first_time {
                continue;
            }
            if path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"local_")) {
                self.cowork(&path);
            } else if depth < DEEPEST {
                let folders = self.list(&path, Origin::Root).into_iter().filter(|met| met.metadata.is_dir());
                to_do.extend(folders.map(|met| (met.path, depth + 1)));
            }
        }
    }

    /// A session of Cowork. The stream that its host saw tells the same as its transcript, and less, so that it
    /// stands in only where there is none.
    fn cowork(&mut self, path: &Path) {
        let config = path.join(".claude");
        let again = self.has_seen(&config.join("projects"));
        let before = self.found.sources.len();
        self.config(&config);
        let is_told = |source: &Source| source.kind == SourceKind::Transcript && source.size > 0;
        if !again && !self.found.sources.iter().skip(before).any(is_told) {
            self.file_if_there(path.join("audit.jsonl"));
        }
    }

    /// Notes it if a search of folders gives nothing, neither sources nor problems.
    fn expect_sources(&mut self, folders: &[&Path], root: &Root, search: impl FnOnce(&mut Self)) {
        let before = (self.found.sources.len(), self.found.problems.len());
        // Then its sources are there already.
        let again = folders.iter().any(|folder| self.has_seen(folder));
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
            self.expect_sources(&[path], &root, |search| search.folder(path.to_path_buf(), Origin::Folder));
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
        let metadata = match fs::metadata(&path) {
            Ok(metadata) => metadata,
            Err(error) => return self.found.problems.push(refused(&path, error)),
        };
        let mut to_do = vec![Met { path, metadata }];
        while let Some(Met { path, metadata }) = to_do.pop() {
            if metadata.is_file() {
                self.file(path, &metadata, origin);
            } else if metadata.is_dir() && self.first_time(&path, &metadata) {
                to_do.append(&mut self.list(&path, origin));
            }
        }
    }

    /// The folders in a folder, and the files that may be transcripts; the first one at the end.
    fn list(&mut self, path: &Path, origin: Origin) -> Vec<Met> {
        let mut inside = Vec::new();
        match fs::read_dir(path) {
            Ok(entries) => {
                for entry in entries {
                    match entry.map(|entry| meet(&entry, origin).map_err(|error| refused(&entry.path(), error))) {
                        Ok(Ok(met)) => inside.extend(met),
                        Ok(Err(problem)) => self.found.problems.push(problem),
                        Err(error) => self.found.problems.push(refused(path, error)),
                    }
                }
            }
            Err(error) => self.found.problems.push(refused(path, error)),
        }
        // Their folder is the same, so that this is the order of their names, and quicker found.
        inside.sort_unstable_by(|a, b| b.path.as_os_str().cmp(a.path.as_os_str()));
        inside
    }

    fn file_if_there(&mut self, path: PathBuf) {
        if let Ok(metadata) = fs::metadata(&path)
            && metadata.is_file()
            && !leads_to_secret(&path)
        {
            self.file(path, &metadata, Origin::Root);
        }
    }

    fn file(&mut self, path: PathBuf, metadata: &Metadata, origin: Origin) {
        // A link in a folder may lead to any file; only the name of a transcript makes it one.
        let looks_right = origin == Origin::Named || path.file_name().is_some_and(looks_like_transcript);
        if !looks_right || !self.first_time(&path, metadata) {
            return;
        }
        self.found.sources.push(Source {
            kind: SourceKind::of(&path),
            input: Input::File(path),
            origin,
            size: metadata.len(),
            modified: metadata.modified().ok(),
            twin: Twin::None,
        });
    }

    fn first_time(&mut self, path: &Path, metadata: &Metadata) -> bool {
        self.seen.insert(FileId::of(path, metadata))
    }

    fn has_seen(&self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|metadata| self.seen.contains(&FileId::of(path, &metadata)))
    }
}

/// Something in a folder: another folder, or what may be a transcript.
struct Met {
    path: PathBuf,
    metadata: Metadata,
}

/// Looks at something in a folder, if its name or what the system says of it for nothing makes it worth that.
fn meet(entry: &DirEntry, origin: Origin) -> io::Result<Option<Met>> {
    let kind = entry.file_type()?;
    let name = entry.file_name();
    if kind.is_symlink() {
        // It may lead to anything.
        let path = entry.path();
        if leads_to_secret(&path) {
            return Ok(None);
        }
        return match fs::metadata(&path) {
            Ok(metadata) => Ok(Some(Met { path, metadata })),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Err(error),
            // It leads nowhere, or to itself.
            Err(_) => Ok(None),
        };
    }
    let is_worth_it =
        if kind.is_dir() { origin != Origin::Root || name != TOOL_RESULTS } else { looks_like_transcript(&name) };
    if !is_worth_it {
        return Ok(None);
    }
    match entry.metadata() {
        Ok(metadata) => Ok(Some(Met { path: entry.path(), metadata })),
        // It was just removed.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// A folder beside many sessions, in which Claude Code keeps long outputs, and no transcripts (docs/format A.3).
const TOOL_RESULTS: &str = "tool-results";

fn refused(path: &Path, error: io::Error) -> Problem {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Problem::Missing { path: path.to_path_buf() },
        _ => Problem::unreadable(path, error),
    }
}

/// By the name of a file.
fn looks_like_transcript(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    let stem = name.strip_suffix(b".jsonl").or_else(|| name.strip_suffix(b".ndjson"));
    stem.is_some_and(|stem| !stem.is_empty() && !is_leftover(stem))
}

/// What Claude Code put aside when it wrote a file anew (docs/format A.3).
fn is_leftover(stem: &[u8]) -> bool {
    let mut marks = stem.split(|byte| *byte == b'.').skip(1);
    marks.any(|mark| mark.starts_with(b"orphaned") || mark.starts_with(b"superseded"))
}

/// Keys of running sessions, and the account's tokens.
fn is_secret(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("key"))
        || path.file_name().is_some_and(|name| name == ".claude.json" || name == ".credentials.json")
}

/// Whether a path, or what it is a link to, holds secrets.
pub fn leads_to_secret(path: &Path) -> bool {
    is_secret(path) || path.is_symlink() && fs::canonicalize(path).is_ok_and(|path| is_secret(&path))
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
