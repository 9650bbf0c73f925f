//! Finds the replaced texts in a patch: they are exact where the patch is not.
//!
//! Patches in transcripts have two spaces for each leading tab, so `    x` may be two tabs, four spaces, or a tab and two
//! spaces. The replaced texts say which, for the lines that they cover; their place is where the patch changes the file.

use std::collections::BTreeSet;

use super::edit::{PatchPart, Replacement};
use super::seen::{Seen, TAB, with_spaces, without_return};
use super::sketch::Op;

/// Beyond this, a text is not searched for: its lines stay as they are in the patch.
const MOST_STARTS: usize = 20_000;

/// A line of one side of a patch: its index in the file, its part and its operation.
#[derive(Debug, Clone, Copy)]
struct At {
    line: usize,
    part: usize,
    op: usize,
}

/// One side of a patch: the file before or after.
#[derive(Debug, Default)]
struct Side {
    lines: Vec<At>,
    /// Lines that the other side does not have.
    changed: Vec<usize>,
    /// Lines before which the other side has more.
    inserted: Vec<usize>,
}

/// The operations of each part, with exact lines where the replaced texts show them.
pub(super) fn revealed(parts: &[PatchPart], replacements: &[Replacement<'_>]) -> Vec<Vec<Op>> {
    let mut ops: Vec<Vec<Op>> = parts.iter().map(|part| part.ops.clone()).collect();
    let [before, after] = sides(parts);
    let is_single = matches!(replacements, [Replacement { everywhere: false, .. }]);
    for Replacement { old, new, .. } in replacements {
        reveal(&mut ops, &before, old, is_single);
        reveal(&mut ops, &after, new, is_single);
    }
    ops
}

fn sides(parts: &[PatchPart]) -> [Side; 2] {
    let [mut before, mut after] = [Side::default(), Side::default()];
    let (mut added, mut removed) = (0_usize, 0_usize);
    for (part, PatchPart { at, ops }) in parts.iter().enumerate() {
        let (mut old, mut new) = (*at, at.saturating_add(added).saturating_sub(removed));
        for (op, it) in ops.iter().enumerate() {
            if it.before().is_some() {
                before.lines.push(At { line: old, part, op });
            }
            if it.after().is_some() {
                after.lines.push(At { line: new, part, op });
            }
            match it {
                Op::Keep(_) => {
                    old = old.saturating_add(1);
                    new = new.saturating_add(1);
                }
                Op::Remove(_) => {
                    before.changed.push(old);
                    after.inserted.push(new);
                    old = old.saturating_add(1);
                    removed += 1;
                }
                Op::Add(_) => {
                    after.changed.push(new);
                    before.inserted.push(old);
                    new = new.saturating_add(1);
                    added += 1;
                }
            }
        }
    }
    [before, after]
}

/// Makes the lines of a text exact.
fn reveal(ops: &mut [Vec<Op>], side: &Side, text: &str, is_single: bool) {
    let wanted = Wanted::of(text);
    let is_loose = side.lines.iter().any(|at| line(ops, *at).is_some_and(|line| line.loose));
    if text.is_empty() || !is_loose {
        return;
    }
    let last = wanted.lines.len().saturating_sub(1);
    let fitting = starts(side, last, is_single).into_iter().filter_map(|start| {
        let covered = covered(side, start, last);
        let fits = |at: &At| line(ops, *at).is_some_and(|line| wanted.fits(line, at.line - start));
        covered.iter().all(fits).then_some((start, covered))
    });
    let fitting: Vec<(usize, &[At])> = fitting.collect();
    // The text of a single replacement is in one place: where most of it is seen.
    let most = fitting.iter().map(|(_, covered)| covered.len()).max().filter(|_| is_single);
    let best: Vec<_> = fitting.iter().filter(|(_, covered)| most.is_none_or(|most| covered.len() == most)).collect();
    if is_single && best.len() > 1 {
        return;
    }
    let mut exact = Vec::new();
    for (start, covered) in best {
        exact.extend(covered.iter().filter_map(|at| Some((*at, wanted.shown(line(ops, *at)?, at.line - start)?))));
    }
    for (at, text) in exact {
        if let Some(Op::Keep(line) | Op::Remove(line) | Op::Add(line)) =
            ops.get_mut(at.part).and_then(|ops| ops.get_mut(at.op))
        {
            *line = Seen { text: text.into(), loose: false, ended: line.ended };
        }
    }
}

/// The lines at which a text may start: that of a single replacement covers all changes, others at least one.
fn starts(side: &Side, last: usize, is_single: bool) -> BTreeSet<usize> {
    // Text is added before a line of the text or after its last one.
    let changed = side.changed.iter().map(|line| line.saturating_sub(last)..=*line);
    let inserted = side.inserted.iter().map(|line| line.saturating_sub(last + 1)..=*line);
    let ranges: Vec<_> = changed.chain(inserted).collect();
    let mut starts = BTreeSet::new();
    if is_single {
        let first = ranges.iter().map(|range| *range.start()).max().unwrap_or(1);
        let end = ranges.iter().map(|range| *range.end()).min().unwrap_or(0);
        starts.extend((first..=end).take(MOST_STARTS));
    } else {
        starts.extend(ranges.into_iter().flatten().take(MOST_STARTS));
    }
    starts
}

/// The lines of a side that a text would cover.
fn covered(side: &Side, start: usize, last: usize) -> &[At] {
    let first = side.lines.partition_point(|at| at.line < start);
    let end = side.lines.partition_point(|at| at.line <= start.saturating_add(last));
    side.lines.get(first..end).unwrap_or_default()
}

fn line(ops: &[Vec<Op>], at: At) -> Option<&Seen> {
    match ops.get(at.part)?.get(at.op)? {
        Op::Keep(line) | Op::Remove(line) | Op::Add(line) => Some(line),
    }
}

/// The lines of a text, of which the first and the last may be parts of lines of the file.
struct Wanted<'t> {
    lines: Vec<&'t str>,
    /// Whether the last line goes on in the file.
    goes_on: bool,
}

impl<'t> Wanted<'t> {
    fn of(text: &'t str) -> Self {
        let whole = text.strip_suffix('\n');
        Self { lines: whole.unwrap_or(text).split('\n').map(without_return).collect(), goes_on: whole.is_none() }
    }

    /// Whether a line of the text ends within a line of the file.
    fn is_open(&self, number: usize) -> bool {
        self.goes_on && number + 1 == self.lines.len()
    }

    /// Whether a line of the file may have this line of the text.
    fn fits(&self, line: &Seen, number: usize) -> bool {
        let Some(text) = self.lines.get(number) else { return false };
        let (line, spaced) = (with_spaces(without_return(&line.text)), with_spaces(text));
        match (number == 0, self.is_open(number)) {
            (true, true) => line.contains(*text) || line.contains(&*spaced),
            (true, false) => line.ends_with(*text) || line.ends_with(&*spaced),
            (false, true) => line.starts_with(&*spaced),
            (false, false) => *line == *spaced,
        }
    }

    /// The exact text of a line that fits, if this line of the text shows its indentation.
    fn shown(&self, line: &Seen, number: usize) -> Option<String> {
        let text = self.lines.get(number)?;
        let (loose, end) = match line.text.strip_suffix('\r') {
            Some(loose) => (loose, "\r"),
            None => (&*line.text, ""),
        };
        if !line.loose {
            return None;
        }
        if number > 0 && !self.is_open(number) || with_spaces(text) == loose {
            return Some(format!("{text}{end}"));
        }
        let body = loose.trim_start_matches(' ');
        let part = text.trim_start_matches([' ', '\t']);
        let shown = text.get(..text.len() - part.len())?;
        if part.is_empty() || !body.starts_with(part) {
            return None;
        }
        let blank = loose.len() - body.len();
        let tabs = shown.trim_end_matches(' ');
        let spaces = shown.len() - tabs.len();
        // Tabs come before spaces: the first tab from the right shows all of them.
        let has_tabs = !tabs.is_empty() && tabs.bytes().all(|byte| byte == b'\t');
        let before = blank.checked_sub(spaces)?;
        if has_tabs && before % TAB.len() == 0 {
            return Some(format!("{}{}{body}{end}", "\t".repeat(before / TAB.len()), " ".repeat(spaces)));
        }
        (before == 0).then(|| format!("{loose}{end}"))
    }
}
