//! Text output of the board.

use std::io::{self, Write};

use live::board::{Board, Card};

use story::SessionState;

use crate::listing::ListLook;
use crate::table::{Table, Weight, left, right, write_widest};
use crate::terminal::clean;

/// Default number of ended sessions.
pub(crate) const ENDED: usize = 5;

/// Writes the board, fitted to the width.
pub(crate) fn write(board: &Board, out: &mut impl Write, look: &ListLook<'_>, now: i64) -> io::Result<()> {
    if let Some(alert) = &board.alert {
        writeln!(out, "! {alert}\n")?;
    }
    let mut is_first = true;
    for (heading, cards) in board.parts() {
        if cards.is_empty() {
            continue;
        }
        if !std::mem::take(&mut is_first) {
            writeln!(out)?;
        }
        let shown = look.limit.filter(|_| heading == "ended").map_or(usize::MAX, usize::from);
        let tables = [true, false].map(|is_wide| table(heading, cards.iter().take(shown).copied(), look, now, is_wide));
        write_widest(out, &tables, look.columns)?;
        if cards.len() > shown {
            writeln!(out, "{} more; `recount ls` lists all", cards.len() - shown)?;
        }
    }
    Ok(())
}

fn table<'c>(
    heading: &'static str,
    cards: impl Iterator<Item = &'c Card>,
    look: &ListLook<'_>,
    now: i64,
    is_wide: bool,
) -> Table {
    let mut columns = vec![left(heading), right("for"), left("project"), left("what")];
    let what = columns.len() - 1;
    if is_wide {
        columns.extend([left("title"), right("cost")]);
    }
    let mut table = Table::new(columns, false).with_prose(what);
    for card in cards {
        let since = card.state.since.map(|since| human::duration(now.abs_diff(since))).unwrap_or_default();
        let project = card.project().map(folder_name).unwrap_or_default();
        let mut cells = vec![state(card), since, project, what_of(card)];
        if is_wide {
            cells.push(shortened(card.title()));
            cells.push(card.session.as_ref().map(|session| look.cost(&session.used)).unwrap_or_default());
        }
        table.row(Weight::Normal, cells, None);
    }
    table
}

fn state(card: &Card) -> String {
    card.state.status().word()
}

fn what_of(card: &Card) -> String {
    let mut parts: Vec<String> = card.alerts.iter().map(|alert| format!("! {alert}")).collect();
    // A command needs no introduction; why it waits for you does.
    let reason = card.state.status().reason;
    parts.extend(reason.detail().map(str::to_owned).filter(|_| reason.state() != SessionState::Ended));
    parts.extend(Some(card.state.doing.what()).filter(|what| !what.is_empty()));
    if card.glance.tail.agents > 0 {
        parts.push(human::counted(card.glance.tail.agents as u64, "agent", "agents"));
    }
    clean(&parts.join(" · ")).into_owned()
}

fn shortened(title: &str) -> String {
    /// Maximum width of a title.
    const MOST: usize = 32;
    human::shortened(&clean(title), MOST)
}

fn folder_name(project: &str) -> String {
    crate::listing::folder_name(Some(project))
}
