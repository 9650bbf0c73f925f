//! The help overlay with all keys.

use ratatui::layout::Rect;
use styled::Line;
use styled::Role;
use styled::Style;

use super::{Canvas, rows_of};
use crate::tui::keys::Keys;

/// Width of the box, and of its column of keys.
const WIDTH: u16 = 76;
const KEYS: usize = 13;

pub(super) fn draw(canvas: &mut Canvas<'_>, all: Rect, keys: Keys) {
    let lines = lines(keys);
    let width = WIDTH.min(all.width);
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(2).min(all.height);
    let area = Rect { x: all.x + (all.width - width) / 2, y: all.y + (all.height - height) / 2, width, height };
    for row in rows_of(area) {
        canvas.clear(row);
    }
    frame(canvas, area);
    let inner = Rect {
        x: area.x + 2,
        y: area.y + 1,
        width: area.width.saturating_sub(4),
        height: area.height.saturating_sub(2),
    };
    for (line, row) in lines.iter().zip(rows_of(inner)) {
        canvas.put(row, &line.clone().cut(row.width.into()));
    }
}

fn frame(canvas: &mut Canvas<'_>, area: Rect) {
    let across = "─".repeat(usize::from(area.width).saturating_sub(2));
    let last = area.bottom().saturating_sub(1);
    for row in rows_of(area) {
        let (left, middle, right) = match row.y {
            y if y == area.y => ("┌", across.as_str(), "┐"),
            y if y == last => ("└", across.as_str(), "┘"),
            _ => ("│", "", "│"),
        };
        canvas.put(row, &Line::new().with(left, Role::Quiet).with(middle, Role::Quiet));
        canvas.put_right(row, &Line::new().with(right, Role::Quiet));
    }
}

fn lines(all: Keys) -> Vec<Line> {
    let mut lines = Vec::new();
    for (about, keys) in all {
        if !lines.is_empty() {
            lines.push(Line::new());
        }
        lines.push(Line::new().with(about, Role::Heading));
        for (key, what) in *keys {
            let gap = " ".repeat(KEYS.saturating_sub(styled::width(key)));
            lines.push(Line::new().with(key, Role::Code).with(&gap, Style::PLAIN).with(what, Style::PLAIN));
        }
    }
    lines
}
