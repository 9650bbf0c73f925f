//! Builds a session's story from its files, and reads texts from their lines.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::{Component, Path};
use std::sync::Arc;

use format::{Entry, Line};
use ledger::{Feed, Prices, SessionLedger};
use story::{AgentNotes, LONGEST_COMPANION, Role, SourceId, Span, Story, StoryBuilder};

use crate::surroundings::Surroundings;
use crate::turn_shares::TurnShares;
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
    surroundings: Option<Surroundings>,
}

/// The session's usage, and the ledger's position in each source.
#[derive(Debug, Default)]
struct Books {
    ledger: SessionLedger,
    feeds: Vec<Option<Feed>>,
    /// Whether usage in the files of other sessions is left out.
    is_alone: bool,
}

impl Books {
    /// Starts a file.
    fn add(&mut self, role: &Role, session: &str) {
        let part = ledger_part(role, session).filter(|_| !self.is_alone || *role != Role::Elsewhere);
        self.feeds.push(part.map(|part| self.ledger.feed(part)));
    }
}

/// What is in the files of a session and counts for others, because it was copied: a message or a call counts for the
/// earliest session that has it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Copied {
    /// Messages, by [`SessionLedger::message_keys`].
    pub messages: Vec<u64>,
    /// Calls, by [`Story::call_keys`].
    pub calls: Vec<u64>,
}

/// Whether usage is counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Counting {
    /// It is not.
    #[default]
    Nothing,
    /// All but what the sessions beside this one have that it was copied from. Copies of other sessions count.
    BesideOthers,
    /// All but what is known to count for other sessions.
    Except(Copied),
}

impl SessionReader {
    /// Reads all files of a session. Calls `on_bytes` with progress from time to time.
    ///
    /// The session's own file must be readable; problems with other files are returned with the story.
    pub fn of(source: &Source, on_bytes: &dyn Fn(u64)) -> Result<(Self, Vec<Problem>), Problem> {
        Self::among(source, &Neighbours::default(), Counting::Nothing, on_bytes)
    }

    /// Like [`SessionReader::of`], and counts the session's usage. `copied` counts for other sessions; without it, only
    /// what the sessions beside this one show.
    pub fn counted(
        source: &Source,
        copied: Option<Copied>,
        on_bytes: &dyn Fn(u64),
    ) -> Result<(Self, Vec<Problem>), Problem> {
        let counting = copied.map_or(Counting::BesideOthers, Counting::Except);
        Self::among(source, &Neighbours::default(), counting, on_bytes)
    }

    fn among(
        source: &Source,
        neighbours: &Neighbours,
        counting: Counting,
        on_bytes: &dyn Fn(u64),
    ) -> Result<(Self, Vec<Problem>), Problem> {
        let (mut reader, problems) = Self::of_files(source, files_of_session(source, neighbours), counting, on_bytes)?;
        reader.add_summaries(&neighbours.summaries_beside(source));
        Ok((reader, problems))
    }

    /// Adds summaries from files of other sessions, each with the last entry that it covers.
    pub fn add_summaries(&mut self, summaries: &[(String, String)]) {
        for (leaf, text) in summaries {
            self.builder.add_summary(StoryBuilder::entry_hash(leaf), text);
        }
    }

    /// Like [`SessionReader::of`], from files and problems already found; counts usage if asked to.
    pub fn of_files(
        source: &Source,
        (parts, mut problems): (Vec<SessionFile>, Vec<Problem>),
        counting: Counting,
        on_bytes: &dyn Fn(u64),
    ) -> Result<(Self, Vec<Problem>), Problem> {
        let mut reader = Self::that_counts(counting);
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

    /// An empty reader that counts usage in this way.
    pub(crate) fn that_counts(counting: Counting) -> Self {
        match counting {
            Counting::Nothing => Self::default(),
            Counting::BesideOthers => Self { books: Some(Books::default()), ..Self::default() },
            Counting::Except(copied) => {
                let mut reader = Self::counting();
                reader.disown(&copied);
                reader
            }
        }
    }

    /// An empty reader that also counts the usage in the session's own files.
    pub fn counting() -> Self {
        Self { books: Some(Books { is_alone: true, ..Books::default() }), ..Self::default() }
    }

    /// Leaves what counts for other sessions out of all figures.
    pub fn disown(&mut self, copied: &Copied) {
        self.builder.disown_calls(copied.calls.iter().copied());
        if let Some(books) = &mut self.books {
            books.ledger.disown(copied.messages.iter().copied());
        }
    }

    /// Adds a file, whose lines follow.
    pub fn add(&mut self, part: SessionFile) -> SourceId {
        let SessionFile { source, role, session, notes } = part;
        self.note(&role, notes);
        if matches!(role, Role::Main | Role::Prompts) {
            self.texts.main = Some(source.input.clone());
        }
        let id = self.add_kept(story::Source { role, session }, Kept::File(source.input, None));
        self.builder.expect(source.size);
        id
    }

    fn add_kept(&mut self, source: story::Source, kept: Kept) -> SourceId {
        if let Some(books) = &mut self.books {
            books.add(&source.role, &source.session);
        }
        self.texts.sources.push(kept);
        self.builder.add_source(source)
    }

    /// Adds a file whose lines are written to `spool` from `start` on, before they are read again.
    pub(crate) fn add_spooled(
        &mut self,
        source: story::Source,
        notes: Option<AgentNotes>,
        label: String,
        (spool, start): (&Arc<File>, u64),
    ) -> SourceId {
        self.note(&source.role, notes);
        self.add_kept(source, Kept::Spooled { spool: Arc::clone(spool), start, label })
    }

    /// Takes texts beside the session from here rather than from the files beside it.
    pub(crate) fn set_beside(&mut self, beside: BesideTexts) {
        self.texts.beside = Some(beside);
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
            .and_then(|Books { ledger, feeds, .. }| Some((ledger, feeds.get_mut(source_number(source))?.as_mut()?)));
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
            Input::File(_) | Input::Archived(_) | Input::Prompts(_) => {
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
        let mut books = self.books.as_ref().map(|books| Books { is_alone: books.is_alone, ..Books::default() });
        if let Some(books) = &mut books {
            builder.sources().for_each(|source| books.add(&source.role, &source.session));
        }
        let texts =
            Texts { sources: self.texts.sources.iter().filter_map(Kept::unopened).collect(), ..Texts::default() };
        let is_whole = texts.sources.len() == self.texts.sources.len();
        let texts = Texts { main: self.texts.main.clone(), ..texts };
        is_whole.then_some(Self { builder, texts, books, surroundings: self.surroundings.clone() })
    }

    /// Shows the session as lists do.
    #[must_use]
    pub fn surrounded_by(mut self, surroundings: Surroundings) -> Self {
        for (leaf, text) in &surroundings.summaries {
            self.builder.add_summary(*leaf, text);
        }
        self.surroundings = Some(surroundings);
        self
    }

    /// The summaries of other sessions in the lines of this one, each with the hash of the last entry that it covers.
    pub fn summaries_of_others(&self) -> impl Iterator<Item = (u64, &str)> {
        self.builder.summaries_of_others()
    }

    /// The place of an entry in this session ([`StoryBuilder::entry_place`]).
    pub fn entry_place(&self, hash: u64) -> Option<usize> {
        self.builder.entry_place(hash)
    }

    /// Whether something before the successor's start has changed ([`StoryBuilder::goes_back`]).
    pub fn goes_back(&self) -> bool {
        self.builder.goes_back()
    }

    /// The session's usage, if it was counted.
    pub fn ledger(&self) -> Option<&SessionLedger> {
        self.books.as_ref().map(|books| &books.ledger)
    }

    /// The share of each turn in the session's usage, if it was counted.
    pub fn turn_shares(&mut self, prices: &Prices) -> Option<TurnShares> {
        let books = self.books.as_ref()?;
        Some(TurnShares::of(&mut self.builder, &books.ledger, prices))
    }

    /// The story, and access to its texts.
    pub fn parts(&mut self) -> (&Story, &mut Texts) {
        if let Some(surroundings) = &mut self.surroundings {
            let listing = surroundings.listing(&self.builder.story().facts);
            if listing != *self.builder.listing() {
                self.builder.list_as(listing);
            }
        }
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
            if matches!(source.role, Role::Main | Role::Prompts) {
                texts.main = Some(input.clone());
            }
            texts.sources.push(Kept::File(input, None));
        }
        Some(Self { builder, texts, books: Some(Books { ledger, feeds, is_alone: true }), surroundings: None })
    }
}

/// The part of the session that a file is, for the ledger. Journals and prompts contain no usage.
fn ledger_part<'p>(role: &'p Role, session: &'p str) -> Option<ledger::SessionPart<'p>> {
    match role {
        Role::Main | Role::Earlier | Role::Capture => Some(ledger::SessionPart::Main),
        Role::Agent { id, .. } => Some(ledger::SessionPart::Agent(id)),
        Role::Elsewhere => Some(ledger::SessionPart::Elsewhere(session)),
        Role::Journal(_) | Role::Prompts => None,
    }
}

/// The lines of a story.
#[derive(Debug, Default)]
pub struct Texts {
    sources: Vec<Kept>,
    /// The session's own file.
    main: Option<Input>,
    /// Texts that stand for the files beside it.
    beside: Option<BesideTexts>,
    /// The part of a line that was read last.
    bytes: Vec<u8>,
    present: Option<(Span, Range<u32>)>,
}

/// Texts that stand for the files beside a session: large outputs by name, large pastes by hash.
#[derive(Debug)]
pub(crate) struct BesideTexts {
    pub(crate) spool: Arc<File>,
    pub(crate) companions: HashMap<String, Range<u64>>,
    pub(crate) pastes: HashMap<String, Range<u64>>,
}

impl BesideTexts {
    fn read(&self, range: Option<&Range<u64>>) -> io::Result<Option<Vec<u8>>> {
        let Some(range) = range else { return Ok(None) };
        let mut bytes = Vec::new();
        (&*self.spool).seek(SeekFrom::Start(range.start))?;
        (&*self.spool).take(range.end - range.start).read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }
}

#[derive(Debug)]
enum Kept {
    File(Input, Option<Opened>),
    Bytes(Vec<u8>),
    /// Lines in a temporary file, from an offset on.
    Spooled {
        spool: Arc<File>,
        start: u64,
        label: String,
    },
}

impl Kept {
    /// The same, to be opened on demand. Lines from a pipe exist nowhere else, and a temporary file has one position.
    fn unopened(&self) -> Option<Self> {
        match self {
            Self::File(input, _) => Some(Self::File(input.clone(), None)),
            Self::Bytes(_) | Self::Spooled { .. } => None,
        }
    }
}

impl Texts {
    /// The labels of the story's sources, in order.
    pub fn labels(&self) -> Vec<String> {
        let label = |kept: &Kept| match kept {
            Kept::File(input, _) => input.to_string(),
            Kept::Bytes(_) => Input::Stdin.to_string(),
            Kept::Spooled { label, .. } => label.clone(),
        };
        self.sources.iter().map(label).collect()
    }
}

/// The largest buffer that is kept for a shorter line.
const LARGEST_KEPT: usize = 4 << 20;

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
            // The memory of a very long line is released.
            if self.bytes.capacity() > LARGEST_KEPT && length < self.bytes.capacity() / 2 {
                self.bytes = Vec::new();
            }
            self.bytes.reserve_exact(length);
            let offset = span.offset + u64::from(part.start);
            let source = self.sources.get_mut(source_number(span.source)).ok_or_else(gone)?;
            match source {
                Kept::Bytes(bytes) => {
                    let start = usize::try_from(offset).unwrap_or(usize::MAX);
                    let end = start.saturating_add(length);
                    self.bytes.extend_from_slice(bytes.get(start..end).ok_or_else(gone)?);
                }
                Kept::Spooled { spool, start, .. } => {
                    let mut file: &File = spool;
                    file.seek(SeekFrom::Start(*start + offset))?;
                    self.bytes.resize(length, 0);
                    file.read_exact(&mut self.bytes)?;
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
        if let Some(beside) = &self.beside {
            return beside.read(beside.companions.get(name));
        }
        let file = self.main.as_ref().and_then(|main| companion(main, name));
        let Some(file) = file else { return Ok(None) };
        let mut bytes = Vec::new();
        file.open()?.take(LONGEST_COMPANION as u64 + 1).read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }

    fn paste(&mut self, hash: &str) -> io::Result<Option<Vec<u8>>> {
        if let Some(beside) = &self.beside {
            return beside.read(beside.pastes.get(hash));
        }
        let Some(file) = self.main.as_ref().and_then(|main| paste(main, hash)) else { return Ok(None) };
        let mut bytes = Vec::new();
        file.open()?.take(LONGEST_COMPANION as u64 + 1).read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }
}

/// The stored text of a large paste, beside the prompt history that names it. As for [`companion`], a path that leads
/// through a link counts as missing.
pub(crate) fn paste(main: &Input, hash: &str) -> Option<Input> {
    let file = sources::prompts::paste(main, hash)?;
    match &file {
        Input::File(path) => {
            let folder = path.parent()?.parent()?.canonicalize().ok()?;
            let plain = folder.join(path.parent()?.file_name()?).join(path.file_name()?);
            let is_here = plain.canonicalize().is_ok_and(|real| real == plain) && plain.is_file();
            is_here.then_some(Input::File(plain))
        }
        Input::Archived(_) => Some(file),
        Input::Prompts(_) | Input::Stdin => None,
    }
}

/// The file with this name in a session's folder of large outputs, if it exists.
///
/// The name comes from a transcript, and the files beside the transcript may come from anywhere: a name that is not a
/// plain file name, or a path that leads through a link, counts as missing.
pub(crate) fn companion(main: &Input, name: &str) -> Option<Input> {
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
        Input::Prompts(_) | Input::Stdin => None,
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
