//! The loop that updates the board, in a thread of its own.
//!
//! Each pass reads what changed, asks the indexer for an update where that is not enough, and publishes the board if it
//! may differ. States also change by themselves, so a pass runs from time to time even if nothing happens.

use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use app::{App, AppError};
use index::Index;
use live::hooks::{self, Event, Listener, Spool};
use live::process::Here;
use live::session_follower::{News, SessionFollower};
use story::step::Millis;

use crate::indexer::{Indexer, Order};
use crate::live_board::LiveBoard;
use crate::watcher::{Changes, Watcher};

/// Longest pause between two passes.
const TICK: Duration = Duration::from_secs(1);

/// Pause before the indexer is asked again after it was busy.
const RETRY: Duration = Duration::from_millis(500);

/// Minimum interval between two boards: more would not be visible.
const BETWEEN_BOARDS: Duration = Duration::from_millis(40);

/// Interval at which a board is published although nothing happened: by then, a state may have changed by itself.
const BETWEEN_CHECKS: Duration = Duration::from_secs(3);

/// How long grown files are read before the board is published. If very many files grow, none waits for all of them.
const SLICE: Duration = Duration::from_millis(40);

/// The resources that the loop works with.
pub(crate) struct Work {
    pub(crate) follower: SessionFollower,
    /// The same index, for the thread that updates it.
    pub(crate) index: Index,
    pub(crate) app: App,
}

/// The loop's own state.
struct BoardLoop<'b> {
    board: &'b LiveBoard,
    app: App,
    follower: SessionFollower,
    watcher: Watcher,
    indexer: Indexer,
    spool: Option<Spool>,
    growing: GrowingFiles,
    /// The next order for the indexer.
    order: Order,
    /// Whether the index must be updated as soon as the indexer is free.
    needs_update: bool,
    /// Whether all roots have been read once.
    is_ready: bool,
    /// Why the system reports no file changes.
    blind: Option<String>,
    /// Why the last update failed.
    failure: Option<String>,
    published: Instant,
}

/// Updates a board until it is stopped.
pub(crate) fn run(board: &LiveBoard, work: Work) {
    match BoardLoop::start(board, work) {
        Ok(mut updating) => updating.run(),
        // Without threads nothing can be kept up to date.
        Err(error) => board.fail(&error.to_string()),
    }
}

impl<'b> BoardLoop<'b> {
    fn start(board: &'b LiveBoard, work: Work) -> std::io::Result<Self> {
        let Work { follower, index, app } = work;
        let (watcher, blind) = Watcher::new(follower.roots());
        let indexer = Indexer::start(index, app.clone(), watcher.bell())?;
        let spool = hooks::folder().map(|folder| {
            listen(&folder, watcher.bell());
            Spool::new(&folder)
        });
        Ok(Self {
            board,
            app,
            follower,
            watcher,
            indexer,
            spool,
            growing: GrowingFiles::default(),
            order: Order::Update,
            needs_update: false,
            is_ready: false,
            blind,
            failure: None,
            published: Instant::now(),
        })
    }

    fn run(&mut self) {
        let mut changes = Changes { is_anything: true, ..Changes::default() };
        while !self.board.is_stopped() {
            let pause = self.pass(changes);
            changes = self.watcher.wait(pause);
        }
    }

    /// Reads what changed and publishes the result. Returns how long to wait for the next change.
    fn pass(&mut self, changes: Changes) -> Duration {
        let (started, now) = (Instant::now(), self.app.timestamp().as_millisecond());
        let is_another_day = self.follower.begin_day(self.app.midnight().unwrap_or_default());
        let heard = self.spool.as_mut().and_then(|spool| spool.read().ok()).unwrap_or_default();
        let is_quiet = heard.is_empty() && changes == Changes::default() && self.growing.is_empty() && !is_another_day;
        let mut news = self.take_in(changes, heard, now);
        let done = self.indexer.done();
        if is_quiet && done.is_none() && self.published.elapsed() < BETWEEN_CHECKS {
            return self.pause();
        }
        self.refresh(done, is_another_day, now, &mut news);
        if !self.is_ready && self.failure.is_none() {
            // The first update is not done, so there is nothing to publish.
            return TICK;
        }
        self.publish(&news, now);
        if !self.growing.is_empty() {
            return Duration::ZERO;
        }
        std::thread::sleep(BETWEEN_BOARDS.saturating_sub(started.elapsed()));
        self.pause()
    }

    /// Reads hook events and grown files; orders an update of the index if that is not enough.
    fn take_in(&mut self, changes: Changes, heard: Vec<Event>, now: Millis) -> News {
        self.follower.hear(heard);
        if changes.is_processes {
            self.follower.processes_changed();
        }
        self.growing.add(changes.files);
        let news = self.growing.read(&mut self.follower, now);
        self.needs_update |= changes.is_anything || news.is_unknown;
        if self.needs_update && self.indexer.ask(self.order) {
            (self.needs_update, self.order) = (false, Order::Update);
            self.blind = self.watcher.watch(self.follower.roots()).or(self.blind.take());
        }
        news
    }

    /// Applies the indexer's result, and the change of day.
    fn refresh(&mut self, done: Option<Indexed>, is_another_day: bool, now: Millis, news: &mut News) {
        match done {
            Some(Err(error)) => {
                self.failure = Some(error.to_string());
                return;
            }
            Some(Ok(problems)) => self.follower.note(problems),
            None if !is_another_day => return,
            None => {}
        }
        match self.follower.refresh(&Here, now) {
            Ok(more) => {
                news.sessions.extend(more.sessions);
                (self.failure, self.is_ready) = (None, true);
            }
            Err(error) => {
                if error.is_damage() {
                    self.order = Order::Rebuild;
                }
                self.needs_update = true;
                self.failure = Some(error.to_string());
            }
        }
    }

    fn publish(&mut self, news: &News, now: Millis) {
        let blind = self.blind.as_ref().map(|why| {
            format!("the system does not report file changes ({why}); everything is checked every second instead")
        });
        let notes = blind.into_iter().chain(self.failure.clone());
        let board = self.follower.board(&Here, now);
        let evidence = self.follower.evidence(&Here, now);
        self.board.publish((board, evidence), news, now, notes);
        self.published = Instant::now();
    }

    /// How long to wait if nothing is left to read.
    fn pause(&self) -> Duration {
        if self.needs_update { RETRY } else { TICK }
    }
}

/// The result that the indexer reports.
type Indexed = Result<Vec<sources::Problem>, AppError>;

/// Files that have grown, in the order in which the changes were reported.
#[derive(Debug, Default)]
struct GrowingFiles {
    files: VecDeque<PathBuf>,
    known: HashSet<PathBuf>,
}

impl GrowingFiles {
    fn add(&mut self, files: HashSet<PathBuf>) {
        for file in files {
            if self.known.insert(file.clone()) {
                self.files.push_back(file);
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Reads the added lines, for a limited time. A file that cannot be read is left to the next update of the index.
    fn read(&mut self, follower: &mut SessionFollower, now: Millis) -> News {
        let (started, mut news) = (Instant::now(), News::default());
        while started.elapsed() < SLICE
            && let Some(file) = self.files.pop_front()
        {
            self.known.remove(&file);
            match follower.grew([file.as_path()], now) {
                Ok(more) => {
                    news.sessions.extend(more.sessions);
                    news.is_unknown |= more.is_unknown;
                }
                Err(_) => news.is_unknown = true,
            }
        }
        news
    }
}

/// Wakes the loop when a hook event arrives. Where that is not possible, events are read on the next pass.
fn listen(folder: &Path, bell: impl Fn() -> bool + Send + 'static) {
    let Ok(listener) = Listener::bind(folder) else { return };
    let _ = std::thread::Builder::new().name("hooks".to_owned()).spawn(move || {
        while let Ok(event) = listener.wait(TICK) {
            if !(event.is_none() || bell()) {
                break;
            }
        }
    });
}
