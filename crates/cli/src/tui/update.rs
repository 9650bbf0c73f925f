//! Updates the index in the background, so that the previous list shows at once and is then refreshed.

use std::io;
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use app::{App, AppError};
use index::Index;
use sources::FoundSources;
use sources::Problem;

use super::events::Event;
use super::worker::{Ask, News, Worker};

/// Interval at which the list is refreshed during a long update.
const EVERY: Duration = Duration::from_secs(1);

/// Starts the update. If no index can be stored, uses one that lasts as long as the program.
pub(crate) fn start(app: App, worker: Worker, events: Sender<Event>) -> io::Result<()> {
    let update = Update { app, worker, events, progress: Mutex::new((Instant::now(), 0)) };
    thread::Builder::new().name("update".to_owned()).spawn(move || update.run())?;
    Ok(())
}

struct Update {
    app: App,
    worker: Worker,
    events: Sender<Event>,
    /// Time of the last progress message, and bytes read so far.
    progress: Mutex<(Instant, u64)>,
}

impl Update {
    fn run(&self) {
        let found = self.app.sources();
        let kept = self.app.kept_index().and_then(|index| self.update(index, &found));
        let updated = kept.or_else(|why| {
            self.send(News::Notice(format!("reading all sessions, because the index cannot be stored: {why}")));
            self.app.fresh_index().and_then(|index| self.update(index, &found))
        });
        let unread = match updated {
            Ok((index, unread)) => {
                // This index includes the archive.
                self.worker.ask(Ask::Use(Box::new(index)));
                unread
            }
            Err(error) => {
                self.send(News::Notice(format!("cannot list sessions: {error}")));
                0
            }
        };
        // The list itself reports that there is no folder with sessions.
        let unread_files = found.problems.iter().filter(|problem| !matches!(problem, Problem::NoRoots { .. })).count();
        self.send(News::UpToDate { unread: unread + unread_files });
    }

    fn send(&self, news: News) {
        let _ = self.events.send(Event::News(news));
    }

    /// Indexes new data, and counts files that could not be read.
    fn update(&self, mut index: Index, found: &FoundSources) -> Result<(Index, usize), AppError> {
        let all = found.sources.iter().map(|source| source.size).sum();
        let updated = index.update(found, self.app.prices()?, &|bytes| self.progress(bytes, all))?;
        Ok((index, updated.problems.len()))
    }

    fn progress(&self, bytes: u64, all: u64) {
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        progress.1 += bytes;
        if progress.0.elapsed() > EVERY {
            progress.0 = Instant::now();
            self.send(News::Reading { done: progress.1, all });
            self.worker.ask(Ask::List);
        }
    }
}
