//! Which words differ between lines and those that took their place.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{Change, Hunk};
use crate::line::Line;
use crate::style::{Role, Style};

/// Comparing costs up to the product of the numbers of words; beyond this, lines are told as wholes.
const MOST_PAIRS: usize = 250_000;

/// What may be spent on all hunks together.
const BUDGET: usize = 8 * MOST_PAIRS;

/// Marks words, as long as there is something left to spend.
pub(super) struct Words {
    budget: usize,
}

impl Default for Words {
    fn default() -> Self {
        Self { budget: BUDGET }
    }
}

impl Words {
    /// The lines of a hunk with their roles.
    pub(super) fn lines(&mut self, hunk: &Hunk<'_>) -> Vec<(Change, Line)> {
        let mut lines = Vec::with_capacity(hunk.lines.len());
        let mut chunks = hunk.lines.chunk_by(|(one, _), (other, _)| one == other).peekable();
        while let Some(chunk) = chunks.next() {
            let is = |chunk: &[(Change, &str)], wanted| chunk.first().is_some_and(|(change, _)| *change == wanted);
            let marked = chunks
                .next_if(|next| is(chunk, Change::Removed) && is(next, Change::Added))
                .map(|next| (next, self.compare(chunk, next)));
            match marked {
                None => lines.extend(chunk.iter().map(|(change, text)| (*change, whole(*change, text)))),
                Some((next, None)) => {
                    lines.extend(chunk.iter().chain(next).map(|(change, text)| (*change, whole(*change, text))));
                }
                Some((_, Some((removed, added)))) => {
                    lines.extend(removed.into_iter().map(|line| (Change::Removed, line)));
                    lines.extend(added.into_iter().map(|line| (Change::Added, line)));
                }
            }
        }
        lines
    }

    /// The removed and the added lines with the words that differ marked; `None` if most do, or there are too many.
    fn compare(&mut self, removed: &[(Change, &str)], added: &[(Change, &str)]) -> Option<(Vec<Line>, Vec<Line>)> {
        let bytes = |lines: &[(Change, &str)]| lines.iter().map(|(_, text)| text.len()).sum::<usize>();
        // Words are not counted before it is known that there cannot be too many.
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
        let (mut before, mut after) = (Marked::new(Role::Removed), Marked::new(Role::Added));
        for operation in operations {
            let (old, new) = (old.get(operation.old_range())?, new.get(operation.new_range())?);
            let same = matches!(operation, DiffOp::Equal { .. });
            before.push(old, same);
            after.push(new, same);
        }
        (before.is_alike() && after.is_alike()).then_some((before.lines, after.lines))
    }
}

fn whole(change: Change, text: &str) -> Line {
    let style = match change {
        Change::Same => Style::PLAIN,
        Change::Removed => Role::Removed.into(),
        Change::Added => Role::Added.into(),
        Change::Note => Role::Quiet.into(),
    };
    Line::new().with(text, style)
}

/// The words of lines: runs of letters and digits, runs of blanks, single other characters, and the ends of lines.
fn words<'t>(lines: &[(Change, &'t str)]) -> Vec<&'t str> {
    #[derive(PartialEq)]
    enum Kind {
        Word,
        Blank,
        Other,
    }
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => Kind::Word,
        c if c.is_whitespace() => Kind::Blank,
        _ => Kind::Other,
    };
    let mut words = Vec::new();
    for (_, line) in lines {
        let mut start = 0;
        let mut last = None;
        for (at, character) in line.char_indices() {
            let this = kind(character);
            if last.is_some_and(|last| last != this || this == Kind::Other) {
                words.extend(line.get(start..at));
                start = at;
            }
            last = Some(this);
        }
        words.extend(line.get(start..).filter(|rest| !rest.is_empty()));
        words.push("\n");
    }
    words
}

/// One side of a comparison, as lines.
struct Marked {
    role: Role,
    lines: Vec<Line>,
    current: Line,
    /// How much of the text is on the other side too, in bytes, and how much is not.
    same: usize,
    changed: usize,
}

impl Marked {
    fn new(role: Role) -> Self {
        Self { role, lines: Vec::new(), current: Line::new(), same: 0, changed: 0 }
    }

    fn push(&mut self, words: &[&str], same: bool) {
        for word in words {
            if *word == "\n" {
                self.lines.push(std::mem::take(&mut self.current));
                continue;
            }
            let style = if same { self.role.into() } else { self.role | Role::Changed };
            self.current.push(word, style);
            if !word.trim().is_empty() {
                *(if same { &mut self.same } else { &mut self.changed }) += word.len();
            }
        }
    }

    /// Whether enough is the same for the rest to stand out.
    fn is_alike(&self) -> bool {
        self.same >= self.changed
    }
}
