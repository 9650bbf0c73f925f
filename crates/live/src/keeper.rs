//! Keeps the board up to date: reads what is new in the sessions that grow, and nothing else.
//!
//! Sessions that grow are held in memory and told on, line by line. The index, which knows all others, is brought up to
//! date now and then, since it is the lists and searches that need it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use index::catalogue::Session;
use index::{Index, IndexError};
use ledger::Prices;
use reader::Growing;
use rustc_hash::{FxHashMap, FxHashSet};
use sources::Buffer;
use sources::Problem;
use sources::Root;
use sources::find_in_roots;
use story::ThreadId;
use story::step::Millis;

use crate::alert::Rules;
use crate::before::Before;
use crate::board::{Board, Card, Running};
use crate::glance::{Glance, Moments};
use crate::hooks::{Event, Sessions};
use crate::process::Processes;

/// Who keeps the board.
pub struct Keeper {
    index: Index,
    roots: Vec<Root>,
    prices: Prices,
    rules: Rules,
    /// How far back sessions are of interest, in milliseconds.
    reach: Millis,
    /// When this day began.
    midnight: Millis,
    sessions: FxHashMap<i64, Kept>,
    /// The sessions of files.
    by_file: HashMap<PathBuf, i64>,
    buffer: Buffer,
    /// What was heard through hooks.
    heard: Sessions,
    /// What could not be read the last time.
    problems: Vec<Problem>,
    /// The processes, and when they were looked at; none if they may be others by now.
    running: Option<(Millis, Running)>,
}

/// A session that is of interest.
struct Kept {
    session: Session,
    glance: Arc<Glance>,
    /// Held while it grows.
    growing: Option<Growing>,
    /// What there was before that, if it is not held as a whole.
    before: Option<Before>,
    /// When it last grew.
    grew: Option<Millis>,
}

/// What is new.
#[derive(Debug, Default)]
pub struct News {
    /// Sessions that grew or changed.
    pub sessions: FxHashSet<i64>,
    /// Files appeared or went that only a look at everything can place.
    pub is_unknown: bool,
}

/// A session that has not grown for so long, in milliseconds, is not held in memory.
const IDLE: Millis = 10 * 60 * 1000;

/// How long what was seen of processes is taken for granted, in milliseconds.
const WHILE: Millis = 2_500;

/// Of a session that grows, so many steps are held; of more, only what they came to. What it takes to tell on does not
/// follow the length of a session then.
const MOST_STEPS: usize = 200;

impl Keeper {
    /// Keeps the sessions of roots that were active lately, or are.
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
            heard: Sessions::default(),
            problems: Vec::new(),
            running: None,
        }
    }

    /// Says what somebody wants to be told about.
    #[must_use]
    pub fn with_rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// Looks at everything. An index that turns out to be damaged is made anew.
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

    /// Notes what could not be read.
    pub fn note(&mut self, problems: Vec<Problem>) {
        self.problems = problems;
    }

    /// Takes from the index what is new there. If it is damaged, nothing is known until it has been made anew.
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
            if session.is_partial || !is_recent && !running.has(&session.session_id) {
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

    /// Whether there is nothing new about a session. One that grows is ahead of the index, but may have got files.
    fn knows(&self, session: &Session) -> Result<bool, IndexError> {
        let Some(kept) = self.sessions.get(&session.id).filter(|kept| kept.session.path == session.path) else {
            return Ok(false);
        };
        if kept.growing.is_none() {
            return Ok(kept.session == *session);
        }
        // Nobody said that it has grown.
        if session.last > kept.session.last {
            return Ok(false);
        }
        let files = self.index.files(session.id)?;
        Ok(files.iter().all(|file| self.by_file.get(&file.path) == Some(&session.id)))
    }

    /// Tells on what was added to files.
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

    /// Tells a session on. Says whether there was something new; `None` if it has to be looked up again.
    fn read_on(&mut self, id: i64, now: Millis) -> Result<Option<bool>, IndexError> {
        let moments = self.moments(now);
        let Some(kept) = self.sessions.get_mut(&id) else { return Ok(None) };
        if kept.growing.is_none() {
            (kept.growing, kept.before) = (self.index.growing(id)?, None);
        }
        let Some(growing) = &mut kept.growing else { return Ok(None) };
        match growing.read_on(&mut self.buffer) {
            Ok(true) if growing.telling().goes_back() => {
                // From here on the index knows better.
                (kept.growing, kept.before) = (None, None);
                self.read_on(id, now)
            }
            Ok(true) => {
                kept.grew = Some(now);
                kept.tell(&self.prices, moments);
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
        let growing = self.index.growing(id)?;
        let mut kept = Kept { session, glance, growing, before: None, grew: None };
        if let Some(growing) = &mut kept.growing {
            for path in growing.inputs().filter_map(|input| input.path()) {
                self.by_file.insert(path.to_path_buf(), id);
            }
            // What is there by now is told; if that cannot be, the next look finds out.
            let _ = growing.read_on(&mut self.buffer);
            kept.tell(&self.prices, self.moments(now));
            (kept.growing, kept.before) = (None, None);
        }
        self.sessions.insert(id, kept);
        Ok(())
    }

    /// Takes in what was heard through hooks.
    pub fn hear(&mut self, events: Vec<Event>) {
        self.heard.extend(events);
    }

    /// Says that processes may be others than before, or say something else about themselves. Without that, they are
    /// looked at again after a while, since one that dies says nothing.
    pub fn processes_changed(&mut self) {
        self.running = None;
    }

    /// The board as it is now.
    pub fn board(&mut self, processes: &dyn Processes, now: Millis) -> Board {
        let known = self.running.take().filter(|(at, _)| (0..WHILE).contains(&(now - at)));
        let (_, running) = self.running.insert(known.unwrap_or_else(|| (now, Running::of(&self.roots, processes))));
        let cards = self.sessions.values().map(|kept| (kept.session.clone(), Arc::clone(&kept.glance)));
        let mut board = running.board(cards, &self.heard, now);
        board.problems.extend(self.problems.iter().map(ToString::to_string));
        board.judge(&self.rules, now);
        board
    }

    fn moments(&self, now: Millis) -> Moments {
        Moments { since: now - self.reach, midnight: self.midnight }
    }

    /// Says when this day began. If that is another one, what is said of today has to be said anew.
    pub fn begin_day(&mut self, midnight: Millis) -> bool {
        if self.midnight == midnight {
            return false;
        }
        self.midnight = midnight;
        self.sessions.clear();
        self.by_file.clear();
        true
    }

    /// How many steps of sessions that grow are held in memory.
    pub fn held_steps(&mut self) -> usize {
        let steps = |growing: &mut Growing| -> usize {
            growing.telling().parts().0.threads().map(|(_, thread)| thread.steps.len()).sum()
        };
        self.sessions.values_mut().filter_map(|kept| kept.growing.as_mut()).map(steps).sum()
    }

    /// The roots that are looked at.
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }
}

impl Kept {
    /// Says anew what there is to say about it, and holds no more of it than it has to.
    fn tell(&mut self, prices: &Prices, moments: Moments) {
        let Some(growing) = &mut self.growing else { return };
        let telling = growing.telling();
        let standing = telling.ledger().map(|ledger| ledger.standing(prices, moments.midnight));
        let (story, texts) = telling.parts();
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
            let ended = main.and_then(|main| main.turns.last()?.ended);
            if let Some(successor) = growing.successor() {
                let (session, glance) = (self.session.clone(), Arc::clone(&self.glance));
                self.before = Some(Before { session, glance, ended });
                *growing = successor;
            }
        }
    }
}

impl Card {
    /// What it costs in an hour, by what it cost since it began, if that is long enough ago to say.
    pub fn cost_per_hour(&self, now: Millis) -> Option<f64> {
        const LEAST: Millis = 60_000;
        let session = self.session.as_ref()?;
        let began = session.first?;
        let hours = (now.min(session.last?.max(began)) - began).max(0);
        #[expect(clippy::cast_precision_loss, reason = "it is about the size")]
        (hours >= LEAST).then(|| session.used.cost.dollars() * 3_600_000.0 / hours as f64)
    }
}
