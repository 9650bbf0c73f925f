//! The active sessions, with their states.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use index::catalogue::{Session, Used};
use sources::Root;
use story::step::Millis;

use crate::alert::Rules;
use crate::glance::Glance;
use crate::hooks::Sessions;
use crate::process::Processes;
use crate::registry::{self, Registered};
use crate::state::{Process, Sources, State};

/// A session on the board.
#[derive(Debug, Clone)]
pub struct Card {
    /// Its id.
    pub name: String,
    /// Its figures; `None` for a session without a prompt.
    pub session: Option<Session>,
    /// Its process.
    pub process: Option<Registered>,
    /// Its state.
    pub state: State,
    /// Its glance.
    pub glance: Arc<Glance>,
    /// Its alerts.
    pub alerts: Vec<String>,
}

/// All recently active sessions.
#[derive(Debug, Default)]
pub struct Board {
    /// Those that wait for you, longest waiting first; then the others, latest first.
    pub cards: Vec<Card>,
    /// Today's totals.
    pub today: Totals,
    /// The alert about all of them together.
    pub alert: Option<String>,
    /// The sources that could not be read.
    pub problems: Vec<String>,
}

/// Totals of sessions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Totals {
    /// Their usage.
    pub used: Used,
    /// Their active time, in milliseconds.
    pub worked: u64,
    /// The time they waited for you, in milliseconds.
    pub waited: u64,
}

/// The processes that run sessions of some roots.
#[derive(Debug, Default)]
pub struct Running {
    by_session: HashMap<String, Registered>,
    /// The roots where those registered.
    homes: HashMap<String, PathBuf>,
    /// The roots where processes register.
    registries: Vec<PathBuf>,
    problems: Vec<String>,
}

impl Running {
    /// The processes that run now.
    pub fn of(roots: &[Root], processes: &dyn Processes) -> Self {
        let mut running = Self::default();
        for root in roots {
            let (alive, problems) = registry::read(&root.path, processes);
            for process in alive {
                running.homes.insert(process.session.clone(), root.path.clone());
                running.by_session.insert(process.session.clone(), process);
            }
            let unread = |(path, error): (PathBuf, _)| format!("cannot read: {}: {error}", path.display());
            running.problems.extend(problems.into_iter().map(unread));
            if root.path.join("sessions").is_dir() {
                running.registries.push(root.path.clone());
            }
        }
        running
    }

    /// Whether a session runs.
    pub fn has(&self, session: &str) -> bool {
        self.by_session.contains_key(session)
    }

    /// The board of these sessions and of running ones without a prompt so far, including hook events.
    pub fn board(
        &self,
        sessions: impl IntoIterator<Item = (Session, Arc<Glance>)>,
        heard: &Sessions,
        now: Millis,
    ) -> Board {
        let mut board = Board { problems: self.problems.clone(), ..Board::default() };
        let mut others: HashMap<&str, &Registered> =
            self.by_session.iter().map(|(name, process)| (name.as_str(), process)).collect();
        let sessions: Vec<(Session, Arc<Glance>)> = sessions.into_iter().collect();
        // Of sessions with the same id, the one runs that is in the root where its process registered.
        let is_at_home =
            |session: &Session| self.homes.get(&session.session_id).is_some_and(|home| session.path.starts_with(home));
        let at_home: HashSet<String> = sessions
            .iter()
            .map(|(session, _)| session)
            .filter(|it| is_at_home(it))
            .map(|it| it.session_id.clone())
            .collect();
        for (session, glance) in sessions {
            let may_run = is_at_home(&session) || !at_home.contains(&session.session_id);
            let process = if may_run { others.remove(session.session_id.as_str()) } else { None };
            let is_registered = self.registries.iter().any(|root| session.path.starts_with(root));
            let known = match (process, is_registered) {
                (Some(process), _) => Process::Alive(process),
                (None, true) => Process::Gone,
                (None, false) => Process::Unknown,
            };
            let heard = heard.of(&session.session_id).filter(|_| may_run);
            let state = State::of(&Sources { tail: &glance.tail, process: known, heard }, now);
            board.cards.push(Card::new(session.name.clone(), Some(session), process.cloned(), state, glance));
        }
        for (name, process) in others {
            let (name, glance) = (name.to_owned(), Arc::new(Glance::default()));
            let sources = Sources { tail: &glance.tail, process: Process::Alive(process), heard: heard.of(&name) };
            let state = State::of(&sources, now);
            board.cards.push(Card::new(name, None, Some(process.clone()), state, glance));
        }
        board.cards.sort_by_key(|card| {
            let since = card.state.since.unwrap_or(i64::MAX);
            let needs_you = card.needs_you();
            (
                !needs_you,
                !card.state.doing.is_active(),
                if needs_you { since } else { since.saturating_neg() },
                card.name.clone(),
            )
        });
        board
    }
}

impl Board {
    /// Sets the alerts and today's totals.
    pub(crate) fn judge(&mut self, rules: &Rules, now: Millis) {
        for card in &mut self.cards {
            card.alerts = rules.alerts(card, now);
            self.today.used += card.glance.used_today;
            self.today.worked += card.glance.worked_today;
            self.today.waited += card.glance.waited_today;
        }
        self.alert = rules.over_budget(self.today.used.cost);
    }

    /// Sessions that wait for you, other active ones, and ended ones.
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
    fn new(
        name: String,
        session: Option<Session>,
        process: Option<Registered>,
        state: State,
        glance: Arc<Glance>,
    ) -> Self {
        Self { name, session, process, state, glance, alerts: Vec::new() }
    }

    /// Whether it waits for you.
    pub fn needs_you(&self) -> bool {
        self.state.doing.needs_you() && self.state.doing.is_active()
    }

    /// The project that it works in.
    pub fn project(&self) -> Option<&str> {
        let known = self.session.as_ref().and_then(|session| session.project.as_deref());
        known.or_else(|| self.process.as_ref()?.cwd.as_deref()?.to_str())
    }

    /// The worktree of the project, if that is not the main one.
    pub fn worktree(&self) -> Option<&str> {
        self.session.as_ref().and_then(|session| session.worktree.as_deref())
    }

    /// Its title.
    pub fn title(&self) -> Option<&str> {
        let known = self.session.as_ref().and_then(|session| session.title.as_deref());
        known.or_else(|| self.process.as_ref()?.name.as_deref())
    }
}
