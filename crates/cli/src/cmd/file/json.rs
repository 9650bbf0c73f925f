//! What was done to files, for programs. Its fields are described in `docs/search.md`.

use std::io::{self, Write};

use index::json::{FoundAgentOut, moment, path};
use index::search::touch::{Change, FileHistory, FileTouch, SessionTouches};
use serde::Serialize;

use crate::document;

/// The name and version of the format: the number changes when a field changes its meaning or goes.
const SCHEMA: &str = "recount.file/1";

pub(super) fn write(out: &mut impl Write, typed: &str, histories: &[FileHistory]) -> io::Result<()> {
    let files = Document { schema: SCHEMA, path: typed, files: histories.iter().map(FileOut::of).collect() };
    document::write(out, &files)
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    path: &'a str,
    files: Vec<FileOut<'a>>,
}

#[derive(Serialize)]
struct FileOut<'a> {
    path: &'a str,
    more: bool,
    sessions: Vec<SessionOut<'a>>,
}

impl<'a> FileOut<'a> {
    fn of(history: &'a FileHistory) -> Self {
        let sessions = history.sessions.iter().map(SessionOut::of).collect();
        Self { path: &history.path, more: history.has_more, sessions }
    }
}

#[derive(Serialize)]
struct SessionOut<'a> {
    session: &'a str,
    file: String,
    title: Option<&'a str>,
    project: Option<&'a str>,
    last: Option<String>,
    touches: Vec<TouchOut<'a>>,
}

impl<'a> SessionOut<'a> {
    fn of(group: &'a SessionTouches) -> Self {
        Self {
            session: &group.session.name,
            file: path(&group.session.path),
            title: group.session.title.as_deref(),
            project: group.session.project.as_deref(),
            last: moment(group.session.last),
            touches: group.touches.iter().map(TouchOut::of).collect(),
        }
    }
}

#[derive(Serialize)]
struct TouchOut<'a> {
    touch: &'static str,
    file: String,
    line: u64,
    agent: Option<FoundAgentOut<'a>>,
    turn: Option<u64>,
    at: Option<String>,
    failed: bool,
    added: usize,
    removed: usize,
    patch: Vec<ChangeOut<'a>>,
}

impl<'a> TouchOut<'a> {
    fn of(touch: &'a FileTouch) -> Self {
        let (added, removed) = touch.counts();
        Self {
            touch: touch.touch.as_str(),
            file: path(&touch.transcript),
            line: touch.line,
            agent: touch.agent.as_ref().map(FoundAgentOut::of),
            turn: touch.turn,
            at: moment(touch.at),
            failed: touch.is_failed,
            added,
            removed,
            patch: touch.patch.iter().map(ChangeOut::of).collect(),
        }
    }
}

#[derive(Serialize)]
struct ChangeOut<'a> {
    old_start: Option<u64>,
    new_start: Option<u64>,
    lines: &'a [String],
}

impl<'a> ChangeOut<'a> {
    fn of(change: &'a Change) -> Self {
        Self { old_start: change.old_start, new_start: change.new_start, lines: &change.lines }
    }
}
