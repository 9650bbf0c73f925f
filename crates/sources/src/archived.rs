//! Archived files: files that are deleted from the disk but still in the archive, and earlier versions of files that lost
//! lines.

use std::cmp::Ordering;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use archive::{Archive, ArchiveError, Content, FileKey, Kept, Origin, Version};

use crate::follow::FileId;
use crate::machine;
use crate::problem::Problem;
use crate::prompts::{PromptContent, PromptHistories, PromptHistory, split_prompts};
use crate::source::{FoundBy, Input, Source, SourceKind, Twin};

/// An archive as seen from this machine. Files that this machine archived, and files without a machine, are its own.
#[derive(Debug, Clone)]
pub(crate) struct ArchiveView {
    archive: Archive,
    /// The name of this machine, if it has one.
    here: Option<Arc<str>>,
}

impl ArchiveView {
    pub(crate) fn open(folder: &Path) -> Result<Self, ArchiveError> {
        let here = machine::known().map(Arc::from);
        Ok(Self { archive: Archive::open(folder)?, here })
    }

    /// The origin of a file, relative to this machine.
    fn origin(&self, kept: &Kept) -> Origin {
        let origin = &kept.name.origin;
        let is_own = origin.tenant.is_empty() && self.here.as_deref() == Some(&*origin.machine);
        if is_own { Origin { machine: Box::default(), ..origin.clone() } } else { origin.clone() }
    }

    fn file(&self, key: &FileKey) -> Option<&Kept> {
        let is_here = key.tenant.is_empty() && key.machine.is_empty();
        let own = self.here.as_deref().filter(|_| is_here).and_then(|here| {
            let key = FileKey { machine: here.into(), ..key.clone() };
            self.archive.file(&key)
        });
        own.or_else(|| self.archive.file(key))
    }

    /// The sources whose keys satisfy a predicate.
    pub(crate) fn sources(&self, wants: impl Fn(&FileKey) -> bool) -> impl Iterator<Item = Source> {
        self.archive.files().filter_map(move |kept| {
            let (last, version) = kept.versions.iter().enumerate().next_back()?;
            let is_transcript = kept.name.path.extension().is_some_and(|end| end == "jsonl" || end == "ndjson");
            if !is_transcript {
                return None;
            }
            let origin = self.origin(kept);
            let key = FileKey::new(&origin, kept.name.full());
            wants(&key).then(|| {
                let archived = Archived { view: self.clone(), key, origin: Arc::new(origin), earlier: None };
                Source { earlier: archived.versions_before(last), ..archived.source(version) }
            })
        })
    }

    /// The versions of a file on the disk that have lines which it has lost.
    ///
    /// A version ends when the file loses bytes. `continues` says whether the file still contains the latest version; it
    /// is only asked if the system says that the file was replaced.
    pub(crate) fn lost_versions(&self, file: &Source, continues: impl FnOnce(&Source) -> bool) -> Vec<Source> {
        let Some(latest) = file.input.key().and_then(|key| Archived::at(self, key)) else { return Vec::new() };
        let Ok((kept, version)) = latest.version() else { return Vec::new() };
        let is_unchanged = (file.size, file.modified) == (version.length, Some(version.modified()));
        let is_same_file = || latest.file_id().is_some_and(|id| file.input.path().and_then(file_id) == Some(id));
        let has_grown = || file.size >= version.length && is_same_file();
        let has_all = is_unchanged || has_grown() || continues(&latest.source(version));
        let last = kept.versions.len();
        latest.versions_before(if has_all { last.saturating_sub(1) } else { last })
    }
}

/// The device and inode of a file on the disk.
fn file_id(path: &Path) -> Option<(u64, u64)> {
    let id = FileId::of(&fs::metadata(path).ok()?);
    Some((id.device, id.inode))
}

/// What stands before the number of an earlier version in its key.
const VERSION: &str = "version-";

/// The file of which this is the path of an earlier version, as in its key.
pub fn file_of_version(path: &Path) -> Option<&Path> {
    split_version(path).map(|(file, _)| file)
}

/// Divides the key of an earlier version, `<file>.jsonl/version-<number>`, into the file and the position of
/// the version; the first is number 1.
fn split_version(path: &Path) -> Option<(&Path, usize)> {
    let number = path.file_name()?.to_str()?.strip_prefix(VERSION)?.parse::<usize>().ok()?.checked_sub(1)?;
    let file = path.parent()?;
    file.extension().is_some_and(|end| end == "jsonl" || end == "ndjson").then_some((file, number))
}

/// An archived version of a file: the latest, or an earlier one.
#[derive(Debug, Clone)]
pub struct Archived {
    view: ArchiveView,
    key: FileKey,
    origin: Arc<Origin>,
    /// The position of an earlier version among all versions.
    earlier: Option<usize>,
}

impl Archived {
    /// `None` if it is not in the archive.
    fn at(view: &ArchiveView, key: FileKey) -> Option<Self> {
        let (key, earlier) = match split_version(&key.path) {
            Some((file, version)) => (key.beside(file.to_path_buf()), Some(version)),
            None => (key, None),
        };
        let origin = Arc::new(view.origin(view.file(&key)?));
        let archived = Self { view: view.clone(), key, origin, earlier };
        archived.version().is_ok().then_some(archived)
    }

    /// The file of which this is an earlier version, if it is one.
    pub fn earlier_of(&self) -> Option<&FileKey> {
        self.earlier.map(|_| &self.key)
    }

    /// A file of the same machine that is not in the archive.
    pub(crate) fn absent(beside: &Self, path: PathBuf) -> Self {
        Self { key: beside.key.beside(path), earlier: None, ..beside.clone() }
    }

    /// Its former path.
    pub fn path(&self) -> &Path {
        &self.key.path
    }

    /// Its key, which is unique among all files and versions.
    pub fn key(&self) -> FileKey {
        match self.earlier {
            Some(version) => self.key.beside(self.key.path.join(format!("{VERSION}{}", version + 1))),
            None => self.key.clone(),
        }
    }

    /// Another file of the same archive and machine.
    pub fn beside(&self, path: PathBuf) -> Option<Self> {
        Self::at(&self.view, self.key.beside(path))
    }

    /// Whether it comes from this machine.
    pub fn is_from_here(&self) -> bool {
        self.origin.is_unstated()
    }

    /// The sources of the same archive and machine below a folder, sorted by name.
    pub(crate) fn below(&self, folder: &Path) -> Vec<Source> {
        let is_below = |key: &FileKey| {
            key.tenant == self.key.tenant && key.machine == self.key.machine && key.path.starts_with(folder)
        };
        let mut sources: Vec<Source> = self.view.sources(is_below).collect();
        sources.sort_by(|one, other| one.input.cmp(&other.input));
        sources
    }

    /// The names of the archived files of the same machine that lie in a folder.
    pub(crate) fn names_in(&self, folder: &Path) -> Vec<String> {
        let files = self.view.archive.files().filter(|kept| kept.latest().is_some());
        let keys = files.map(|kept| FileKey::new(&self.view.origin(kept), kept.name.full()));
        let is_there = |key: &FileKey| {
            key.tenant == self.key.tenant && key.machine == self.key.machine && key.path.parent() == Some(folder)
        };
        let names = keys.filter(is_there).filter_map(|key| Some(key.path.file_name()?.to_str()?.to_owned()));
        names.collect()
    }

    /// The device and inode of the file when it was last archived.
    pub(crate) fn file_id(&self) -> Option<(u64, u64)> {
        self.version().ok()?.1.file_id()
    }

    pub(crate) fn version(&self) -> io::Result<(&Kept, &Version)> {
        let gone = || io::Error::new(io::ErrorKind::NotFound, "it is not in the archive");
        let kept = self.view.file(&self.key).ok_or_else(gone)?;
        let version = self.earlier.map_or(kept.latest(), |version| kept.versions.get(version));
        Ok((kept, version.ok_or_else(gone)?))
    }

    /// The versions before one of them, oldest first.
    fn versions_before(&self, end: usize) -> Vec<Source> {
        let versions = (0..end).map(|number| Self { earlier: Some(number), ..self.clone() });
        versions.filter_map(|archived| Some(archived.source(archived.version().ok()?.1))).collect()
    }

    fn source(&self, version: &Version) -> Source {
        Source {
            kind: SourceKind::of(&self.key.path),
            found_by: FoundBy::Archive,
            origin: Arc::clone(&self.origin),
            size: version.length,
            modified: Some(version.modified()),
            input: Input::Archived(self.clone()),
            twin: Twin::None,
            strays: Vec::new(),
            earlier: Vec::new(),
        }
    }

    pub(crate) fn open(&self) -> io::Result<Content> {
        let (kept, version) = self.version()?;
        Ok(self.view.archive.read(kept, version))
    }
}

/// Where to find what is no file on the disk: archives, from which deleted files are read, and the prompts of sessions
/// in prompt histories.
#[derive(Debug, Clone, Default)]
pub struct Shelf {
    archives: Vec<ArchiveView>,
    histories: PromptHistories,
}

impl Shelf {
    pub(crate) fn push(&mut self, archive: ArchiveView) {
        self.archives.push(archive);
    }

    pub(crate) fn histories(&self) -> &PromptHistories {
        &self.histories
    }

    /// Reads a prompt history from the state of an earlier run, so that only new lines are read. Returns the new state,
    /// unless it is the same.
    pub fn resume_prompts(
        &self,
        history: &Source,
        state: Option<PromptHistory>,
    ) -> Result<Option<PromptHistory>, Problem> {
        self.histories.resume(history, state).map_err(|error| history.unreadable(error))
    }

    /// An archived file that is deleted from this disk, or was never on it; or the prompts of a session.
    pub fn source_at(&self, key: &FileKey) -> Option<Source> {
        match self.input_at(key)? {
            Input::Archived(file) => {
                let (_, version) = file.version().ok()?;
                Some(file.source(version))
            }
            Input::Prompts(_) => self.prompts_at(key),
            Input::File(_) | Input::Stdin => None,
        }
    }

    /// The prompts of a session, by the path of the prompt history and the session.
    fn prompts_at(&self, key: &FileKey) -> Option<Source> {
        let (path, session) = split_prompts(&key.path)?;
        let input = self.file_at(&key.beside(path.to_path_buf()))?;
        let (origin, found_by) = match &input {
            Input::Archived(file) => (Arc::clone(&file.origin), FoundBy::Archive),
            Input::File(_) | Input::Prompts(_) | Input::Stdin => {
                let root = path.parent().unwrap_or(path).to_path_buf();
                (Arc::new(Origin { root, ..Origin::default() }), FoundBy::Root)
            }
        };
        let history = Source { input, kind: SourceKind::History, origin, found_by, ..Source::stdin() };
        self.histories.source(&history, session).ok()?
    }

    /// A file on the disk, or else in an archive, or the prompts of a session. `None` if it belongs to another machine
    /// and no archive contains it.
    pub fn input_at(&self, key: &FileKey) -> Option<Input> {
        if split_prompts(&key.path).is_some() {
            return self.prompts_at(key).map(|source| source.input);
        }
        self.file_at(key)
    }

    fn file_at(&self, key: &FileKey) -> Option<Input> {
        let is_here = key.tenant.is_empty() && key.machine.is_empty();
        let archived =
            || self.archives.iter().find_map(|archive| Archived::at(archive, key.clone())).map(Input::Archived);
        let here = || Input::File(key.path.clone());
        if !is_here || split_version(&key.path).is_some() {
            archived()
        } else if self.archives.is_empty() || key.path.exists() {
            Some(here())
        } else {
            Some(archived().unwrap_or_else(here))
        }
    }
}

impl PartialEq for Archived {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Archived {}

impl PartialOrd for Archived {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Archived {
    fn cmp(&self, other: &Self) -> Ordering {
        let order = |file: &Self| {
            (file.key.path.clone(), file.key.clone(), file.earlier, file.view.archive.folder().to_path_buf())
        };
        order(self).cmp(&order(other))
    }
}

/// An open file, on the disk or in the archive.
#[derive(Debug)]
pub enum Opened {
    /// On the disk.
    File(File),
    /// In the archive.
    Archived(Box<Content>),
    /// The prompts of a session.
    Prompts(PromptContent),
}

impl Read for Opened {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Archived(content) => content.read(buffer),
            Self::Prompts(content) => content.read(buffer),
        }
    }
}

impl Seek for Opened {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => file.seek(to),
            Self::Archived(content) => content.seek(to),
            Self::Prompts(content) => content.seek(to),
        }
    }
}
