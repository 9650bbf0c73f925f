//! The board, again and again: what is new goes into the index, and only what changed is told again.

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use index::{Index, IndexError};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ledger::Prices;
use live::alert::Rules;
use live::board::Board;
use live::hooks::{self, Spool};
use live::keeper::Keeper;
use live::process::Here;
use sources::Root;

use crate::board::midnight;
use crate::indexed::within;
use crate::tui::events::Event;
use crate::tui::worker::News;

/// How often; where there is very much to look through, less often.
const EVERY: Duration = Duration::from_secs(1);
const SHARE: u32 = 4;

/// In milliseconds.
const DAY: i64 = 24 * 60 * 60 * 1000;

/// What it needs.
pub(crate) struct Refresh {
    /// Where the index is kept, if it can be.
    pub(crate) path: Option<PathBuf>,
    pub(crate) roots: Vec<Root>,
    pub(crate) prices: Prices,
    /// What somebody wants to be told about.
    pub(crate) rules: Rules,
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
        let keeper = Keeper::new(index, self.roots.clone(), self.prices.clone(), reach);
        let mut keeper = keeper.with_rules(self.rules.clone());
        let mut spool = hooks::folder().map(|folder| Spool::new(&folder));
        loop {
            let began = Instant::now();
            match self.board(&mut keeper, spool.as_mut()) {
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

    fn board(&self, keeper: &mut Keeper, spool: Option<&mut Spool>) -> Result<Board, IndexError> {
        let now = Timestamp::now();
        keeper.begin_day(midnight(now, &self.zone));
        if let Some(events) = spool.and_then(|spool| spool.read().ok()) {
            keeper.hear(events);
        }
        keeper.look(&Here, now.as_millisecond(), &|_| {})?;
        keeper.processes_changed();
        Ok(keeper.board(&Here, now.as_millisecond()))
    }
}
