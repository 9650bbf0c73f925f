//! Differences between texts, line by line.
//!
//! [`Hunk`]s are data: computed ([`hunks`]) or taken from a patch ([`Hunk::from_patch`]). [`unified`] shows them.

mod words;

use std::time::{Duration, Instant};

use similar::{Algorithm, ChangeTag, capture_diff_slices_deadline, group_diff_ops};

use crate::line::Line;
use crate::style::{Role, Style};
use crate::wrap::fold;
pub use words::{Marked, Words};

/// Texts that differ too much for this time limit get a coarser diff.
const PATIENCE: Duration = Duration::from_millis(300);

/// A changed part of a text, with context.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hunk<'t> {
    /// The number of the first line in the old text.
    pub old_start: usize,
    /// The number of the first line in the new text.
    pub new_start: usize,
    /// The lines in order.
    pub lines: Vec<(Change, &'t str)>,
}

/// The change of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// Unchanged.
    Same,
    /// Removed.
    Removed,
    /// Added.
    Added,
    /// A note about the text, not a line of it: `\ No newline at end of file`.
    Note,
}

impl<'t> Hunk<'t> {
    /// A hunk of a patch, whose lines begin with ` `, `-`, `+` or `\`; other lines count as unchanged.
    ///
    /// ```
    /// use styled::diff::{Change, Hunk};
    ///
    /// let hunk = Hunk::from_patch(3, 3, [" a", "-b", "+c"]);
    /// assert_eq!(hunk.lines[1], (Change::Removed, "b"));
    /// assert_eq!(hunk.counts(), (1, 1));
    /// ```
    pub fn from_patch(old_start: usize, new_start: usize, lines: impl IntoIterator<Item = &'t str>) -> Self {
        let read = |line: &'t str| {
            let (change, mark) = match line.as_bytes().first() {
                Some(b'-') => (Change::Removed, "-"),
                Some(b'+') => (Change::Added, "+"),
                Some(b'\\') => (Change::Note, "\\"),
                _ => (Change::Same, " "),
            };
            (change, line.strip_prefix(mark).unwrap_or(line))
        };
        Self { old_start, new_start, lines: lines.into_iter().map(read).collect() }
    }

    /// The number of added and of removed lines.
    pub fn counts(&self) -> (usize, usize) {
        let count = |wanted| self.lines.iter().filter(|(change, _)| *change == wanted).count();
        (count(Change::Added), count(Change::Removed))
    }

    /// The highest line number.
    fn last_number(&self) -> usize {
        let (added, removed) = self.counts();
        let lines = self.lines.len();
        self.old_start.saturating_add(lines - added).max(self.new_start.saturating_add(lines - removed))
    }
}

/// The differences between two texts, each with up to `context` unchanged lines around it.
pub fn hunks<'t>(old: &'t str, new: &'t str, context: usize) -> Vec<Hunk<'t>> {
    let old: Vec<&str> = old.split_terminator('\n').collect();
    let new: Vec<&str> = new.split_terminator('\n').collect();
    let deadline = Instant::now() + PATIENCE;
    let operations = capture_diff_slices_deadline(Algorithm::Myers, &old, &new, Some(deadline));
    let groups = group_diff_ops(operations, context);
    groups
        .iter()
        .map(|group| {
            let first = group.first();
            Hunk {
                old_start: first.map_or(1, |operation| operation.old_range().start + 1),
                new_start: first.map_or(1, |operation| operation.new_range().start + 1),
                lines: group
                    .iter()
                    .flat_map(|operation| operation.iter_changes(&old, &new))
                    .map(|change| (Change::from(change.tag()), change.value()))
                    .collect(),
            }
        })
        .collect()
}

impl From<ChangeTag> for Change {
    fn from(tag: ChangeTag) -> Self {
        match tag {
            ChangeTag::Equal => Self::Same,
            ChangeTag::Delete => Self::Removed,
            ChangeTag::Insert => Self::Added,
        }
    }
}

/// The differences between two texts, in lines of at most `width` columns.
///
/// ```
/// use styled::diff;
/// use styled::write;
///
/// let lines = diff::between("a\nb\nc\n", "a\nx\nc\n", 1, 40);
/// assert_eq!(write(&lines, None), "1   a\n2 - b\n2 + x\n3   c\n");
/// ```
pub fn between(old: &str, new: &str, context: usize, width: usize) -> Vec<Line> {
    unified(&hunks(old, new, context), width)
}

/// Shows hunks one below the other, in lines of at most `width` columns.
///
/// Removed lines have their old number, all others their new one. Where a few lines replaced others, the words that
/// differ are marked.
pub fn unified(hunks: &[Hunk<'_>], width: usize) -> Vec<Line> {
    let last = hunks.iter().map(Hunk::last_number).max().unwrap_or(0);
    let gutter = Gutter { digits: last.saturating_sub(1).to_string().len(), width };
    let mut words = Words::default();
    let mut lines = Vec::new();
    for (at, hunk) in hunks.iter().enumerate() {
        if at > 0 {
            lines.push(gutter.between_hunks());
        }
        gutter.push_hunk(hunk, &mut words, &mut lines);
    }
    lines
}

/// The columns for numbers and signs, left of the text.
struct Gutter {
    digits: usize,
    width: usize,
}

impl Gutter {
    fn push_hunk(&self, hunk: &Hunk<'_>, words: &mut Words, lines: &mut Vec<Line>) {
        let (mut old, mut new) = (hunk.old_start, hunk.new_start);
        for marked in words.mark(hunk) {
            let change = marked.change;
            let (number, sign, style) = match change {
                Change::Same => (Some(new), " ", Style::PLAIN),
                Change::Removed => (Some(old), "-", Role::Removed.into()),
                Change::Added => (Some(new), "+", Role::Added.into()),
                Change::Note => (None, " ", Role::Quiet.into()),
            };
            let mut text = Line::new();
            for (piece, changed) in marked.pieces() {
                text.push(piece, if changed { style | Role::Changed } else { style });
            }
            old = old.saturating_add(usize::from(matches!(change, Change::Same | Change::Removed)));
            new = new.saturating_add(usize::from(matches!(change, Change::Same | Change::Added)));
            let number = number.map_or_else(String::new, |number| number.to_string());
            let first = self.number(&number).with(&format!("{sign} "), style);
            let first = if text.is_empty() { first.trim_end() } else { first };
            lines.extend(fold(&text, self.width, &first, &self.number("").with("  ", Style::PLAIN)));
        }
    }

    fn between_hunks(&self) -> Line {
        self.number("⋮").trim_end().cut(self.width)
    }

    fn number(&self, number: &str) -> Line {
        Line::new().with(&format!("{number:>digits$} ", digits = self.digits), Role::Quiet)
    }
}

#[cfg(test)]
mod tests;
