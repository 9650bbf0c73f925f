//! Detects changes of a file since it was last read.
//!
//! A reader that keeps a [`Mark`] for each file reads only new lines. Transcripts grow at their end, but they are also
//! truncated, replaced, restored from backups, rewritten in place and renamed, and the inode of a deleted file is
//! reused. Therefore a mark identifies the file by its content: by its first bytes and by those before the read
//! position, and, if only the times changed, by all of it.

mod print;

use std::fs::{self, Metadata};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::time::{SystemTime, UNIX_EPOCH};

use format::{Framer, Line};
use serde::{Deserialize, Serialize};

use crate::archived::{Archived, Opened};
use crate::prompts::PromptLines;
use crate::source::{Buffer, Input, Lines};
use print::Print;
pub(crate) use print::hash;

/// The read position of a file, and the state of the file at that time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// The identity of the file, independent of its name; zero on systems without one.
    pub id: FileId,
    /// The offset of the first line that is incomplete or unread.
    pub offset: u64,
    /// The number of lines before it.
    pub lines: u64,
    size: u64,
    times: Times,
    /// Whether the times are so close to the time of reading that a later change might leave them equal.
    racy: bool,
    /// The first bytes of the file, up to the offset.
    head: Few,
    /// The bytes before the offset.
    tail: Few,
    /// All bytes before the offset.
    print: Print,
}

/// The device and inode of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FileId {
    /// The device.
    pub device: u64,
    /// The inode on it.
    pub inode: u64,
}

/// The modification and status change times of a file, in nanoseconds since 1970.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Times {
    modified: i128,
    /// Unlike the modification time, it cannot be set back.
    changed: i128,
}

/// A few bytes: their number and hash.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Few {
    length: u16,
    hash: u64,
}

/// The number of bytes that identify a file.
const FEW: usize = 4096;

/// The coarsest resolution of file times, in nanoseconds.
const TICK: i128 = 2_000_000_000;

/// A file up to this size is compared as a whole if its times are inconclusive.
const SMALL: u64 = 1 << 20;

/// The change of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It is new.
    New,
    /// The content that was read is still there, and more may follow.
    Grown,
    /// It was replaced, truncated or rewritten: the content that was read is gone.
    Replaced,
}

/// A file with lines to read.
#[derive(Debug)]
pub struct Reading {
    /// Its change. A replaced file is read from the start.
    pub change: Change,
    file: Opened,
    state: State,
    /// The position to start from.
    mark: Mark,
}

/// The metadata of a file.
#[derive(Debug, Clone, Copy)]
struct State {
    id: FileId,
    size: u64,
    times: Times,
}

impl State {
    fn of(input: &Input) -> io::Result<Self> {
        match input {
            Input::File(path) => Ok(Self::of_file(&fs::metadata(path)?)),
            Input::Archived(file) => Self::of_archived(file),
            Input::Prompts(lines) => Ok(Self::of_prompts(lines)),
            Input::Stdin => Err(io::Error::new(io::ErrorKind::Unsupported, "standard input cannot be followed")),
        }
    }

    fn of_file(metadata: &Metadata) -> Self {
        Self { id: FileId::of(metadata), size: metadata.len(), times: Times::of(metadata) }
    }

    /// Archived files have no inode; the time of archiving distinguishes versions.
    fn of_archived(file: &Archived) -> io::Result<Self> {
        let (_, version) = file.version()?;
        let times = Times { modified: nanoseconds(version.modified()), changed: i128::from(version.until) * 1_000_000 };
        Ok(Self { id: FileId::default(), size: version.length, times })
    }

    /// The prompts of a session have no times of their own, but a fingerprint. As a time, it is long past: no later
    /// change leaves it equal.
    fn of_prompts(lines: &PromptLines) -> Self {
        let times = Times { modified: -i128::from(lines.print()), changed: i128::MIN };
        Self { id: FileId::default(), size: lines.size(), times }
    }
}

/// Opens a file and reads its metadata from the open handle.
fn open(input: &Input) -> io::Result<(Opened, State)> {
    let file = input.open()?;
    let state = match &file {
        Opened::File(file) => State::of_file(&file.metadata()?),
        Opened::Archived(_) | Opened::Prompts(_) => State::of(input)?,
    };
    Ok((file, state))
}

/// Examines a file. `None` if nothing has changed since the mark.
pub fn look(input: &Input, known: Option<&Mark>) -> io::Result<Option<Reading>> {
    if let Some(mark) = known
        && !mark.racy
        && mark.is_as_before(&State::of(input)?)
    {
        return Ok(None);
    }
    let (mut file, state) = open(input)?;
    let (change, mark) = match known {
        None => (Change::New, Mark::default()),
        Some(mark) if mark.is_in(&mut file, &state)? => (Change::Grown, mark.clone()),
        Some(_) => (Change::Replaced, Mark::default()),
    };
    Ok(Some(Reading { change, file, state, mark }))
}

/// The same for a file that is examined many times a second while it is written. If it has grown, it counts as the same
/// file: comparing all of it each time, as long as the last change is recent, would dominate the cost. [`look`] detects
/// the changes that this function misses.
pub fn look_on(input: &Input, mark: &Mark) -> io::Result<Option<Reading>> {
    let has_grown = State::of(input)?.size > mark.size;
    look(input, Some(&Mark { racy: mark.racy && !has_grown, ..mark.clone() }))
}

/// A file to read from a mark, changed or not. `None` if the content that was read is gone.
pub fn resume(input: &Input, mark: &Mark) -> io::Result<Option<Reading>> {
    let (mut file, state) = open(input)?;
    let is_there = mark.is_in(&mut file, &state)?;
    Ok(is_there.then(|| Reading { change: Change::Grown, file, state, mark: mark.clone() }))
}

impl Reading {
    /// Whether nothing was added to the content that was read.
    pub fn is_idle(&self) -> bool {
        self.change == Change::Grown && self.state.size == self.mark.offset && self.mark.size == self.mark.offset
    }

    /// Reads the new lines and returns the next mark.
    ///
    /// Incomplete lines are passed on too, as [`unfinished`](Line::unfinished), and again at the next reading.
    pub fn read(mut self, buffer: &mut Buffer, mut each: impl FnMut(&Line<'_>)) -> io::Result<Mark> {
        let Mark { offset, lines, print, .. } = self.mark;
        self.file.seek(SeekFrom::Start(offset))?;
        let size = self.state.size;
        let mut seen = Seen { print, head: Vec::new(), tail: Vec::new() };
        if offset > 0 {
            seen.head = read_at(&mut self.file, 0, self.mark.head.length)?;
            seen.tail = read_at(&mut self.file, offset - u64::from(self.mark.tail.length), self.mark.tail.length)?;
            self.file.seek(SeekFrom::Start(offset))?;
        }
        let mut mark = Mark { offset, lines, ..Mark::default() };
        let new = (&mut self.file).take(size.saturating_sub(offset));
        let mut reader = Lines::of_growing(new, buffer, Framer::after(lines, offset));
        while let Some(line) = reader.next_line()? {
            each(&line);
            seen.add(line.bytes);
            mark.offset += line.bytes.len() as u64;
            mark.lines += line.span;
        }
        let rest = reader.rest();
        for line in format::lines(rest) {
            let (number, offset) = (line.number + mark.lines, line.offset + mark.offset);
            each(&Line { number, offset, unfinished: true, ..line });
        }
        // A truncation during reading is detected at the next reading.
        mark.size = mark.offset + rest.len() as u64;
        mark.id = self.state.id;
        mark.times = self.state.times;
        mark.head = Few::of(&seen.head);
        mark.tail = Few::of(&seen.tail);
        mark.print = seen.print;
        mark.racy = mark.would_be_racy();
        Ok(mark)
    }
}

/// The content of a file that its mark records.
struct Seen {
    print: Print,
    head: Vec<u8>,
    tail: Vec<u8>,
}

impl Seen {
    fn add(&mut self, bytes: &[u8]) {
        self.print.add(bytes);
        let missing = FEW - self.head.len();
        self.head.extend(bytes.iter().take(missing));
        let last = bytes.last_chunk::<FEW>().map_or(bytes, |last| last);
        let kept = FEW - last.len();
        self.tail.drain(..self.tail.len().saturating_sub(kept));
        self.tail.extend_from_slice(last);
    }
}

impl Mark {
    /// Whether an incomplete line followed the lines that were read.
    pub fn has_rest(&self) -> bool {
        self.size > self.offset
    }

    /// Whether the metadata is the same as before.
    fn is_as_before(&self, state: &State) -> bool {
        self.id == state.id && self.size == state.size && self.times == state.times
    }

    /// Whether the content that was read is still in the file.
    fn is_in(&self, file: &mut Opened, state: &State) -> io::Result<bool> {
        if state.size < self.offset {
            return Ok(false);
        }
        if !self.head.is_at(file, 0)? || !self.tail.is_at(file, self.offset - u64::from(self.tail.length))? {
            return Ok(false);
        }
        // A file that is only appended to gets larger. Any other change requires a closer look.
        let is_odd = state.size == self.size && !self.is_as_before(state);
        if is_odd || self.racy && self.offset <= SMALL {
            file.seek(SeekFrom::Start(0))?;
            return Ok(Print::of(&mut file.take(self.offset))? == self.print);
        }
        Ok(true)
    }

    /// Whether a change at this moment might leave the times unchanged.
    fn would_be_racy(&self) -> bool {
        let now = nanoseconds(SystemTime::now());
        now - self.times.modified.max(self.times.changed) < TICK
    }
}

impl Few {
    fn of(bytes: &[u8]) -> Self {
        Self { length: u16::try_from(bytes.len()).unwrap_or(u16::MAX), hash: hash(bytes) }
    }

    /// Whether the same bytes are at an offset.
    fn is_at(self, file: &mut Opened, offset: u64) -> io::Result<bool> {
        Ok(Self::of(&read_at(file, offset, self.length)?) == self)
    }
}

/// Reads bytes from an offset; fewer if the file ends before.
fn read_at(file: &mut Opened, offset: u64, length: u16) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(length.into());
    file.seek(SeekFrom::Start(offset))?;
    file.take(length.into()).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn nanoseconds(time: SystemTime) -> i128 {
    let nanoseconds = |duration: std::time::Duration| i128::try_from(duration.as_nanos()).unwrap_or(i128::MAX);
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => nanoseconds(since),
        Err(before) => -nanoseconds(before.duration()),
    }
}

impl FileId {
    /// The identity in the metadata of a file.
    #[cfg(unix)]
    pub fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self { device: metadata.dev(), inode: metadata.ino() }
    }

    /// Not available on this system.
    #[cfg(not(unix))]
    pub fn of(_: &Metadata) -> Self {
        Self::default()
    }
}

impl Times {
    #[cfg(unix)]
    fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        let of = |seconds: i64, nanoseconds: i64| i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds);
        Self {
            modified: of(metadata.mtime(), metadata.mtime_nsec()),
            changed: of(metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    #[cfg(not(unix))]
    fn of(metadata: &Metadata) -> Self {
        let modified = metadata.modified().map_or(0, nanoseconds);
        Self { modified, changed: modified }
    }
}

#[cfg(test)]
mod tests;
