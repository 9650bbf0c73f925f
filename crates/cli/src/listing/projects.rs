//! Output of the list of projects.

use std::io::{self, Write};

use app::SortKey;
use app::columns::{Column, PROJECT_COLUMNS, Width};
use index::catalogue::{Project, Session, projects};
use wire::JsonLayout;
use wire::list::ProjectsOut;

use super::{List, ListLook, headings, write_csv};
use crate::table::{Table, Weight, write_widest};
use crate::terminal::clean;

/// Projects in output order.
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

    fn write_text(&self, out: &mut impl Write, look: &ListLook<'_>) -> io::Result<()> {
        let (projects, left_out) = look.shown(&self.0);
        let tables = [Width::Wide, Width::Tight].map(|width| table(projects, look, width));
        write_widest(out, &tables, look.columns)?;
        if left_out > 0 {
            writeln!(out, "\n{} more; --limit 0 shows all", human::thousands(left_out as u64))?;
        }
        Ok(())
    }

    fn write_json(&self, out: &mut impl Write, look: &ListLook<'_>) -> io::Result<()> {
        wire::write(out, &ProjectsOut::new(look.shown(&self.0).0, self.0.len()), JsonLayout::Pretty)
    }

    fn write_csv(&self, out: &mut impl Write, look: &ListLook<'_>) -> io::Result<()> {
        write_csv(out, look.shown(&self.0).0)
    }
}

fn table(projects: &[Project], look: &ListLook<'_>, width: Width) -> Table {
    let is_shown = |column: &&Column<Project>| column.heading.is_some() && column.width <= width;
    let columns: Vec<_> = PROJECT_COLUMNS.iter().filter(is_shown).collect();
    let mut table = Table::new(headings(columns.iter().copied()), false);
    for project in projects {
        let cells = columns.iter().map(|column| match column.key {
            "project" if project.path.is_empty() => "(not known)".to_owned(),
            "project" => clean(&project.name).into_owned(),
            _ => look.cell(column.cell(project)),
        });
        table.row(Weight::Normal, cells.collect(), None);
    }
    table
}
