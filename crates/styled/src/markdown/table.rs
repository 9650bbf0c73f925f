//! Tables in columns, or as lists if the columns do not fit.

use pulldown_cmark::Alignment;

use crate::line::Line;
use crate::style::{Role, Style};
use crate::wrap::wrap;

/// The space between two columns.
const GAP: usize = 2;

/// A narrower column is no longer readable.
const NARROWEST: usize = 8;

/// A table whose cells are being read.
pub(super) struct Table {
    alignments: Vec<Alignment>,
    /// The first row is the head.
    rows: Vec<Vec<Line>>,
}

impl Table {
    pub(super) fn new(alignments: Vec<Alignment>) -> Self {
        Self { alignments, rows: vec![Vec::new()] }
    }

    pub(super) fn begin_row(&mut self) {
        self.rows.push(Vec::new());
    }

    /// Adds a cell to the last row.
    pub(super) fn push(&mut self, cell: &[Line]) {
        let mut whole = Line::new();
        for line in cell {
            if !whole.is_empty() {
                whole.push(" ", Style::PLAIN);
            }
            whole.append(line);
        }
        if let Some(row) = self.rows.last_mut() {
            row.push(whole);
        }
    }

    /// The table in at most `room` columns.
    pub(super) fn lines(self, room: usize) -> Vec<Line> {
        match self.widths(room) {
            Some(widths) => self.columns(&widths),
            None => self.list(room),
        }
    }

    /// The width of each column, if they fit side by side.
    fn widths(&self, room: usize) -> Option<Vec<usize>> {
        let natural: Vec<usize> = (0..self.alignments.len()).map(|at| self.natural_width(at)).collect();
        let room = room.checked_sub(GAP * natural.len().saturating_sub(1))?;
        if natural.iter().sum::<usize>() <= room {
            return Some(natural);
        }
        // The wide columns share the space that the narrow ones leave.
        let mut sorted = natural.clone();
        sorted.sort_unstable();
        let (mut left, mut columns, mut most) = (room, sorted.len(), 0);
        for width in sorted {
            most = left / columns.max(1);
            if width > most {
                break;
            }
            left -= width;
            columns -= 1;
        }
        (most >= NARROWEST).then(|| natural.into_iter().map(|width| width.min(most)).collect())
    }

    fn natural_width(&self, column: usize) -> usize {
        self.rows.iter().filter_map(|row| row.get(column)).map(Line::width).max().unwrap_or(0)
    }

    fn columns(self, widths: &[usize]) -> Vec<Line> {
        let mut lines = Vec::new();
        let wraps = self.rows.iter().any(|row| row.iter().zip(widths).any(|(cell, width)| cell.width() > *width));
        for (at, row) in self.rows.into_iter().enumerate() {
            // Rows of several lines need a separator.
            if at == 1 || (at > 1 && wraps) {
                lines.push(rule(widths, if at == 1 { "─" } else { "┄" }));
            }
            let row = if at == 0 { row.into_iter().map(|cell| cell.also(Role::Strong)).collect() } else { row };
            lines.extend(side_by_side(&row, widths, &self.alignments));
        }
        lines
    }

    /// Each row as lines of `head: value`.
    fn list(self, room: usize) -> Vec<Line> {
        let mut rows = self.rows.into_iter();
        let head = rows.next().unwrap_or_default();
        let indent = Line::new().with("  ", Style::PLAIN);
        let mut lines = Vec::new();
        if rows.len() == 0 {
            lines.extend(head.iter().flat_map(|cell| wrap(cell, room, &Line::new(), &indent)));
        }
        for row in rows {
            if !lines.is_empty() {
                lines.push(Line::new());
            }
            for (name, value) in head.iter().zip(&row).filter(|(_, value)| !value.is_empty()) {
                let mut line = name.clone().also(Role::Strong);
                line.push(if name.is_empty() { "" } else { ": " }, Role::Strong);
                line.append(value);
                lines.extend(wrap(&line, room, &Line::new(), &indent));
            }
        }
        lines
    }
}

fn rule(widths: &[usize], mark: &str) -> Line {
    let columns: Vec<_> = widths.iter().map(|width| mark.repeat(*width)).collect();
    Line::new().with(&columns.join("  "), Role::Quiet)
}

/// The lines of one row, with its cells wrapped to their columns.
fn side_by_side(row: &[Line], widths: &[usize], alignments: &[Alignment]) -> Vec<Line> {
    let none = Line::new();
    let cells: Vec<Vec<Line>> = row.iter().zip(widths).map(|(cell, width)| wrap(cell, *width, &none, &none)).collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    let mut lines = Vec::with_capacity(height);
    for at in 0..height {
        let mut line = Line::new();
        let mut start = 0;
        for ((cell, width), alignment) in cells.iter().zip(widths).zip(alignments) {
            if let Some(piece) = cell.get(at).filter(|piece| !piece.is_empty()) {
                let free = width.saturating_sub(piece.width());
                let before = match alignment {
                    Alignment::None | Alignment::Left => 0,
                    Alignment::Center => free / 2,
                    Alignment::Right => free,
                };
                let blanks = (start + before).saturating_sub(line.width());
                line.push(&" ".repeat(blanks), Style::PLAIN);
                line.append(piece);
            }
            start += width + GAP;
        }
        lines.push(line);
    }
    lines
}
