//! The history of a file: which sessions read, wrote and changed it.

use index::search::touch::{Change, FileHistory, FileTouch, SessionTouches};
use serde::Serialize;
use story::readable::Moment;

use crate::found::FoundAgentOut;
use crate::path;

/// The name and version of the history of a file.
pub const FILE: &str = "recount.file/1";

/// The history of the files that a path matches.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct FilesOut<'a> {
    /// The name and version of this document.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = FILE)))]
    schema: &'static str,
    path: &'a str,
    files: Vec<FileOut<'a>>,
}

impl<'a> FilesOut<'a> {
    /// The histories of the files that match a path as typed.
    pub fn of(typed: &'a str, histories: &'a [FileHistory]) -> Self {
        Self { schema: FILE, path: typed, files: histories.iter().map(FileOut::of).collect() }
    }
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct FileOut<'a> {
    path: &'a str,
    more: bool,
    sessions: Vec<FileSessionOut<'a>>,
}

impl<'a> FileOut<'a> {
    fn of(history: &'a FileHistory) -> Self {
        let sessions = history.sessions.iter().map(FileSessionOut::of).collect();
        Self { path: &history.path, more: history.has_more, sessions }
    }
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct FileSessionOut<'a> {
    session: &'a str,
    file: String,
    title: &'a str,
    project: Option<&'a str>,
    last: Option<Moment>,
    touches: Vec<TouchOut<'a>>,
}

impl<'a> FileSessionOut<'a> {
    fn of(group: &'a SessionTouches) -> Self {
        Self {
            session: &group.session.name,
            file: path(&group.session.path),
            title: &group.session.title,
            project: group.session.project.as_deref(),
            last: group.session.last.map(Moment),
            touches: group.touches.iter().map(TouchOut::of).collect(),
        }
    }
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct TouchOut<'a> {
    touch: &'static str,
    file: String,
    line: u64,
    agent: Option<FoundAgentOut<'a>>,
    turn: Option<u64>,
    at: Option<Moment>,
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
            at: touch.at.map(Moment),
            failed: touch.is_failed,
            added,
            removed,
            patch: touch.patch.iter().map(ChangeOut::of).collect(),
        }
    }
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
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
