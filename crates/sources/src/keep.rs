//! Selects the files of sessions for the archive, and archives them.
//!
//! These are all files that belong to a session (its transcript, the transcripts and notes of its agents, journals and
//! scripts of workflows, spilled tool results) and the prompt history. No other files below a config root are archived,
//! and no keys.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use archive::{ArchiveError, FileKey, Name, Origin, Stamp, TakeError, Taken, Writer};
use format::Scratch;
use format::id::is_uuid;

use crate::find::{find_in_roots, leads_to_secret};
use crate::follow::FileId;
use crate::forgotten::Forgotten;
use crate::problem::Problem;
use crate::roots::Root;
use crate::source::{Buffer, Input, Lines, Source, SourceKind};

/// A file to archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Belonging {
    /// Its name in the archive.
    pub name: Name,
    /// Its size.
    pub size: u64,
    stamp: Stamp,
}

/// All files of `roots` to archive, sorted by name, and the problems of finding them.
pub fn belongings(roots: &[Root]) -> (Vec<Belonging>, Vec<Problem>) {
    // Captures are not archived, because recount stores them itself.
    let roots: Vec<Root> = roots.iter().filter(|root| !root.is_store()).cloned().collect();
    let found = find_in_roots(&roots);
    let forgotten = Arc::clone(&found.forgotten);
    let mut search = Search { roots: roots.iter().map(Root::home).collect(), forgotten, ..Search::default() };
    for source in &found.sources {
        if let Input::File(path) = &source.input {
            search.transcript(path, source.kind);
        }
    }
    for projects in search.roots.clone().iter().map(|root| root.join("projects")) {
        for folder in list(&projects) {
            search.companions(&folder);
        }
    }
    search.all.sort_by(|a, b| (&a.name.origin, &a.name.path).cmp(&(&b.name.origin, &b.name.path)));
    (search.all, found.problems)
}

/// Archives the new content of files of a machine, and reports the number of bytes examined. The caller must
/// [finish](Writer::finish).
///
/// A file that cannot be read is a problem; an error of writing ends the operation.
pub fn keep(
    writer: &mut Writer,
    belongings: &[Belonging],
    machine: &str,
    progress: &dyn Fn(u64),
) -> Result<Vec<Problem>, ArchiveError> {
    let mut problems = Vec::new();
    let forgotten = match Forgotten::load() {
        Ok(forgotten) => forgotten,
        // Nothing is archived that may have been forgotten.
        Err(error) => return Ok(vec![Problem::unreadable(&Forgotten::path().unwrap_or_default(), error)]),
    };
    for Belonging { name, size, stamp } in belongings {
        let path = name.full();
        let name = Name { origin: Origin { machine: machine.into(), ..name.origin.clone() }, ..name.clone() };
        let open = || {
            let file = File::open(&path)?;
            let stamp = Stamp::of(&file.metadata()?);
            Ok((file, stamp))
        };
        let is_history = &*name.kind == kind(SourceKind::History) && !forgotten.is_empty();
        let taken = if is_history {
            take_prompts(writer, &name, &path, &forgotten)
        } else if name.session.is_empty() && &*name.kind == kind(SourceKind::Subagent) {
            // Archives of version 0.1 do not record the machine.
            let unstated = FileKey { path: path.clone(), ..FileKey::default() };
            let known = writer.before().file(&name.key()).or_else(|| writer.before().file(&unstated));
            let session = known.map_or_else(|| session_in(&path), |known| known.name.session.clone());
            writer.take(&Name { session, ..name }, *stamp, open)
        } else {
            writer.take(&name, *stamp, open)
        };
        match taken {
            Ok(_) => {}
            // It was removed after discovery.
            Err(TakeError::Source(error)) if error.kind() == io::ErrorKind::NotFound => {}
            Err(TakeError::Source(error)) => problems.push(Problem::unreadable(&path, error)),
            Err(TakeError::Archive(error)) => return Err(error),
        }
        progress(*size);
    }
    Ok(problems)
}

/// Archives a prompt history without the prompts of forgotten sessions.
fn take_prompts(writer: &mut Writer, name: &Name, path: &Path, forgotten: &Forgotten) -> Result<Taken, TakeError> {
    let stamp = Stamp::of(&fs::metadata(path).map_err(TakeError::Source)?);
    let bytes = fs::read(path).map_err(TakeError::Source)?;
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    let left: Vec<u8> = lines.filter(|line| !forgotten.has_prompt(line)).flatten().copied().collect();
    let stamp = Stamp { size: left.len() as u64, ..stamp };
    writer.take(name, stamp, || Ok((io::Cursor::new(left), stamp)))
}

/// The archive's names of the kinds of sources.
pub fn kind(kind: SourceKind) -> &'static str {
    match kind {
        SourceKind::Transcript | SourceKind::Partial => "transcript",
        SourceKind::Subagent => "subagent",
        SourceKind::Journal => "journal",
        SourceKind::History | SourceKind::Prompts => "history",
        SourceKind::Capture => "capture",
    }
}

#[derive(Default)]
struct Search {
    roots: Vec<PathBuf>,
    all: Vec<Belonging>,
    forgotten: Arc<Forgotten>,
    /// The files and folders found so far.
    seen: HashSet<FileId>,
}

impl Search {
    fn transcript(&mut self, path: &Path, of: SourceKind) {
        if let Ok(metadata) = fs::metadata(path) {
            self.add(path, kind(of), &metadata);
        }
    }

    fn add(&mut self, path: &Path, kind: &str, metadata: &Metadata) {
        let full = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let below = |root: &PathBuf| Some((root.clone(), full.strip_prefix(root).ok()?.to_path_buf()));
        let place = self.roots.iter().filter_map(below).min_by_key(|(_, below)| below.components().count());
        let Some((root, path)) = place else { return };
        if !self.first_time(metadata) {
            return;
        }
        let session: Box<str> = session_of(&path).into();
        let origin = Origin { root, ..Origin::default() };
        if self.forgotten.has_id(&session) || self.forgotten.has_path(&FileKey::new(&origin, full)) {
            return;
        }
        let name = Name { origin, path, kind: kind.into(), session };
        self.all.push(Belonging { name, size: metadata.len(), stamp: Stamp::of(metadata) });
    }

    /// The folders of sessions in a project: those with the name of a session.
    fn companions(&mut self, project: &Path) {
        for path in list(project) {
            let is_session = path.file_name().and_then(OsStr::to_str).is_some_and(is_uuid);
            if is_session || path.with_extension("jsonl").is_file() {
                self.folder(path);
            }
        }
    }

    /// Everything below a folder except transcripts, which are already listed.
    fn folder(&mut self, path: PathBuf) {
        let mut to_do = vec![path];
        while let Some(path) = to_do.pop() {
            // A broken link, or a file that was removed a moment ago.
            let Ok(metadata) = fs::metadata(&path) else { continue };
            if metadata.is_dir() {
                if self.first_time(&metadata) {
                    to_do.extend(list(&path));
                }
            } else if metadata.is_file() && !is_transcript(&path) && !leads_to_secret(&path) {
                self.add(&path, kind_of(&path), &metadata);
            }
        }
    }

    /// Links may lead to a file twice, or form a circle.
    fn first_time(&mut self, metadata: &Metadata) -> bool {
        cfg!(not(unix)) || self.seen.insert(FileId::of(metadata))
    }
}

/// The items of a folder. An unreadable folder is already reported by the search for transcripts.
fn list(path: &Path) -> Vec<PathBuf> {
    fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

fn is_transcript(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "jsonl" || end == "ndjson")
}

/// The kind of a file that is not a transcript.
fn kind_of(path: &Path) -> &'static str {
    let has = |folder: &str| path.components().any(|part| part.as_os_str() == folder);
    if path.file_name().and_then(OsStr::to_str).is_some_and(|name| name.ends_with(".meta.json")) {
        "notes"
    } else if has("tool-results") {
        "tool-result"
    } else {
        "other"
    }
}

/// The session of a file by its path below a root: `projects/PROJECT/SESSION.jsonl`, `projects/PROJECT/SESSION/…`.
fn session_of(path: &Path) -> String {
    let parts: Vec<_> = path
        .components()
        .filter_map(|part| match part {
            Component::Normal(part) => Some(part.to_string_lossy()),
            _ => None,
        })
        .collect();
    let parts: Vec<&str> = parts.iter().map(|part| &**part).collect();
    match parts.as_slice() {
        ["projects", _, session, _, ..] if is_uuid(session) => (*session).to_owned(),
        ["projects", _, .., file] => match file.strip_suffix(".jsonl") {
            // Older agents are beside their session, and only their lines name it.
            Some(stem) if !stem.starts_with("agent-") => stem.to_owned(),
            _ => String::new(),
        },
        _ => String::new(),
    }
}

/// The session in the first lines of a file.
fn session_in(path: &Path) -> Box<str> {
    /// The first lines may be bookkeeping without a session.
    const LINES: usize = 20;
    let Ok(file) = Source { input: Input::File(path.to_path_buf()), ..Source::stdin() }.open() else {
        return Box::default();
    };
    let (mut buffer, mut scratch) = (Buffer::default(), Scratch::default());
    let mut lines = Lines::new(file, &mut buffer);
    for _ in 0..LINES {
        let Ok(Some(line)) = lines.next_line() else { break };
        scratch.reset();
        if let Some(session) = format::read_header(line.bytes, &scratch).and_then(|header| header.session_id) {
            return session.as_str().into();
        }
    }
    Box::default()
}
