//! The numbered lines of a diff, grouped into blocks.

use std::ops::Range;

use super::super::long::{AT_ONCE, FIRST, LAST};
use styled::diff::{Change, Hunk, Marked, Words};

/// A line with its numbers in the old and the new text.
pub(super) struct Row<'t> {
    pub line: Marked<'t>,
    pub old: usize,
    pub new: usize,
    /// The hunk that it belongs to.
    hunk: usize,
}

/// Lines that belong together.
pub(super) struct Block<'r, 't> {
    pub rows: &'r [Row<'t>],
    /// Whether they were removed and added in one place.
    pub is_change: bool,
}

/// All lines of a diff.
pub(super) struct Rows<'t> {
    rows: Vec<Row<'t>>,
    /// Where each block ends.
    ends: Vec<usize>,
}

impl<'t> Rows<'t> {
    pub(super) fn new(hunks: &[Hunk<'t>]) -> Self {
        let mut rows: Vec<Row<'t>> = Vec::with_capacity(hunks.iter().map(|hunk| hunk.lines.len()).sum());
        let mut ends = Vec::new();
        let mut words = Words::default();
        for (at, hunk) in hunks.iter().enumerate() {
            let (mut old, mut new) = (hunk.old_start, hunk.new_start);
            let mut kind = None;
            for line in words.mark(hunk) {
                let change = line.change;
                let next = DiffBlockKind::after(kind, change);
                if next.is_none() && !rows.is_empty() {
                    ends.push(rows.len());
                }
                kind = next.or(Some(DiffBlockKind::of(change)));
                rows.push(Row { line, old, new, hunk: at });
                old = old.saturating_add(usize::from(matches!(change, Change::Same | Change::Removed)));
                new = new.saturating_add(usize::from(matches!(change, Change::Same | Change::Added)));
            }
        }
        ends.push(rows.len());
        Self { rows, ends }
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The folded lines, if the diff is long.
    pub(super) fn folded(&self) -> Option<Range<usize>> {
        if self.len() <= AT_ONCE {
            return None;
        }
        let start = self.around(FIRST).end;
        let end = self.around(self.len() - LAST).start;
        (start + LAST <= end).then_some(start..end)
    }

    /// Where a cut before a line is possible: right there, or around the block that must stay together.
    fn around(&self, at: usize) -> Range<usize> {
        let next = self.ends.partition_point(|end| *end <= at);
        let end = self.ends.get(next).copied().unwrap_or(self.len());
        let start = next.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let block = self.rows.get(start..end).unwrap_or_default();
        let has = |wanted| block.iter().any(|row| row.line.change == wanted);
        let holds_together = has(Change::Removed) && has(Change::Added) && block.len() <= AT_ONCE;
        if holds_together { start..end } else { at..at }
    }

    /// The hunks in a range of lines, with their blocks.
    pub(super) fn hunks(&self, range: Range<usize>) -> Vec<(usize, Vec<Block<'_, 't>>)> {
        let mut hunks: Vec<(usize, Vec<Block<'_, 't>>)> = Vec::new();
        let first = self.ends.partition_point(|end| *end <= range.start);
        let mut start = range.start;
        for end in self.ends.iter().skip(first) {
            let rows = self.rows.get(start..range.end.min(*end)).unwrap_or_default();
            let Some(row) = rows.first() else { break };
            let is_change = rows.iter().any(|row| matches!(row.line.change, Change::Removed | Change::Added));
            let block = Block { rows, is_change };
            match hunks.last_mut() {
                Some((hunk, blocks)) if *hunk == row.hunk => blocks.push(block),
                _ => hunks.push((row.hunk, vec![block])),
            }
            start = *end;
        }
        hunks
    }

    /// The number of lines in the gap before these blocks of a hunk; 0 if it is unknown, `None` if there is no gap.
    pub(super) fn gap_before(&self, hunk: usize, blocks: &[Block<'_, 't>]) -> Option<usize> {
        let first = blocks.first()?.rows.first()?;
        let at = self.rows.partition_point(|row| row.hunk < hunk);
        let before = self.rows.get(at.checked_sub(1)?)?;
        if !std::ptr::eq(first, self.rows.get(at)?) {
            return None;
        }
        let next = before.new.saturating_add(usize::from(matches!(before.line.change, Change::Same | Change::Added)));
        Some(first.new.saturating_sub(next))
    }
}

/// The kind of a block, as far as it has been read.
#[derive(Clone, Copy)]
enum DiffBlockKind {
    Unchanged,
    Removed,
    /// Possibly after removed lines.
    Added,
}

impl DiffBlockKind {
    /// The kind of a block that begins with a line.
    fn of(change: Change) -> Self {
        match change {
            Change::Same | Change::Note => Self::Unchanged,
            Change::Removed => Self::Removed,
            Change::Added => Self::Added,
        }
    }

    /// The kind of a block with one more line; `None` if that line begins another block.
    fn after(block: Option<Self>, change: Change) -> Option<Self> {
        match (block?, change) {
            // `\ No newline at end of file` may come between removed and added lines.
            (block, Change::Note) => Some(block),
            (Self::Unchanged, Change::Same) => Some(Self::Unchanged),
            (Self::Removed, Change::Removed) => Some(Self::Removed),
            (Self::Removed | Self::Added, Change::Added) => Some(Self::Added),
            (Self::Unchanged, Change::Removed | Change::Added)
            | (Self::Removed | Self::Added, Change::Same)
            | (Self::Added, Change::Removed) => None,
        }
    }
}
