//! What has been added to a file, or become of it, since it was read.
//!
//! Whoever keeps a [`Mark`] for each file reads only what is new. Transcripts
//! grow at their end; but they are also cut, replaced, restored from backups,
//! written anew in place and renamed, and the number of a file that is gone is
//! given to another one. So a mark knows the file by its content: by its first
//! bytes and by those before the place where reading stopped; and where nothing
//! but the times changed, by all of it.

mod print;

use std::fs::{self, Metadata};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::time::{SystemTime, UNIX_EPOCH};

use format::{Framer, Line};
use serde::{Deserialize, Serialize};

use crate::archived::{Archived, Opened};
use crate::source::{Buffer, Input, Lines};
use print::Print;
pub(crate) use print::hash;

/// How far a file has been read, and what it looked like then.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// What the system calls the file, whatever its name; nothing where there is no such thing.
    pub id: FileId,
    /// Where the first line begins that is not complete or has not been read.
    pub offset: u64,
    /// How many lines come before that.
    pub lines: u64,
    size: u64,
    times: Times,
    /// Whether the times are so close to those of the reading that a later change might have the same.
    racy: bool,
    /// The bytes that the file begins with, up to the offset.
    head: Few,
    /// The bytes before the offset.
    tail: Few,
    /// All bytes before the offset.
    print: Print,
}

/// Device and number of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FileId {
    /// The device.
    pub device: u64,
    /// The number on it.
    pub inode: u64,
}

/// When content and state of a file changed, in nanoseconds since 1970.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Times {
    modified: i128,
    /// It cannot be set back, as the other can.
    changed: i128,
}

/// A few bytes: how many, and their hash.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Few {
    length: u16,
    hash: u64,
}

/// How many bytes tell one file from another.
const FEW: usize = 4096;

/// Systems note times as coarsely as this, in nanoseconds.
const TICK: i128 = 2_000_000_000;

/// A file this small is looked at as a whole if its times say too little.
const SMALL: u64 = 1 << 20;

/// What has become of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It was not known.
    New,
    /// What was read is still there, and more may have come.
    Grown,
    /// It is another file now, or was cut or written anew: what was read is not there any more.
    Replaced,
}

/// A file that is to be read on.
#[derive(Debug)]
pub struct Reading {
    /// What has become of it. Of what was replaced, everything is read.
    pub change: Change,
    file: Opened,
    state: State,
    /// Where to begin.
    mark: Mark,
}

/// What is known of a file without reading it.
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
            Input::Stdin => Err(io::Error::new(io::ErrorKind::Unsupported, "standard input cannot be followed")),
        }
    }

    fn of_file(metadata: &Metadata) -> Self {
        Self { id: FileId::of(metadata), size: metadata.len(), times: Times::of(metadata) }
    }

    /// What was archived has no number; when it was archived says whether it is another version.
    fn of_archived(file: &Archived) -> io::Result<Self> {
        let (_, version) = file.version()?;
        let times = Times { modified: nanoseconds(version.modified()), changed: i128::from(version.until) * 1_000_000 };
        Ok(Self { id: FileId::default(), size: version.length, times })
    }
}

/// Opens a file, and looks at the one that is open.
fn open(input: &Input) -> io::Result<(Opened, State)> {
    let file = input.open()?;
    let state = match &file {
        Opened::File(file) => State::of_file(&file.metadata()?),
        Opened::Archived(_) => State::of(input)?,
    };
    Ok((file, state))
}

/// Looks at a file. `None` if nothing has changed since the mark was made.
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

/// The same, of a file that is looked at many times a second because it is being written. That it has grown is enough to
/// take it for the same file: to read all of it again each time, as long as the last change is recent, would take longer
/// than anything else. What this misses, who looks less often does not.
pub fn look_on(input: &Input, mark: &Mark) -> io::Result<Option<Reading>> {
    let has_grown = State::of(input)?.size > mark.size;
    look(input, Some(&Mark { racy: mark.racy && !has_grown, ..mark.clone() }))
}

/// A file to be read on from a mark, whether anything has changed or not. `None` if what was read is not there any more.
pub fn resume(input: &Input, mark: &Mark) -> io::Result<Option<Reading>> {
    let (mut file, state) = open(input)?;
    let is_there = mark.is_in(&mut file, &state)?;
    Ok(is_there.then(|| Reading { change: Change::Grown, file, state, mark: mark.clone() }))
}

impl Reading {
    /// Whether nothing was added to what was read.
    pub fn is_idle(&self) -> bool {
        self.change == Change::Grown && self.state.size == self.mark.offset && self.mark.size == self.mark.offset
    }

    /// Reads what is new, and gives the mark for the next time.
    ///
    /// Lines that are not complete are handed out too, as [`unfinished`](Line::unfinished); the next time they come
    /// again.
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
        // What was cut while it was read is seen the next time.
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

/// What the mark of a file remembers of its bytes.
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
    /// Whether the system says the same about the file as before.
    fn is_as_before(&self, state: &State) -> bool {
        self.id == state.id && self.size == state.size && self.times == state.times
    }

    /// Whether what was read is still in the file.
    fn is_in(&self, file: &mut Opened, state: &State) -> io::Result<bool> {
        if state.size < self.offset {
            return Ok(false);
        }
        if !self.head.is_at(file, 0)? || !self.tail.is_at(file, self.offset - u64::from(self.tail.length))? {
            return Ok(false);
        }
        // Who only appends makes a file larger. Anything else is worth a second look.
        let is_odd = state.size == self.size && !self.is_as_before(state);
        if is_odd || self.racy && self.offset <= SMALL {
            file.seek(SeekFrom::Start(0))?;
            return Ok(Print::of(&mut file.take(self.offset))? == self.print);
        }
        Ok(true)
    }

    /// Whether a change right now might leave the times as they are.
    fn would_be_racy(&self) -> bool {
        let now = nanoseconds(SystemTime::now());
        now - self.times.modified.max(self.times.changed) < TICK
    }
}

impl Few {
    fn of(bytes: &[u8]) -> Self {
        Self { length: u16::try_from(bytes.len()).unwrap_or(u16::MAX), hash: hash(bytes) }
    }

    /// Whether the same bytes are there.
    fn is_at(self, file: &mut Opened, offset: u64) -> io::Result<bool> {
        Ok(Self::of(&read_at(file, offset, self.length)?) == self)
    }
}

/// So many bytes from a place; fewer if the file ends before.
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
    /// Of the file that the system speaks of.
    #[cfg(unix)]
    pub fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self { device: metadata.dev(), inode: metadata.ino() }
    }

    /// There is none.
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
