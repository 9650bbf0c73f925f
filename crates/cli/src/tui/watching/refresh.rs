//! Refreshes the board: indexes new data, and rebuilds only the sessions that changed.

use std::io;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use app::{App, AppError, SessionFilter};
use live::board::Board;
use live::hooks::{self, Spool};
use live::process::Here;
use live::session_follower::SessionFollower;

use crate::tui::events::Event;
use crate::tui::worker::News;

/// Minimum interval between refreshes; longer if there are very many files.
const EVERY: Duration = Duration::from_secs(1);
const SHARE: u32 = 4;

/// One day in milliseconds.
const DAY: i64 = 24 * 60 * 60 * 1000;

/// The input of the refresh thread.
pub(crate) struct Refresh {
    pub(crate) app: App,
    /// Ended sessions are shown from this time on; by default those of the last day.
    pub(crate) since: Option<i64>,
    /// Selects sessions.
    pub(crate) filter: SessionFilter,
    pub(crate) events: Sender<Event>,
}

impl Refresh {
    pub(crate) fn start(self) -> io::Result<()> {
        thread::Builder::new().name("refresh".to_owned()).spawn(move || self.run())?;
        Ok(())
    }

    fn run(&self) {
        let index = self.app.kept_index().or_else(|error| {
            self.say(format!("reading all sessions, because the index cannot be stored: {error}"));
            self.app.fresh_index()
        });
        let (index, settings) = match (index, self.app.settings()) {
            (Ok(index), Ok(settings)) => (index, settings),
            (Err(error), _) | (_, Err(error)) => return self.say(error.to_string()),
        };
        let reach = self.since.map_or(DAY, |since| self.app.timestamp().as_millisecond() - since);
        let follower = SessionFollower::new(index, self.app.roots().to_vec(), settings.prices.clone(), reach);
        let mut follower = follower.with_rules(settings.rules.clone());
        let mut spool = hooks::folder().map(|folder| Spool::new(&folder));
        loop {
            let began = Instant::now();
            match self.board(&mut follower, spool.as_mut()) {
                Ok(board) => {
                    if self.events.send(Event::Board(Box::new(board))).is_err() {
                        return;
                    }
                }
                Err(error) => self.say(error.to_string()),
            }
            thread::sleep(EVERY.max(began.elapsed() * SHARE));
        }
    }

    fn say(&self, what: String) {
        let _ = self.events.send(Event::News(News::Notice(what)));
    }

    fn board(&self, follower: &mut SessionFollower, spool: Option<&mut Spool>) -> Result<Board, AppError> {
        let now = self.app.timestamp().as_millisecond();
        follower.begin_day(self.app.midnight()?);
        if let Some(events) = spool.and_then(|spool| spool.read().ok()) {
            follower.hear(events);
        }
        follower.look(&Here, now, &|_| {})?;
        follower.processes_changed();
        let mut board = follower.board(&Here, now);
        board.cards.retain(|card| self.filter.wants_card(card));
        Ok(board)
    }
}
