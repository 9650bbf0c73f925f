//! The preview of the selected session, beside or below the list.

use human::counted_tokens;
use index::catalogue::Session;
use ratatui::style::Modifier;
use styled::Line;
use styled::Role;

use super::{Canvas, Surroundings, rows_of};
use crate::tui::finder;
use crate::tui::keys::Focus;
use crate::tui::state::Browser;
use crate::tui::story_lines::{Progress, find_in};

pub(super) fn draw(canvas: &mut Canvas<'_>, app: &Browser, around: &Surroundings<'_>) {
    let Some(area) = app.layout.preview else { return };
    let role = if app.focus == Focus::Preview { Role::Tool } else { Role::Quiet };
    for row in rows_of(app.layout.divider) {
        canvas.put(row, &Line::new().with("│", role));
    }
    let Some(session) = app.list.selected() else { return };
    let found = app.list.found(session).map(|found| format!("turn {}: {}", found.turn, found.text));
    let facts = found.unwrap_or_else(|| facts(session, around));
    let width = usize::from(app.layout.facts.width);
    if app.layout.divider.is_empty() {
        let mut line =
            Line::new().with("─ ", role).with(&facts, Role::Quiet).cut(width.saturating_sub(2)).with(" ", role);
        let rest = width.saturating_sub(line.width());
        line.push(&"─".repeat(rest), role);
        canvas.put(app.layout.facts, &line);
    } else {
        canvas.put(app.layout.facts, &Line::new().with(&facts, role).cut(width));
    }
    let story_lines = &app.preview.story_lines;
    let mut rows = rows_of(area);
    let needle = finder::needle(app.list.filter());
    for (line, row) in story_lines.visible().zip(&mut rows) {
        canvas.put_found(row, line, &find_in(line.text(), &needle));
    }
    let note = match &story_lines.progress {
        Progress::Reading if story_lines.is_empty() => Some("reading…".to_owned()),
        Progress::Cut => Some("… enter reads on".to_owned()),
        Progress::Failed(why) if app.preview.is_current() => Some(why.clone()),
        Progress::Reading | Progress::Whole | Progress::Failed(_) => None,
    };
    if let (Some(note), Some(row)) = (note, rows.next()) {
        canvas.put(row, &Line::new().with(&note, Role::Quiet).cut(area.width.into()));
    }
    if !app.preview.is_current() {
        canvas.restyle(area, Modifier::DIM.into());
    }
}

/// Returns facts that the story does not contain: `4c1e2d3f · 1.2M tokens · $3.41`.
fn facts(session: &Session, around: &Surroundings<'_>) -> String {
    const LENGTH: usize = 8;
    let id: String = session.name.chars().take(LENGTH).collect();
    let used = &session.used;
    let tokens = (used.tokens > 0).then(|| counted_tokens(used.tokens));
    let cost = (used.tokens > 0).then(|| around.listing.cost(used));
    let parts = [Some(id), session.branch.clone(), tokens, cost];
    parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}
