//! Stacks blocks: the space between them, and the prefixes of their lines.

use crate::line::Line;
use crate::style::{Role, Style};
use crate::wrap::{fold, wrap};

/// A container that prefixes its lines with a mark.
pub(super) struct Container {
    /// The prefix of the first line.
    first: Line,
    /// The prefix of the others.
    next: Line,
    is_item: bool,
}

impl Container {
    pub(super) fn quote() -> Self {
        let bar = Line::new().with("│ ", Role::Quiet);
        Self { first: bar.clone(), next: bar, is_item: false }
    }

    pub(super) fn item(marker: &str) -> Self {
        let first = Line::new().with(marker, Role::Quiet);
        let next = Line::new().with(&" ".repeat(first.width()), Style::PLAIN);
        Self { first, next, is_item: true }
    }
}

/// The lines so far, and the open containers.
pub(super) struct Blocks {
    width: usize,
    lines: Vec<Line>,
    open: Vec<Container>,
    /// The containers from here on have no line yet.
    fresh: usize,
    /// Whether a blank line precedes the next block.
    gap: bool,
}

impl Blocks {
    pub(super) fn new(width: usize) -> Self {
        Self { width, lines: Vec::new(), open: Vec::new(), fresh: 0, gap: false }
    }

    /// Starts a block.
    pub(super) fn open(&mut self) {
        if std::mem::take(&mut self.gap) && self.fresh == self.open.len() {
            self.lines.push(self.indent(false).trim_end());
        }
    }

    /// Ends a block; a blank line separates it from the next one.
    pub(super) fn close(&mut self) {
        self.gap = !self.lines.is_empty();
    }

    pub(super) fn enter(&mut self, container: Container) {
        self.open.push(container);
    }

    pub(super) fn leave(&mut self) {
        if self.fresh < self.open.len() && self.open.last().is_some_and(|container| container.is_item) {
            // It contains nothing but its marker.
            self.push(&Line::new());
        }
        self.open.pop();
        self.fresh = self.fresh.min(self.open.len());
    }

    /// Whether the innermost container is an item of a list.
    pub(super) fn in_item(&self) -> bool {
        self.open.last().is_some_and(|container| container.is_item)
    }

    /// The columns left for text.
    pub(super) fn room(&self) -> usize {
        self.width.saturating_sub(self.indent(false).width())
    }

    /// Adds a line that fits.
    pub(super) fn push(&mut self, line: &Line) {
        let lines = fold(line, self.width, &self.indent(true), &self.indent(false));
        self.add(lines);
    }

    /// Adds a line of prose, broken at blanks.
    pub(super) fn wrap(&mut self, line: &Line) {
        let lines = wrap(line, self.width, &self.indent(true), &self.indent(false));
        self.add(lines);
    }

    /// Adds a line of code, folded at the width; the continuation is marked, since it is not a line of its own.
    pub(super) fn code(&mut self, line: &Line) {
        let first = self.indent(true).with("  ", Style::PLAIN);
        let next = self.indent(false).with("↳ ", Role::Quiet);
        self.add(fold(line, self.width, &first, &next));
    }

    fn add(&mut self, lines: Vec<Line>) {
        self.lines
            .extend(lines.into_iter().map(|line| if line.text().ends_with(' ') { line.trim_end() } else { line }));
        self.fresh = self.open.len();
    }

    /// The prefix of a line. Nesting takes at most half of the width; deeper levels look the same.
    fn indent(&self, first: bool) -> Line {
        let mut indent = Line::new();
        for (at, container) in self.open.iter().enumerate() {
            let mark = if first && at >= self.fresh { &container.first } else { &container.next };
            if indent.width() + mark.width() > self.width / 2 {
                break;
            }
            indent.append(mark);
        }
        indent
    }

    pub(super) fn finish(mut self) -> Vec<Line> {
        while self.lines.last().is_some_and(Line::is_empty) {
            self.lines.pop();
        }
        self.lines
    }
}
