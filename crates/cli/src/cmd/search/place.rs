//! The location of a hit: session, turn, time, and the command that opens it.

use human::Locale;
use index::search::{AgentInfo, SessionInfo};
use sources::naming::short_name;
use styled::Line;
use styled::Role;
use styled::Style;
use styled::wrap;

/// Formatting options of locations.
pub(crate) struct Sight<'a> {
    pub(crate) locale: &'a Locale,
    /// The user's home, shown as `~`.
    pub(crate) home: Option<String>,
}

impl Sight<'_> {
    /// Shortens a folder relative to the user's home.
    fn folder(&self, path: &str) -> String {
        human::from_home(path, self.home.as_deref())
    }
}

/// Writes the title of a session with its folder and time.
pub(crate) fn heading(lines: &mut Vec<Line>, mut line: Line, session: &SessionInfo, width: usize, see: &Sight<'_>) {
    let indent = Line::new().with("    ", Style::PLAIN);
    line.push(&session.title, Role::Strong);
    let project = session.project.as_deref().map(|path| see.folder(path)).unwrap_or_default();
    let facts = [project, see.locale.date_and_time(session.last), short_name(&session.name)];
    for fact in facts.iter().filter(|fact| !fact.is_empty()) {
        line.push(&format!(" · {fact}"), Role::Quiet);
    }
    lines.extend(wrap(&line, width, &Line::new(), &indent));
}

/// Writes the agent, the turn, the time and the command that opens the location.
pub(crate) fn whereabouts(
    line: &mut Line,
    agent: Option<&AgentInfo>,
    turn: Option<u64>,
    at: Option<i64>,
    session: &SessionInfo,
    locale: &Locale,
) {
    if let Some(agent) = agent {
        let kind = agent.kind.as_deref().unwrap_or("agent");
        line.push(&format!(" · {kind} {}", agent.name), Role::Quiet);
    }
    if let Some(turn) = turn {
        line.push(&format!(" · turn {turn}"), Role::Quiet);
    }
    let is_same_day = locale.date(at) == locale.date(session.last);
    let time = if is_same_day { locale.time_of_day(at) } else { locale.date_and_time(at) };
    if !time.is_empty() {
        line.push(&format!(" · {time}"), Role::Quiet);
    }
    line.push(&format!(" · {}", command(agent, turn, session)), Role::Link);
}

/// Returns the command that opens a location.
fn command(agent: Option<&AgentInfo>, turn: Option<u64>, session: &SessionInfo) -> String {
    let name = short_name(&session.name);
    match (agent, turn) {
        (Some(agent), _) => format!("recount show {name} --thread {}", agent.name),
        (None, Some(turn)) => format!("recount show {name} --turn {turn}"),
        (None, None) => format!("recount show {name}"),
    }
}
