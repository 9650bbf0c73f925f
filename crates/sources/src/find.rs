//! Finds sources under roots, folders and paths.
//!
//! Every file is found once, whatever links lead to it, and files are sorted by name. Files with secrets are skipped
//! without being opened (docs/format A.4, K). The name decides whether a file may be a transcript; a file is queried
//! once, and not opened.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::{self, DirEntry, Metadata};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use archive::{FileKey, Origin};
use rustc_hash::FxHashSet;

use crate::archived::{ArchiveView, Shelf};
use crate::captured;
use crate::follow;
use crate::forgotten::Forgotten;
use crate::partial;
use crate::problem::Problem;
use crate::prompts::{HISTORY, split_prompts};
use crate::roots::{COWORK, Root};
use crate::source::{FoundBy, Input, Source, SourceKind, Twin};

/// The found sources, and the problems of finding them.
#[derive(Debug, Default)]
pub struct FoundSources {
    /// In the order of the given paths, then by name.
    pub sources: Vec<Source>,
    /// Sessions of which only subagent files are left, sorted by name. These files are sources, too.
    pub partial: Vec<Source>,
    /// In the order in which they occurred.
    pub problems: Vec<Problem>,
    /// The locations of deleted files.
    pub shelf: Shelf,
    /// The forgotten sessions, none of which is among the sources.
    pub forgotten: Arc<Forgotten>,
}

impl FoundSources {
    /// The same without sessions that have been forgotten meanwhile; `None` if there are none.
    pub fn without_newly_forgotten(&self) -> Option<Self> {
        // A list that cannot be read is reported by the next search.
        let forgotten = Forgotten::load().ok().filter(|forgotten| *forgotten != *self.forgotten)?;
        let left = |sources: &[Source]| {
            sources.iter().filter(|source| !forgotten.has_source(source)).cloned().collect::<Vec<_>>()
        };
        Some(Self {
            sources: left(&self.sources),
            partial: left(&self.partial),
            problems: Vec::new(),
            shelf: self.shelf.clone(),
            forgotten: Arc::new(forgotten),
        })
    }
}

/// All sources of `roots`: everything under `projects`, the prompt history, and the sessions of Cowork.
pub fn find_in_roots(roots: &[Root]) -> FoundSources {
    let mut search = Search::default();
    let (archives, others): (Vec<&Root>, Vec<&Root>) = roots.iter().partition(|root| root.is_archive());
    let (stores, others): (Vec<&Root>, Vec<&Root>) = others.into_iter().partition(|root| root.is_store());
    for root in others {
        search.root(root);
    }
    // Archives come last, because they add only files that are deleted from all roots.
    for root in archives {
        search.archive(root, roots);
    }
    let captures = search.found.sources.len();
    for root in stores {
        search.enter(&root.path);
        search.folder(root.path.join("conversations"), FoundBy::Root);
    }
    let captures = search.leave_out_forgotten(captures);
    captured::pair(&mut search.found.sources, captures);
    partial::gather(&mut search.found);
    if search.found.sources.is_empty() && search.found.problems.is_empty() && !search.has_forgotten {
        // Most users do not have the Desktop app, so its missing folder is not reported.
        let is_news = |root: &&Root| root.named || !root.is_out_of_the_way() || root.path.is_dir();
        let roots = roots.iter().filter(is_news).map(|root| root.path.clone()).collect();
        search.found.problems.push(Problem::NoRoots { roots });
    }
    search.found
}

/// The sources at `paths`: files of any name, folders with everything below them, and `-` for standard input.
pub fn find_at(paths: &[PathBuf]) -> FoundSources {
    let mut search = Search::default();
    for path in paths {
        search.path(path);
    }
    search.found
}

/// The source at a path, with its captures in those of `roots` that have any.
pub fn find_file(path: &Path, roots: &[Root]) -> FoundSources {
    let mut search = Search::default();
    search.path(path);
    let captures = search.found.sources.len();
    for root in roots.iter().filter(|root| root.is_store()) {
        search.enter(&root.path);
        search.folder(root.path.join("conversations"), FoundBy::Root);
    }
    captured::pair(&mut search.found.sources, captures);
    search.found.sources.truncate(captures);
    search.found
}

/// The sources directly in a folder. Ignores problems.
pub(crate) fn find_beside(folder: &Path) -> Vec<Source> {
    let mut search = Search::default();
    search.enter(folder);
    let mut inside = search.list(folder, FoundBy::Folder);
    while let Some(Met { path, metadata }) = inside.pop() {
        if metadata.is_file() {
            search.file(path, &metadata, FoundBy::Folder);
        }
    }
    search.found.sources
}

#[derive(Default)]
struct Search {
    found: FoundSources,
    /// The origin of the current folder.
    origin: Arc<Origin>,
    /// The files and folders found so far.
    seen: FxHashSet<FileId>,
    read_stdin: bool,
    /// Whether some sessions are left out.
    has_forgotten: bool,
}

impl Search {
    /// Removes the files of forgotten sessions. Returns how many of the others come before the captures.
    fn leave_out_forgotten(&mut self, captures: usize) -> usize {
        let forgotten = match Forgotten::load() {
            Ok(forgotten) => forgotten,
            Err(error) => {
                let path = Forgotten::path().unwrap_or_default();
                self.found.problems.push(Problem::unreadable(&path, error));
                return captures;
            }
        };
        let mut left = captures;
        if !forgotten.is_empty() {
            let is_there: Vec<bool> = self.found.sources.iter().map(|source| !forgotten.has_source(source)).collect();
            left = is_there.iter().take(captures).filter(|is_there| **is_there).count();
            let mut is_there = is_there.into_iter();
            self.found.sources.retain(|_| is_there.next().unwrap_or(true));
            self.has_forgotten = true;
        }
        self.found.forgotten = Arc::new(forgotten);
        left
    }

    /// Sets the folder whose files follow.
    fn enter(&mut self, root: &Path) {
        let root = std::path::absolute(root).unwrap_or_else(|_| root.to_path_buf());
        self.origin = Arc::new(Origin { root, ..Origin::default() });
    }

    fn root(&mut self, root: &Root) {
        if !root.path.is_dir() {
            if root.named {
                self.found.problems.push(Problem::Missing { path: root.path.clone() });
            }
            return;
        }
        let path = root.home();
        self.enter(&path);
        let (projects, cowork) = (path.join("projects"), path.join(COWORK));
        self.expect_sources(&[&projects, &cowork], root, |search| {
            search.config(&path);
            if cowork.is_dir() {
                search.desktop(cowork.clone());
            }
        });
    }

    /// The archived files that are deleted from the given roots, and the versions of other files that have more lines than
    /// the files have now; all archived files if the archive itself is named.
    fn archive(&mut self, root: &Root, roots: &[Root]) {
        let archive = match ArchiveView::open(&root.path) {
            Ok(archive) => archive,
            Err(error) => {
                let error = io::Error::other(error);
                return self.found.problems.push(Problem::unreadable(&root.path, error));
            }
        };
        let is_of_root = |path: &Path| root.named || roots.iter().any(|root| path.starts_with(&root.path));
        let is_here = |key: &FileKey| key.tenant.is_empty() && key.machine.is_empty();
        let is_gone = |key: &FileKey| is_of_root(&key.path) && !(is_here(key) && key.path.exists());
        let there = Names { by_name: Names::group(&self.found.sources), seen: &self.seen };
        let mut gone: Vec<Source> = archive.sources(is_gone).filter(|source| !there.have(source)).collect();
        gone.sort_by(|one, other| one.input.cmp(&other.input));
        let is_transcript = |source: &&mut Source| source.kind == SourceKind::Transcript;
        for source in self.found.sources.iter_mut().filter(is_transcript) {
            source.earlier = archive.lost_versions(source, |latest| begins_like(source, latest));
        }
        self.found.shelf.push(archive);
        self.found.sources.append(&mut gone);
    }

    /// The sources of a config root.
    fn config(&mut self, path: &Path) {
        let (projects, history) = (path.join("projects"), path.join(HISTORY));
        if projects.is_dir() {
            self.folder(projects, FoundBy::Root);
        }
        self.file_if_there(history);
    }

    /// The sessions of Cowork: folders that are config roots, below the folders of accounts and organisations.
    ///
    /// Uploads and outputs of users are beside these roots and are not searched.
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
                let folders = self.list(&path, FoundBy::Root).into_iter().filter(|met| met.metadata.is_dir());
                to_do.extend(folders.map(|met| (met.path, depth + 1)));
            }
        }
    }

    /// A session of Cowork. The stream that its host saw contains less than the transcript, so it is used only if there
    /// is no transcript.
    fn cowork(&mut self, path: &Path) {
        let config = path.join(".claude");
        let again = self.has_seen(&config.join("projects"));
        let before = self.found.sources.len();
        self.config(&config);
        let has_transcript = |source: &Source| source.kind == SourceKind::Transcript && source.size > 0;
        if !again && !self.found.sources.iter().skip(before).any(has_transcript) {
            self.file_if_there(path.join("audit.jsonl"));
        }
    }

    /// Reports a problem if a search of folders finds neither sources nor problems.
    fn expect_sources(&mut self, folders: &[&Path], root: &Root, search: impl FnOnce(&mut Self)) {
        let before = (self.found.sources.len(), self.found.problems.len());
        // The sources of a folder that was seen before are already found.
        let again = folders.iter().any(|folder| self.has_seen(folder));
        search(self);
        if root.named && !again && before == (self.found.sources.len(), self.found.problems.len()) {
            self.found.problems.push(Problem::NoSessions { path: root.path.clone() });
        }
    }

    fn path(&mut self, path: &Path) {
        // Paths are relative to a named folder, or to the folder of a named file.
        self.enter(if path.is_dir() { path } else { path.parent().unwrap_or(path) });
        if let Some((history, session)) = split_prompts(path).filter(|(history, _)| history.is_file()) {
            return self.prompts(path, history, session);
        }
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
            self.expect_sources(&[path], &root, |search| search.folder(path.to_path_buf(), FoundBy::Folder));
        } else if leads_to_secret(path) {
            self.found.problems.push(Problem::Secret { path: path.to_path_buf() });
        } else if metadata.is_file() || is_pipe(&metadata) {
            self.file(path.to_path_buf(), &metadata, FoundBy::Named);
        } else {
            self.found.problems.push(Problem::NotAFile { path: path.to_path_buf() });
        }
    }

    /// The prompts of a session in a prompt history.
    fn prompts(&mut self, path: &Path, history: &Path, session: &str) {
        if leads_to_secret(history) {
            return self.found.problems.push(Problem::Secret { path: history.to_path_buf() });
        }
        self.enter(history.parent().unwrap_or(history));
        let source = Source {
            input: Input::File(history.to_path_buf()),
            kind: SourceKind::History,
            found_by: FoundBy::Named,
            origin: Arc::clone(&self.origin),
            ..Source::stdin()
        };
        match self.found.shelf.histories().source(&source, session) {
            Ok(Some(prompts)) => self.found.sources.push(prompts),
            Ok(None) => self.found.problems.push(Problem::Missing { path: path.to_path_buf() }),
            Err(error) => self.found.problems.push(source.unreadable(error)),
        }
    }

    /// Everything below a folder that has the name of a transcript.
    ///
    /// Uses a work list instead of recursion, because folders may be nested to any depth.
    fn folder(&mut self, path: PathBuf, found_by: FoundBy) {
        let metadata = match fs::metadata(&path) {
            Ok(metadata) => metadata,
            Err(error) => return self.found.problems.push(refused(&path, error)),
        };
        let mut to_do = vec![Met { path, metadata }];
        while let Some(Met { path, metadata }) = to_do.pop() {
            if metadata.is_file() {
                self.file(path, &metadata, found_by);
            } else if metadata.is_dir() && self.first_time(&path, &metadata) {
                to_do.append(&mut self.list(&path, found_by));
            }
        }
    }

    /// The subfolders of a folder and the files that may be transcripts, in reverse order.
    fn list(&mut self, path: &Path, found_by: FoundBy) -> Vec<Met> {
        let mut inside = Vec::new();
        match fs::read_dir(path) {
            Ok(entries) => {
                for entry in entries {
                    match entry.map(|entry| meet(&entry, found_by).map_err(|error| refused(&entry.path(), error))) {
                        Ok(Ok(met)) => inside.extend(met),
                        Ok(Err(problem)) => self.found.problems.push(problem),
                        Err(error) => self.found.problems.push(refused(path, error)),
                    }
                }
            }
            Err(error) => self.found.problems.push(refused(path, error)),
        }
        // The folder is the same, so comparing whole paths gives the order of names, and is faster.
        inside.sort_unstable_by(|a, b| b.path.as_os_str().cmp(a.path.as_os_str()));
        inside
    }

    fn file_if_there(&mut self, path: PathBuf) {
        if let Ok(metadata) = fs::metadata(&path)
            && metadata.is_file()
            && !leads_to_secret(&path)
        {
            self.file(path, &metadata, FoundBy::Root);
        }
    }

    fn file(&mut self, path: PathBuf, metadata: &Metadata, found_by: FoundBy) {
        // A link in a folder may lead to any file; only a file with the name of a transcript is accepted.
        let looks_right = found_by == FoundBy::Named || path.file_name().is_some_and(looks_like_transcript);
        if !looks_right || !self.first_time(&path, metadata) {
            return;
        }
        self.found.sources.push(Source {
            kind: SourceKind::of(&path),
            input: Input::File(path),
            found_by,
            origin: Arc::clone(&self.origin),
            size: metadata.len(),
            modified: metadata.modified().ok(),
            twin: Twin::None,
            strays: Vec::new(),
            earlier: Vec::new(),
        });
    }

    fn first_time(&mut self, path: &Path, metadata: &Metadata) -> bool {
        self.seen.insert(FileId::of(path, metadata))
    }

    fn has_seen(&self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|metadata| self.seen.contains(&FileId::of(path, &metadata)))
    }
}

/// The existing files, by name.
struct Names<'s> {
    by_name: HashMap<(SourceKind, &'s OsStr), Vec<&'s Source>>,
    seen: &'s FxHashSet<FileId>,
}

impl<'s> Names<'s> {
    fn group(sources: &'s [Source]) -> HashMap<(SourceKind, &'s OsStr), Vec<&'s Source>> {
        let mut names: HashMap<_, Vec<_>> = HashMap::new();
        for source in sources.iter().filter(|source| source.kind != SourceKind::Journal) {
            if let Some(name) = source.input.path().and_then(Path::file_name) {
                names.entry((source.kind, name)).or_default().push(source);
            }
        }
        names
    }

    /// Whether an archived file exists elsewhere: it was moved, or copied and perhaps extended. Files with the same
    /// name in two homes are different files.
    fn have(&self, archived: &Source) -> bool {
        let Input::Archived(file) = &archived.input else { return false };
        let name = file.path().file_name().unwrap_or_default();
        let Some(there) = self.by_name.get(&(archived.kind, name)) else { return false };
        // Metadata is cheapest to compare.
        let was_restored = |source: &&Source| {
            source.input.path() == Some(file.path())
                && (source.size, source.modified) == (archived.size, archived.modified)
        };
        let was_moved = || file.is_from_here() && file.file_id().is_some_and(|id| self.seen.contains(&id.into()));
        there.iter().any(was_restored) || was_moved() || there.iter().any(|source| begins_like(source, archived))
    }
}

/// Whether a file begins like another one and contains the end of the other one at the same offset.
fn begins_like(source: &Source, other: &Source) -> bool {
    const FEW: u64 = 4096;
    let end = other.size.saturating_sub(FEW);
    let read = |source: &Source, start: u64| -> io::Result<Vec<u8>> {
        let (mut file, mut bytes) = (source.input.open()?, Vec::new());
        file.seek(SeekFrom::Start(start))?;
        file.take(FEW.min(other.size)).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let is_same = |start| read(source, start).is_ok_and(|bytes| read(other, start).is_ok_and(|others| bytes == others));
    source.size >= other.size && is_same(0) && is_same(end)
}

/// An item of a folder: a subfolder, or a possible transcript.
struct Met {
    path: PathBuf,
    metadata: Metadata,
}

/// Examines an item of a folder, if its name or its type makes that worthwhile.
fn meet(entry: &DirEntry, found_by: FoundBy) -> io::Result<Option<Met>> {
    let kind = entry.file_type()?;
    let name = entry.file_name();
    if kind.is_symlink() {
        // A link may lead to anything.
        let path = entry.path();
        if leads_to_secret(&path) {
            return Ok(None);
        }
        return match fs::metadata(&path) {
            Ok(metadata) => Ok(Some(Met { path, metadata })),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Err(error),
            // A broken or circular link.
            Err(_) => Ok(None),
        };
    }
    let is_worth_it =
        if kind.is_dir() { found_by != FoundBy::Root || name != TOOL_RESULTS } else { looks_like_transcript(&name) };
    if !is_worth_it {
        return Ok(None);
    }
    match entry.metadata() {
        Ok(metadata) => Ok(Some(Met { path: entry.path(), metadata })),
        // It was removed a moment ago.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// A folder beside many sessions, in which Claude Code stores long outputs, and no transcripts (docs/format A.3).
const TOOL_RESULTS: &str = "tool-results";

fn refused(path: &Path, error: io::Error) -> Problem {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Problem::Missing { path: path.to_path_buf() },
        _ => Problem::unreadable(path, error),
    }
}

/// Whether the name of a file is that of a transcript.
fn looks_like_transcript(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    let stem = name.strip_suffix(b".jsonl").or_else(|| name.strip_suffix(b".ndjson"));
    stem.is_some_and(|stem| !stem.is_empty() && !is_leftover(stem))
}

/// Whether a file is an old version that Claude Code set aside when it rewrote a file (docs/format A.3).
fn is_leftover(stem: &[u8]) -> bool {
    let mut marks = stem.split(|byte| *byte == b'.').skip(1);
    marks.any(|mark| mark.starts_with(b"orphaned") || mark.starts_with(b"superseded"))
}

/// Whether a file contains keys of running sessions or the tokens of the account.
fn is_secret(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("key"))
        || path.file_name().is_some_and(|name| name == ".claude.json" || name == ".credentials.json")
}

/// Whether a path, or the target of its link, contains secrets.
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

/// The identity of a file, independent of its name.
#[derive(PartialEq, Eq, Hash)]
enum FileId {
    #[cfg(unix)]
    Number(follow::FileId),
    #[cfg(not(unix))]
    Path(PathBuf),
}

impl From<(u64, u64)> for FileId {
    #[cfg(unix)]
    fn from((device, inode): (u64, u64)) -> Self {
        Self::Number(follow::FileId { device, inode })
    }

    /// Not available on this system.
    #[cfg(not(unix))]
    fn from(_: (u64, u64)) -> Self {
        Self::Path(PathBuf::new())
    }
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
