//! The file of events, one line each.

use std::fs::{self, File, Metadata};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::event::{Event, LONGEST_LINE};

const NAME: &str = "events.jsonl";
const NAME_BEFORE: &str = "events.1.jsonl";

/// A larger file is rotated: some ten thousand events.
const LARGEST: u64 = 4 << 20;

/// Appends a line with one write, so that lines of several processes never mix.
pub(super) fn append(folder: &Path, line: &[u8]) -> io::Result<()> {
    let path = folder.join(NAME);
    let mut options = private::options();
    options.append(true).create(true);
    let mut file = match options.open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            private::make_folder(folder)?;
            options.open(&path)?
        }
        opened => opened?,
    };
    let metadata = file.metadata()?;
    // A pipe or a device in its place could block.
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file"));
    }
    if metadata.len() > LARGEST {
        // Another process may have rotated it already; the new file is small and stays.
        if fs::metadata(&path).is_ok_and(|now| now.len() > LARGEST) {
            let _ = fs::rename(&path, folder.join(NAME_BEFORE));
        }
        file = options.open(&path)?;
    }
    file.write_all(line)
}

/// Removes the lines of sessions. A line that another process appends at this very moment may get lost with them.
pub(super) fn forget(folder: &Path, is_meant: &dyn Fn(&str) -> bool) -> io::Result<()> {
    for path in [folder.join(NAME), folder.join(NAME_BEFORE)] {
        let bytes = match fs::read(&path) {
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => continue,
            read => read?,
        };
        let lines = bytes.split_inclusive(|byte| *byte == b'\n');
        let is_left =
            |line: &&[u8]| !Event::of_line(line.trim_ascii_end()).is_some_and(|event| is_meant(&event.session));
        let left: Vec<u8> = lines.filter(is_left).flatten().copied().collect();
        if left.len() < bytes.len() {
            private::replace(&path, &left)?;
        }
    }
    Ok(())
}

/// Reads events as they arrive: each call returns the new ones.
///
/// The file stays open, so that events appended just before it was rotated are not missed.
#[derive(Debug)]
pub struct Spool {
    folder: PathBuf,
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    file: File,
    at: u64,
    /// The start of an incomplete line.
    begun: Vec<u8>,
}

impl Spool {
    /// The spool in a folder, which need not exist yet; everything in it is new.
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_path_buf(), open: None }
    }

    /// The events since the last call, in the order they were stored. Other lines are skipped.
    pub fn read(&mut self) -> io::Result<Vec<Event>> {
        let mut events = Vec::new();
        let known = match &mut self.open {
            Some(open) => {
                open.read(&mut events)?;
                Some(Identity::of(&open.file.metadata()?))
            }
            None => None,
        };
        let Some(newest) = open_file(&self.folder.join(NAME))? else { return Ok(events) };
        if known.is_some() && known == Some(Identity::of(&newest.metadata()?)) {
            return Ok(events);
        }
        // The rotated file may not be the one that was open, if several rotations happened in between. If it cannot be
        // read, the current one still can.
        if let Some(before) = open_file(&self.folder.join(NAME_BEFORE)).ok().flatten() {
            if known == Some(Identity::of(&before.metadata()?)) {
                if let Some(open) = &mut self.open {
                    open.read(&mut events)?;
                }
            } else {
                let _ = Open::new(before).read(&mut events);
            }
        }
        let mut open = Open::new(newest);
        open.read(&mut events)?;
        self.open = Some(open);
        Ok(events)
    }
}

impl Open {
    fn new(file: File) -> Self {
        Self { file, at: 0, begun: Vec::new() }
    }

    fn read(&mut self, events: &mut Vec<Event>) -> io::Result<()> {
        if self.file.metadata()?.len() < self.at {
            // The file was truncated.
            self.at = 0;
            self.begun.clear();
        }
        self.file.seek(SeekFrom::Start(self.at))?;
        let mut bytes = std::mem::take(&mut self.begun);
        // Bounds memory, whatever the size of the file.
        let read = (&self.file).take(LARGEST * 4).read_to_end(&mut bytes)?;
        self.at += read as u64;
        let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let (whole, begun) = bytes.split_at_checked(end).unwrap_or((&bytes, &[]));
        events.extend(whole.split(|byte| *byte == b'\n').filter_map(Event::of_line));
        if begun.len() <= LONGEST_LINE {
            self.begun = begun.to_vec();
        }
        Ok(())
    }
}

/// The file, if it exists; anything that is not a regular file is not opened.
fn open_file(path: &Path) -> io::Result<Option<File>> {
    let found = match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => File::open(path),
        Ok(_) => return Ok(None),
        Err(error) => Err(error),
    };
    match found {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Distinguishes a file from another one with the same name.
#[derive(Debug, PartialEq, Eq)]
struct Identity(Option<(u64, u64)>, Option<std::time::SystemTime>);

impl Identity {
    #[cfg(unix)]
    fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self(Some((metadata.dev(), metadata.ino())), None)
    }

    #[cfg(not(unix))]
    fn of(metadata: &Metadata) -> Self {
        Self(None, metadata.created().ok())
    }
}
