//! A followed session whose story is extended as its files grow.
//!
//! Steps are identified by the content of their lines, not by their positions. So a file that was truncated, rewritten
//! or moved is read again from the start, and only new steps are printed.

use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use reader::Texts;
use reader::{SessionReader, Surroundings};
use sources::Buffer;
use sources::Input;
use sources::Neighbours;
use sources::Problem;
use sources::SessionFile;
use sources::Source;
use sources::SourceKind;
use sources::files_of_session;
use sources::follow::{self, Change, Mark};
use story::step::{CallState, Millis};
use story::{BlockPlace, Detail, Role, SourceId, Step, StepId, StepKind, Story, ThreadId, ThreadKind};

/// A followed session.
#[derive(Debug)]
pub(super) struct Followed {
    pub(super) source: Source,
    /// Whether more data may arrive, so that incomplete steps wait for it.
    waits: bool,
    /// Kept for opening it again.
    surroundings: Surroundings,
    reader: SessionReader,
    /// In the order of their source ids in the story.
    files: Vec<File>,
    /// The lines read so far, each identified by its bytes.
    lines: Vec<LineKey>,
    /// How often a line with these bytes was read.
    times: HashMap<u64, u32>,
    /// The steps already printed, with the state of each call.
    printed: HashMap<StepKey, Option<CallState>>,
    /// The folders in which files of the session may appear, with their modification times at the last look.
    folders: Folders,
    buffer: Buffer,
}

#[derive(Debug)]
struct File {
    input: Input,
    id: SourceId,
    mark: Option<Mark>,
    /// Files of other sessions are read only once.
    is_own: bool,
}

/// The hash of a line, and the number of equal lines before it.
type LineKey = (u64, u32);

/// A step, identified by its line and its position in it.
type StepKey = (LineKey, u32, u32);

type Folders = Vec<(PathBuf, Option<SystemTime>)>;

/// How the files changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Growth {
    Nothing,
    Lines,
    /// Data that was already read is gone.
    Replaced,
}

/// A step to print.
#[derive(Debug, Clone, Copy)]
pub(super) struct News {
    /// The time of the step, or of the step before it if it has none.
    pub(super) at: Millis,
    pub(super) step: StepId,
    pub(super) thread: ThreadId,
    /// Whether this is the result of a call that was already printed.
    pub(super) is_result: bool,
}

impl Followed {
    /// Reads all files of a session. Also returns problems with files other than the main one.
    pub(super) fn open(
        source: Source,
        surroundings: Surroundings,
        waits: bool,
    ) -> Result<(Self, Vec<Problem>), Problem> {
        let mut followed = Self {
            waits,
            reader: SessionReader::default().surrounded_by(surroundings.clone()),
            surroundings,
            files: Vec::new(),
            lines: Vec::new(),
            times: HashMap::new(),
            printed: HashMap::new(),
            folders: folders_of(&source),
            buffer: Buffer::default(),
            source,
        };
        if followed.source.input == Input::Stdin {
            let (reader, problems) = SessionReader::of(&followed.source, &|_| {})?;
            followed.reader = reader.surrounded_by(followed.surroundings.clone());
            return Ok((followed, problems));
        }
        let (parts, mut problems) = files_of_session(&followed.source, &Neighbours::default());
        for part in parts {
            let source = part.source.clone();
            let at = followed.add(part);
            match followed.read(at) {
                Err(error) if source.input == followed.source.input => return Err(source.unreadable(error)),
                Err(error) => problems.push(source.unreadable(error)),
                Ok(_) => {}
            }
        }
        Ok((followed, problems))
    }

    /// Reads everything again from the current files; printed steps stay printed.
    pub(super) fn open_again(&mut self, source: Source) -> Result<(), Problem> {
        let (mut again, _) = Self::open(source, self.surroundings.clone(), self.waits)?;
        again.printed = std::mem::take(&mut self.printed);
        *self = again;
        Ok(())
    }

    fn add(&mut self, part: SessionFile) -> usize {
        let (input, is_own) = (part.source.input.clone(), part.role != Role::Elsewhere);
        let id = self.reader.add(part);
        self.files.push(File { input, id, mark: None, is_own });
        self.files.len() - 1
    }

    /// Reads new data of all files.
    pub(super) fn read_on(&mut self) -> io::Result<Growth> {
        let mut growth = Growth::Nothing;
        for at in 0..self.files.len() {
            match self.read(at) {
                Ok(Growth::Lines) => growth = Growth::Lines,
                Ok(Growth::Replaced) => return Ok(Growth::Replaced),
                Err(error) if self.files.get(at).is_some_and(|file| file.input == self.source.input) => {
                    return Err(error);
                }
                // Steps of an agent's file stay when the file is gone.
                Ok(Growth::Nothing) | Err(_) => {}
            }
        }
        Ok(growth)
    }

    fn read(&mut self, at: usize) -> io::Result<Growth> {
        let Self { reader, files, lines, times, buffer, waits, .. } = self;
        let Some(file) = files.get_mut(at).filter(|file| file.is_own || file.mark.is_none()) else {
            return Ok(Growth::Nothing);
        };
        let Some(reading) = follow::look(&file.input, file.mark.as_ref())? else { return Ok(Growth::Nothing) };
        if reading.change == Change::Replaced {
            return Ok(Growth::Replaced);
        }
        let mut growth = Growth::Nothing;
        let mark = reading.read(buffer, |line| {
            if line.unfinished && *waits {
                return;
            }
            growth = Growth::Lines;
            reader.take(file.id, *line, None);
            if *waits {
                let mut hasher = DefaultHasher::new();
                hasher.write(line.bytes);
                let count = times.entry(hasher.finish()).or_default();
                lines.push((hasher.finish(), *count));
                *count += 1;
            }
        })?;
        file.mark = Some(mark);
        Ok(growth)
    }

    /// Adds files that are new since the last look. Returns whether there are any.
    pub(super) fn look_for_files(&mut self) -> bool {
        let folders = folders_of(&self.source);
        let now = SystemTime::now();
        // Timestamps are coarse: a file that changed a moment ago may change again and keep its time.
        let is_fresh = |at: SystemTime| now.duration_since(at).is_ok_and(|age| age < Duration::from_secs(3));
        if folders == self.folders && !folders.iter().any(|(_, at)| at.is_some_and(is_fresh)) {
            return false;
        }
        self.folders = folders;
        let (parts, _) = files_of_session(&self.source, &Neighbours::default());
        let mut is_news = false;
        for part in parts.into_iter().filter(|part| part.role != Role::Elsewhere) {
            if self.files.iter().any(|file| file.input == part.source.input) {
                // Metadata of an agent may be written after its first lines.
                self.reader.note(&part.role, part.notes);
                continue;
            }
            is_news = true;
            let at = self.add(part);
            // Retried with the other files.
            let _ = self.read(at);
        }
        is_news
    }

    /// Marks as printed all steps in lines that begin before the given offset of their file.
    pub(super) fn pass_over(&mut self, old: &HashMap<PathBuf, u64>) {
        let Self { reader, files, lines, printed, .. } = self;
        let (story, _) = reader.parts();
        let is_old = |place: BlockPlace| {
            let Some(span) = story.span(place.line) else { return false };
            let path = files.get(span.source.index()).and_then(|file| file.input.path());
            path.and_then(|path| old.get(path)).is_some_and(|end| span.offset < *end)
        };
        for step in story.threads().flat_map(|(_, thread)| &thread.steps).filter_map(|id| story.step(*id)) {
            if !is_old(step.place) {
                continue;
            }
            let state = match &step.kind {
                StepKind::Call(call) if call.result.is_some_and(is_old) => Some(call.state),
                StepKind::Call(_) => Some(CallState::Pending),
                _ => None,
            };
            printed.insert(key(lines, step.place), state);
        }
    }

    /// Returns how far each file was read.
    pub(super) fn places(&self) -> impl Iterator<Item = (PathBuf, u64)> {
        self.files.iter().filter_map(|file| Some((file.input.path()?.to_path_buf(), file.mark.as_ref()?.offset)))
    }

    /// Returns steps that are not printed yet, in the order in which they happened, and marks them as printed.
    pub(super) fn news(&mut self) -> Vec<News> {
        let Self { reader, lines, printed, waits, .. } = self;
        let (story, _) = reader.parts();
        let mut news = Vec::new();
        for (thread, steps) in story.threads().filter(|(_, thread)| !is_hidden(&thread.kind)) {
            let mut at = Millis::MIN;
            for id in &steps.steps {
                let Some(step) = story.step(*id) else { continue };
                at = step.at.unwrap_or(at);
                if !is_worth_a_line(step) || *waits && is_coming(step) {
                    continue;
                }
                let state = state_of(step);
                let key = key(lines, step.place);
                match printed.get(&key) {
                    None => news.push(News { at, step: *id, thread, is_result: false }),
                    Some(before) if *before != state && state != Some(CallState::Pending) => {
                        let at = ended(step).unwrap_or(at);
                        news.push(News { at, step: *id, thread, is_result: true });
                    }
                    Some(_) => continue,
                }
                printed.insert(key, state);
            }
        }
        news.sort_by_key(|news| (news.at, news.step));
        news
    }

    pub(super) fn parts(&mut self) -> (&Story, &mut Texts) {
        self.reader.parts()
    }

    /// Returns the id of the session, from its file.
    pub(super) fn name(&self) -> String {
        self.source.stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// Its id in lists.
    pub(super) fn id(&self) -> String {
        self.surroundings.id.clone().unwrap_or_else(|| self.name())
    }
}

fn key(lines: &[LineKey], place: BlockPlace) -> StepKey {
    // If nothing is read twice, positions identify lines as well.
    let line = lines.get(place.line.index()).copied().unwrap_or((place.line.index() as u64, 0));
    (line, place.entry, place.block)
}

fn state_of(step: &Step) -> Option<CallState> {
    match &step.kind {
        StepKind::Call(call) => Some(call.state),
        _ => None,
    }
}

fn ended(step: &Step) -> Option<Millis> {
    match &step.kind {
        StepKind::Call(call) => call.ended,
        _ => None,
    }
}

fn is_hidden(thread: &ThreadKind) -> bool {
    matches!(thread, ThreadKind::Agent(agent) if agent.hidden)
}

/// Returns whether a step gets a line: everything that `show` shows by default, and thinking as a sign of life.
fn is_worth_a_line(step: &Step) -> bool {
    step.kind.detail() <= Detail::Steps || matches!(step.kind, StepKind::Thinking(_))
}

/// Returns whether a step arrives in pieces and is still incomplete.
fn is_coming(step: &Step) -> bool {
    match &step.kind {
        StepKind::Reply(reply) => reply.partial,
        StepKind::Thinking(thinking) => thinking.partial,
        _ => false,
    }
}

/// Returns the folders in which files of a session appear, with their modification times: that of the main file and
/// those beside it.
fn folders_of(source: &Source) -> Folders {
    let Some(path) = source.input.path().filter(|_| source.kind == SourceKind::Transcript) else { return Vec::new() };
    let changed = |folder: &Path| fs::symlink_metadata(folder).and_then(|it| it.modified()).ok();
    let companion = path.with_extension("");
    let mut folders: Folders =
        path.parent().into_iter().map(|folder| (folder.to_path_buf(), changed(folder))).collect();
    // Skips folders of large outputs, which change all the time.
    let mut to_do = vec![companion.join("subagents")];
    while let Some(folder) = to_do.pop() {
        let inside = fs::read_dir(&folder).into_iter().flatten().flatten();
        to_do.extend(inside.filter(|it| it.file_type().is_ok_and(|it| it.is_dir())).map(|it| it.path()));
        folders.push((folder.clone(), changed(&folder)));
    }
    folders
}
