//! The message shown if there are no sessions.

use ratatui::layout::Rect;
use styled::Line;
use styled::Role;
use styled::Style;

use super::{Canvas, Surroundings};
use crate::tui::state::{Browser, Freshness};

pub(super) fn draw(canvas: &mut Canvas<'_>, app: &Browser, around: &Surroundings<'_>) {
    let mut area = app.layout.reader;
    if area.height > 8 {
        area = Rect { y: area.y + 1, height: area.height - 1, ..area };
    }
    if app.freshness != Freshness::UpToDate {
        canvas.put(area, &Line::new().with("reading…", Role::Quiet));
        return;
    }
    let mut lines = vec![
        Line::new().with("There are no sessions yet.", Role::Heading),
        Line::new(),
        Line::new().with("Claude Code keeps them below these folders:", Style::PLAIN),
    ];
    lines.extend(around.roots.iter().map(|root| Line::new().with(&format!("  {root}/projects"), Role::Code)));
    lines.push(Line::new());
    let demo = Line::new().with("recount demo", Role::Code).with(" shows a sample session.", Style::PLAIN);
    let variable = Line::new().with("CLAUDE_CONFIG_DIR", Role::Code).with(" names other folders.", Style::PLAIN);
    lines.extend([demo, variable]);
    for line in &lines {
        let rows = canvas.paragraph(area, line).max(1).min(area.height);
        area = Rect { y: area.y + rows, height: area.height - rows, ..area };
    }
}
