//! Projects, one in a row.

use std::io::{self, Write};
use wire::JsonLayout;

use app::SortKey;
use index::catalogue::{Project, Session, projects};
use wire::list::ProjectsOut;
use wire::moment;

use super::{List, Look};
use crate::spreadsheet;
use crate::table::{Table, Weight, left, right, write_widest};
use crate::terminal::clean;

/// Projects in the order they are to be printed in.
#[derive(Debug)]
pub(crate) struct ProjectList(Vec<Project>);

impl ProjectList {
    pub(crate) fn of(sessions: &[Session]) -> Self {
        Self(projects(sessions))
    }

    pub(crate) fn sort(&mut self, key: SortKey, reverse: bool) {
        key.sort(&mut self.0, reverse);
    }
}

impl List for ProjectList {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn write_text(&self, out: &mut impl Write, look: &Look<'_>) -> io::Result<()> {
        let (projects, left_out) = look.shown(&self.0);
        let tables = [true, false].map(|is_wide| table(projects, look, is_wide));
        write_widest(out, &tables, look.columns)?;
        if left_out > 0 {
            writeln!(out, "\n{} more; --limit 0 shows all", human::thousands(left_out as u64))?;
        }
        Ok(())
    }

    fn write_json(&self, out: &mut impl Write, look: &Look<'_>) -> io::Result<()> {
        wire::write(out, &ProjectsOut::new(look.shown(&self.0).0, self.0.len()), JsonLayout::Pretty)
    }

    fn write_csv(&self, out: &mut impl Write, look: &Look<'_>) -> io::Result<()> {
        const HEADINGS: [&str; 11] = [
            "project",
            "sessions",
            "first",
            "last",
            "turns",
            "calls",
            "failed",
            "tokens",
            "cost_usd",
            "active_ms",
            "waiting_ms",
        ];
        spreadsheet::line(out, &HEADINGS)?;
        for project in look.shown(&self.0).0 {
            spreadsheet::line(
                out,
                &[
                    spreadsheet::name(&project.path),
                    project.sessions.to_string(),
                    moment(project.first).unwrap_or_default(),
                    moment(project.last).unwrap_or_default(),
                    project.turns.to_string(),
                    project.calls.to_string(),
                    project.failed.to_string(),
                    project.used.tokens.to_string(),
                    project.used.cost.dollars().to_string(),
                    project.active_ms.to_string(),
                    project.waiting_ms.to_string(),
                ],
            )?;
        }
        Ok(())
    }
}

fn table(projects: &[Project], look: &Look<'_>, is_wide: bool) -> Table {
    let mut columns = vec![left("project"), left("last active"), right("sessions")];
    if is_wide {
        columns.extend(["turns", "calls", "failed", "tokens"].map(right));
    }
    columns.push(right("cost"));
    if is_wide {
        columns.push(right("worked"));
    }
    let mut table = Table::new(columns, false);
    for project in projects {
        let folder = if project.path.is_empty() { "(not known)".to_owned() } else { clean(&project.name).into_owned() };
        let mut cells = vec![folder, look.locale.date_and_time(project.last), human::thousands(project.sessions)];
        if is_wide {
            cells.extend([project.turns, project.calls, project.failed].map(human::thousands));
            cells.push(human::tokens(project.used.tokens));
        }
        cells.push(look.cost(&project.used));
        if is_wide {
            cells.push(human::duration(project.active_ms));
        }
        table.row(Weight::Normal, cells, None);
    }
    table
}
