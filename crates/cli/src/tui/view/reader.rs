//! The full-screen view of a session.

use ratatui::layout::Rect;
use story::Detail;
use styled::Line;
use styled::Role;

use super::{Canvas, rows_of};
use crate::tui::state::{Browser, Reader};
use crate::tui::story_lines::{Progress, find_in};

pub(super) fn draw(canvas: &mut Canvas<'_>, app: &Browser, reader: &Reader) {
    let story_lines = &reader.story_lines;
    head(canvas, app, reader);
    let mut rows = rows_of(app.layout.reader);
    for (line, row) in story_lines.visible().zip(&mut rows) {
        canvas.put_found(row, line, &find_in(line.text(), story_lines.needle()));
    }
    let note = match &story_lines.progress {
        Progress::Reading if story_lines.is_empty() => "reading…",
        Progress::Cut => "… truncated here; `recount show` shows the whole session",
        Progress::Failed(why) => why,
        Progress::Whole if story_lines.is_empty() => "nothing to show",
        Progress::Reading | Progress::Whole => return,
    };
    if let Some(row) = rows.next() {
        canvas.put(row, &Line::new().with(note, Role::Quiet).cut(row.width.into()));
    }
}

/// Draws the title and the position of the reader.
fn head(canvas: &mut Canvas<'_>, app: &Browser, reader: &Reader) {
    let story_lines = &reader.story_lines;
    let area = app.layout.header;
    let reading = if story_lines.progress == Progress::Reading { " · reading…" } else { "" };
    let turns = match story_lines.turn_count() {
        0 => String::new(),
        count if story_lines.turn() == 0 => format!(" · {}", human::counted(count as u64, "turn", "turns")),
        _ if story_lines.progress == Progress::Reading => format!(" · turn {}", story_lines.turn()),
        count => format!(" · turn {} of {count}", story_lines.turn()),
    };
    let place = format!("  {}{turns} · {} %{reading}", word(reader.detail), story_lines.percent());
    let place = Line::new().with(&place, Role::Quiet).cut(area.width.into());
    let room = area.width.saturating_sub(u16::try_from(place.width()).unwrap_or(u16::MAX));
    let title = &reader.session.title;
    canvas.put(Rect { width: room, ..area }, &Line::new().with(title, Role::Heading).cut(room.into()));
    canvas.put_right(area, &place);
}

const fn word(detail: Detail) -> &'static str {
    match detail {
        Detail::Prompts => "prompts",
        Detail::Talk => "talk",
        Detail::Steps => "steps",
        Detail::Full => "full",
        Detail::Raw => "raw",
    }
}
