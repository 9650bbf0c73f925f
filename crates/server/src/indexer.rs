//! The indexer, which updates the index in a thread of its own, so that the board never waits for it.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use app::{App, AppError};
use index::Index;
use sources::Problem;

/// A handle to that thread.
pub(crate) struct Indexer {
    orders: Sender<Order>,
    answers: Receiver<Result<Vec<Problem>, AppError>>,
    /// When the current order was sent.
    busy: Option<Instant>,
    /// The earliest time for the next order.
    rest: Instant,
}

/// Ratio of pause to work: long updates run less often. Lists and searches can wait; the board cannot.
const SHARE: u32 = 3;
const SHORTEST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(10);

/// An order for the thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// Read what is new.
    Update,
    /// The index is damaged: read everything again.
    Rebuild,
}

impl Indexer {
    /// Starts the thread; `bell` rings when an order is done.
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

    /// Sends an order, unless one is running or the pause after the last one is not over. Returns whether it was sent.
    pub(crate) fn ask(&mut self, order: Order) -> bool {
        let now = Instant::now();
        if self.busy.is_some() || now < self.rest || self.orders.send(order).is_err() {
            return false;
        }
        self.busy = Some(now);
        true
    }

    /// The files that could not be read, once an order is done.
    pub(crate) fn done(&mut self) -> Option<Result<Vec<Problem>, AppError>> {
        let done = self.answers.try_recv().ok()?;
        let took = self.busy.take().map_or(SHORTEST, |since| since.elapsed());
        self.rest = Instant::now() + (took * SHARE).clamp(SHORTEST, LONGEST);
        Some(done)
    }
}

/// Lowers the priority, on systems that can do so for a single thread.
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
