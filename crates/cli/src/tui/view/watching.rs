//! Draws the board. The picture is a function of [`Watching`] alone.

use live::alert::window;
use live::board::{Card, Totals};
use live::glance::Progress;
use live::state::Doing;
use ratatui::Frame;
use ratatui::layout::Rect;
use styled::Line;
use styled::Role;
use styled::Style;

use super::rows::state_role;
use super::{Canvas, Surroundings, help, hints, prompt, rows_of, say};
use crate::listing::folder_name;
use crate::tui::look::REVERSED;
use crate::tui::watching::state::{HELP, HINTS, Row, Watching};

/// Columns of the number, the state and its duration, before the title.
const STATE: usize = 11;
const FOR: usize = 7;

/// Widths from which the cost and the project are shown.
const WITH_COST: u16 = 60;
const WITH_PROJECT: u16 = 72;
const PROJECT: usize = 24;
const COST: usize = 9;

/// Draws everything.
pub(crate) fn draw(frame: &mut Frame<'_>, watching: &Watching, around: &Surroundings<'_>) {
    if watching.app.reader.is_some() {
        return super::draw(frame, &watching.app, around);
    }
    // The window was resized; another frame follows.
    if frame.area() != watching.areas.all {
        return;
    }
    let mut cursor = None;
    let mut canvas = Canvas { buffer: frame.buffer_mut(), look: &around.look };
    header(&mut canvas, watching);
    board(&mut canvas, watching, around);
    today(&mut canvas, watching, around);
    let footer = watching.areas.footer;
    if watching.is_typing || !watching.filter.is_empty() {
        let place = prompt(&mut canvas, footer, &watching.filter);
        cursor = watching.is_typing.then_some(place);
    } else {
        hints(&mut canvas, footer, HINTS);
    }
    if let Some(notice) = &watching.app.notice {
        say(&mut canvas, watching.areas.all, footer, notice);
    }
    if watching.is_helping {
        help::draw(&mut canvas, watching.areas.all, HELP);
        cursor = None;
    }
    if let Some(cursor) = cursor {
        frame.set_cursor_position(cursor);
    }
}

fn header(canvas: &mut Canvas<'_>, watching: &Watching) {
    let area = watching.areas.header;
    let mut line = Line::new().with("recount watch", Role::Heading);
    if watching.board.is_none() {
        line.push("  reading…", Role::Quiet);
    } else {
        let [waiting, working, _] = watching.counts();
        let role = if waiting > 0 { Role::Warning } else { Role::Quiet };
        let verb = if waiting == 1 { "needs" } else { "need" };
        line.push(&format!("  {waiting} {verb} you"), role);
        line.push(&format!(" · {working} working"), Role::Quiet);
    }
    canvas.put(area, &line.cut(area.width.into()));
}

/// Draws today's totals, or an alert in their place.
fn today(canvas: &mut Canvas<'_>, watching: &Watching, around: &Surroundings<'_>) {
    let area = watching.areas.today;
    let Some(board) = &watching.board else { return };
    let Totals { used, worked, waited } = &board.today;
    let line = Line::new().with(" today  ", Role::Quiet).with(&around.listing.cost(used), Role::Strong);
    let mut line = line.with(&format!(" · {}", human::counted_tokens(used.tokens)), Role::Quiet);
    for (millis, what) in [(*worked, "worked"), (*waited, "waited for you")] {
        if millis >= 1000 {
            line.push(&format!(" · {} {what}", human::duration(millis)), Role::Quiet);
        }
    }
    if let Some(alert) = &board.alert {
        line = Line::new().with(&format!(" ! {alert}"), Role::Error);
    }
    canvas.put(area, &line.cut(area.width.into()));
}

fn board(canvas: &mut Canvas<'_>, watching: &Watching, around: &Surroundings<'_>) {
    let area = watching.areas.board;
    let is_empty = watching.visible().next().is_none();
    if is_empty && watching.board.is_some() {
        let text = if watching.filter.is_empty() { " no session was active recently" } else { " no matches" };
        canvas.put(area, &Line::new().with(text, Role::Quiet).cut(area.width.into()));
    }
    for (row, area) in watching.visible().zip(rows_of(area)) {
        match row {
            Row::Blank => {}
            Row::Heading(text, count) => {
                let line = Line::new().with(&format!(" {text}"), Role::Heading);
                canvas.put(area, &line.with(&format!("  {count}"), Role::Quiet).cut(area.width.into()));
            }
            Row::Session(card, number) => {
                session(canvas, area, card, number, around);
                if watching.is_selected(card) {
                    canvas.restyle(area, REVERSED);
                }
            }
            Row::What(card) => {
                let mut line = Line::new().with("   ", Style::PLAIN);
                line.append(&what(card, around));
                let right = if area.width >= WITH_PROJECT { figures(card) } else { Line::new() };
                let room = usize::from(area.width).saturating_sub(right.width() + usize::from(right.width() > 0));
                canvas.put(area, &line.cut(room));
                canvas.put_right(area, &right);
            }
            Row::Alert(_, alert) => {
                let line = Line::new().with("   ! ", Role::Error).with(alert, Role::Error);
                canvas.put(area, &line.cut(area.width.into()));
            }
            Row::More(count) => {
                let line = Line::new().with(&format!("   {count} more; `recount ls` lists all"), Role::Quiet);
                canvas.put(area, &line.cut(area.width.into()));
            }
        }
    }
}

fn session(canvas: &mut Canvas<'_>, area: Rect, card: &Card, number: Option<usize>, around: &Surroundings<'_>) {
    let number = number.filter(|number| *number < 10).map(|number| number.to_string()).unwrap_or_default();
    let status = card.state.status();
    let state = status.word();
    let line = Line::new().with(&format!("{number:>2} "), Role::Strong);
    let mut line = line.with(&format!("{state:STATE$}"), state_role(status.state()));
    line.push(&format!("{:>FOR$}  ", since(card.state.since, around)), Role::Quiet);
    let mut right = Line::new();
    if area.width >= WITH_PROJECT {
        let project = folder_name(card.project());
        let branch = card.session.as_ref().and_then(|session| session.branch.as_deref()).unwrap_or_default();
        let place = Line::new().with(&project, Role::Code).with(&format!(" {branch}"), Role::Quiet).cut(PROJECT);
        right.append(&place);
        right.push(&" ".repeat(PROJECT.saturating_sub(place.width())), Style::PLAIN);
    }
    if area.width >= WITH_COST {
        let cost = card.session.as_ref().map(|session| around.listing.cost(&session.used)).unwrap_or_default();
        right.push(&format!("{cost:>COST$}"), Style::PLAIN);
    }
    let room = usize::from(area.width).saturating_sub(right.width() + usize::from(right.width() > 0));
    line.push(card.title(), Style::PLAIN);
    canvas.put(area, &line.cut(room));
    canvas.put_right(area, &right);
}

/// Returns what a session does or waits for, or else its last message.
fn what(card: &Card, around: &Surroundings<'_>) -> Line {
    let mut doing = card.state.doing.what();
    // The reason of a state without a subject of its own.
    if doing.is_empty() && card.state.doing.is_active() {
        card.state.status().reason.detail().unwrap_or_default().clone_into(&mut doing);
    }
    let style = if card.needs_you() { Style::PLAIN } else { Role::Quiet.into() };
    let mut line = Line::new();
    if card.glance.tail.agents > 0 {
        let agents = human::counted(card.glance.tail.agents as u64, "agent", "agents");
        line.push(&format!("{agents} · "), Role::Keyword);
    }
    match (doing.is_empty(), &card.glance.tail.words) {
        (true, Some(words)) => line.push(words, Role::Quiet),
        _ => line.push(&doing, style),
    }
    if let Doing::Working(Some(call)) | Doing::Permission(Some(call)) = &card.state.doing
        && call.since.is_some()
        && call.since != card.state.since
    {
        line.push(&format!(" · {}", since(call.since, around)), Role::Quiet);
    }
    line
}

/// Returns progress, context use and changed lines.
fn figures(card: &Card) -> Line {
    let glance = &card.glance;
    let mut line = Line::new();
    let mut add = |text: &str, role: Role| {
        if !line.is_empty() {
            line.push("  ", Role::Quiet);
        }
        line.push(text, role);
    };
    if let Some(Progress { done, all, .. }) = &glance.tasks {
        add(&format!("{done}/{}", human::counted(*all as u64, "task", "tasks")), Role::Quiet);
    }
    if let Some(tokens) = glance.context {
        let percent = u64::from(tokens) * 100 / u64::from(window(tokens));
        add(&format!("{percent} % context"), if percent >= 80 { Role::Warning } else { Role::Quiet });
    }
    if glance.added + glance.removed > 0 {
        add(&format!("+{}", human::thousands(glance.added)), Role::Added);
        add(&format!("−{}", human::thousands(glance.removed)), Role::Removed);
    }
    line
}

/// Returns the time since a moment, rounded for a glance.
fn since(at: Option<i64>, around: &Surroundings<'_>) -> String {
    let Some(at) = at else { return String::new() };
    let seconds = around.now.timestamp().as_millisecond().saturating_sub(at).max(0) / 1000;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds / 60),
        3_600..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests;
