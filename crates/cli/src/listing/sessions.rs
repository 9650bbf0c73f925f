//! Output of the list of sessions.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

use app::SortKey;
use app::columns::{AGENT_COLUMNS, Column, SESSION_COLUMNS, Width};
use index::catalogue::{Agent, Session};
use sources::naming::short_name;
use story::SessionStatus;
use wire::JsonLayout;
use wire::list::{SessionOut, SessionsOut};

use super::{List, ListLook, headings, write_csv};
use crate::table::{Table, Weight, write_widest};
use crate::terminal::clean;

/// Sessions in output order.
#[derive(Debug)]
pub(crate) struct SessionList {
    pub(crate) sessions: Vec<Session>,
    /// The agents of each session, if requested.
    pub(crate) agents: HashMap<i64, Vec<Agent>>,
    /// Whether copies are shown below their originals.
    pub(crate) is_tree: bool,
}

impl SessionList {
    pub(crate) fn sort(&mut self, key: SortKey, reverse: bool) {
        key.sort(&mut self.sessions, reverse);
        if self.is_tree {
            self.put_forks_below();
        }
    }

    /// Moves copies directly below their originals, through chains of any length.
    fn put_forks_below(&mut self) {
        let mut forks: HashMap<String, Vec<Session>> = HashMap::new();
        let names: HashSet<String> = self.sessions.iter().map(|session| session.stem.clone()).collect();
        let mut roots = Vec::new();
        for session in std::mem::take(&mut self.sessions) {
            match session.copied_from.clone().filter(|origin| names.contains(origin) && *origin != session.stem) {
                Some(origin) => forks.entry(origin).or_default().push(session),
                None => roots.push(session),
            }
        }
        let mut to_do: Vec<Session> = roots.into_iter().rev().collect();
        while let Some(session) = to_do.pop() {
            to_do.extend(forks.remove(&session.stem).into_iter().flatten().rev());
            self.sessions.push(session);
        }
        // Sessions that form a cycle of copies.
        self.sessions.extend(forks.into_values().flatten());
    }

    /// Returns the depth of each session below its original, in output order.
    fn depths(&self) -> Vec<usize> {
        let mut depths: HashMap<&str, usize> = HashMap::new();
        let mut list = Vec::new();
        for session in &self.sessions {
            let origin = session.copied_from.as_deref().filter(|_| self.is_tree);
            let depth = origin.and_then(|origin| depths.get(origin)).map_or(0, |depth| depth + 1);
            depths.insert(&session.stem, depth);
            list.push(depth);
        }
        list
    }

    fn table(&self, sessions: &[Session], depths: &[usize], look: &ListLook<'_>, width: Width) -> Table {
        let columns: Vec<_> = shown_columns(width).collect();
        let title = columns.iter().position(|column| column.key == "title").unwrap_or(0);
        let mut table = Table::new(headings(columns.iter().copied()), false).with_prose(title);
        for (session, depth) in sessions.iter().zip(depths) {
            let cells = columns.iter().map(|column| cell(column, session, *depth, look));
            table.row(Weight::Normal, cells.collect(), None);
            for agent in self.agents.get(&session.id).into_iter().flatten() {
                let cells = columns.iter().map(|column| agent_cell(column, agent, *depth, look));
                table.row(Weight::Part, cells.collect(), None);
            }
        }
        table
    }
}

impl List for SessionList {
    fn is_empty(&self) -> bool {
        self.sessions.is_empty()
    }

    /// Writes a table fitted to the width, and the number of rows left out.
    fn write_text(&self, out: &mut impl Write, look: &ListLook<'_>) -> io::Result<()> {
        let (sessions, left_out) = look.shown(&self.sessions);
        let depths = self.depths();
        let tables = Width::ALL.map(|width| self.table(sessions, &depths, look, width));
        write_widest(out, &tables, look.columns)?;
        if left_out > 0 {
            writeln!(out, "\n{} more; --limit 0 shows all", human::thousands(left_out as u64))?;
        }
        Ok(())
    }

    fn write_json(&self, out: &mut impl Write, look: &ListLook<'_>) -> io::Result<()> {
        let agents = |session: &Session| self.agents.get(&session.id).map(Vec::as_slice);
        let shown = look.shown(&self.sessions).0;
        let sessions = shown.iter().map(|session| SessionOut::of(session, agents(session))).collect();
        wire::write(out, &SessionsOut::new(sessions, self.sessions.len()), JsonLayout::Pretty)
    }

    fn write_csv(&self, out: &mut impl Write, look: &ListLook<'_>) -> io::Result<()> {
        write_csv(out, look.shown(&self.sessions).0)
    }
}

/// Returns the columns of a table of this width.
fn shown_columns(width: Width) -> impl Iterator<Item = &'static Column<Session>> {
    SESSION_COLUMNS.iter().filter(move |column| column.heading.is_some() && column.width <= width)
}

fn cell(column: &Column<Session>, session: &Session, depth: usize, look: &ListLook<'_>) -> String {
    match column.key {
        "session" => short(&session.name),
        "project" => shortened(&session.project_name),
        "title" => {
            let branch = if depth > 0 { "  ".repeat(depth - 1) + "└ " } else { String::new() };
            format!("{branch}{}", clean(&session.title))
        }
        "state" => state(session),
        _ => look.cell(column.cell(session)),
    }
}

/// Returns the state of a session, and whether all of it is still there.
fn state(session: &Session) -> String {
    let word = session.status.map(SessionStatus::word);
    let archived = session.is_archived.then(|| "archived".to_owned());
    let marks = archived.into_iter().chain(session.remnant.map(|remnant| format!("only {}", remnant.as_str())));
    word.into_iter().chain(marks).collect::<Vec<_>>().join(", ")
}

/// Returns the cell of a subagent in a column of sessions.
fn agent_cell(column: &Column<Session>, agent: &Agent, depth: usize, look: &ListLook<'_>) -> String {
    match column.key {
        "session" => format!("  {}", short(&agent.name)),
        "project" => clean(agent.kind.as_deref().unwrap_or("agent")).into_owned(),
        "title" => {
            let what = agent.description.as_deref().or(agent.kind.as_deref()).unwrap_or("subagent");
            format!("{}└ {}", "  ".repeat(depth), clean(what))
        }
        _ => {
            let same = AGENT_COLUMNS.iter().find(|of_agent| of_agent.heading == column.heading);
            same.map(|same| look.cell(same.cell(agent))).unwrap_or_default()
        }
    }
}

/// Returns a prefix of an id that is long enough to find it.
fn short(name: &str) -> String {
    const MOST: usize = 8;
    let name = clean(name);
    let short = short_name(&name);
    if short == *name { name.chars().take(MOST).collect() } else { short }
}

/// Returns the last component of a folder's path.
pub(crate) fn folder_name(project: Option<&str>) -> String {
    let name = project.unwrap_or_default().trim_end_matches(['/', '\\']);
    shortened(name.rsplit(['/', '\\']).next().unwrap_or(name))
}

/// Shortens the name of a project.
pub(crate) fn shortened(name: &str) -> String {
    /// Longer than most names of projects.
    const MOST: usize = 24;
    let name = clean(name);
    human::shortened(&name, MOST)
}
