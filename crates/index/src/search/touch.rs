//! The history of a file: which sessions read, wrote and edited it, with the edits.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};

use format::Scratch;
use format::block::{Block, Content};
use format::tool::{Calls, Hunk, ToolInput, ToolResult, read_result};
use human::{path_is_meant, path_spelling};
use rusqlite::Connection;
use rustc_hash::FxHashMap;
use sources::archived::Opened;

use super::about::Transcript;
use super::condition::file;
use super::line::read_line;
use super::statement::{COLUMNS, CandidateLine, Owners};
use super::{AgentInfo, SessionInfo};
use crate::project::ProjectFilter;
use crate::store::{Index, IndexError};
use crate::texts::{Touch, marks};

/// A query for the history of a file.
#[derive(Debug, Clone, Copy)]
pub struct FileSearch<'q> {
    /// Its path as typed: relative to `here`, absolute, or only its end.
    pub path: &'q str,
    /// The folder to which the path is relative.
    pub here: &'q Path,
    /// The earliest time, in milliseconds since 1970.
    pub since: Option<i64>,
    /// The latest time.
    pub until: Option<i64>,
    /// The project of the sessions.
    pub project: Option<&'q ProjectFilter>,
    /// The maximum number of sessions per file, latest first.
    pub limit: usize,
}

/// The history of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileHistory {
    /// The path, in its one spelling ([`path_spelling`]).
    pub path: String,
    /// By session, latest first.
    pub sessions: Vec<SessionTouches>,
    /// More sessions touched it than were requested.
    pub has_more: bool,
}

/// The actions of a session on a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionTouches {
    /// The session.
    pub session: SessionInfo,
    /// Its actions, latest first.
    pub touches: Vec<FileTouch>,
}

/// One action on a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileTouch {
    /// The kind of action.
    pub touch: Touch,
    /// The transcript that records it.
    pub transcript: PathBuf,
    /// The line number, from 1.
    pub line: u64,
    /// The subagent that performed it.
    pub agent: Option<AgentInfo>,
    /// The turn of the session, from 1.
    pub turn: Option<u64>,
    /// Its time, in milliseconds since 1970.
    pub at: Option<i64>,
    /// Whether it failed.
    pub is_failed: bool,
    /// The changes of the file, as far as the transcript records them.
    pub patch: Vec<Change>,
}

/// A changed part of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// The number of its first line before the change, if known.
    pub old_start: Option<u64>,
    /// The number of its first line after the change.
    pub new_start: Option<u64>,
    /// Each begins with ` `, `-`, `+` or `\`.
    pub lines: Vec<String>,
}

impl FileTouch {
    /// The number of added and removed lines.
    pub fn counts(&self) -> (usize, usize) {
        let lines = || self.patch.iter().flat_map(|change| &change.lines);
        let count = |sign: char| lines().filter(|line| line.starts_with(sign)).count();
        (count('+'), count('-'))
    }
}

impl Index {
    /// The history of a file, or of several if the path matches several.
    pub fn touches(&self, search: &FileSearch<'_>) -> Result<Vec<FileHistory>, IndexError> {
        let _reading = self.read()?;
        let mut owners = Owners::new(self);
        let mut histories = Vec::new();
        for (path, ids) in paths(&self.db, search)? {
            let history = history(self, search, &mut owners, &ids, path)?;
            histories.extend((!history.sessions.is_empty()).then_some(history));
        }
        let latest = |history: &FileHistory| history.sessions.first().and_then(|group| group.touches.first()?.at);
        histories.sort_by_cached_key(|history| (Reverse(latest(history)), history.path.clone()));
        Ok(histories)
    }
}

/// The matching files by their one spelling, each with the ids of its recorded ones. If one equals the typed path, files
/// that only end in it are left out.
fn paths(db: &Connection, search: &FileSearch<'_>) -> rusqlite::Result<BTreeMap<String, Vec<i64>>> {
    let wanted = file(search.path, search.here);
    let whole = file(&format!("./{}", search.path), search.here);
    let (whole, typed) = (path_spelling(&whole), path_spelling(search.path));
    let mut statement = db.prepare_cached("SELECT id, text FROM name")?;
    let mut rows = statement.query([])?;
    let mut fitting = Vec::new();
    while let Some(row) = rows.next()? {
        let name = row.get_ref(1)?.as_str()?;
        if path_is_meant(name, &wanted) || path_spelling(name) == whole {
            fitting.push((row.get(0)?, path_spelling(name).into_owned()));
        }
    }
    let mut touched = db.prepare_cached("SELECT 1 FROM file WHERE path = ? LIMIT 1")?;
    let mut paths: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for (id, path) in fitting {
        if touched.exists([id])? {
            paths.entry(path).or_default().push(id);
        }
    }
    let is_meant = |path: &str| path == whole || path == typed;
    if paths.keys().any(|path| is_meant(path)) {
        paths.retain(|path, _| is_meant(path));
    }
    Ok(paths)
}

fn history(
    index: &Index,
    search: &FileSearch<'_>,
    owners: &mut Owners<'_>,
    ids: &[i64],
    path: String,
) -> rusqlite::Result<FileHistory> {
    let db = &index.db;
    let mut statement = db.prepare_cached(&format!(
        "SELECT {COLUMNS}, 1, f.touch
         FROM file f JOIN line l ON l.id = f.line WHERE f.path = ?1
             AND (?2 IS NULL OR l.at >= ?2) AND (?3 IS NULL OR l.at <= ?3)",
    ))?;
    let mut groups: FxHashMap<i64, Vec<(CandidateLine, Touch)>> = FxHashMap::default();
    for id in ids {
        let mut rows = statement.query((id, search.since, search.until))?;
        while let Some(row) = rows.next()? {
            let (found, _) = CandidateLine::of(row)?;
            let touch = match row.get::<_, i64>(8)? {
                0 => Touch::Read,
                1 => Touch::Write,
                _ => Touch::Edit,
            };
            if let Some(session) = owners.of(&found)? {
                groups.entry(session.id).or_default().push((found, touch));
            }
        }
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    for (_, touches) in &mut groups {
        touches.sort_by_key(|(found, _)| Reverse((found.at, found.id)));
    }
    groups.sort_by_key(|(session, touches)| Reverse((touches.first().and_then(|(found, _)| found.at), *session)));
    let mut wanted = Vec::new();
    for (session, found) in groups {
        let session = index.session_numbered(session)?.map(SessionInfo::from).unwrap_or_default();
        let is_of_project = |filter: &ProjectFilter| session.project.as_deref().is_some_and(|it| filter.matches(it));
        if search.project.is_none_or(is_of_project) {
            wanted.push((session, found));
        }
    }
    let has_more = wanted.len() > search.limit;
    let mut sessions = Vec::new();
    let mut transcripts: FxHashMap<i64, Transcript> = FxHashMap::default();
    for (session, found) in wanted.into_iter().take(search.limit) {
        let mut touches = Vec::new();
        for (found, touch) in found {
            let transcript = match transcripts.entry(found.source) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => place.insert(Transcript::load(db, found.source)?),
            };
            touches.push(file_touch(index, transcript, &found, touch, &path)?);
        }
        sessions.push(SessionTouches { session, touches });
    }
    Ok(FileHistory { path, sessions, has_more })
}

fn file_touch(
    index: &Index,
    transcript: &mut Transcript,
    found: &CandidateLine,
    touch: Touch,
    path: &str,
) -> rusqlite::Result<FileTouch> {
    let mut file_touch = FileTouch {
        touch,
        line: found.number,
        turn: transcript.turn(&index.db, found.number)?,
        agent: transcript.agent.clone(),
        at: found.at,
        is_failed: false,
        patch: Vec::new(),
        transcript: transcript.key.path.clone(),
    };
    // An action counts even if its line cannot be read.
    if let Some(Ok(mut file)) = index.shelf.input_at(&transcript.key).map(|input| input.open()) {
        let mut bytes = Vec::new();
        if read_line(&mut file, found, &mut bytes).is_ok()
            && let Some(call) = Call::of(&bytes, path)
        {
            match call
                .id
                .as_deref()
                .map(|id| answer(&index.db, found, &mut file, &call.tool, id))
                .transpose()?
                .flatten()
            {
                Some(answer) => {
                    file_touch.is_failed = answer.is_failed;
                    file_touch.patch =
                        if answer.patch.is_empty() && !answer.is_failed { call.patch } else { answer.patch };
                }
                None => file_touch.patch = call.patch,
            }
        }
    }
    if touch == Touch::Read {
        file_touch.patch.clear();
    }
    Ok(file_touch)
}

/// The call that touches a file.
struct Call {
    id: Option<String>,
    tool: String,
    /// The requested changes.
    patch: Vec<Change>,
}

impl Call {
    fn of(line: &[u8], file: &str) -> Option<Self> {
        let scratch = Scratch::default();
        let reading = format::read(line, &scratch);
        let contents = reading.entries.iter().filter_map(|entry| entry.inner().body.message()?.content.as_ref());
        contents.flat_map(Content::blocks).find_map(|block| {
            let Block::ToolUse(call) = block else { return None };
            let between = |old: Option<format::Text<'_>>, new: Option<format::Text<'_>>| {
                let lines = |sign: &str, text: Option<format::Text<'_>>| {
                    let text = text.map_or("", format::Text::as_str);
                    text.lines().map(|line| format!("{sign}{line}")).collect::<Vec<_>>()
                };
                Change { lines: [lines("-", old), lines("+", new)].concat(), ..Change::default() }
            };
            let input = call.input.as_ref()?;
            let patch = match input {
                ToolInput::Read(_) | ToolInput::NotebookRead(_) => Vec::new(),
                ToolInput::Write(write) => vec![between(None, write.content)],
                ToolInput::Edit(edit) => vec![between(edit.old_string, edit.new_string)],
                ToolInput::MultiEdit(edits) => {
                    edits.edits.iter().map(|edit| between(edit.old_string, edit.new_string)).collect()
                }
                ToolInput::NotebookEdit(edit) => vec![between(None, edit.new_source)],
                _ => return None,
            };
            let call_of = Self {
                id: call.id.map(|id| id.as_str().to_owned()),
                tool: call.name.map(|name| name.as_str().to_owned()).unwrap_or_default(),
                patch,
            };
            input.path().is_some_and(|path| path_spelling(path.as_str()) == file).then_some(call_of)
        })
    }
}

/// The result of a call.
struct Answer {
    is_failed: bool,
    patch: Vec<Change>,
}

/// The number of a tool's results that are searched for the result of a call. Results of parallel calls are close
/// together.
const NEXT: i64 = 32;

fn answer(
    db: &Connection,
    call: &CandidateLine,
    transcript: &mut Opened,
    tool: &str,
    id: &str,
) -> rusqlite::Result<Option<Answer>> {
    let mut statement = db.prepare_cached(&format!(
        "SELECT {COLUMNS}, 1 FROM line l
         WHERE l.source = ?1 AND l.number > ?2 AND l.role = 0 AND EXISTS (
            SELECT 1 FROM tool t WHERE t.name = (SELECT id FROM name WHERE text = ?3) AND t.line = l.id)
         ORDER BY l.number LIMIT ?4",
    ))?;
    let mut rows = statement.query((call.source, call.number.cast_signed(), tool, NEXT))?;
    let mut bytes = Vec::new();
    while let Some(row) = rows.next()? {
        let (found, _) = CandidateLine::of(row)?;
        if read_line(transcript, &found, &mut bytes).is_err() {
            continue;
        }
        let calls = Calls::default();
        calls.open(id.into(), tool);
        let scratch = Scratch::default();
        for entry in &format::read_with(&bytes, &scratch, &calls).entries {
            let marks = marks(entry);
            if !marks.answers.contains(&id) {
                continue;
            }
            let format::Body::User(user) = &entry.inner().body else { continue };
            let result = read_result(Some(tool), user.tool_use_result.clone(), None, &scratch).result;
            let patch = match &result {
                ToolResult::Edit(edit) => changes(&edit.patch),
                ToolResult::MultiEdit(edit) => changes(&edit.patch),
                ToolResult::Write(write) => changes(&write.patch),
                _ => Vec::new(),
            };
            return Ok(Some(Answer { is_failed: marks.is_error, patch }));
        }
    }
    Ok(None)
}

fn changes(hunks: &[Hunk<'_>]) -> Vec<Change> {
    let number = |number: Option<i64>| number.and_then(|number| u64::try_from(number).ok());
    let change = |hunk: &Hunk<'_>| Change {
        old_start: number(hunk.old_start),
        new_start: number(hunk.new_start),
        lines: hunk.lines.iter().map(|line| line.as_str().to_owned()).collect(),
    };
    hunks.iter().map(change).collect()
}
