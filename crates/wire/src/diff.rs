//! The changes of a session to files.

use changes::{Base, Changes, FileChange, FileLine, Hunk, Patch};
use serde::Serialize;
use styled::diff::Change;

/// The name and version of the changes of a session.
pub const DIFF: &str = "recount.diff/2";

/// The changes of a session to files.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct ChangesOut<'c> {
    /// The name and version of this document.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = DIFF)))]
    schema: &'static str,
    session: &'c str,
    title: &'c str,
    project: Option<&'c str>,
    since_turn: Option<u64>,
    added: usize,
    removed: usize,
    shell_commands: usize,
    changes_on_branches: usize,
    files: Vec<ChangedFileOut<'c>>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct ChangedFileOut<'c> {
    path: &'c str,
    absolute_path: &'c str,
    outside_project: bool,
    added: usize,
    removed: usize,
    calls: usize,
    first_turn: u64,
    last_turn: u64,
    complete: bool,
    patches: Vec<PatchOut<'c>>,
    unplaced: Vec<ReplacementOut<'c>>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct PatchOut<'c> {
    base: &'static str,
    indentation_guessed: bool,
    hunks: Vec<HunkOut<'c>>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct HunkOut<'c> {
    old_start: usize,
    new_start: usize,
    lines: Vec<ChangedLineOut<'c>>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct ChangedLineOut<'c> {
    change: &'static str,
    text: &'c str,
    no_newline: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct ReplacementOut<'c> {
    old: &'c str,
    new: &'c str,
}

impl<'c> ChangesOut<'c> {
    /// The JSON of changes.
    pub fn of(changes: &'c Changes) -> Self {
        let (added, removed) = changes.counts();
        Self {
            schema: DIFF,
            session: &changes.session,
            title: &changes.title,
            project: changes.project.as_deref(),
            since_turn: changes.since_turn,
            added,
            removed,
            shell_commands: changes.commands,
            changes_on_branches: changes.on_branches,
            files: changes.files.iter().map(file).collect(),
        }
    }
}

fn file(file: &FileChange) -> ChangedFileOut<'_> {
    let (added, removed) = file.counts();
    ChangedFileOut {
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
        unplaced: file.unplaced.iter().map(|change| ReplacementOut { old: &change.old, new: &change.new }).collect(),
    }
}

fn patch(patch: &Patch) -> PatchOut<'_> {
    let base = match patch.base {
        Base::Present => "present",
        Base::Absent => "absent",
        Base::Lost => "unknown",
    };
    PatchOut { base, indentation_guessed: patch.is_guessed, hunks: patch.hunks.iter().map(hunk).collect() }
}

fn hunk(hunk: &Hunk) -> HunkOut<'_> {
    HunkOut { old_start: hunk.old_start, new_start: hunk.new_start, lines: hunk.lines.iter().map(line).collect() }
}

fn line((change, line): &(Change, FileLine)) -> ChangedLineOut<'_> {
    let change = match change {
        Change::Same | Change::Note => "same",
        Change::Removed => "removed",
        Change::Added => "added",
    };
    ChangedLineOut { change, text: &line.text, no_newline: !line.ended }
}
