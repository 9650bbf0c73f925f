//! Builds a session's story from its files, and reads texts from their lines.

use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::{Component, Path};

use format::{Entry, Line};
use ledger::{Feed, SessionLedger};
use story::{AgentNotes, LONGEST_COMPANION, Role, SourceId, Span, Story, StoryBuilder};

use sources::archived::Opened;
use sources::files::{Neighbours, SessionFile, files_of_session};
use sources::problem::Problem;
use sources::source::{Buffer, Input, Lines, Source};

/// A session's story, and the lines from which it was built.
///
/// Usually this comes from [`SessionReader::of`]. To follow a growing session, add its files and lines one by one and
/// store the state between reads ([`SessionReader::store`]).
#[derive(Debug, Default)]
pub struct SessionReader {
    builder: StoryBuilder,
    texts: Texts,
    books: Option<Books>,
}

/// The session's usage, and the ledger's position in each source.
#[derive(Debug, Default)]
struct Books {
    ledger: SessionLedger,
    feeds: Vec<Option<Feed>>,
}

impl SessionReader {
    /// Reads all files of a session. Calls `on_bytes` with progress from time to time.
    ///
    /// The session's own file must be readable; problems with other files are returned with the story.
    pub fn of(source: &Source, on_bytes: &dyn Fn(u64)) -> Result<(Self, Vec<Problem>), Problem> {
        Self::of_files(source, files_of_session(source, &Neighbours::default()), false, on_bytes)
    }

    /// Like [`SessionReader::of`], and counts the session's usage.
    pub fn counted(source: &Source, on_bytes: &dyn Fn(u64)) -> Result<(Self, Vec<Problem>), Problem> {
        Self::of_files(source, files_of_session(source, &Neighbours::default()), true, on_bytes)
    }

    /// Like [`SessionReader::of`], from files and problems already found; counts usage if asked to.
    pub fn of_files(
        source: &Source,
        (parts, mut problems): (Vec<SessionFile>, Vec<Problem>),
        counts: bool,
        on_bytes: &dyn Fn(u64),
    ) -> Result<(Self, Vec<Problem>), Problem> {
        let mut reader = if counts { Self::counting() } else { Self::default() };
        let mut buffer = Buffer::default();
        for part in parts {
            let is_main = part.source.input == source.input;
            match reader.read(part, &mut buffer, on_bytes) {
                Err(problem) if is_main => return Err(problem),
                Err(problem) => problems.push(problem),
                Ok(()) => {}
            }
        }
        Ok((reader, problems))
    }

    /// An empty reader that also counts usage.
    pub fn counting() -> Self {
        Self { books: Some(Books::default()), ..Self::default() }
    }

    /// Adds a file, whose lines follow.
    pub fn add(&mut self, part: SessionFile) -> SourceId {
        let SessionFile { source, role, session, notes } = part;
        self.note(&role, notes);
        if let Some(books) = &mut self.books {
            books.feeds.push(ledger_part(&role, &session).map(|part| books.ledger.feed(part)));
        }
        if role == Role::Main {
            self.texts.main = Some(source.input.clone());
        }
        self.texts.sources.push(Kept::File(source.input, None));
        let id = self.builder.add_source(story::Source { role, session });
        self.builder.expect(source.size);
        id
    }

    /// Adds the notes about an agent, which are not in its lines.
    pub fn note(&mut self, role: &Role, notes: Option<AgentNotes>) {
        if let (Role::Agent { id, .. }, Some(notes)) = (role, notes) {
            self.builder.add_agent_notes(id, notes);
        }
    }

    /// Reads the next line of a file and passes its entries to `show`.
    pub fn take(&mut self, source: SourceId, line: Line<'_>, show: Option<&mut dyn FnMut(&Entry<'_>)>) {
        let feed = self
            .books
            .as_mut()
            .and_then(|Books { ledger, feeds }| Some((ledger, feeds.get_mut(source_number(source))?.as_mut()?)));
        match (feed, show) {
            (None, None) => self.builder.push(source, line),
            (None, Some(show)) => self.builder.push_and_show(source, line, show),
            // Uncountable lines concern only a usage report.
            (Some((ledger, feed)), None) => self.builder.push_and_show(source, line, &mut |entry| {
                let _ = ledger.push(feed, entry);
            }),
            (Some((ledger, feed)), Some(show)) => self.builder.push_and_show(source, line, &mut |entry| {
                let _ = ledger.push(feed, entry);
                show(entry);
            }),
        }
    }

    fn read(&mut self, part: SessionFile, buffer: &mut Buffer, on_bytes: &dyn Fn(u64)) -> Result<(), Problem> {
        const REPORT_EVERY: u64 = 1 << 20;
        let source = part.source.clone();
        let id = self.add(part);
        let mut unreported = 0;
        let mut push = |reader: &mut Self, line: Line<'_>| {
            reader.take(id, line, None);
            unreported += line.bytes.len() as u64;
            if unreported >= REPORT_EVERY {
                on_bytes(std::mem::take(&mut unreported));
            }
        };
        match &source.input {
            Input::File(_) | Input::Archived(_) => {
                let mut lines = Lines::new(source.open()?, buffer);
                while let Some(line) = lines.next_line().map_err(|error| source.unreadable(error))? {
                    push(self, line);
                }
            }
            Input::Stdin => {
                // Standard input can be read only once, and the texts are needed later.
                let mut bytes = Vec::new();
                io::stdin().lock().read_to_end(&mut bytes).map_err(|error| source.unreadable(error))?;
                format::lines(&bytes).for_each(|line| push(self, line));
                if let Some(kept) = self.texts.sources.last_mut() {
                    *kept = Kept::Bytes(bytes);
                }
            }
        }
        on_bytes(unreported);
        Ok(())
    }

    /// A copy that continues from here without the steps and counts before it ([`StoryBuilder::successor`]).
    pub fn successor(&mut self) -> Option<Self> {
        let builder = self.builder.successor()?;
        let mut books = self.books.as_ref().map(|_| Books::default());
        if let Some(Books { ledger, feeds }) = &mut books {
            let feed = |source: &story::Source| Some(ledger.feed(ledger_part(&source.role, &source.session)?));
            feeds.extend(builder.sources().map(feed));
        }
        let texts =
            Texts { sources: self.texts.sources.iter().filter_map(Kept::unopened).collect(), ..Texts::default() };
        let is_whole = texts.sources.len() == self.texts.sources.len();
        let texts = Texts { main: self.texts.main.clone(), ..texts };
        is_whole.then_some(Self { builder, texts, books })
    }

    /// Whether something before the successor's start has changed ([`StoryBuilder::goes_back`]).
    pub fn goes_back(&self) -> bool {
        self.builder.goes_back()
    }

    /// The session's usage, if it was counted.
    pub fn ledger(&self) -> Option<&SessionLedger> {
        self.books.as_ref().map(|books| &books.ledger)
    }

    /// The story, and access to its texts.
    pub fn parts(&mut self) -> (&Story, &mut Texts) {
        (self.builder.story(), &mut self.texts)
    }

    /// The state, for [`SessionReader::restore`]; the ledger is stored separately. `None` if the state cannot be
    /// stored.
    pub fn store(&self) -> Option<Vec<u8>> {
        let feeds = self.books.as_ref().map_or(&[][..], |books| &books.feeds);
        let mut bytes = postcard::to_extend(feeds, Vec::new()).ok()?;
        bytes.append(&mut self.builder.store()?);
        Some(bytes)
    }

    /// Restores a stored state, whose files may have moved; `None` if it is damaged, outdated, or has other files.
    pub fn restore(stored: &[u8], ledger: SessionLedger, inputs: Vec<Input>) -> Option<Self> {
        let (feeds, builder): (Vec<Option<Feed>>, _) = postcard::take_from_bytes(stored).ok()?;
        let builder = StoryBuilder::restore(builder)?;
        let mut texts = Texts::default();
        let sources = builder.sources();
        if sources.len() != inputs.len() || sources.len() != feeds.len() {
            return None;
        }
        for (source, input) in sources.zip(inputs) {
            if source.role == Role::Main {
                texts.main = Some(input.clone());
            }
            texts.sources.push(Kept::File(input, None));
        }
        Some(Self { builder, texts, books: Some(Books { ledger, feeds }) })
    }
}

/// The part of the session that a file is, for the ledger. Journals contain no usage.
fn ledger_part<'p>(role: &'p Role, session: &'p str) -> Option<ledger::SessionPart<'p>> {
    match role {
        Role::Main | Role::Capture => Some(ledger::SessionPart::Main),
        Role::Agent { id, .. } => Some(ledger::SessionPart::Agent(id)),
        Role::Elsewhere => Some(ledger::SessionPart::Elsewhere(session)),
        Role::Journal(_) => None,
    }
}

/// The lines of a story.
#[derive(Debug, Default)]
pub struct Texts {
    sources: Vec<Kept>,
    /// The session's own file.
    main: Option<Input>,
    /// The part of a line that was read last.
    bytes: Vec<u8>,
    present: Option<(Span, Range<u32>)>,
}

#[derive(Debug)]
enum Kept {
    File(Input, Option<Opened>),
    Bytes(Vec<u8>),
}

impl Kept {
    /// The same, to be opened on demand. Lines from a pipe exist nowhere else.
    fn unopened(&self) -> Option<Self> {
        match self {
            Self::File(input, _) => Some(Self::File(input.clone(), None)),
            Self::Bytes(_) => None,
        }
    }
}

impl Texts {
    /// The labels of the story's sources, in order.
    pub fn labels(&self) -> Vec<String> {
        let label = |kept: &Kept| match kept {
            Kept::File(input, _) => input.to_string(),
            Kept::Bytes(_) => Input::Stdin.to_string(),
        };
        self.sources.iter().map(label).collect()
    }
}

impl story::Texts for Texts {
    /// The bytes of a line, read again from its source.
    fn line(&mut self, span: Span) -> io::Result<&[u8]> {
        self.part(span, 0..span.length)
    }

    /// A part of a line, read again from its source.
    fn part(&mut self, span: Span, part: Range<u32>) -> io::Result<&[u8]> {
        if self.present != Some((span, part.clone())) {
            self.present = None;
            self.bytes.clear();
            let gone = || io::Error::new(io::ErrorKind::NotFound, "the source is gone");
            let length =
                part.end.checked_sub(part.start).filter(|_| part.end <= span.length).ok_or_else(gone)? as usize;
            let offset = span.offset + u64::from(part.start);
            let source = self.sources.get_mut(source_number(span.source)).ok_or_else(gone)?;
            match source {
                Kept::Bytes(bytes) => {
                    let start = usize::try_from(offset).unwrap_or(usize::MAX);
                    let end = start.saturating_add(length);
                    self.bytes.extend_from_slice(bytes.get(start..end).ok_or_else(gone)?);
                }
                Kept::File(input, file) => {
                    let file = match file {
                        Some(file) => file,
                        None => file.insert(input.open()?),
                    };
                    file.seek(SeekFrom::Start(offset))?;
                    self.bytes.resize(length, 0);
                    file.read_exact(&mut self.bytes)?;
                }
            }
            self.present = Some((span, part));
        }
        Ok(&self.bytes)
    }

    fn companion(&mut self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let file = self.main.as_ref().and_then(|main| companion(main, name));
        let Some(file) = file else { return Ok(None) };
        let mut bytes = Vec::new();
        file.open()?.take(LONGEST_COMPANION as u64 + 1).read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }
}

/// The file with this name in a session's folder of large outputs, if it exists.
///
/// The name comes from a transcript, and the files beside the transcript may come from anywhere: a name that is not a
/// plain file name, or a path that leads through a link, counts as missing.
fn companion(main: &Input, name: &str) -> Option<Input> {
    let mut components = Path::new(name).components();
    let is_plain = matches!((components.next(), components.next()), (Some(Component::Normal(_)), None));
    if !is_plain || name.contains(['/', '\\', ':', '\0']) {
        return None;
    }
    let in_folder = |folder: &Path, main: &Path| Some(folder.join(main.file_stem()?).join("tool-results").join(name));
    match main {
        Input::File(main) => {
            let folder = main.parent()?.canonicalize().ok()?;
            let path = in_folder(&folder, main)?;
            let is_here = path.canonicalize().is_ok_and(|real| real == path);
            (is_here && path.is_file()).then_some(Input::File(path))
        }
        Input::Archived(file) => {
            let path = in_folder(file.path().parent()?, file.path())?;
            file.beside(path).map(Input::Archived)
        }
        Input::Stdin => None,
    }
}

fn source_number(id: SourceId) -> usize {
    id.index()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use story::Texts as _;

    use super::*;

    fn companion(main: &Path, name: &str) -> Option<Input> {
        super::companion(&Input::File(main.to_path_buf()), name)
    }

    /// A session in a folder, and a file beside the folder that must stay private.
    fn session() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let results = folder.path().join("p/5e55/tool-results");
        fs::create_dir_all(&results).unwrap();
        fs::write(results.join("b1.txt"), "all rows").unwrap();
        fs::write(folder.path().join("p/secret"), "secret").unwrap();
        let main = folder.path().join("p/5e55.jsonl");
        fs::write(&main, "{\"type\":\"user\",\"uuid\":\"u\",\"message\":{\"content\":\"hi\"}}\n").unwrap();
        (folder, main)
    }

    #[test]
    fn large_outputs_are_found_by_name_and_nothing_else_is() {
        let (folder, main) = session();
        assert!(companion(&main, "b1.txt").is_some());
        let secret = folder.path().join("p/secret");
        for name in ["", ".", "..", "b2.txt", "/etc/passwd", "../../x", "../../secret", "..\\..\\secret", "a\0", "c:x"]
        {
            assert_eq!(companion(&main, name), None, "{name}");
        }
        assert_eq!(companion(&main, secret.to_str().unwrap()), None);
        assert_eq!(companion(&main, "../tool-results/b1.txt"), None);
        assert_eq!(companion(&folder.path().join("p/other.jsonl"), "b1.txt"), None);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        use std::os::unix::fs::symlink;
        let (folder, main) = session();
        let results = folder.path().join("p/5e55/tool-results");
        symlink(folder.path().join("p/secret"), results.join("link")).unwrap();
        symlink("b1.txt", results.join("near")).unwrap();
        fs::create_dir(results.join("folder")).unwrap();
        for name in ["link", "near", "folder"] {
            assert_eq!(companion(&main, name), None, "{name}");
        }
        fs::create_dir(folder.path().join("p/away")).unwrap();
        symlink(&results, folder.path().join("p/away/tool-results")).unwrap();
        assert_eq!(companion(&folder.path().join("p/away.jsonl"), "b1.txt"), None);
    }

    #[test]
    fn reading_a_large_output_is_bounded() {
        let (folder, main) = session();
        let source = sources::find_at(std::slice::from_ref(&main)).sources.remove(0);
        let (mut reader, _) = SessionReader::of(&source, &|_| {}).unwrap();
        let (_, texts) = reader.parts();
        assert_eq!(texts.companion("b1.txt").unwrap().as_deref(), Some(&b"all rows"[..]));
        assert_eq!(texts.companion("gone.txt").unwrap(), None);
        let large = vec![b'a'; LONGEST_COMPANION + 1000];
        fs::write(folder.path().join("p/5e55/tool-results/b2.txt"), large).unwrap();
        assert_eq!(texts.companion("b2.txt").unwrap().unwrap().len(), LONGEST_COMPANION + 1);
    }
}
