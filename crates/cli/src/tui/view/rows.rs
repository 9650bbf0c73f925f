//! The rows of the list of sessions.

use index::catalogue::Session;
use jiff::{Timestamp, Zoned};
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use story::{SessionState, SessionStatus};
use styled::Line;
use styled::Role;
use styled::Style;

use super::{Canvas, Surroundings, rows_of};
use crate::tui::keys::Focus;
use crate::tui::list::Row;
use crate::tui::look::REVERSED;
use crate::tui::state::Browser;

/// The columns beside the title, in the order in which they are added while there is room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    When,
    Cost,
    Turns,
    Project,
    State,
}

const COLUMNS: [Column; 5] = [Column::When, Column::Cost, Column::Turns, Column::Project, Column::State];

/// Minimum width of the title before another column is added.
const TITLE: u16 = 26;
const GAP: u16 = 2;

impl Column {
    const fn width(self) -> u16 {
        match self {
            Self::When => 9,
            Self::Cost => 8,
            Self::Turns => 5,
            Self::Project => 14,
            Self::State => 7,
        }
    }

    const fn heading(self) -> &'static str {
        match self {
            // Times, states and folders need no heading.
            Self::When | Self::Project | Self::State => "",
            Self::Cost => "cost",
            Self::Turns => "turns",
        }
    }
}

/// The areas of a row.
struct Cells {
    when: Rect,
    title: Rect,
    others: Vec<(Column, Rect)>,
}

impl Cells {
    fn of(row: Rect) -> Self {
        let row = Rect { x: row.x + 1, width: row.width.saturating_sub(2), ..row };
        let mut rest = row.width;
        let mut shown = Vec::new();
        for column in COLUMNS {
            // The time is shown even if it leaves little room for the title.
            let least = if column == Column::When { TITLE / 2 } else { TITLE };
            if rest >= least + column.width() + GAP {
                rest -= column.width() + GAP;
                shown.push(column);
            }
        }
        let has_when = shown.contains(&Column::When);
        let when = Rect { width: if has_when { Column::When.width() } else { 0 }, ..row };
        let x = row.x + if has_when { when.width + GAP } else { 0 };
        let title = Rect { x, width: rest, ..row };
        let mut x = title.right();
        let mut others = Vec::new();
        for column in [Column::Project, Column::Turns, Column::Cost, Column::State] {
            if shown.contains(&column) {
                others.push((column, Rect { x: x + GAP, width: column.width(), ..row }));
                x += GAP + column.width();
            }
        }
        Self { when, title, others }
    }
}

pub(super) fn draw(canvas: &mut Canvas<'_>, app: &Browser, around: &Surroundings<'_>) {
    let area = app.layout.list;
    if app.list.count_listed() == 0 {
        let line = Line::new().with(" no matches", Role::Quiet);
        canvas.put(area, &line);
        return;
    }
    for (row, area) in app.list.visible().zip(rows_of(area)) {
        match row {
            Row::Here(count) => {
                heading(canvas, area, &format!("this project  {}", around.here), count);
                column_headings(canvas, area);
            }
            Row::Elsewhere(count) => {
                let has_here = count < app.list.count_listed();
                heading(canvas, area, if has_here { "elsewhere" } else { "all projects" }, count);
                // Shown only once.
                if !has_here {
                    column_headings(canvas, area);
                }
            }
            Row::Session { session, is_selected } => {
                self::session(canvas, area, session, around);
                if is_selected {
                    let has_focus = matches!(app.focus, Focus::List | Focus::Filter);
                    canvas.restyle(area, if has_focus { REVERSED } else { Modifier::BOLD.into() });
                    if !has_focus {
                        canvas.put(area, &Line::new().with("›", Role::Strong));
                    }
                }
            }
        }
    }
}

fn heading(canvas: &mut Canvas<'_>, area: Rect, text: &str, count: usize) {
    let cells = Cells::of(area);
    let left = Rect { x: cells.when.x, width: cells.title.right() - cells.when.x, ..area };
    let count = format!("  {}", human::thousands(count as u64));
    let room = usize::from(left.width).saturating_sub(count.len());
    canvas.put(left, &Line::new().with(text, Role::Heading).cut(room).with(&count, Role::Quiet));
}

fn column_headings(canvas: &mut Canvas<'_>, area: Rect) {
    for (column, place) in Cells::of(area).others {
        canvas.put_right(place, &Line::new().with(column.heading(), Role::Quiet));
    }
}

fn session(canvas: &mut Canvas<'_>, area: Rect, session: &Session, around: &Surroundings<'_>) {
    let cells = Cells::of(area);
    let has_column = cells.others.iter().any(|(column, _)| *column == Column::State);
    if let Some(state) = session.status.map(SessionStatus::state).filter(|state| !has_column && is_marked(*state)) {
        canvas.put(area, &Line::new().with(state.shape(), state_role(state)));
    }
    canvas.put(cells.when, &Line::new().with(&when(session.last, &around.now), Role::Quiet));
    let title = Line::new().with(&session.title, Style::PLAIN);
    canvas.put(cells.title, &title.cut(cells.title.width.into()));
    for (column, place) in cells.others {
        let width = usize::from(place.width);
        match column {
            Column::When => {}
            Column::Project => {
                let project = session.project.as_deref().unwrap_or_default();
                let name = Some(human::last_name(project)).filter(|name| !name.is_empty()).unwrap_or(project);
                canvas.put(place, &Line::new().with(name, Role::Code).cut(width));
            }
            Column::Turns => {
                let turns = human::thousands(session.counts.turns.into());
                canvas.put_right(place, &Line::new().with(&turns, Role::Quiet).cut(width));
            }
            Column::Cost => {
                let cost = around.listing.cost(&session.used);
                canvas.put_right(place, &Line::new().with(&cost, Style::PLAIN).cut(width));
            }
            Column::State => {
                if let Some(status) = session.status {
                    canvas.put(place, &Line::new().with(&status.word(), state_role(status.state())).cut(width));
                }
            }
        }
    }
}

/// Returns whether narrow rows mark a state. Most sessions have ended, which needs no mark.
const fn is_marked(state: SessionState) -> bool {
    match state {
        SessionState::Blocked | SessionState::Working | SessionState::Paused | SessionState::Failed => true,
        SessionState::Done | SessionState::Ended => false,
    }
}

/// Returns the colour of a state.
pub(super) const fn state_role(state: SessionState) -> Role {
    match state {
        SessionState::Blocked => Role::Warning,
        SessionState::Working => Role::Added,
        SessionState::Paused => Role::Keyword,
        SessionState::Done => Role::Prompt,
        SessionState::Ended => Role::Quiet,
        SessionState::Failed => Role::Error,
    }
}

/// Formats a moment in nine columns: `09:15` today, `Mon 09:15` in the last days, `Aug 8` this year, `Aug 2025` before.
fn when(at: Option<i64>, now: &Zoned) -> String {
    let Some(at) = at.and_then(|at| Timestamp::from_millisecond(at).ok()) else { return String::new() };
    let at = at.to_zoned(now.time_zone().clone());
    let week = now.checked_sub(jiff::Span::new().days(6)).map_or(at.date(), |then| then.date());
    let form = if at.date() == now.date() {
        "%H:%M"
    } else if at.date() > week && at.date() < now.date() {
        "%a %H:%M"
    } else if at.year() == now.year() {
        "%b %-d"
    } else {
        "%b %Y"
    };
    at.strftime(form).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_short() {
        let now: Zoned = "2026-08-08T12:00:00+02:00[+02:00]".parse().unwrap();
        let at = |text: &str| when(Some(text.parse::<Timestamp>().unwrap().as_millisecond()), &now);
        assert_eq!(at("2026-08-07T22:30:00Z"), "00:30");
        assert_eq!(at("2026-08-07T07:15:00Z"), "Fri 09:15");
        assert_eq!(at("2026-08-01T07:15:00Z"), "Aug 1");
        assert_eq!(at("2026-12-24T07:15:00Z"), "Dec 24");
        assert_eq!(at("2025-08-08T07:15:00Z"), "Aug 2025");
        assert_eq!(when(None, &now), "");
        assert_eq!(when(Some(i64::MAX), &now), "");
    }
}
