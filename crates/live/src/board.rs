//! The sessions that are active, and where each of them stands.

use std::collections::HashMap;
use std::path::Path;

use index::catalogue::Session;
use index::{Index, IndexError};
use library::Root;

use crate::process::Processes;
use crate::registry::{self, Registered};
use crate::state::{Process, State};
use crate::tail::Tail;

/// A session on the board.
#[derive(Debug)]
pub struct Card {
    /// Its id.
    pub name: String,
    /// What is known of it; a session without a prompt is not known.
    pub session: Option<Session>,
    /// Its process.
    pub process: Option<Registered>,
    /// Where it stands.
    pub state: State,
    /// How many subagents are at work.
    pub agents: usize,
}

/// All sessions that were active lately.
#[derive(Debug, Default)]
pub struct Board {
    /// Those that wait for somebody, the longest waiting first; then the others, the latest first.
    pub cards: Vec<Card>,
    /// What could not be read.
    pub problems: Vec<String>,
}

impl Board {
    /// The sessions of roots that run, or were active since a moment.
    pub fn of(
        index: &Index,
        roots: &[Root],
        processes: &dyn Processes,
        (since, now): (i64, i64),
    ) -> Result<Self, IndexError> {
        let mut board = Self::default();
        let mut running: HashMap<String, Registered> = HashMap::new();
        let mut registries: Vec<&Path> = Vec::new();
        for root in roots {
            let (alive, problems) = registry::read(&root.path, processes);
            running.extend(alive.into_iter().map(|it| (it.session.clone(), it)));
            let unread = |(path, error): (std::path::PathBuf, _)| format!("cannot read: {}: {error}", path.display());
            board.problems.extend(problems.into_iter().map(unread));
            if root.path.join("sessions").is_dir() {
                registries.push(&root.path);
            }
        }
        for session in index.sessions()? {
            let process = running.remove(&session.name);
            let is_recent = session.last.is_some_and(|last| last >= since);
            if session.is_agent || process.is_none() && (!is_recent || session.is_archived) {
                continue;
            }
            let tail = match index.telling(session.id)? {
                Some(mut telling) => Tail::of(telling.parts().0),
                None => Tail { turn: session.state, last: session.last, ..Tail::default() },
            };
            let is_registered = registries.iter().any(|root| session.path.starts_with(root));
            let known = match (&process, is_registered) {
                (Some(process), _) => Process::Alive(process),
                (None, true) => Process::Gone,
                (None, false) => Process::Unknown,
            };
            let state = State::of(&tail, known, now);
            let name = session.name.clone();
            board.cards.push(Card { name, session: Some(session), process, state, agents: tail.agents });
        }
        // Those that nobody has asked anything yet.
        for (name, process) in running {
            let state = State::of(&Tail::default(), Process::Alive(&process), now);
            board.cards.push(Card { name, session: None, process: Some(process), state, agents: 0 });
        }
        board.cards.sort_by_key(|card| {
            let since = card.state.since.unwrap_or(i64::MAX);
            let needs_you = card.state.doing.needs_you() && card.state.doing.is_active();
            (
                !needs_you,
                !card.state.doing.is_active(),
                if needs_you { since } else { since.saturating_neg() },
                card.name.clone(),
            )
        });
        Ok(board)
    }

    /// Those that wait for somebody, those that do not, and those that ended.
    pub fn parts(&self) -> [(&'static str, Vec<&Card>); 3] {
        let doing = |card: &&Card| (card.state.doing.needs_you(), card.state.doing.is_active());
        let those = |wanted: fn((bool, bool)) -> bool| self.cards.iter().filter(|card| wanted(doing(card))).collect();
        [
            ("needs you", those(|(needs_you, is_active)| needs_you && is_active)),
            ("at work", those(|(needs_you, is_active)| !needs_you && is_active)),
            ("ended", those(|(_, is_active)| !is_active)),
        ]
    }
}

impl Card {
    /// The folder that it works in.
    pub fn project(&self) -> Option<&str> {
        let known = self.session.as_ref().and_then(|session| session.project.as_deref());
        known.or_else(|| self.process.as_ref()?.cwd.as_deref()?.to_str())
    }

    /// What it is called.
    pub fn title(&self) -> Option<&str> {
        let known = self.session.as_ref().and_then(|session| session.title.as_deref());
        known.or_else(|| self.process.as_ref()?.name.as_deref())
    }
}
