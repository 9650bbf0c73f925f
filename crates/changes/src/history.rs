//! The history of one file, call by call.

use super::compose::{Patch, patch};
use super::edit::{self, PatchPart, Replacement};
use super::indent::Indents;
use super::seen::{Seen, lines};
use super::sketch::Sketch;

/// Limit on the lines searched for texts without a position; beyond it, their positions stay unknown.
const MOST_SEARCHED: usize = 10_000_000;

/// The history of one file.
#[derive(Debug, Default)]
pub(super) struct History {
    /// The known content of the file.
    sketch: Sketch,
    /// Content read since the last change that contradicts the sketch.
    aside: Option<Sketch>,
    /// Patches from before something else changed the file.
    earlier: Vec<Patch>,
    unplaced: Vec<Unplaced>,
    /// How the texts of its edits are indented.
    indents: Indents,
    /// The number of lines searched so far.
    searched: usize,
}

/// A change without a known position in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unplaced {
    /// The old text; empty if unknown.
    pub old: String,
    /// The new text.
    pub new: String,
}

/// A write of the whole file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Written<'t> {
    pub(super) content: &'t str,
    /// The previous content, if known.
    pub(super) before: Option<&'t str>,
    pub(super) parts: &'t [PatchPart],
    pub(super) is_new: bool,
}

/// An edit of the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edited<'t> {
    pub(super) before: Option<&'t str>,
    pub(super) parts: &'t [PatchPart],
    pub(super) replacements: &'t [Replacement<'t>],
    /// Lines around the change as they are after it, and the number of lines before them.
    pub(super) snippet: Option<(usize, &'t str)>,
}

impl History {
    /// Adds lines that were read.
    pub(super) fn read(&mut self, at: usize, lines: &[Seen], is_end: bool) {
        if self.sketch.learn(at, lines, is_end) {
            return;
        }
        // The file may have changed, or the reading may be stale: the next change decides.
        let sketch = if self.sketch.is_changed() { self.aside.get_or_insert_default() } else { &mut self.sketch };
        if !sketch.learn(at, lines, is_end) {
            *sketch = Sketch::default();
            sketch.learn(at, lines, is_end);
        }
    }

    /// Adds a write of the whole file.
    pub(super) fn write(&mut self, written: &Written<'_>) {
        let content = lines(written.content);
        let before = written.before.map(lines);
        let before =
            before.or_else(|| (!written.parts.is_empty()).then(|| edit::before(&content, written.parts)).flatten());
        self.attempt(|sketch| match &before {
            Some(before) => {
                let fits = sketch.learn(0, before, true);
                if fits {
                    sketch.replace(content.clone());
                }
                fits
            }
            None if !sketch.is_blank() && sketch.has_gap() => false,
            None if written.is_new => {
                sketch.create(content.clone());
                true
            }
            None => {
                sketch.replace(content.clone());
                true
            }
        });
    }

    /// Adds an edit.
    pub(super) fn edit(&mut self, edited: &Edited<'_>) {
        let Edited { before, parts, replacements, snippet } = *edited;
        for text in replacements.iter().flat_map(|replacement| [replacement.old, replacement.new]) {
            // The first line may be a part of one.
            text.lines().skip(1).for_each(|line| self.indents.add(line));
            self.indents.add_start(text);
        }
        let has_old = parts.iter().flat_map(|part| &part.ops).any(|op| op.before().is_some());
        let is_creation =
            matches!(replacements, [first, ..] if first.old.is_empty()) && before.is_none_or(str::is_empty) && !has_old;
        if is_creation && self.sketch.is_blank() {
            let content = replacements.first().map_or("", |replacement| replacement.new);
            return self.write(&Written { content, before: None, parts: &[], is_new: true });
        }
        let whole = before.and_then(|before| Some((lines(before), edit::after(before, parts, replacements)?)));
        let may_search = self.searched < MOST_SEARCHED;
        self.searched += if parts.is_empty() && whole.is_none() { self.sketch.size() } else { 0 };
        let is_placed = self.attempt(|sketch| {
            if let Some((before, after)) = &whole {
                let fits = sketch.learn(0, before, true);
                if fits {
                    sketch.replace(after.clone());
                }
                return fits;
            }
            if !parts.is_empty() {
                return edit::make(sketch, parts, replacements);
            }
            let by_snippet = snippet.is_some_and(|snippet| edit::place_by_snippet(sketch, snippet, replacements));
            by_snippet || may_search && edit::place(sketch, replacements)
        });
        if !is_placed {
            for Replacement { old, new, .. } in replacements {
                self.unplaced(old, new);
            }
        }
    }

    /// Adds a change without a known position.
    pub(super) fn unplaced(&mut self, old: &str, new: &str) {
        self.unplaced.push(Unplaced { old: old.to_owned(), new: new.to_owned() });
    }

    /// Applies a change to the expected content, or else to the content last read, or else to an unknown file. A change
    /// that does not fit must leave a sketch unmodified.
    fn attempt(&mut self, change: impl Fn(&mut Sketch) -> bool) -> bool {
        if change(&mut self.sketch) {
            self.aside = None;
            return true;
        }
        let mut next = self.aside.take().unwrap_or_default();
        if !change(&mut next) {
            next = Sketch::default();
            if !change(&mut next) {
                return false;
            }
        }
        let before = std::mem::replace(&mut self.sketch, next);
        self.earlier.extend(patch(before, self.indents));
        true
    }

    /// Drops the changes so far.
    pub(super) fn rebase(&mut self) {
        self.sketch.rebase();
        self.earlier.clear();
        self.unplaced.clear();
    }

    /// The resulting patches.
    pub(super) fn finish(mut self) -> (Vec<Patch>, Vec<Unplaced>) {
        self.earlier.extend(patch(self.sketch, self.indents));
        (self.earlier, self.unplaced)
    }
}
