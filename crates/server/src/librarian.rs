//! Brings the index up to date, in a thread of its own: the board does not wait for it.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};

use index::{Index, IndexError};
use ledger::Prices;
use library::{Problem, Root, find_in_roots};

/// Who brings the index up to date.
pub(crate) struct Librarian {
    orders: Sender<Order>,
    answers: Receiver<Result<Vec<Problem>, IndexError>>,
    is_busy: bool,
}

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// What is new is to be taken in.
    Update,
    /// The index is damaged: everything is.
    Anew,
}

impl Librarian {
    /// Begins to wait for orders; `bell` rings when one is done.
    pub(crate) fn start(
        mut index: Index,
        roots: Vec<Root>,
        prices: Prices,
        bell: impl Fn() -> bool + Send + 'static,
    ) -> io::Result<Self> {
        let (orders, ordered) = channel();
        let (answer, answers) = channel();
        std::thread::Builder::new().name("librarian".to_owned()).spawn(move || {
            for order in ordered {
                let done = carry_out(order, &mut index, &roots, &prices);
                if answer.send(done).is_err() || !bell() {
                    break;
                }
            }
        })?;
        Ok(Self { orders, answers, is_busy: false })
    }

    /// Orders something, unless something is being done. Says whether it will be.
    pub(crate) fn ask(&mut self, order: Order) -> bool {
        if self.is_busy || self.orders.send(order).is_err() {
            return false;
        }
        self.is_busy = true;
        true
    }

    /// What could not be read, once an order has been carried out.
    pub(crate) fn done(&mut self) -> Option<Result<Vec<Problem>, IndexError>> {
        let done = self.answers.try_recv().ok()?;
        self.is_busy = false;
        Some(done)
    }
}

fn carry_out(order: Order, index: &mut Index, roots: &[Root], prices: &Prices) -> Result<Vec<Problem>, IndexError> {
    let found = find_in_roots(roots);
    let updated = match order {
        Order::Update => index.update(&found, prices, &|_| {})?,
        Order::Anew => index.update_anew(&found, prices, &|_| {})?,
    };
    Ok(found.problems.into_iter().chain(updated.problems).collect())
}
