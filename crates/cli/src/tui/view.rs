//! Draws the browser. The picture is a function of the [`Browser`] alone.
//!
//! All text from a transcript goes through a [`styled::Line`], which cannot hold control sequences.

mod help;
pub(crate) mod layout;
mod preview;
mod reader;
mod rows;
pub(crate) mod watching;
mod welcome;

use jiff::Zoned;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use styled::Line;
use styled::Role;

use super::keys::{self, Focus};
use super::list::Scope;
use super::look::TuiLook;
use super::state::{Browser, Freshness};
use crate::listing;

/// Values that are constant between frames, and the time.
pub(crate) struct Surroundings<'s> {
    pub(crate) look: TuiLook,
    pub(crate) listing: listing::ListLook<'s>,
    /// The working directory.
    pub(crate) here: String,
    /// The config roots that are read.
    pub(crate) roots: Vec<String>,
    pub(crate) now: Zoned,
}

/// Draws everything.
pub(crate) fn draw(frame: &mut Frame<'_>, app: &Browser, around: &Surroundings<'_>) {
    // The window was resized; another frame follows.
    if frame.area() != app.layout.all {
        return;
    }
    let mut cursor = None;
    let mut canvas = Canvas { buffer: frame.buffer_mut(), look: &around.look };
    if let Some(reader) = &app.reader {
        reader::draw(&mut canvas, app, reader);
    } else {
        cursor = header(&mut canvas, app);
        if app.list.count() == 0 {
            welcome::draw(&mut canvas, app, around);
        } else {
            rows::draw(&mut canvas, app, around);
            preview::draw(&mut canvas, app, around);
        }
    }
    cursor = footer(&mut canvas, app).or(cursor);
    if app.is_helping {
        help::draw(&mut canvas, app.layout.all, keys::HELP);
        cursor = None;
    }
    if let Some(cursor) = cursor {
        frame.set_cursor_position(cursor);
    }
}

/// The buffer that lines are drawn to.
pub(super) struct Canvas<'b> {
    buffer: &'b mut Buffer,
    look: &'b TuiLook,
}

impl Canvas<'_> {
    /// Draws a line at the left of an area's first row, clipped to the area. Returns the column after it.
    fn put(&mut self, area: Rect, line: &Line) -> u16 {
        self.put_found(area, line, &[])
    }

    fn put_found(&mut self, area: Rect, line: &Line, found: &[std::ops::Range<usize>]) -> u16 {
        let area = area.intersection(self.buffer.area);
        if area.is_empty() {
            return area.x;
        }
        let (column, _) = self.buffer.set_line(area.x, area.y, &self.look.line(line, found), area.width);
        column
    }

    /// Draws a line at the right of an area's first row, clipped to the area.
    fn put_right(&mut self, area: Rect, line: &Line) {
        let width = u16::try_from(line.width()).unwrap_or(u16::MAX).min(area.width);
        self.put(Rect { x: area.right() - width, width, ..area }, line);
    }

    fn restyle(&mut self, area: Rect, style: Style) {
        self.buffer.set_style(area.intersection(self.buffer.area), style);
    }

    fn clear(&mut self, row: Rect) {
        self.put(row, &Line::new().with(&" ".repeat(row.width.into()), styled::Style::PLAIN));
        self.restyle(row, Style::reset());
    }

    /// Draws wrapped text. Returns the number of rows used.
    fn paragraph(&mut self, area: Rect, text: &Line) -> u16 {
        let lines = styled::wrap(text, usize::from(area.width).max(4), &Line::new(), &Line::new());
        let mut rows = 0;
        for line in lines.iter().take(area.height.into()) {
            self.put(Rect { y: area.y + rows, height: 1, ..area }, line);
            rows += 1;
        }
        rows
    }
}

/// Returns the rows of an area.
fn rows_of(area: Rect) -> impl Iterator<Item = Rect> {
    (area.y..area.bottom()).map(move |y| Rect { y, height: 1, ..area })
}

/// Draws the header: the scope of the list, or the filter. Returns the position of the cursor.
fn header(canvas: &mut Canvas<'_>, app: &Browser) -> Option<Position> {
    let area = app.layout.header;
    let list = &app.list;
    if app.focus == Focus::Filter || !list.filter().is_empty() {
        let count = Line::new().with(&format!(" {} of {}", list.count_listed(), list.count()), Role::Quiet);
        let room = area.width.saturating_sub(u16::try_from(count.width()).unwrap_or(0));
        let place = prompt(canvas, Rect { width: room, ..area }, list.filter());
        canvas.put_right(area, &count);
        return (app.focus == Focus::Filter).then_some(place);
    }
    let mut line = Line::new().with("recount", Role::Heading);
    let sessions = |count: usize| human::counted(count as u64, "session", "sessions");
    match list.scope {
        Scope::All => line.push(&format!("  {}", sessions(list.count())), Role::Quiet),
        Scope::ThisProject => line.push(&format!("  {} of this project", sessions(list.count_here())), Role::Quiet),
    }
    line.push(&format!(" · {}", list.sort.description().to_lowercase()), Role::Quiet);
    let column = canvas.put(area, &line);
    if let Freshness::Reading { done, all } = app.freshness {
        let text = match (done * 100).checked_div(all) {
            Some(percent) if done > 0 => format!("reading {} %", percent.min(100)),
            _ => "reading…".to_owned(),
        };
        let rest = Rect { x: column, width: area.right().saturating_sub(column), ..area };
        canvas.put_right(rest, &Line::new().with(&format!(" {text}"), Role::Quiet));
    }
    None
}

/// Draws typed text after `/`, cut at its start if it is long. Returns the position of the cursor.
fn prompt(canvas: &mut Canvas<'_>, area: Rect, text: &str) -> Position {
    let room = usize::from(area.width).saturating_sub(3);
    let mut start = 0;
    while let Some((rest, first)) = text.get(start..).and_then(|rest| Some((rest, rest.chars().next()?))) {
        if styled::width(rest) <= room {
            break;
        }
        start += first.len_utf8();
    }
    let line = Line::new().with("/ ", Role::Prompt).with(text.get(start..).unwrap_or_default(), Role::Strong);
    let column = canvas.put(area, &line);
    Position::new(column.min(area.right().saturating_sub(1)), area.y)
}

/// Draws the footer: a notice or key hints. Returns the position of the cursor.
fn footer(canvas: &mut Canvas<'_>, app: &Browser) -> Option<Position> {
    let area = app.layout.footer;
    if app.focus == Focus::Find {
        return Some(prompt(canvas, area, &app.typed));
    }
    if let Some(notice) = &app.notice {
        say(canvas, app.layout.all, area, notice);
        return None;
    }
    hints(canvas, area, keys::hints(app.focus));
    None
}

/// Draws as many key hints as fit.
fn hints(canvas: &mut Canvas<'_>, area: Rect, keys: &[(&str, &str)]) {
    let mut line = Line::new();
    for (key, what) in keys {
        let mut longer = line.clone();
        if !longer.is_empty() {
            longer.push("  ", Role::Quiet);
        }
        longer.push(key, Role::Strong);
        longer.push(&format!(" {what}"), Role::Quiet);
        if longer.width() > usize::from(area.width) {
            break;
        }
        line = longer;
    }
    canvas.put(area, &line);
}

/// Draws a notice in full, since a command that is cut off is useless.
fn say(canvas: &mut Canvas<'_>, all: Rect, footer: Rect, notice: &str) {
    let line = Line::new().with(notice, Role::Warning);
    let lines = styled::wrap(&line, usize::from(footer.width).max(4), &Line::new(), &Line::new());
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX).min(all.height / 2).max(1);
    let area = Rect { y: footer.bottom().saturating_sub(height), height, ..footer }.intersection(all);
    for (line, row) in lines.iter().zip(rows_of(area)) {
        canvas.clear(row);
        canvas.put(row, line);
    }
}

#[cfg(test)]
mod tests;
