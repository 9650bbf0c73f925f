//! Finds the words that differ between lines and their replacements.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{Change, Hunk};

/// The cost of a comparison grows with the product of the word counts; beyond this, lines are compared as wholes.
const MOST_PAIRS: usize = 250_000;

/// The budget for all hunks together.
const BUDGET: usize = 8 * MOST_PAIRS;

/// Stands for the end of a line; no word equals it.
const LINE_END: &str = "";

/// Marks words while the budget lasts.
pub struct Words {
    budget: usize,
}

impl Default for Words {
    fn default() -> Self {
        Self { budget: BUDGET }
    }
}

/// A line of a hunk, with the words that differ from the line it replaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marked<'t> {
    /// The change of the line.
    pub change: Change,
    text: &'t str,
    /// The byte ranges that differ, in order; none if the line is treated as a whole.
    changed: Vec<Range<usize>>,
}

impl<'t> Marked<'t> {
    fn whole(&(change, text): &(Change, &'t str)) -> Self {
        Self { change, text, changed: Vec::new() }
    }

    /// The pieces of the line, and whether each differs.
    pub fn pieces(&self) -> impl Iterator<Item = (&'t str, bool)> {
        let ends = self.changed.iter().flat_map(|range| [(range.start, false), (range.end, true)]);
        let mut start = 0;
        ends.chain([(self.text.len(), false)]).filter_map(move |(end, changed)| {
            let piece = self.text.get(start..end).filter(|piece| !piece.is_empty());
            start = end;
            piece.map(|piece| (piece, changed))
        })
    }
}

impl Words {
    /// The lines of a hunk with their words marked.
    pub fn mark<'t>(&mut self, hunk: &Hunk<'t>) -> Vec<Marked<'t>> {
        let mut lines = Vec::with_capacity(hunk.lines.len());
        let mut chunks = hunk.lines.chunk_by(|(one, _), (other, _)| one == other).peekable();
        while let Some(chunk) = chunks.next() {
            let is = |chunk: &[(Change, &str)], wanted| chunk.first().is_some_and(|(change, _)| *change == wanted);
            let next = chunks.next_if(|next| is(chunk, Change::Removed) && is(next, Change::Added)).unwrap_or_default();
            let differing = if next.is_empty() { None } else { self.compare(chunk, next) };
            let both = lines.len();
            lines.extend(chunk.iter().chain(next).map(Marked::whole));
            if let Some((removed, added)) = differing {
                for (line, changed) in lines.iter_mut().skip(both).zip(removed.into_iter().chain(added)) {
                    line.changed = changed;
                }
            }
        }
        lines
    }

    /// The byte ranges of the removed and of the added lines that differ; `None` if most do, or there are too many.
    fn compare(&mut self, removed: &[(Change, &str)], added: &[(Change, &str)]) -> Option<(Differing, Differing)> {
        let bytes = |lines: &[(Change, &str)]| lines.iter().map(|(_, text)| text.len()).sum::<usize>();
        // A cheap upper bound, before counting words.
        if bytes(removed).saturating_mul(bytes(added)) > 64 * MOST_PAIRS {
            return None;
        }
        let (old, new) = (words(removed), words(added));
        let pairs = old.len().saturating_mul(new.len());
        if pairs > MOST_PAIRS {
            return None;
        }
        self.budget = self.budget.checked_sub(pairs)?;
        let operations = capture_diff_slices(Algorithm::Myers, &old, &new);
        let (mut before, mut after) = (Side::default(), Side::default());
        for operation in operations {
            let (old, new) = (old.get(operation.old_range())?, new.get(operation.new_range())?);
            let same = matches!(operation, DiffOp::Equal { .. });
            before.push(old, same);
            after.push(new, same);
        }
        (before.is_alike() && after.is_alike()).then_some((before.lines, after.lines))
    }
}

/// The words of lines: runs of letters and digits, runs of blanks, other single characters, and line ends.
fn words<'t>(lines: &[(Change, &'t str)]) -> Vec<&'t str> {
    #[derive(PartialEq)]
    enum CharacterClass {
        Word,
        Blank,
        Other,
    }
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => CharacterClass::Word,
        c if c.is_whitespace() => CharacterClass::Blank,
        _ => CharacterClass::Other,
    };
    let mut words = Vec::new();
    for (_, line) in lines {
        let mut start = 0;
        let mut last = None;
        for (at, character) in line.char_indices() {
            let this = kind(character);
            if last.is_some_and(|last| last != this || this == CharacterClass::Other) {
                words.extend(line.get(start..at));
                start = at;
            }
            last = Some(this);
        }
        words.extend(line.get(start..).filter(|rest| !rest.is_empty()));
        words.push(LINE_END);
    }
    words
}

/// The byte ranges that differ, for each line.
type Differing = Vec<Vec<Range<usize>>>;

/// One side of a comparison.
#[derive(Default)]
struct Side {
    lines: Differing,
    /// The differences in the current line, and the position in it.
    current: Vec<Range<usize>>,
    at: usize,
    /// How many bytes also occur on the other side, and how many do not.
    same: usize,
    changed: usize,
}

impl Side {
    fn push(&mut self, words: &[&str], same: bool) {
        for word in words {
            if *word == LINE_END {
                self.lines.push(std::mem::take(&mut self.current));
                self.at = 0;
                continue;
            }
            let (start, end) = (self.at, self.at + word.len());
            self.at = end;
            if !same {
                match self.current.last_mut() {
                    Some(last) if last.end == start => last.end = end,
                    _ => self.current.push(start..end),
                }
            }
            if !word.trim().is_empty() {
                *(if same { &mut self.same } else { &mut self.changed }) += word.len();
            }
        }
    }

    /// Whether enough is equal for the rest to stand out.
    fn is_alike(&self) -> bool {
        self.same >= self.changed
    }
}
