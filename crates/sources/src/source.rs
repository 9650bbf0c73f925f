//! One source of lines: what it is, and how it is read.

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use format::{Framer, Line};

use crate::archived::{Archived, Opened};
use crate::problem::Problem;

/// Somewhere that lines come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Where to read.
    pub input: Input,
    /// What it is, by its name.
    pub kind: SourceKind,
    /// How it was found.
    pub origin: Origin,
    /// Bytes when it was found; 0 where that cannot be known.
    pub size: u64,
    /// When it was last written to, if the system says so.
    pub modified: Option<SystemTime>,
    /// Where else the session was recorded.
    pub twin: Twin,
}

/// Whether a session is there twice: as Claude Code wrote it down, and as it was captured.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Twin {
    /// It is there once, as far as is known.
    #[default]
    None,
    /// It is a transcript, and its session was captured in these files.
    CapturedIn(Vec<PathBuf>),
    /// It is a capture, and this is the transcript of its session.
    CaptureOf(PathBuf),
}

/// Where to read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Input {
    /// A file.
    File(PathBuf),
    /// A file that is gone, and still in the archive.
    Archived(Archived),
    /// Standard input.
    Stdin,
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Archived(file) => file.path().display().fmt(f),
            Self::Stdin => f.write_str("standard input"),
        }
    }
}

impl Input {
    /// Where it is on the disk, or was.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Archived(file) => Some(file.path()),
            Self::Stdin => None,
        }
    }

    /// Whether it is gone from the disk.
    pub fn is_archived(&self) -> bool {
        matches!(self, Self::Archived(_))
    }

    /// Opens it at its beginning, to be read in any order.
    pub fn open(&self) -> io::Result<Opened> {
        match self {
            Self::File(path) => File::open(path).map(Opened::File),
            Self::Archived(file) => file.open().map(|content| Opened::Archived(Box::new(content))),
            Self::Stdin => Err(io::Error::new(io::ErrorKind::Unsupported, "standard input cannot be read twice")),
        }
    }

    /// Another file in the same place: on the disk, or in the same archive. It need not be there.
    pub(crate) fn beside(&self, path: PathBuf) -> Option<Self> {
        match self {
            Self::File(_) => Some(Self::File(path)),
            Self::Archived(file) => file.beside(&path).map(Self::Archived),
            Self::Stdin => None,
        }
    }
}

/// What a source is, by its name (docs/format A.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SourceKind {
    /// The main file of a session, or whatever else holds entries.
    Transcript,
    /// The file of a subagent.
    Subagent,
    /// What a workflow did.
    Journal,
    /// All prompts that were ever typed.
    History,
    /// A capture of a session whose transcript is there, too. Without one, it is the transcript.
    Capture,
}

impl SourceKind {
    /// By the path of a file.
    pub fn of(path: &Path) -> Self {
        let starts = |name: Option<&OsStr>, with: &str| {
            name.is_some_and(|name| name.as_encoded_bytes().starts_with(with.as_bytes()))
        };
        let name = path.file_name();
        if name == Some(OsStr::new("history.jsonl")) {
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
pub enum Origin {
    /// In a config root, so that it should be Claude Code's.
    Root,
    /// In a folder that was named.
    Folder,
    /// By its own name.
    Named,
    /// In the archive of what was in config roots.
    Archive,
}

impl Source {
    /// Standard input.
    pub fn stdin() -> Self {
        let (input, kind, origin) = (Input::Stdin, SourceKind::Transcript, Origin::Named);
        Self { input, kind, origin, size: 0, modified: None, twin: Twin::None }
    }

    /// Opens it, for reading as it is.
    pub fn open(&self) -> Result<Box<dyn Read>, Problem> {
        match &self.input {
            Input::Stdin => Ok(Box::new(io::stdin().lock())),
            input => match input.open() {
                Ok(Opened::File(file)) => Ok(Box::new(file)),
                Ok(Opened::Archived(content)) => Ok(content),
                Err(error) => Err(self.unreadable(error)),
            },
        }
    }

    /// Its name without the folder and the extension: the id of a session, or `agent-` and that of an agent.
    pub fn stem(&self) -> Option<&OsStr> {
        self.input.path()?.file_stem()
    }

    /// What it calls its session: its own name, or that of its folder, if it is a stream that Cowork kept.
    pub fn name(&self) -> Option<&str> {
        let path = self.input.path()?;
        let folder = path.parent().and_then(Path::file_name).and_then(|name| name.to_str());
        let stem = path.file_stem()?.to_str()?;
        folder.filter(|folder| stem == "audit" && folder.starts_with("local_")).or(Some(stem))
    }

    /// The problem that reading it failed.
    pub fn unreadable(&self, error: io::Error) -> Problem {
        Problem::Unreadable { input: self.input.clone(), error }
    }
}

/// How much is read at a time.
const CHUNK: usize = 256 << 10;

/// How large a buffer may stay; beyond that the memory of a giant line is given back.
const LARGEST_KEPT: usize = 16 * CHUNK;

/// Memory for reading, to be used for one source after another.
#[derive(Debug, Default)]
pub struct Buffer(Vec<u8>);

/// The lines of anything that can be read.
///
/// Memory follows the longest line: the buffer grows for it, and shrinks again after it.
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
    /// The part of the buffer that was read and not handed out.
    start: usize,
    end: usize,
    at_end: bool,
    /// Whether what is not complete at the end is left: more of it may come.
    waits: bool,
    framer: Framer,
}

impl<'b, R: Read> Lines<'b, R> {
    /// Reads `reader` from its beginning.
    pub fn new(reader: R, buffer: &'b mut Buffer) -> Self {
        let framer = Framer::default();
        Self { reader, buffer: &mut buffer.0, start: 0, end: 0, at_end: false, waits: false, framer }
    }

    /// Reads what follows the lines that a framer has handed out, and leaves what is not complete at the end.
    pub(crate) fn of_growing(reader: R, buffer: &'b mut Buffer, framer: Framer) -> Self {
        Self { waits: true, framer, ..Self::new(reader, buffer) }
    }

    /// What was read and not handed out.
    pub(crate) fn rest(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    /// The next line; `None` at the end.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        loop {
            let rest = self.buffer.get(self.start..self.end).unwrap_or_default();
            // What the line is, without its bytes: they would keep the buffer from being filled.
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

    /// Reads more behind what is left.
    fn fill(&mut self) -> io::Result<()> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.buffer.len() > LARGEST_KEPT && self.end < CHUNK / 2 {
            self.buffer.truncate(CHUNK);
            self.buffer.shrink_to_fit();
        } else if self.buffer.len() - self.end < CHUNK / 2 {
            // By half, not double: peak memory is promised in multiples of the longest line.
            let more = CHUNK.max(self.buffer.len() / 2);
            self.buffer.reserve_exact(more);
            self.buffer.resize(self.buffer.len() + more, 0);
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

    /// Gives at most `step` bytes at a time.
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
