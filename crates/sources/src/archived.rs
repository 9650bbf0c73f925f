//! Files that are gone from the disk and still in the archive.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use archive::{Archive, Content, Kept, Version};

use crate::source::{Input, Origin, Source, SourceKind, Twin};

/// A file as it was when it was last archived.
#[derive(Debug, Clone)]
pub struct Archived {
    archive: Archive,
    path: PathBuf,
}

impl Archived {
    /// The file that was at a path; `None` if it is not in the archive.
    pub fn at(archive: &Archive, path: &Path) -> Option<Self> {
        archive.file_at(path)?.latest()?;
        Some(Self { archive: archive.clone(), path: path.to_path_buf() })
    }

    /// Where it was.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Another file of the same archive.
    pub fn beside(&self, path: &Path) -> Option<Self> {
        Self::at(&self.archive, path)
    }

    /// The sources of the same archive that are below a folder, in the order of their names.
    pub(crate) fn below(&self, folder: &Path) -> Vec<Source> {
        let mut sources: Vec<Source> = sources(&self.archive, |path| path.starts_with(folder)).collect();
        sources.sort_by(|one, other| one.input.cmp(&other.input));
        sources
    }

    pub(crate) fn version(&self) -> io::Result<(&Kept, &Version)> {
        let gone = || io::Error::new(io::ErrorKind::NotFound, "it is not in the archive");
        let kept = self.archive.file_at(&self.path).ok_or_else(gone)?;
        Ok((kept, kept.latest().ok_or_else(gone)?))
    }

    fn source(&self, version: &Version) -> Source {
        Source {
            kind: SourceKind::of(&self.path),
            origin: Origin::Archive,
            size: version.length,
            modified: Some(version.modified()),
            input: Input::Archived(self.clone()),
            twin: Twin::None,
        }
    }

    pub(crate) fn open(&self) -> io::Result<Content> {
        let (kept, version) = self.version()?;
        Ok(self.archive.read(kept, version))
    }
}

/// Archives, and what of them is gone from the disk.
#[derive(Debug, Clone, Default)]
pub struct Shelf(Vec<Archive>);

impl Shelf {
    pub(crate) fn push(&mut self, archive: Archive) {
        self.0.push(archive);
    }

    /// What was at a path, if it is gone from there and in an archive.
    pub fn source_at(&self, path: &Path) -> Option<Source> {
        let Input::Archived(file) = self.input_at(path) else { return None };
        let (_, version) = file.version().ok()?;
        Some(file.source(version))
    }

    /// The file at a path: on the disk, or else in an archive that has it.
    pub fn input_at(&self, path: &Path) -> Input {
        if !self.0.is_empty()
            && !path.exists()
            && let Some(file) = self.0.iter().find_map(|archive| Archived::at(archive, path))
        {
            return Input::Archived(file);
        }
        Input::File(path.to_path_buf())
    }
}

/// The sources of an archive that were at places which are wanted.
pub(crate) fn sources(archive: &Archive, wants: impl Fn(&Path) -> bool) -> impl Iterator<Item = Source> {
    archive.files().filter_map(move |kept| {
        let path = kept.name.full();
        let version = kept.latest()?;
        let is_transcript = path.extension().is_some_and(|end| end == "jsonl" || end == "ndjson");
        (is_transcript && wants(&path)).then(|| Archived { archive: archive.clone(), path }.source(version))
    })
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
        (&self.path, self.archive.folder()).cmp(&(&other.path, other.archive.folder()))
    }
}

/// A file that is open, wherever it is.
#[derive(Debug)]
pub enum Opened {
    /// On the disk.
    File(File),
    /// In the archive.
    Archived(Box<Content>),
}

impl Read for Opened {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Archived(content) => content.read(buffer),
        }
    }
}

impl Seek for Opened {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => file.seek(to),
            Self::Archived(content) => content.seek(to),
        }
    }
}
