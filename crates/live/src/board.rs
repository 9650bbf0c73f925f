//! The active sessions, with their states.

use std::collections::HashMap;
use std::sync::Arc;

use index::catalogue::{Session, Used};
use story::step::Millis;

use crate::alert::Rules;
use crate::evidence::{Evidence, Known, Place};
use crate::glance::Glance;
use crate::registry::Registered;
use crate::state::{Process, State};

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

impl Evidence {
    /// The board of these sessions and of running ones without a prompt so far.
    pub fn board(&self, sessions: impl IntoIterator<Item = (Session, Arc<Glance>)>, now: Millis) -> Board {
        let mut board = Board { problems: self.problems().to_vec(), ..Board::default() };
        let mut others: HashMap<&str, &Registered> = self.processes().collect();
        for (session, glance) in sessions {
            let known = self.known(&Place::of(&session));
            let process = if let Process::Alive(process) = known.process {
                others.remove(session.stem.as_str());
                Some(process.clone())
            } else {
                None
            };
            let state = known.state(&glance.tail, now);
            board.cards.push(Card::new(session.name.clone(), Some(session), process, state, glance));
        }
        for (name, process) in others {
            let (name, glance) = (name.to_owned(), Arc::new(Glance::default()));
            let known = Known { process: Process::Alive(process), heard: self.heard(&name) };
            let state = known.state(&glance.tail, now);
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
            ("working", those(|(needs_you, is_active)| !needs_you && is_active)),
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

    /// Its title. Before its first prompt, it is the name of its process.
    pub fn title(&self) -> &str {
        let known = self.session.as_ref().map(|session| session.title.as_str());
        known.or_else(|| self.process.as_ref()?.name.as_deref()).unwrap_or("Untitled")
    }
}
