//! A source of lines, and how it is read.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use archive::{FileKey, Origin};
use format::{Framer, Line};

use crate::archived::{Archived, Opened};
use crate::problem::Problem;
use crate::prompts::{HISTORY, PromptLines};

/// A source of lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Its input.
    pub input: Input,
    /// Its kind, by its name.
    pub kind: SourceKind,
    /// How it was found.
    pub found_by: FoundBy,
    /// The machine and root from which it comes. For this machine, tenant and machine are empty.
    pub origin: Arc<Origin>,
    /// Its size in bytes when it was found; 0 if unknown.
    pub size: u64,
    /// Its modification time, if the system provides one.
    pub modified: Option<SystemTime>,
    /// Other recordings of the same session.
    pub twin: Twin,
    /// Files of its agents in other folders: beside another session, or beside none.
    pub strays: Vec<Source>,
    /// Archived versions of a transcript with lines that it has lost since, oldest first: Claude Code compacts files in
    /// place (docs/format A.7).
    pub earlier: Vec<Source>,
}

/// Whether a session is recorded twice: as a transcript and as a capture.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Twin {
    /// It is recorded once, as far as known.
    #[default]
    None,
    /// It is a transcript, and these files are captures of its session.
    CapturedIn(Vec<FileKey>),
    /// It is a capture, and this is the transcript of its session.
    CaptureOf(FileKey),
}

/// An input of lines.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Input {
    /// A file.
    File(PathBuf),
    /// A deleted file that is still in the archive, or an earlier version of a file.
    Archived(Archived),
    /// The prompts of a session in a prompt history.
    Prompts(PromptLines),
    /// Standard input.
    Stdin,
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Archived(file) => file.key().path.display().fmt(f),
            Self::Prompts(lines) => lines.path().display().fmt(f),
            Self::Stdin => f.write_str("standard input"),
        }
    }
}

impl Input {
    /// Its present or former path on the disk.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Archived(file) => Some(file.path()),
            Self::Prompts(lines) => Some(lines.path()),
            Self::Stdin => None,
        }
    }

    /// Its key, which is unique among all files. Standard input has none.
    pub fn key(&self) -> Option<FileKey> {
        match self {
            Self::File(path) => Some(FileKey { path: path.clone(), ..FileKey::default() }),
            Self::Archived(file) => Some(file.key()),
            Self::Prompts(lines) => Some(lines.key().clone()),
            Self::Stdin => None,
        }
    }

    /// The file of which this is an archived earlier version.
    pub fn earlier_of(&self) -> Option<&FileKey> {
        match self {
            Self::Archived(file) => file.earlier_of(),
            Self::File(_) | Self::Prompts(_) | Self::Stdin => None,
        }
    }

    /// Whether it is deleted from the disk.
    pub fn is_archived(&self) -> bool {
        match self {
            Self::Archived(_) => true,
            Self::Prompts(lines) => lines.history().is_archived(),
            Self::File(_) | Self::Stdin => false,
        }
    }

    /// Opens it for random access, at its beginning.
    pub fn open(&self) -> io::Result<Opened> {
        match self {
            Self::File(path) => File::open(path).map(Opened::File),
            Self::Archived(file) => file.open().map(|content| Opened::Archived(Box::new(content))),
            Self::Prompts(lines) => lines.open().map(Opened::Prompts),
            Self::Stdin => Err(io::Error::new(io::ErrorKind::Unsupported, "standard input cannot be read twice")),
        }
    }

    /// The names of the files in a folder in the same place, on the disk or in the same archive, in order.
    pub fn names_in(&self, folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = match self {
            Self::File(_) => {
                let entries = folder.read_dir().into_iter().flatten().flatten();
                entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
            }
            Self::Archived(file) => file.names_in(folder),
            Self::Prompts(_) | Self::Stdin => Vec::new(),
        };
        names.sort_unstable();
        names
    }

    /// Another file in the same place, on the disk or in the same archive. It need not exist.
    pub(crate) fn beside(&self, path: PathBuf) -> Option<Self> {
        match self {
            Self::File(_) => Some(Self::File(path)),
            Self::Archived(file) => file.beside(path).map(Self::Archived),
            Self::Prompts(lines) => lines.history().beside(path),
            Self::Stdin => None,
        }
    }
}

/// The kind of a source, by its name (docs/format A.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SourceKind {
    /// The main file of a session, or any other file with entries.
    Transcript,
    /// The file of a subagent.
    Subagent,
    /// The journal of a workflow.
    Journal,
    /// The history of all typed prompts.
    History,
    /// A capture of a session with a transcript. A capture without one counts as the transcript.
    Capture,
    /// A session of which only subagent files are left; it has no file of its own.
    Partial,
    /// A session of which only prompts are left, in the history.
    Prompts,
}

impl SourceKind {
    /// The kind of the file at a path.
    pub fn of(path: &Path) -> Self {
        let starts = |name: Option<&OsStr>, with: &str| {
            name.is_some_and(|name| name.as_encoded_bytes().starts_with(with.as_bytes()))
        };
        let name = path.file_name();
        if name == Some(OsStr::new(HISTORY)) {
            Self::History
        } else if name == Some(OsStr::new("journal.jsonl")) && starts(path.parent().and_then(Path::file_name), "wf_") {
            Self::Journal
        } else if starts(name, "agent-") {
            Self::Subagent
        } else {
            Self::Transcript
        }
    }
}

/// How a source was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoundBy {
    /// In a config root, so Claude Code should have written it.
    Root,
    /// In a named folder.
    Folder,
    /// By its own path.
    Named,
    /// In the archive of config roots.
    Archive,
}

impl Source {
    /// Standard input.
    pub fn stdin() -> Self {
        let (input, kind, found_by) = (Input::Stdin, SourceKind::Transcript, FoundBy::Named);
        Self {
            input,
            kind,
            found_by,
            origin: Arc::default(),
            size: 0,
            modified: None,
            twin: Twin::None,
            strays: Vec::new(),
            earlier: Vec::new(),
        }
    }

    /// Opens it for reading from the beginning.
    pub fn open(&self) -> Result<Box<dyn Read>, Problem> {
        match &self.input {
            Input::Stdin => Ok(Box::new(io::stdin().lock())),
            input => match input.open() {
                Ok(Opened::File(file)) => Ok(Box::new(file)),
                Ok(Opened::Archived(content)) => Ok(content),
                Ok(Opened::Prompts(content)) => Ok(Box::new(content)),
                Err(error) => Err(self.unreadable(error)),
            },
        }
    }

    /// Its name without folder and extension: the id of a session, or `agent-` and the id of an agent.
    pub fn stem(&self) -> Option<&OsStr> {
        self.input.path()?.file_stem()
    }

    /// Its name for its session: its own name, or that of its folder if it is a stream of Cowork.
    /// `None` if it is not Unicode.
    pub fn name(&self) -> Option<&str> {
        let path = self.input.path()?;
        let folder = path.parent().and_then(Path::file_name).and_then(|name| name.to_str());
        let stem = path.file_stem()?.to_str()?;
        folder.filter(|folder| stem == "audit" && folder.starts_with("local_")).or(Some(stem))
    }

    /// The same as lists show it: of a name that is not Unicode, what can be shown of it.
    pub fn listed_name(&self) -> Option<Cow<'_, str>> {
        let shown = || self.stem().map(OsStr::to_string_lossy);
        self.name().map(Cow::Borrowed).or_else(shown).filter(|name| !name.is_empty())
    }

    /// The problem for a failure of reading it.
    pub fn unreadable(&self, error: io::Error) -> Problem {
        Problem::Unreadable { input: self.input.clone(), error }
    }
}

/// The size of a read, in bytes.
const CHUNK: usize = 256 << 10;

/// The maximum size of a buffer that is kept; the memory of a huge line is freed.
const LARGEST_KEPT: usize = 16 * CHUNK;

/// How much is reserved for a line that does not fit, as a multiple of what is there. The buffers that were too small
/// are a small part of the longest line.
const GROWTH: usize = 7;

/// A read buffer, which can be reused for several sources.
#[derive(Debug, Default)]
pub struct Buffer(Vec<u8>);

/// The lines of a reader.
///
/// Memory follows the longest line: the buffer grows for it, and shrinks after it.
///
/// ```
/// use sources::Buffer;
/// use sources::Lines;
/// let mut buffer = Buffer::default();
/// let mut lines = Lines::new(&b"{\"type\":\"mode\"}\n{\"type\":\"tag\"}"[..], &mut buffer);
/// let mut numbers = Vec::new();
/// while let Some(line) = lines.next_line()? {
///     numbers.push((line.number, line.bytes.len()));
/// }
/// assert_eq!(numbers, [(1, 16), (2, 14)]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Lines<'b, R> {
    reader: R,
    buffer: &'b mut Vec<u8>,
    /// The part of the buffer that was read but not returned.
    start: usize,
    end: usize,
    at_end: bool,
    /// Whether an incomplete line at the end is kept back, because more of it may follow.
    waits: bool,
    framer: Framer,
}

impl<'b, R: Read> Lines<'b, R> {
    /// Reads `reader` from its beginning.
    pub fn new(reader: R, buffer: &'b mut Buffer) -> Self {
        let framer = Framer::default();
        Self { reader, buffer: &mut buffer.0, start: 0, end: 0, at_end: false, waits: false, framer }
    }

    /// Reads the lines after those that a framer has returned, and keeps back an incomplete line at the end.
    pub(crate) fn of_growing(reader: R, buffer: &'b mut Buffer, framer: Framer) -> Self {
        Self { waits: true, framer, ..Self::new(reader, buffer) }
    }

    /// The bytes that were read but not returned.
    pub(crate) fn rest(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    /// The next line; `None` at the end.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        loop {
            let rest = self.buffer.get(self.start..self.end).unwrap_or_default();
            // The line without its bytes, which would borrow the buffer and prevent filling it.
            let found = self
                .framer
                .next(rest, self.at_end && !self.waits)
                .map(|line| (line.bytes.len(), Line { bytes: &[], ..line }));
            if let Some((length, line)) = found {
                let bytes = self.buffer.get(self.start..self.start + length).unwrap_or_default();
                self.start += length;
                return Ok(Some(Line { bytes, ..line }));
            }
            if self.at_end {
                return Ok(None);
            }
            self.fill()?;
        }
    }

    /// Reads more after the remaining bytes.
    fn fill(&mut self) -> io::Result<()> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.buffer.len() > LARGEST_KEPT && self.end < CHUNK / 2 {
            self.buffer.truncate(CHUNK);
            self.buffer.shrink_to_fit();
        } else if self.buffer.len() - self.end < CHUNK / 2 {
            if self.buffer.capacity() - self.buffer.len() < CHUNK {
                self.buffer.reserve_exact(self.buffer.len().saturating_mul(GROWTH).max(CHUNK));
            }
            // Memory that was reserved and is not touched costs nothing.
            self.buffer.resize(self.buffer.len() + CHUNK, 0);
        }
        let free = self.buffer.get_mut(self.end..).unwrap_or_default();
        match self.reader.read(free) {
            Ok(0) => self.at_end = true,
            Ok(length) => self.end += length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads at most `step` bytes at a time.
    struct Trickle<'a>(&'a [u8], usize);

    impl Read for Trickle<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = buffer.len().min(self.1).min(self.0.len());
            buffer[..length].copy_from_slice(&self.0[..length]);
            self.0 = &self.0[length..];
            Ok(length)
        }
    }

    fn read_all(input: &[u8], step: usize, buffer: &mut Buffer) -> Vec<(u64, u64, Vec<u8>)> {
        let mut lines = Lines::new(Trickle(input, step), buffer);
        let mut all = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            all.push((line.number, line.offset, line.bytes.to_vec()));
        }
        all
    }

    #[test]
    fn lines_are_the_same_however_they_arrive() {
        let mut input = b"\xef\xbb\xbf{\"a\":1}\r\n\n{\n  \"b\": [\n    1\n  ]\n}\nbad \xff\n".to_vec();
        input.extend(std::iter::repeat_n(b'x', 3 * CHUNK));
        input.extend(b"\n{\"c\":");
        let whole: Vec<_> = format::lines(&input).map(|line| (line.number, line.offset, line.bytes.to_vec())).collect();
        let mut buffer = Buffer::default();
        for step in [1, 7, 4096, usize::MAX] {
            let lines = read_all(&input, step, &mut buffer);
            assert_eq!(lines, whole, "{step} bytes at a time");
            let bytes: Vec<u8> = lines.into_iter().flat_map(|(_, _, bytes)| bytes).collect();
            assert_eq!(bytes, input);
        }
    }

    #[test]
    fn the_buffer_shrinks_after_a_giant_line() {
        let mut input = vec![b'x'; 20 * CHUNK];
        input.push(b'\n');
        for _ in 0..CHUNK {
            input.extend(b"{\"type\":\"mode\"}\n");
        }
        let mut buffer = Buffer::default();
        assert_eq!(read_all(&input, usize::MAX, &mut buffer).len(), CHUNK + 1);
        assert_eq!(buffer.0.capacity(), CHUNK);
    }

    #[test]
    fn nothing_has_no_lines() {
        assert_eq!(read_all(b"", 1, &mut Buffer::default()), []);
    }

    #[test]
    fn names_say_what_a_file_is() {
        let cases = [
            ("p/4c1e.jsonl", SourceKind::Transcript),
            ("p/4c1e/subagents/agent-a3f1.jsonl", SourceKind::Subagent),
            ("p/agent-3f19c27.jsonl", SourceKind::Subagent),
            ("p/4c1e/subagents/workflows/wf_1a-9f/journal.jsonl", SourceKind::Journal),
            ("p/journal.jsonl", SourceKind::Transcript),
            ("history.jsonl", SourceKind::History),
        ];
        for (path, kind) in cases {
            assert_eq!(SourceKind::of(Path::new(path)), kind, "{path}");
        }
    }

    #[test]
    fn a_missing_file_is_named_in_the_error() {
        let input = Input::File("/no/such/file".into());
        let source = Source { input, ..Source::stdin() };
        let problem = source.open().err().unwrap();
        assert!(problem.to_string().starts_with("cannot read: /no/such/file: "), "{problem}");
    }
}
