//! Composes the patch of a file.

use std::time::{Duration, Instant};

use similar::{Algorithm, capture_diff_slices_deadline};

use super::indent::{self, Indents};
use super::seen::Seen;
use super::sketch::{Base, Region, Sketch};
use styled::diff::{self, Change};

/// Files that differ too much for this time limit get a coarser diff.
const PATIENCE: Duration = Duration::from_millis(300);

/// The number of unchanged lines around a change.
const CONTEXT: usize = 3;

/// The note in a patch for a line without a newline.
pub(super) const NO_NEWLINE: &str = " No newline at end of file";

/// A change of a file from one state to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    /// The state of the file before.
    pub base: Base,
    /// The changed parts, in order.
    pub hunks: Vec<Hunk>,
    /// Whether some lines in it begin with tabs or with spaces, and nothing in the session says which.
    pub is_guessed: bool,
}

/// A changed part of a file, with context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// The number of the first line in the old file, from 1.
    pub old_start: usize,
    /// The number of the first line in the new file, from 1.
    pub new_start: usize,
    /// The lines in order; none of them is a [`Change::Note`].
    pub lines: Vec<(Change, FileLine)>,
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileLine {
    /// Without the newline.
    pub text: Box<str>,
    /// Whether a newline ends it.
    pub ended: bool,
}

impl Patch {
    /// The number of added and of removed lines.
    pub fn counts(&self) -> (usize, usize) {
        let lines = || self.hunks.iter().flat_map(|hunk| &hunk.lines);
        let count = |wanted| lines().filter(|(change, _)| *change == wanted).count();
        (count(Change::Added), count(Change::Removed))
    }

    /// The hunks for display.
    pub fn shown(&self) -> Vec<diff::Hunk<'_>> {
        self.hunks.iter().map(Hunk::shown).collect()
    }
}

impl Hunk {
    fn shown(&self) -> diff::Hunk<'_> {
        let lines = self.lines.iter().flat_map(|(change, line)| {
            let note = (!line.ended).then_some((Change::Note, NO_NEWLINE));
            std::iter::once((*change, &*line.text)).chain(note)
        });
        diff::Hunk { old_start: self.old_start, new_start: self.new_start, lines: lines.collect() }
    }
}

/// The patch of a file; `None` if it is unchanged.
pub(super) fn patch(sketch: Sketch, indents: Indents) -> Option<Patch> {
    if !sketch.is_changed() {
        return None;
    }
    let base = sketch.base();
    let mut regions = sketch.regions();
    let guessed = indent::resolve(&mut regions, indents);
    let hunks: Vec<Hunk> = regions.into_iter().flat_map(hunks).collect();
    let is_guessed = hunks.iter().flat_map(|hunk| &hunk.lines).any(|(_, line)| guessed.contains(&*line.text));
    (base != Base::Present || !hunks.is_empty()).then_some(Patch { base, hunks, is_guessed })
}

fn hunks(region: Region) -> Vec<Hunk> {
    let Region { old_at, new_at, old, new, untouched: (first, last) } = region;
    let line = |line: Seen| FileLine { text: line.text, ended: line.ended };
    let [old, new]: [Vec<FileLine>; 2] = [old, new].map(|lines| lines.into_iter().map(line).collect());
    if old == new {
        return Vec::new();
    }
    // A change must not move to the edge of the known part: without context, it cannot be placed.
    let between = |lines: &'_ [FileLine]| lines.get(first..lines.len() - last).unwrap_or_default().to_vec();
    let (old_part, new_part) = (between(&old), between(&new));
    let deadline = Instant::now() + PATIENCE;
    let operations = capture_diff_slices_deadline(Algorithm::Myers, &old_part, &new_part, Some(deadline));
    let same = |line: &FileLine| (Change::Same, line.clone());
    let mut lines: Vec<(Change, FileLine)> = old.iter().take(first).map(same).collect();
    for found in operations.iter().flat_map(|operation| operation.iter_changes(&old_part, &new_part)) {
        lines.push((found.tag().into(), found.value()));
    }
    lines.extend(old.iter().skip(old.len() - last).map(same));
    with_context(&lines, old_at, new_at)
}

/// Groups nearby changes into hunks, with context.
fn with_context(lines: &[(Change, FileLine)], old_at: usize, new_at: usize) -> Vec<Hunk> {
    let mut hunks: Vec<Hunk> = Vec::new();
    let (mut old, mut new) = (old_at.saturating_add(1), new_at.saturating_add(1));
    let (mut last_change, mut is_within) = (None, false);
    for (at, (change, line)) in lines.iter().enumerate() {
        if *change != Change::Same {
            last_change = Some(at);
        }
        let is_after = last_change.is_some_and(|last| at - last <= CONTEXT);
        let is_before = || lines.iter().skip(at).take(CONTEXT + 1).any(|(change, _)| *change != Change::Same);
        let was_within = std::mem::replace(&mut is_within, is_after || is_before());
        if is_within && !was_within {
            hunks.push(Hunk { old_start: old, new_start: new, lines: Vec::new() });
        }
        if let Some(hunk) = hunks.last_mut().filter(|_| is_within) {
            hunk.lines.push((*change, line.clone()));
        }
        old = old.saturating_add(usize::from(*change != Change::Added));
        new = new.saturating_add(usize::from(*change != Change::Removed));
    }
    hunks
}
