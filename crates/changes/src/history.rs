//! What happened to one file, call by call.

use super::compose::{Patch, patch};
use super::edit::{self, Part, Replacement};
use super::seen::{Seen, lines};
use super::sketch::Sketch;

/// So many lines are looked through for texts whose place is not told, in all; then their places stay unknown.
const MOST_SEARCHED: usize = 10_000_000;

/// What happened to one file.
#[derive(Debug, Default)]
pub(super) struct History {
    /// What is known of the file now.
    sketch: Sketch,
    /// What was read since the last change, if that is not what the file should be.
    aside: Option<Sketch>,
    /// What was changed before something else changed the file.
    earlier: Vec<Patch>,
    unplaced: Vec<Unplaced>,
    /// Whether lines of it begin with tabs.
    has_tabs: bool,
    /// How many lines were looked through.
    searched: usize,
}

/// A change of which nobody can say where in the file it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unplaced {
    /// What was there; empty if that is not known.
    pub old: String,
    /// What is there now.
    pub new: String,
}

/// How a file was written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Written<'t> {
    pub(super) content: &'t str,
    /// What it was before, if that is told.
    pub(super) before: Option<&'t str>,
    pub(super) parts: &'t [Part],
    pub(super) is_new: bool,
}

/// How a file was edited.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edited<'t> {
    pub(super) before: Option<&'t str>,
    pub(super) parts: &'t [Part],
    pub(super) replacements: &'t [Replacement<'t>],
    /// Lines around the change as they are after it, and before how many lines they begin.
    pub(super) snippet: Option<(usize, &'t str)>,
}

impl History {
    /// Lines of the file were read.
    pub(super) fn read(&mut self, at: usize, lines: &[Seen], is_end: bool) {
        if self.sketch.learn(at, lines, is_end) {
            return;
        }
        // It may be another file by now, or somebody saw an old one: the next change tells.
        let sketch = if self.sketch.is_changed() { self.aside.get_or_insert_default() } else { &mut self.sketch };
        if !sketch.learn(at, lines, is_end) {
            *sketch = Sketch::default();
            sketch.learn(at, lines, is_end);
        }
    }

    /// The file was written as a whole.
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

    /// The file was changed in places.
    pub(super) fn edit(&mut self, edited: &Edited<'_>) {
        let Edited { before, parts, replacements, snippet } = *edited;
        let texts = replacements.iter().flat_map(|replacement| [replacement.old, replacement.new]);
        self.has_tabs |= texts.flat_map(str::lines).any(|line| line.starts_with('\t'));
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

    /// Something changed, and where is not known.
    pub(super) fn unplaced(&mut self, old: &str, new: &str) {
        self.unplaced.push(Unplaced { old: old.to_owned(), new: new.to_owned() });
    }

    /// Makes a change to what the file should be, or else to what was last seen of it, or else to a file that nobody
    /// has seen. Whatever does not fit must leave a sketch as it is.
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
        self.earlier.extend(patch(before, self.has_tabs));
        true
    }

    /// What was changed until now does not count.
    pub(super) fn rebase(&mut self) {
        self.sketch.rebase();
        self.earlier.clear();
        self.unplaced.clear();
    }

    /// What came of it all.
    pub(super) fn finish(mut self) -> (Vec<Patch>, Vec<Unplaced>) {
        self.earlier.extend(patch(self.sketch, self.has_tabs));
        (self.earlier, self.unplaced)
    }
}
