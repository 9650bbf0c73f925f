//! Sessions, one in a row.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use wire::JsonLayout;

use app::SortKey;
use index::catalogue::{Agent, Session};
use sources::naming::short_name;
use story::TurnState;
use wire::list::{SessionOut, SessionsOut};
use wire::moment;

use super::{List, Look};
use crate::spreadsheet;
use crate::table::{Table, Weight, left, right, write_widest};
use crate::terminal::clean;

/// Sessions in the order they are to be printed in.
#[derive(Debug)]
pub(crate) struct SessionList {
    pub(crate) sessions: Vec<Session>,
    /// Their agents, where they are wanted.
    pub(crate) agents: HashMap<i64, Vec<Agent>>,
    /// Whether those that were copied stand below their originals.
    pub(crate) is_tree: bool,
}

impl SessionList {
    pub(crate) fn sort(&mut self, key: SortKey, reverse: bool) {
        key.sort(&mut self.sessions, reverse);
        if self.is_tree {
            self.put_forks_below();
        }
    }

    /// Puts sessions right behind those that they were copied from, however long that chain is.
    fn put_forks_below(&mut self) {
        let mut forks: HashMap<String, Vec<Session>> = HashMap::new();
        let names: HashSet<String> = self.sessions.iter().map(|session| session.session_id.clone()).collect();
        let mut roots = Vec::new();
        for session in std::mem::take(&mut self.sessions) {
            match session.copied_from.clone().filter(|origin| names.contains(origin) && *origin != session.session_id) {
                Some(origin) => forks.entry(origin).or_default().push(session),
                None => roots.push(session),
            }
        }
        let mut to_do: Vec<Session> = roots.into_iter().rev().collect();
        while let Some(session) = to_do.pop() {
            to_do.extend(forks.remove(&session.session_id).into_iter().flatten().rev());
            self.sessions.push(session);
        }
        // Those that say they were copied from each other in a circle.
        self.sessions.extend(forks.into_values().flatten());
    }

    /// How deep a session lies below the one that it was copied from, as printed here.
    fn depths(&self) -> Vec<usize> {
        let mut depths: HashMap<&str, usize> = HashMap::new();
        let mut list = Vec::new();
        for session in &self.sessions {
            let origin = session.copied_from.as_deref().filter(|_| self.is_tree);
            let depth = origin.and_then(|origin| depths.get(origin)).map_or(0, |depth| depth + 1);
            depths.insert(&session.session_id, depth);
            list.push(depth);
        }
        list
    }

    fn table(&self, sessions: &[Session], depths: &[usize], look: &Look<'_>, room: Room) -> Table {
        let has_project = room < Room::Narrow;
        let mut columns = vec![left("session"), left("last active")];
        if has_project {
            columns.push(left("project"));
        }
        let title = columns.len();
        columns.push(left("title"));
        columns.push(right("turns"));
        if room < Room::Least {
            columns.push(right("calls"));
        }
        if room < Room::Narrow {
            columns.push(right("failed"));
        }
        if room < Room::Middle {
            columns.push(right("tokens"));
        }
        columns.push(right("cost"));
        if room < Room::Middle {
            columns.push(right("worked"));
        }
        if room < Room::Tight {
            columns.push(left("state"));
        }
        let mut table = Table::new(columns, false).with_prose(title);
        for (session, depth) in sessions.iter().zip(depths) {
            table.row(Weight::Normal, cells(session, *depth, look, room), None);
            for agent in self.agents.get(&session.id).into_iter().flatten() {
                table.row(Weight::Part, agent_cells(agent, *depth, look, room), None);
            }
        }
        table
    }
}

impl List for SessionList {
    fn is_empty(&self) -> bool {
        self.sessions.is_empty()
    }

    /// Writes a table as wide as fits, and what was left out.
    fn write_text(&self, out: &mut impl Write, look: &Look<'_>) -> io::Result<()> {
        let (sessions, left_out) = look.shown(&self.sessions);
        let depths = self.depths();
        let tables = ROOMS.map(|room| self.table(sessions, &depths, look, room));
        write_widest(out, &tables, look.columns)?;
        if left_out > 0 {
            writeln!(out, "\n{} more; --limit 0 shows all", human::thousands(left_out as u64))?;
        }
        Ok(())
    }

    fn write_json(&self, out: &mut impl Write, look: &Look<'_>) -> io::Result<()> {
        let agents = |session: &Session| self.agents.get(&session.id).map(Vec::as_slice);
        let shown = look.shown(&self.sessions).0;
        let sessions = shown.iter().map(|session| SessionOut::of(session, agents(session))).collect();
        wire::write(out, &SessionsOut::new(sessions, self.sessions.len()), JsonLayout::Pretty)
    }

    fn write_csv(&self, out: &mut impl Write, look: &Look<'_>) -> io::Result<()> {
        const HEADINGS: [&str; 18] = [
            "session",
            "title",
            "project",
            "branch",
            "models",
            "first",
            "last",
            "turns",
            "prompts",
            "calls",
            "failed",
            "agents",
            "tokens",
            "cost_usd",
            "active_ms",
            "waiting_ms",
            "state",
            "path",
        ];
        spreadsheet::line(out, &HEADINGS)?;
        let name = |text: &Option<String>| spreadsheet::name(text.as_deref().unwrap_or_default());
        for session in look.shown(&self.sessions).0 {
            let counts = &session.counts;
            spreadsheet::line(
                out,
                &[
                    spreadsheet::name(&session.name),
                    name(&session.title),
                    name(&session.project),
                    name(&session.branch),
                    spreadsheet::name(&session.models.join(" ")),
                    moment(session.first).unwrap_or_default(),
                    moment(session.last).unwrap_or_default(),
                    counts.turns.to_string(),
                    counts.prompts.to_string(),
                    counts.calls.to_string(),
                    counts.failed.to_string(),
                    counts.agents.to_string(),
                    session.used.tokens.to_string(),
                    session.used.cost.dollars().to_string(),
                    session.active_ms.to_string(),
                    session.waiting_ms.to_string(),
                    session.state.map(TurnState::word).unwrap_or_default().to_owned(),
                    spreadsheet::name(&session.path.to_string_lossy()),
                ],
            )?;
        }
        Ok(())
    }
}

/// How much room there is, from the most to the least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Room {
    Wide,
    /// Without tokens and the time worked.
    Middle,
    /// Without project and failures.
    Narrow,
    /// Without calls.
    Least,
    /// Without the state.
    Tight,
}

const ROOMS: [Room; 5] = [Room::Wide, Room::Middle, Room::Narrow, Room::Least, Room::Tight];

fn cells(session: &Session, depth: usize, look: &Look<'_>, room: Room) -> Vec<String> {
    let counts = &session.counts;
    let number = |number: u32| human::thousands(number.into());
    let mut cells = vec![short(&session.name), look.locale.date_and_time(session.last)];
    if room < Room::Narrow {
        cells.push(shortened(&session.project_name));
    }
    let title = session.title.as_deref().unwrap_or("(no title)");
    let branch = if depth > 0 { "  ".repeat(depth - 1) + "└ " } else { String::new() };
    cells.push(format!("{branch}{}", clean(title)));
    cells.push(number(counts.turns));
    if room < Room::Least {
        cells.push(number(counts.calls));
    }
    if room < Room::Narrow {
        cells.push(if counts.failed > 0 { number(counts.failed) } else { String::new() });
    }
    if room < Room::Middle {
        cells.push(human::tokens(session.used.tokens));
    }
    cells.push(look.cost(&session.used));
    if room < Room::Middle {
        cells.push(human::duration(session.active_ms));
    }
    if room < Room::Tight {
        let state = session.state.map(TurnState::word).unwrap_or_default();
        cells.push(match (session.is_partial, session.is_archived) {
            (true, true) => "archived, only subagents".to_owned(),
            (true, false) => "only subagents".to_owned(),
            (false, true) => "archived".to_owned(),
            (false, false) => state.to_owned(),
        });
    }
    cells
}

fn agent_cells(agent: &Agent, depth: usize, look: &Look<'_>, room: Room) -> Vec<String> {
    let number = |number: u32| human::thousands(number.into());
    let mut cells = vec![format!("  {}", short(&agent.name)), look.locale.date_and_time(agent.last)];
    if room < Room::Narrow {
        cells.push(clean(agent.kind.as_deref().unwrap_or("agent")).into_owned());
    }
    let what = agent.description.as_deref().or(agent.kind.as_deref()).unwrap_or("subagent");
    cells.push(format!("{}└ {}", "  ".repeat(depth), clean(what)));
    cells.push(String::new());
    if room < Room::Least {
        cells.push(number(agent.calls));
    }
    if room < Room::Narrow {
        cells.push(if agent.failed > 0 { number(agent.failed) } else { String::new() });
    }
    if room < Room::Middle {
        cells.push(human::tokens(agent.used.tokens));
    }
    cells.push(look.cost(&agent.used));
    if room < Room::Middle {
        let worked = agent.first.zip(agent.last).map(|(first, last)| last.abs_diff(first));
        cells.push(worked.map(human::duration).unwrap_or_default());
    }
    if room < Room::Tight {
        cells.push(String::new());
    }
    cells
}

/// Enough of an id to find it again.
fn short(name: &str) -> String {
    const MOST: usize = 8;
    let name = clean(name);
    let short = short_name(&name);
    if short == *name { name.chars().take(MOST).collect() } else { short }
}

/// The last part of a folder's path.
pub(crate) fn folder_name(project: Option<&str>) -> String {
    let name = project.unwrap_or_default().trim_end_matches(['/', '\\']);
    shortened(name.rsplit(['/', '\\']).next().unwrap_or(name))
}

/// The name of a project, as wide as most are at most.
pub(crate) fn shortened(name: &str) -> String {
    /// Wider than most names of projects.
    const MOST: usize = 24;
    let name = clean(name);
    human::shortened(&name, MOST)
}
