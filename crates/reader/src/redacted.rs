//! Reads a session without its secrets and private things.
//!
//! Redaction stands between the lines and the story: a session is searched, traced, and written without what was found
//! to a temporary file that has no name. The story is built from these lines, and its texts are read from them, so that
//! no page, document or list made of it can show anything else. What else is shown of a session goes the same way: the
//! names of its files, the notes about its agents, large outputs and pastes beside it, its project and its summaries.
//!
//! Only what was searched is written. A file that has grown since is read up to where it was searched; one that has
//! changed otherwise is an error.

use std::collections::HashMap;
use std::fs::File;
use std::hash::{DefaultHasher, Hasher as _};
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use format::{Body, Line, Scratch};
use redact::{Replacer, Scanner, Tracer};
use sources::problem::Problem;
use sources::project::Project;
use sources::source::{Buffer, Input, Lines, Source};
use sources::{SessionFile, notes_beside, notes_in};
use story::{LONGEST_COMPANION, Role};

use crate::session_reader::{BesideTexts, Counting, SessionReader, companion, paste};
use crate::surroundings::Surroundings;

/// Of a text beside a session, this much more is searched than is shown, so that nothing is cut off unrecognised.
const MARGIN: usize = 64 << 10;

/// Why a session cannot be redacted.
#[derive(Debug, thiserror::Error)]
pub enum RedactionError {
    /// A file cannot be read.
    #[error(transparent)]
    Problem(#[from] Problem),
    /// A file has changed after it was searched.
    #[error("{label} was changed while it was read")]
    Changed {
        /// The file.
        label: String,
    },
    /// The redacted lines cannot be written to a temporary file.
    #[error("cannot write a temporary file: {0}")]
    Spool(#[from] io::Error),
}

/// A session that was searched for what is to be replaced in it.
#[derive(Debug)]
pub struct SearchedSession {
    source: Source,
    parts: Vec<Part>,
    beside: Vec<Beside>,
    summaries: Vec<(String, String)>,
    surroundings: Surroundings,
    problems: Vec<Problem>,
}

/// A file, up to where it was searched.
#[derive(Debug)]
struct Part {
    file: SessionFile,
    notes: Option<Vec<u8>>,
    /// Standard input, which can be read only once.
    bytes: Option<Vec<u8>>,
    seen: Seen,
}

/// A text beside the session.
#[derive(Debug)]
struct Beside {
    name: String,
    is_paste: bool,
    input: Input,
    digest: u64,
}

/// What was read of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    length: u64,
    digest: u64,
}

impl Part {
    fn label(&self) -> String {
        self.file.source.input.to_string()
    }

    /// Reads the lines up to `limit`.
    fn read(
        &self,
        limit: u64,
        buffer: &mut Buffer,
        each: &mut dyn FnMut(Line<'_>) -> io::Result<()>,
    ) -> Result<Seen, RedactionError> {
        let source = &self.file.source;
        let mut hasher = DefaultHasher::new();
        let mut length = 0;
        let reader: Box<dyn io::Read + '_> = match &self.bytes {
            Some(bytes) => Box::new(bytes.as_slice()),
            None => source.open()?,
        };
        let mut lines = Lines::new(reader.take(limit), buffer);
        while let Some(line) = lines.next_line().map_err(|error| source.unreadable(error))? {
            hasher.write(line.bytes);
            length += line.bytes.len() as u64;
            each(line)?;
        }
        Ok(Seen { length, digest: hasher.finish() })
    }

    /// Reads the lines again, and fails if they are not those that were searched.
    fn read_again(
        &self,
        buffer: &mut Buffer,
        each: &mut dyn FnMut(Line<'_>) -> io::Result<()>,
    ) -> Result<(), RedactionError> {
        let seen = self.read(self.seen.length, buffer, each)?;
        if seen == self.seen { Ok(()) } else { Err(RedactionError::Changed { label: self.label() }) }
    }
}

impl Beside {
    fn read(&self) -> Result<Vec<u8>, RedactionError> {
        read_beside(&self.input).map_err(|error| Problem::Unreadable { input: self.input.clone(), error }.into())
    }
}

impl SearchedSession {
    /// Searches all files of a session, and what else is shown of it. Calls `on_bytes` with progress from time to time.
    ///
    /// The session's own file must be readable; problems with other files are kept, and these files are left out.
    pub fn search(
        scanner: &mut Scanner<'_>,
        source: &Source,
        (files, problems): (Vec<SessionFile>, Vec<Problem>),
        summaries: Vec<(String, String)>,
        surroundings: Surroundings,
        on_bytes: &dyn Fn(u64),
    ) -> Result<Self, RedactionError> {
        let mut searched =
            Self { source: source.clone(), parts: Vec::new(), beside: Vec::new(), summaries, surroundings, problems };
        let mut buffer = Buffer::default();
        for file in files {
            let is_main = file.source.input == source.input;
            match searched.search_file(scanner, file, &mut buffer, on_bytes) {
                Ok(()) => {}
                Err(RedactionError::Problem(problem)) if !is_main => searched.problems.push(problem),
                Err(error) => return Err(error),
            }
        }
        searched.search_beside(scanner);
        searched.search_surroundings(scanner);
        Ok(searched)
    }

    fn search_file(
        &mut self,
        scanner: &mut Scanner<'_>,
        mut file: SessionFile,
        buffer: &mut Buffer,
        on_bytes: &dyn Fn(u64),
    ) -> Result<(), RedactionError> {
        const REPORT_EVERY: u64 = 1 << 20;
        // They are read from their redacted text.
        file.notes = None;
        let notes = matches!(file.role, Role::Agent { .. }).then(|| notes_beside(&file.source.input)).flatten();
        let bytes = match file.source.input {
            Input::Stdin => {
                let mut bytes = Vec::new();
                io::stdin().lock().read_to_end(&mut bytes).map_err(|error| file.source.unreadable(error))?;
                Some(bytes)
            }
            Input::File(_) | Input::Archived(_) | Input::Prompts(_) => None,
        };
        let mut part = Part { file, notes, bytes, seen: Seen { length: 0, digest: 0 } };
        let label = part.label();
        let is_history = part.file.role == Role::Prompts;
        let mut hashes = Vec::new();
        let mut unreported = 0;
        part.seen = part.read(u64::MAX, buffer, &mut |line| {
            scanner.look(&label, line.number, line.bytes);
            if is_history {
                hashes.extend(hashes_of_pastes(line.bytes));
            }
            unreported += line.bytes.len() as u64;
            if unreported >= REPORT_EVERY {
                on_bytes(std::mem::take(&mut unreported));
            }
            Ok(())
        })?;
        on_bytes(unreported);
        scanner.look_at_text(&label, &label);
        if let Some(notes) = &part.notes {
            scanner.look(&with_ending(&label, "meta.json"), 1, notes);
        }
        for hash in hashes {
            if let Some(input) = paste(&part.file.source.input, &hash) {
                self.beside.push(Beside { name: hash, is_paste: true, input, digest: 0 });
            }
        }
        self.parts.push(part);
        Ok(())
    }

    /// Searches large outputs and pastes.
    fn search_beside(&mut self, scanner: &mut Scanner<'_>) {
        let main = self.parts.iter().find(|part| part.file.role == Role::Main).map(|part| &part.file.source.input);
        if let Some((input, path)) = main.and_then(|input| Some((input, input.path()?))) {
            let folder = path.with_extension("").join("tool-results");
            for name in input.names_in(&folder) {
                if let Some(input) = companion(input, &name) {
                    self.beside.push(Beside { name, is_paste: false, input, digest: 0 });
                }
            }
        }
        let problems = &mut self.problems;
        self.beside.retain_mut(|beside| match read_beside(&beside.input) {
            Ok(bytes) => {
                let label = beside.input.to_string();
                scanner.look(&label, 1, &bytes);
                scanner.look_at_text(&label, &beside.name);
                beside.digest = digest(&bytes);
                true
            }
            Err(error) => {
                problems.push(Problem::Unreadable { input: beside.input.clone(), error });
                false
            }
        });
    }

    fn search_surroundings(&self, scanner: &mut Scanner<'_>) {
        let Surroundings { id, project, summaries, locale: _, now: _ } = &self.surroundings;
        let own = self.summaries.iter().map(|(_, text)| text);
        for summary in summaries.iter().map(|(_, text)| text).chain(own) {
            scanner.look_at_text("a summary in another session", summary);
        }
        if let Some((folder, Project { path, worktree })) = project {
            for path in [Some(folder), Some(path), worktree.as_ref()].into_iter().flatten() {
                scanner.look_at_text("the project", path);
            }
        }
        if let Some(id) = id {
            scanner.look_at_text("the id", id);
        }
    }

    /// Problems with files that are left out.
    pub fn into_problems(self) -> Vec<Problem> {
        self.problems
    }

    /// The size of its files, as far as they were searched.
    pub fn size(&self) -> u64 {
        self.parts.iter().map(|part| part.seen.length).sum()
    }

    /// Looks for values that are stored in pieces.
    pub fn trace(&self, tracer: &mut Tracer) -> Result<(), RedactionError> {
        let mut buffer = Buffer::default();
        for part in &self.parts {
            part.read_again(&mut buffer, &mut |line| {
                tracer.look(line.bytes);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Reads the session without what was found.
    pub fn redact(&self, replacer: &mut Replacer, counting: Counting) -> Result<RedactedSession, RedactionError> {
        let spool = Arc::new(tempfile::tempfile()?);
        let mut out = Spool { out: BufWriter::with_capacity(1 << 16, Arc::clone(&spool)), at: 0 };
        let mut reader = SessionReader::that_counts(counting);
        let mut files = Vec::new();
        let mut buffer = Buffer::default();
        for part in &self.parts {
            let notes = part.notes.as_ref().map(|notes| replacer.line(notes).into_owned());
            let session = replacer.id(&part.file.session).into();
            let source = story::Source { role: redacted_role(&part.file.role, replacer), session };
            let label = replacer.text(&part.label()).into_owned();
            let name = part.name_in_folder(&self.source, replacer);
            let read_notes = notes.as_deref().and_then(notes_in);
            let start = out.at;
            let id = reader.add_spooled(source, read_notes, label, (&spool, start));
            part.read_again(&mut buffer, &mut |line| {
                let bytes = replacer.line(line.bytes);
                reader.take(id, Line { bytes: &bytes, offset: out.at - start, ..line }, None);
                out.write(&bytes)
            })?;
            let lines = start..out.at;
            files.extend(name.map(|name| RedactedFile { name, lines, notes: notes.unwrap_or_default() }));
        }
        let mut beside = BesideTexts { spool: Arc::clone(&spool), companions: HashMap::new(), pastes: HashMap::new() };
        for text in &self.beside {
            let bytes = text.read()?;
            if digest(&bytes) != text.digest {
                return Err(RedactionError::Changed { label: text.input.to_string() });
            }
            let start = out.at;
            let redacted = replacer.line(&bytes);
            out.write(shortened(&redacted, bytes.len()))?;
            let texts = if text.is_paste { &mut beside.pastes } else { &mut beside.companions };
            texts.insert(replacer.text(&text.name).into_owned(), start..out.at);
        }
        out.out.flush()?;
        let outputs = beside.companions.clone();
        reader.set_beside(beside);
        let summaries = self.summaries.iter().map(|(leaf, text)| (leaf.clone(), replacer.text(text).into_owned()));
        reader.add_summaries(&summaries.collect::<Vec<_>>());
        let reader = reader.surrounded_by(redacted_surroundings(&self.surroundings, replacer));
        Ok(RedactedSession { reader, spool, files, outputs })
    }
}

/// A session without what was found in it.
#[derive(Debug)]
pub struct RedactedSession {
    /// Its story, and its texts.
    pub reader: SessionReader,
    spool: Arc<File>,
    files: Vec<RedactedFile>,
    /// Large outputs, by their redacted names.
    outputs: HashMap<String, Range<u64>>,
}

#[derive(Debug)]
struct RedactedFile {
    name: NameInFolder,
    lines: Range<u64>,
    notes: Vec<u8>,
}

/// Where a file belongs in a copy of the session.
#[derive(Debug)]
enum NameInFolder {
    Main,
    /// Below the folder beside the main file.
    Below(PathBuf),
}

impl RedactedSession {
    /// Writes the lines of the session's own file.
    pub fn write_lines(&self, out: &mut dyn io::Write) -> io::Result<()> {
        io::copy(&mut self.lines()?, out).map(|_| ())
    }

    /// The lines of the session's own file, to be read. One reader can be used at a time.
    pub fn lines(&self) -> io::Result<impl io::Read + '_> {
        let main = self.files.iter().find(|file| matches!(file.name, NameInFolder::Main));
        self.part(main.map_or(0..0, |file| file.lines.clone()))
    }

    /// The other files of a copy of the session: their paths below the folder that is named like the main file without
    /// its ending.
    pub fn files_beside(&self) -> Vec<(PathBuf, BesideFile<'_>)> {
        let mut files = Vec::new();
        for file in &self.files {
            let NameInFolder::Below(name) = &file.name else { continue };
            files.push((name.clone(), BesideFile { session: self, content: Content::Spooled(&file.lines) }));
            if !file.notes.is_empty() {
                let notes = BesideFile { session: self, content: Content::Bytes(&file.notes) };
                files.push((name.with_extension("meta.json"), notes));
            }
        }
        for (name, range) in &self.outputs {
            let file = BesideFile { session: self, content: Content::Spooled(range) };
            files.push((Path::new("tool-results").join(plain_name(name)), file));
        }
        files.sort_by(|(one, _), (other, _)| one.cmp(other));
        files
    }

    fn part(&self, range: Range<u64>) -> io::Result<io::Take<&File>> {
        let mut spool: &File = &self.spool;
        spool.seek(SeekFrom::Start(range.start))?;
        Ok(spool.take(range.end - range.start))
    }
}

/// A file beside a copy of the session.
#[derive(Debug, Clone, Copy)]
pub struct BesideFile<'s> {
    session: &'s RedactedSession,
    content: Content<'s>,
}

#[derive(Debug, Clone, Copy)]
enum Content<'s> {
    Spooled(&'s Range<u64>),
    Bytes(&'s [u8]),
}

impl BesideFile<'_> {
    /// Writes its content.
    pub fn write(&self, out: &mut dyn io::Write) -> io::Result<()> {
        match self.content {
            Content::Spooled(range) => io::copy(&mut self.session.part(range.clone())?, out).map(|_| ()),
            Content::Bytes(bytes) => out.write_all(bytes),
        }
    }
}

impl Part {
    /// Where the file belongs in a copy of the session; `None` for files of other sessions and other recordings.
    fn name_in_folder(&self, main: &Source, replacer: &mut Replacer) -> Option<NameInFolder> {
        if self.file.source.input == main.input {
            return Some(NameInFolder::Main);
        }
        match self.file.role {
            Role::Capture | Role::Elsewhere => return None,
            Role::Earlier => {
                let key = self.file.source.input.key()?;
                let version = format!("{}.jsonl", key.path.file_name()?.to_string_lossy());
                return Some(NameInFolder::Below(Path::new("earlier").join(plain_name(&version))));
            }
            Role::Main | Role::Prompts | Role::Agent { .. } | Role::Journal(_) => {}
        }
        let path = self.file.source.input.path()?;
        let folder = main.input.path().map(|main| main.with_extension(""));
        let below = folder.and_then(|folder| path.strip_prefix(folder).ok().map(Path::to_path_buf));
        let below = match (below, &self.file.role) {
            (Some(below), _) => below,
            (None, Role::Journal(run)) => Path::new("subagents/workflows").join(&**run).join("journal.jsonl"),
            (None, _) => Path::new("subagents").join(path.file_name()?),
        };
        let parts = below.iter().map(|name| plain_name(&replacer.id(&name.to_string_lossy())));
        Some(NameInFolder::Below(parts.collect()))
    }
}

/// A name that leads nowhere else.
fn plain_name(name: &str) -> String {
    let plain: String = name.chars().map(|c| if matches!(c, '/' | '\\' | '\0' | ':') { '_' } else { c }).collect();
    if plain.chars().all(|c| c == '.') { "_".to_owned() } else { plain }
}

/// Where the redacted lines are written.
#[derive(Debug)]
struct Spool {
    out: BufWriter<Arc<File>>,
    at: u64,
}

impl Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.at += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

fn redacted_role(role: &Role, replacer: &mut Replacer) -> Role {
    match role {
        Role::Agent { id, workflow } => {
            let workflow = workflow.as_deref().map(|run| replacer.id(run).into());
            Role::Agent { id: replacer.id(id).into(), workflow }
        }
        Role::Journal(run) => Role::Journal(replacer.id(run).into()),
        Role::Main | Role::Earlier | Role::Capture | Role::Elsewhere | Role::Prompts => role.clone(),
    }
}

fn redacted_surroundings(surroundings: &Surroundings, replacer: &mut Replacer) -> Surroundings {
    let Surroundings { id, project, summaries, locale, now } = surroundings;
    let mut text = |text: &String| replacer.text(text).into_owned();
    let project = project.as_ref().map(|(folder, Project { path, worktree })| {
        (text(folder), Project { path: text(path), worktree: worktree.as_ref().map(&mut text) })
    });
    let summaries = summaries.iter().map(|(leaf, summary)| (*leaf, text(summary))).collect();
    let id = id.as_deref().map(|id| replacer.id(id).into_owned());
    Surroundings { id, project, summaries, locale: locale.clone(), now: *now }
}

fn hashes_of_pastes(line: &[u8]) -> Vec<String> {
    let scratch = Scratch::default();
    let reading = format::read(line, &scratch);
    let prompts = reading.entries.iter().filter_map(|entry| match &entry.body {
        Body::History(prompt) => Some(prompt),
        _ => None,
    });
    let pasted = prompts.flat_map(|prompt| prompt.pasted_contents.iter());
    pasted.filter_map(|(_, pasted)| Some(pasted.content_hash?.as_str().to_owned())).collect()
}

fn read_beside(input: &Input) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.open()?.take((LONGEST_COMPANION + MARGIN) as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The part of a redacted text that may be shown: what was read last may be the beginning of something.
fn shortened(text: &[u8], read: usize) -> &[u8] {
    let is_whole = read < LONGEST_COMPANION + MARGIN;
    let sure = if is_whole { text.len() } else { text.len().saturating_sub(MARGIN) };
    text.get(..sure.min(LONGEST_COMPANION + 1)).unwrap_or(text)
}

fn digest(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

fn with_ending(path: &str, ending: &str) -> String {
    Path::new(path).with_extension(ending).display().to_string()
}
