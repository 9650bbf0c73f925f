//! The number of lines that a call changed.

use format::Text;
use format::tool::{EditResult, Hunk, NotebookEditResult, Replacement, WriteKind, WriteResult};

use super::phrase::word;
use crate::step::LineChange;

pub(super) fn of_edit(edit: &EditResult<'_>) -> Option<LineChange> {
    of_patch(&edit.patch).or_else(|| between(edit.old_string, edit.new_string))
}

pub(super) fn of_write(write: &WriteResult<'_>) -> Option<LineChange> {
    let is_known = write.kind == Some(WriteKind::Create) || write.original_file.is_some();
    of_patch(&write.patch).or_else(|| between(write.original_file, write.content).filter(|_| is_known))
}

pub(super) fn of_notebook(edit: &NotebookEditResult<'_>) -> Option<LineChange> {
    match word(edit.edit_mode) {
        "delete" => between(edit.old_source, None),
        "insert" => between(None, edit.new_source),
        _ => edit.old_source.and_then(|old| between(Some(old), edit.new_source)),
    }
}

/// The change of several consecutive edits.
pub(super) fn of_edits(edits: &[Replacement<'_>]) -> Option<LineChange> {
    let changes = edits.iter().filter_map(|edit| between(edit.old_string, edit.new_string));
    changes.reduce(|sum, change| LineChange {
        added: sum.added.saturating_add(change.added),
        removed: sum.removed.saturating_add(change.removed),
    })
}

pub(super) fn of_patch(hunks: &[Hunk<'_>]) -> Option<LineChange> {
    let count = |sign: char| hunks.iter().flat_map(|hunk| &hunk.lines).filter(|line| line.starts_with(sign)).count();
    counts(count('+'), count('-'))
}

/// The lines between the common prefix and the common suffix of two texts.
fn between(old: Option<Text<'_>>, new: Option<Text<'_>>) -> Option<LineChange> {
    let (mut old, mut new): (Vec<_>, Vec<_>) = (word(old).lines().collect(), word(new).lines().collect());
    while old.last().is_some_and(|line| new.last() == Some(line)) {
        old.pop();
        new.pop();
    }
    let shared = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    counts(new.len() - shared, old.len() - shared)
}

fn counts(added: usize, removed: usize) -> Option<LineChange> {
    let whole = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    (added + removed > 0).then(|| LineChange { added: whole(added), removed: whole(removed) })
}
