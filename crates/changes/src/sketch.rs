//! A partially known file: its first state, its current state, and how their lines correspond.
//!
//! Unseen lines are gaps. Since patches and readings include line numbers, the length of a gap is known, except for the
//! last one.

use super::seen::Seen;

/// The length of the last gap while the end of the file is unknown.
const OPEN: usize = usize::MAX;

/// Items are stored in pieces of this size, so that a change touches few of them.
const PIECE: usize = 512;

/// The first state of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Base {
    /// It existed.
    #[default]
    Present,
    /// It did not exist.
    Absent,
    /// It existed and was overwritten before its content was seen.
    Lost,
}

/// One step of a change, line by line.
#[derive(Debug, Clone)]
pub(super) enum Op {
    Keep(Seen),
    Remove(Seen),
    Add(Seen),
}

#[derive(Debug)]
enum Item {
    /// Unseen, unchanged lines.
    Gap(usize),
    Same(Seen),
    Removed(Seen),
    Added(Seen),
}

impl Item {
    /// Its number of lines in the current file.
    fn length(&self) -> usize {
        match self {
            Self::Gap(lines) => *lines,
            Self::Same(_) | Self::Added(_) => 1,
            Self::Removed(_) => 0,
        }
    }

    fn present(&self) -> Option<&Seen> {
        match self {
            Self::Same(line) | Self::Added(line) => Some(line),
            Self::Gap(_) | Self::Removed(_) => None,
        }
    }
}

/// Consecutive items.
#[derive(Debug, Default)]
struct Piece {
    items: Vec<Item>,
    /// Their number of lines in the current file.
    length: usize,
}

impl Piece {
    fn of(items: Vec<Item>) -> Self {
        let length = items.iter().map(Item::length).fold(0, usize::saturating_add);
        Self { items, length }
    }
}

/// A file as far as it is known.
#[derive(Debug)]
pub(super) struct Sketch {
    base: Base,
    /// The whole first state, once all of it was replaced; then the items contain only the current state.
    replaced: Option<Vec<Seen>>,
    pieces: Vec<Piece>,
    changed: bool,
}

impl Default for Sketch {
    fn default() -> Self {
        let pieces = vec![Piece::of(vec![Item::Gap(OPEN)])];
        Self { base: Base::Present, replaced: None, pieces, changed: false }
    }
}

/// A part of a file without gaps, in its first and current state.
#[derive(Debug, Default)]
pub(super) struct Region {
    /// The index of its first line in the old file, from 0.
    pub(super) old_at: usize,
    pub(super) new_at: usize,
    pub(super) old: Vec<Seen>,
    pub(super) new: Vec<Seen>,
    /// The number of unchanged lines at its start and at its end.
    pub(super) untouched: (usize, usize),
}

impl Sketch {
    pub(super) fn base(&self) -> Base {
        self.base
    }

    /// Whether the file has changed.
    pub(super) fn is_changed(&self) -> bool {
        self.changed
    }

    /// Whether nothing is known.
    pub(super) fn is_blank(&self) -> bool {
        let first = self.pieces.first().map(|piece| piece.items.as_slice());
        self.pieces.len() == 1 && matches!(first, Some([Item::Gap(OPEN)]))
    }

    /// The approximate number of known lines.
    pub(super) fn size(&self) -> usize {
        self.pieces.len().saturating_mul(PIECE)
    }

    fn items(&self) -> impl Iterator<Item = &Item> {
        self.pieces.iter().flat_map(|piece| &piece.items)
    }

    pub(super) fn has_gap(&self) -> bool {
        // After a full replacement there is no gap, so no search is needed.
        self.replaced.is_none() && self.items().any(|item| matches!(item, Item::Gap(_)))
    }

    /// The range of pieces that contain these lines, and the index of its first line.
    fn pieces_of(&self, at: usize, lines: usize) -> (std::ops::Range<usize>, usize) {
        let mut start = 0_usize;
        let mut first = 0;
        for piece in self.pieces.iter().take(self.pieces.len().saturating_sub(1)) {
            if start.saturating_add(piece.length) > at {
                break;
            }
            start = start.saturating_add(piece.length);
            first += 1;
        }
        let (mut end, mut last) = (start, first);
        for piece in self.pieces.iter().skip(first) {
            end = end.saturating_add(piece.length);
            last += 1;
            if end >= at.saturating_add(lines) {
                break;
            }
        }
        (first..last, start)
    }

    /// Lines of the current file from an index; fewer if it ends before. Lines in a gap are `None`.
    pub(super) fn present(&self, at: usize, lines: usize) -> Vec<Option<&Seen>> {
        let (range, start) = self.pieces_of(at, lines);
        let mut skipped = at.saturating_sub(start);
        let mut found = Vec::new();
        for item in self.pieces.get(range).unwrap_or_default().iter().flat_map(|piece| &piece.items) {
            let length = item.length();
            let passed = skipped.min(length);
            skipped -= passed;
            let wanted = (length - passed).min(lines - found.len());
            found.extend(std::iter::repeat_n(item.present(), wanted));
            if found.len() == lines {
                break;
            }
        }
        // A file that ends before has no lines there at all.
        if skipped > 0 { Vec::new() } else { found }
    }

    /// Whether the current file may have these lines at an index.
    fn may_have<'s>(&self, at: usize, lines: impl ExactSizeIterator<Item = &'s Seen>) -> bool {
        let present = self.present(at, lines.len());
        present.len() == lines.len()
            && present.iter().zip(lines).all(|(known, line)| known.is_none_or(|known| known.fits(line)))
    }

    /// Records seen lines, if they fit: `false`, without any effect, if they do not.
    pub(super) fn learn(&mut self, at: usize, lines: &[Seen], is_end: bool) -> bool {
        let end = at.saturating_add(lines.len());
        let known_end = self.known_end();
        if !self.may_have(at, lines.iter()) || is_end && known_end.is_some_and(|known| known != end) {
            return false;
        }
        if is_end && known_end.is_none() && self.least_length() > end {
            return false;
        }
        self.make(at, lines.iter().cloned().map(Op::Keep).collect());
        if is_end && known_end.is_none() {
            self.close();
        }
        true
    }

    /// The number of lines in the current file, if the end is known.
    fn known_end(&self) -> Option<usize> {
        let length = self.pieces.iter().map(|piece| piece.length).fold(0, usize::saturating_add);
        (length != OPEN).then_some(length)
    }

    /// The minimum number of lines in the current file.
    fn least_length(&self) -> usize {
        self.items().map(Item::length).filter(|length| *length != OPEN).fold(0, usize::saturating_add)
    }

    /// Records that the file ends after the known lines.
    fn close(&mut self) {
        if let Some(piece) = self.pieces.last_mut() {
            piece.items.retain(|item| !matches!(item, Item::Gap(OPEN)));
            *piece = Piece::of(std::mem::take(&mut piece.items));
        }
    }

    /// Whether a change fits at an index of the current file.
    pub(super) fn may_change(&self, at: usize, ops: &[Op]) -> bool {
        let old: Vec<&Seen> = ops.iter().filter_map(Op::before).collect();
        let is_within = self.known_end().is_none_or(|end| at <= end);
        is_within && self.may_have(at, old.into_iter())
    }

    /// Applies a change that fits.
    pub(super) fn make(&mut self, at: usize, ops: Vec<Op>) {
        self.changed |= ops.iter().any(|op| !matches!(op, Op::Keep(_)));
        let (range, start) = self.pieces_of(at, ops.iter().filter(|op| op.before().is_some()).count());
        let items = self.pieces.drain(range.clone()).flat_map(|piece| piece.items).collect();
        let mut items = changed(items, at.saturating_sub(start), ops).into_iter();
        let mut pieces = Vec::new();
        loop {
            let piece: Vec<Item> = items.by_ref().take(PIECE).collect();
            if piece.is_empty() {
                break;
            }
            pieces.push(Piece::of(piece));
        }
        self.pieces.splice(range.start..range.start, pieces);
    }

    /// Replaces the whole file. The content of gaps is lost.
    pub(super) fn replace(&mut self, lines: Vec<Seen>) {
        if self.is_blank() && self.base == Base::Present {
            self.base = Base::Lost;
        }
        let items = std::mem::take(&mut self.pieces).into_iter().flat_map(|piece| piece.items);
        if self.replaced.is_none() {
            let old = items.filter_map(|item| match item {
                Item::Same(line) | Item::Removed(line) => Some(line),
                Item::Gap(_) | Item::Added(_) => None,
            });
            self.replaced = Some(old.collect());
        }
        self.make(0, lines.into_iter().map(Op::Add).collect());
        self.changed = true;
    }

    /// Creates a file that did not exist.
    pub(super) fn create(&mut self, lines: Vec<Seen>) {
        if self.is_blank() {
            self.base = Base::Absent;
        }
        self.replace(lines);
    }

    /// Makes the current state the first state.
    pub(super) fn rebase(&mut self) {
        *self = Self { pieces: std::mem::take(&mut self.pieces), ..Self::default() };
        for piece in &mut self.pieces {
            let items = std::mem::take(&mut piece.items).into_iter().filter_map(|item| match item {
                Item::Added(line) => Some(Item::Same(line)),
                Item::Removed(_) => None,
                Item::Gap(_) | Item::Same(_) => Some(item),
            });
            piece.items = items.collect();
        }
    }

    /// The runs of consecutive known lines in the current file, with their start indices.
    pub(super) fn runs(&self) -> Vec<(usize, Vec<&Seen>)> {
        let mut runs: Vec<(usize, Vec<&Seen>)> = Vec::new();
        let (mut at, mut is_new) = (0_usize, true);
        for item in self.items() {
            if let Some(line) = item.present() {
                if std::mem::take(&mut is_new) {
                    runs.push((at, Vec::new()));
                }
                if let Some((_, run)) = runs.last_mut() {
                    run.push(line);
                }
            }
            is_new |= matches!(item, Item::Gap(_));
            at = at.saturating_add(item.length());
        }
        runs
    }

    /// The changed parts.
    pub(super) fn regions(self) -> Vec<Region> {
        let items = self.pieces.into_iter().flat_map(|piece| piece.items);
        let mut regions = vec![Region::default()];
        for item in items {
            let Some(region) = regions.last_mut() else { break };
            match item {
                Item::Gap(lines) => {
                    let old_at = region.old_at.saturating_add(region.old.len()).saturating_add(lines);
                    let new_at = region.new_at.saturating_add(region.new.len()).saturating_add(lines);
                    regions.push(Region { old_at, new_at, ..Region::default() });
                }
                Item::Same(line) => {
                    let (first, last) = &mut region.untouched;
                    *first += usize::from(region.old.len() == *first && region.new.len() == *first);
                    *last += 1;
                    region.old.push(line.clone());
                    region.new.push(line);
                }
                Item::Removed(line) => {
                    region.untouched.1 = 0;
                    region.old.push(line);
                }
                Item::Added(line) => {
                    region.untouched.1 = 0;
                    region.new.push(line);
                }
            }
        }
        if let (Some(old), Some(region)) = (self.replaced, regions.first_mut()) {
            *region = Region { old, untouched: (0, 0), ..std::mem::take(region) };
        }
        regions
    }
}

impl Op {
    /// The line that must exist before.
    pub(super) fn before(&self) -> Option<&Seen> {
        match self {
            Self::Keep(line) | Self::Remove(line) => Some(line),
            Self::Add(_) => None,
        }
    }

    /// The line that exists after.
    pub(super) fn after(&self) -> Option<&Seen> {
        match self {
            Self::Keep(line) | Self::Add(line) => Some(line),
            Self::Remove(_) => None,
        }
    }
}

/// The items after a change that begins after `before` lines.
fn changed(mut items: Vec<Item>, mut before: usize, ops: Vec<Op>) -> Vec<Item> {
    let mut out = Vec::with_capacity(items.len() + ops.len());
    items.reverse();
    while before > 0 {
        match items.pop() {
            Some(Item::Gap(lines)) if lines > before => {
                out.push(Item::Gap(before));
                items.push(Item::Gap(less(lines, before)));
                before = 0;
            }
            Some(item) => {
                before -= item.length();
                out.push(item);
            }
            None => break,
        }
    }
    for op in ops {
        let (seen, is_kept) = match op {
            Op::Add(line) => {
                out.push(Item::Added(line));
                continue;
            }
            Op::Keep(line) => (line, true),
            Op::Remove(line) => (line, false),
        };
        while let Some(item) = items.pop() {
            match item {
                Item::Removed(_) => {
                    out.push(item);
                    continue;
                }
                Item::Gap(lines) => {
                    // Nothing follows a line without a newline.
                    if less(lines, 1) > 0 && (seen.ended || lines != OPEN) {
                        items.push(Item::Gap(less(lines, 1)));
                    }
                    out.push(if is_kept { Item::Same(seen) } else { Item::Removed(seen) });
                }
                Item::Same(mut line) => {
                    line.confirm(&seen);
                    out.push(if is_kept { Item::Same(line) } else { Item::Removed(line) });
                }
                Item::Added(mut line) => {
                    line.confirm(&seen);
                    if is_kept {
                        out.push(Item::Added(line));
                    }
                }
            }
            break;
        }
    }
    out.extend(items.into_iter().rev());
    out
}

/// A gap without its first lines.
const fn less(gap: usize, lines: usize) -> usize {
    if gap == OPEN { OPEN } else { gap - lines }
}
