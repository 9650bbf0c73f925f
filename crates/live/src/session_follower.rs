//! Keeps the board up to date by reading only what is new in growing sessions.
//!
//! Growing sessions are held in memory and extended line by line. The index, which knows all others, is updated only
//! from time to time, since only lists and searches need it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use index::catalogue::Session;
use index::{Index, IndexError};
use ledger::Prices;
use reader::GrowingSession;
use rustc_hash::{FxHashMap, FxHashSet};
use sources::Buffer;
use sources::Problem;
use sources::Root;
use sources::find_in_roots;
use story::ThreadId;
use story::step::Millis;

use crate::alert::Rules;
use crate::before::Before;
use crate::board::{Board, Card};
use crate::evidence::{Evidence, Running};
use crate::glance::{Glance, Moments};
use crate::hooks::{Event, Sessions};
use crate::process::Processes;

/// Keeps the board up to date.
pub struct SessionFollower {
    index: Index,
    roots: Vec<Root>,
    prices: Prices,
    rules: Rules,
    /// How far back sessions are shown, in milliseconds.
    reach: Millis,
    /// The start of the current day.
    midnight: Millis,
    sessions: FxHashMap<i64, Kept>,
    /// The session of each file.
    by_file: HashMap<PathBuf, i64>,
    buffer: Buffer,
    /// The events from hooks.
    heard: Arc<Sessions>,
    /// The problems of the last update.
    problems: Vec<Problem>,
    /// The processes, and when they were checked; `None` if they may have changed.
    running: Option<(Millis, Arc<Running>)>,
}

/// A session on the board.
struct Kept {
    session: Session,
    glance: Arc<Glance>,
    /// Held while it grows.
    growing: Option<GrowingSession>,
    /// The state before that, if it is not held as a whole.
    before: Option<Before>,
    /// When it last grew.
    grew: Option<Millis>,
}

/// The result of an update.
#[derive(Debug, Default)]
pub struct News {
    /// Sessions that grew or changed.
    pub sessions: FxHashSet<i64>,
    /// Whether files appeared or disappeared that only a full update can assign.
    pub is_unknown: bool,
}

/// A session that has not grown for this long, in milliseconds, is dropped from memory.
const IDLE: Millis = 10 * 60 * 1000;

/// How long the state of processes stays valid, in milliseconds.
const WHILE: Millis = 2_500;

/// Limit on the steps held for a growing session; earlier ones are reduced to their figures, so that the work of
/// extending a session does not depend on its length.
const MOST_STEPS: usize = 200;

impl SessionFollower {
    /// Follows the recently active sessions of these roots.
    pub fn new(index: Index, roots: Vec<Root>, prices: Prices, reach: Millis) -> Self {
        Self {
            index,
            roots,
            prices,
            rules: Rules::default(),
            reach,
            midnight: 0,
            sessions: FxHashMap::default(),
            by_file: HashMap::new(),
            buffer: Buffer::default(),
            heard: Arc::default(),
            problems: Vec::new(),
            running: None,
        }
    }

    /// Sets the alert rules.
    #[must_use]
    pub fn with_rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// Updates the index and the board. A damaged index is rebuilt.
    pub fn look(&mut self, processes: &dyn Processes, now: Millis, progress: &dyn Fn(u64)) -> Result<News, IndexError> {
        let mut found = find_in_roots(&self.roots);
        let mut problems = std::mem::take(&mut found.problems);
        problems.extend(self.index.update(&found, &self.prices, progress)?.problems);
        self.note(problems);
        match self.refresh(processes, now) {
            Err(error) if error.is_damage() => {
                self.index.update_anew(&found, &self.prices, progress)?;
                self.refresh(processes, now)
            }
            news => news,
        }
    }

    /// Sets the problems to report.
    pub fn note(&mut self, problems: Vec<Problem>) {
        self.problems = problems;
    }

    /// Takes over changes from the index. If it is damaged, the board is empty until it is rebuilt.
    pub fn refresh(&mut self, processes: &dyn Processes, now: Millis) -> Result<News, IndexError> {
        if self.index.follow_file()? {
            self.sessions.clear();
            self.by_file.clear();
        }
        let running = Running::of(&self.roots, processes);
        let news = self.take_over(&running, now);
        if news.as_ref().is_err_and(IndexError::is_damage) {
            self.sessions.clear();
            self.by_file.clear();
        }
        news
    }

    fn take_over(&mut self, running: &Running, now: Millis) -> Result<News, IndexError> {
        let mut news = News::default();
        let mut there = FxHashSet::default();
        for session in self.index.sessions()? {
            let is_recent = session.last.is_some_and(|last| last >= now - self.reach) && !session.is_archived;
            if session.remnant.is_some() || !is_recent && !running.has(&session.stem) {
                continue;
            }
            there.insert(session.id);
            if !self.knows(&session)? {
                news.sessions.insert(session.id);
                self.open(session, now)?;
            }
        }
        news.sessions.extend(self.sessions.keys().filter(|id| !there.contains(id)));
        self.sessions.retain(|id, _| there.contains(id));
        self.by_file.retain(|_, id| there.contains(id));
        for kept in self.sessions.values_mut() {
            if kept.grew.is_none_or(|grew| now - grew > IDLE) {
                kept.growing = None;
            }
        }
        Ok(news)
    }

    /// Whether a session is up to date. A growing one is ahead of the index, but may have new files.
    fn knows(&self, session: &Session) -> Result<bool, IndexError> {
        let Some(kept) = self.sessions.get(&session.id).filter(|kept| kept.session.path == session.path) else {
            return Ok(false);
        };
        if kept.growing.is_none() {
            return Ok(kept.session == *session);
        }
        // It has grown without a notification.
        if session.last > kept.session.last {
            return Ok(false);
        }
        let files = self.index.files(session.id)?;
        Ok(files.iter().all(|file| self.by_file.get(&file.path) == Some(&session.id)))
    }

    /// Reads what was added to files.
    pub fn grew<'p>(&mut self, paths: impl IntoIterator<Item = &'p Path>, now: Millis) -> Result<News, IndexError> {
        let mut news = News::default();
        let mut sessions = FxHashSet::default();
        for path in paths {
            match self.by_file.get(path) {
                Some(id) => {
                    sessions.insert(*id);
                }
                None => news.is_unknown = true,
            }
        }
        for id in sessions {
            match self.read_on(id, now)? {
                Some(true) => {
                    news.sessions.insert(id);
                }
                Some(false) => {}
                None => news.is_unknown = true,
            }
        }
        Ok(news)
    }

    /// Extends a session. Returns whether there was something new; `None` if it must be looked up again.
    fn read_on(&mut self, id: i64, now: Millis) -> Result<Option<bool>, IndexError> {
        let moments = self.moments(now);
        let Some(kept) = self.sessions.get_mut(&id) else { return Ok(None) };
        if kept.growing.is_none() {
            (kept.growing, kept.before) = (self.index.growing(&kept.session)?, None);
        }
        let Some(growing) = &mut kept.growing else { return Ok(None) };
        match growing.read_on(&mut self.buffer) {
            Ok(true) if growing.reader().goes_back() => {
                // The index has the whole session; restart from there.
                (kept.growing, kept.before) = (None, None);
                self.read_on(id, now)
            }
            Ok(true) => {
                kept.grew = Some(now);
                kept.update_glance(&self.prices, moments);
                Ok(Some(true))
            }
            Ok(false) => Ok(Some(false)),
            Err(_) => {
                self.sessions.remove(&id);
                self.by_file.retain(|_, session| *session != id);
                Ok(None)
            }
        }
    }

    fn open(&mut self, session: Session, now: Millis) -> Result<(), IndexError> {
        self.by_file.insert(session.path.clone(), session.id);
        let (id, glance) = (session.id, Arc::new(Glance::unknown(&session)));
        let growing = self.index.growing(&session)?;
        let mut kept = Kept { session, glance, growing, before: None, grew: None };
        if let Some(growing) = &mut kept.growing {
            for path in growing.inputs().filter_map(|input| input.path()) {
                self.by_file.insert(path.to_path_buf(), id);
            }
            // Reads what has been added since; if that fails, the next full update handles it.
            let _ = growing.read_on(&mut self.buffer);
            kept.update_glance(&self.prices, self.moments(now));
            (kept.growing, kept.before) = (None, None);
        }
        self.sessions.insert(id, kept);
        Ok(())
    }

    /// Adds hook events.
    pub fn hear(&mut self, events: Vec<Event>) {
        if !events.is_empty() {
            Arc::make_mut(&mut self.heard).extend(events);
        }
    }

    /// Marks the processes as possibly changed. They are also checked again after a while, since a process that dies
    /// sends no notice.
    pub fn processes_changed(&mut self) {
        self.running = None;
    }

    /// The current evidence that sessions run.
    pub fn evidence(&mut self, processes: &dyn Processes, now: Millis) -> Evidence {
        let known = self.running.take().filter(|(at, _)| (0..WHILE).contains(&(now - at)));
        let read = || (now, Arc::new(Running::of(&self.roots, processes)));
        let (_, running) = self.running.insert(known.unwrap_or_else(read));
        Evidence::new(Arc::clone(running), Arc::clone(&self.heard))
    }

    /// The current board.
    pub fn board(&mut self, processes: &dyn Processes, now: Millis) -> Board {
        let evidence = self.evidence(processes, now);
        let cards = self.sessions.values().map(|kept| (kept.session.clone(), Arc::clone(&kept.glance)));
        let mut board = evidence.board(cards, now);
        board.problems.extend(self.problems.iter().map(ToString::to_string));
        board.judge(&self.rules, now);
        board
    }

    fn moments(&self, now: Millis) -> Moments {
        Moments { since: now - self.reach, midnight: self.midnight }
    }

    /// Sets the start of the current day. Returns whether it has changed, which changes today's figures.
    pub fn begin_day(&mut self, midnight: Millis) -> bool {
        if self.midnight == midnight {
            return false;
        }
        self.midnight = midnight;
        self.sessions.clear();
        self.by_file.clear();
        true
    }

    /// The number of steps of growing sessions held in memory.
    pub fn held_steps(&mut self) -> usize {
        let steps = |growing: &mut GrowingSession| -> usize {
            growing.reader().parts().0.threads().map(|(_, thread)| thread.steps.len()).sum()
        };
        self.sessions.values_mut().filter_map(|kept| kept.growing.as_mut()).map(steps).sum()
    }

    /// The roots that are followed.
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }
}

impl Kept {
    /// Updates the glance, and drops what need not be held.
    fn update_glance(&mut self, prices: &Prices, moments: Moments) {
        let Some(growing) = &mut self.growing else { return };
        let reader = growing.reader();
        let standing = reader.ledger().map(|ledger| ledger.standing(prices, moments.midnight));
        let (story, texts) = reader.parts();
        let before = self.before.as_ref();
        self.session.renew(story, standing.as_ref().map(|standing| &standing.totals));
        let mut glance = Glance::after(before, story, standing.as_ref(), moments);
        glance.read_lines(story, texts);
        if let Some(before) = before {
            before.add_to(&mut self.session, story);
        }
        self.glance = Arc::new(glance);
        let main = story.thread(ThreadId::MAIN);
        let is_long = story.threads().map(|(_, thread)| thread.steps.len()).sum::<usize>() > MOST_STEPS;
        if is_long && self.glance.tail.is_settled() {
            let last = main.and_then(|main| main.turns.last());
            let ended = last.and_then(|turn| turn.ended);
            let last_turn = last.map_or((0, false), |turn| (turn.active_ms, turn.stated_ms.is_some()));
            if let Some(successor) = growing.successor() {
                let (session, glance) = (self.session.clone(), Arc::clone(&self.glance));
                self.before = Some(Before { session, glance, ended, last_turn });
                *growing = successor;
            }
        }
    }
}

impl Card {
    /// The cost per hour since it began, if it has run long enough.
    pub fn cost_per_hour(&self, now: Millis) -> Option<f64> {
        const LEAST: Millis = 60_000;
        let session = self.session.as_ref()?;
        let began = session.first?;
        let hours = (now.min(session.last?.max(began)) - began).max(0);
        #[expect(clippy::cast_precision_loss, reason = "an estimate needs no more precision")]
        (hours >= LEAST).then(|| session.used.cost.dollars() * 3_600_000.0 / hours as f64)
    }
}
