//! Updates the index, in a thread of its own, so that the board never waits for it.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use app::{App, AppError};
use index::Index;
use sources::Problem;

/// A handle on that thread.
pub(crate) struct Indexer {
    orders: Sender<Order>,
    answers: Receiver<Result<Vec<Problem>, AppError>>,
    /// Since when something is being done.
    busy: Option<Instant>,
    /// When the next order is taken, at the earliest.
    rest: Instant,
}

/// Where there is much to do, it is done less often: so many times as long as it took is rest. Lists and searches can
/// wait; the board cannot.
const SHARE: u32 = 3;
const SHORTEST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(10);

/// What the thread has to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// Take in what is new.
    Update,
    /// The index is damaged: read everything again.
    Rebuild,
}

impl Indexer {
    /// Begins to wait for orders; `bell` rings when one is done.
    pub(crate) fn start(mut index: Index, app: App, bell: impl Fn() -> bool + Send + 'static) -> io::Result<Self> {
        let (orders, ordered) = channel();
        let (answer, answers) = channel();
        std::thread::Builder::new().name("indexer".to_owned()).spawn(move || {
            step_back();
            for order in ordered {
                let done = carry_out(order, &mut index, &app);
                if answer.send(done).is_err() || !bell() {
                    break;
                }
            }
        })?;
        Ok(Self { orders, answers, busy: None, rest: Instant::now() })
    }

    /// Orders something, unless something is being done, or has been until a moment ago. Says whether it will be.
    pub(crate) fn ask(&mut self, order: Order) -> bool {
        let now = Instant::now();
        if self.busy.is_some() || now < self.rest || self.orders.send(order).is_err() {
            return false;
        }
        self.busy = Some(now);
        true
    }

    /// What could not be read, once an order has been carried out.
    pub(crate) fn done(&mut self) -> Option<Result<Vec<Problem>, AppError>> {
        let done = self.answers.try_recv().ok()?;
        let took = self.busy.take().map_or(SHORTEST, |since| since.elapsed());
        self.rest = Instant::now() + (took * SHARE).clamp(SHORTEST, LONGEST);
        Some(done)
    }
}

/// Lets others go first, where that can be said of a thread alone.
fn step_back() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(10);
}

fn carry_out(order: Order, index: &mut Index, app: &App) -> Result<Vec<Problem>, AppError> {
    index.follow_file()?;
    let (found, prices) = (app.sources(), app.prices()?);
    let updated = match order {
        Order::Update => index.update(&found, prices, &|_| {})?,
        Order::Rebuild => index.update_anew(&found, prices, &|_| {})?,
    };
    Ok(found.problems.into_iter().chain(updated.problems).collect())
}
