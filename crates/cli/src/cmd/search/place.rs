//! Where something is: its session, turn and time, and what opens it.

use index::search::{AgentInfo, SessionInfo};
use jiff::tz::TimeZone;
use styled::Line;
use styled::Role;
use styled::Style;
use styled::wrap;

/// The title of a session, and where and when it was.
pub(crate) fn heading(lines: &mut Vec<Line>, mut line: Line, session: &SessionInfo, width: usize, zone: &TimeZone) {
    let indent = Line::new().with("    ", Style::PLAIN);
    line.push(session.title.as_deref().unwrap_or("(no title)"), Role::Strong);
    let project = session.project.as_deref().map(home).unwrap_or_default();
    let facts = [project, human::date_and_time(session.last, zone), short(session).to_owned()];
    for fact in facts.iter().filter(|fact| !fact.is_empty()) {
        line.push(&format!(" · {fact}"), Role::Quiet);
    }
    lines.extend(wrap(&line, width, &Line::new(), &indent));
}

/// The agent, the turn and the time, and the command that opens the place.
pub(crate) fn whereabouts(
    line: &mut Line,
    agent: Option<&AgentInfo>,
    turn: Option<u64>,
    at: Option<i64>,
    session: &SessionInfo,
    zone: &TimeZone,
) {
    if let Some(agent) = agent {
        let kind = agent.kind.as_deref().unwrap_or("agent");
        line.push(&format!(" · {kind} {}", agent.name), Role::Quiet);
    }
    if let Some(turn) = turn {
        line.push(&format!(" · turn {turn}"), Role::Quiet);
    }
    let is_same_day = human::date(at, zone) == human::date(session.last, zone);
    let time = if is_same_day { human::time_of_day } else { human::date_and_time }(at, zone);
    if !time.is_empty() {
        line.push(&format!(" · {time}"), Role::Quiet);
    }
    line.push(&format!(" · {}", command(agent, turn, session)), Role::Link);
}

/// What opens a place.
fn command(agent: Option<&AgentInfo>, turn: Option<u64>, session: &SessionInfo) -> String {
    let name = short(session);
    match (agent, turn) {
        (Some(agent), _) => format!("recount show {name} --thread {}", agent.name),
        (None, Some(turn)) => format!("recount show {name} --turn {turn}"),
        (None, None) => format!("recount show {name}"),
    }
}

/// As much of an id as is needed.
fn short(session: &SessionInfo) -> &str {
    const ENOUGH: usize = 8;
    let name = session.name.as_str();
    let is_id = name.len() == 36 && name.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    if is_id { name.get(..ENOUGH).unwrap_or(name) } else { name }
}

/// A folder of the user's, with `~` for home.
fn home(path: &str) -> String {
    let home = std::env::home_dir().and_then(|home| home.to_str().map(str::to_owned));
    let below = home.as_deref().filter(|home| home.len() > 1).and_then(|home| path.strip_prefix(home));
    match below {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("~{rest}"),
        _ => path.to_owned(),
    }
}
