//! The JSON of changes.

use std::io::{self, Write};

use serde::Serialize;

use super::compose::{FileLine, Hunk, Patch};
use super::sketch::Base;
use super::{Changes, FileChange};
use styled::diff::Change;

/// Raised when a field is removed or changes its meaning.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'c> {
    version: u32,
    session: &'c str,
    title: &'c str,
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    since_turn: Option<u64>,
    added: usize,
    removed: usize,
    shell_commands: usize,
    changes_on_branches: usize,
    files: Vec<File<'c>>,
}

#[derive(Serialize)]
struct File<'c> {
    path: &'c str,
    absolute_path: &'c str,
    outside_project: bool,
    added: usize,
    removed: usize,
    calls: usize,
    first_turn: u64,
    last_turn: u64,
    complete: bool,
    patches: Vec<FilePatch<'c>>,
    unplaced: Vec<Replacement<'c>>,
}

#[derive(Serialize)]
struct FilePatch<'c> {
    base: &'static str,
    hunks: Vec<PatchHunk<'c>>,
}

#[derive(Serialize)]
struct PatchHunk<'c> {
    old_start: usize,
    new_start: usize,
    lines: Vec<Line<'c>>,
}

#[derive(Serialize)]
struct Line<'c> {
    change: &'static str,
    text: &'c str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    no_newline: bool,
}

#[derive(Serialize)]
struct Replacement<'c> {
    old: &'c str,
    new: &'c str,
}

/// Writes the changes as one object.
pub(super) fn write(out: &mut dyn Write, changes: &Changes, is_pretty: bool) -> io::Result<()> {
    let (added, removed) = changes.counts();
    let document = Document {
        version: VERSION,
        session: &changes.session,
        title: &changes.title,
        project: changes.project.as_deref(),
        since_turn: changes.since_turn,
        added,
        removed,
        shell_commands: changes.commands,
        changes_on_branches: changes.on_branches,
        files: changes.files.iter().map(file).collect(),
    };
    if is_pretty {
        serde_json::to_writer_pretty(&mut *out, &document)?;
    } else {
        serde_json::to_writer(&mut *out, &document)?;
    }
    out.write_all(b"\n")
}

fn file(file: &FileChange) -> File<'_> {
    let (added, removed) = file.counts();
    File {
        path: &file.path.name,
        absolute_path: &file.path.absolute,
        outside_project: file.path.outside,
        added,
        removed,
        calls: file.calls,
        first_turn: file.turns.0,
        last_turn: file.turns.1,
        complete: file.is_whole(),
        patches: file.patches.iter().map(patch).collect(),
        unplaced: file.unplaced.iter().map(|change| Replacement { old: &change.old, new: &change.new }).collect(),
    }
}

fn patch(patch: &Patch) -> FilePatch<'_> {
    let base = match patch.base {
        Base::Present => "present",
        Base::Absent => "absent",
        Base::Lost => "unknown",
    };
    FilePatch { base, hunks: patch.hunks.iter().map(hunk).collect() }
}

fn hunk(hunk: &Hunk) -> PatchHunk<'_> {
    PatchHunk { old_start: hunk.old_start, new_start: hunk.new_start, lines: hunk.lines.iter().map(line).collect() }
}

fn line((change, line): &(Change, FileLine)) -> Line<'_> {
    let change = match change {
        Change::Same | Change::Note => "same",
        Change::Removed => "removed",
        Change::Added => "added",
    };
    Line { change, text: &line.text, no_newline: !line.ended }
}
