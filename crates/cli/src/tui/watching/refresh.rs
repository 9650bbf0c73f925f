//! The board, again and again: what is new goes into the index, and only what changed is told again.

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use index::catalogue::Used;
use index::{Index, IndexError};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ledger::Prices;
use library::Root;
use live::board::Board;
use live::hooks::{self, Spool};
use live::keeper::Keeper;
use live::process::Here;

use crate::indexed::within;
use crate::tui::events::Event;
use crate::tui::worker::News;

/// How often; where there is very much to look through, less often.
const EVERY: Duration = Duration::from_secs(1);
const SHARE: u32 = 4;

/// In milliseconds.
const DAY: i64 = 24 * 60 * 60 * 1000;

/// The board as it is now.
#[derive(Debug, Default)]
pub(crate) struct Fresh {
    pub(crate) board: Board,
    /// What was used since midnight.
    pub(crate) today: Used,
}

/// What it needs.
pub(crate) struct Refresh {
    /// Where the index is kept, if it can be.
    pub(crate) path: Option<PathBuf>,
    pub(crate) roots: Vec<Root>,
    pub(crate) prices: Prices,
    pub(crate) zone: TimeZone,
    /// Sessions that ended are shown from here on; else those of the last day.
    pub(crate) since: Option<i64>,
    pub(crate) events: Sender<Event>,
}

impl Refresh {
    pub(crate) fn start(self) -> io::Result<()> {
        thread::Builder::new().name("refresh".to_owned()).spawn(move || self.run())?;
        Ok(())
    }

    fn run(&self) {
        let kept = self.path.as_deref().map(Index::open).transpose();
        if let Err(error) = &kept {
            self.say(format!("all sessions are read, since no index can be kept: {error}"));
        }
        let index = kept.ok().flatten().map_or_else(Index::in_memory, Ok);
        let index = match index {
            Ok(index) => within(index, &self.roots),
            Err(error) => return self.say(error.to_string()),
        };
        let began = Timestamp::now().as_millisecond();
        let reach = self.since.map_or(DAY, |since| began - since);
        let mut keeper = Keeper::new(index, self.roots.clone(), self.prices.clone(), reach);
        let mut spool = hooks::folder().map(|folder| Spool::new(&folder));
        loop {
            let began = Instant::now();
            match self.board(&mut keeper, spool.as_mut()) {
                Ok(fresh) => {
                    if self.events.send(Event::Board(Box::new(fresh))).is_err() {
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

    fn board(&self, keeper: &mut Keeper, spool: Option<&mut Spool>) -> Result<Fresh, IndexError> {
        let now = Timestamp::now();
        let midnight = self.zone.to_datetime(now).date().to_zoned(self.zone.clone());
        keeper.begin_day(midnight.map_or(0, |midnight| midnight.timestamp().as_millisecond()));
        if let Some(events) = spool.and_then(|spool| spool.read().ok()) {
            keeper.hear(events);
        }
        keeper.look(&Here, now.as_millisecond(), &|_| {})?;
        keeper.processes_changed();
        let board = keeper.board(&Here, now.as_millisecond());
        let mut today = Used::default();
        board.cards.iter().for_each(|card| today += card.glance.used_today);
        Ok(Fresh { board, today })
    }
}
