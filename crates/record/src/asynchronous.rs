//! The recorder for applications on tokio.
//!
//! ```
//! use record::{Outcome, Run, Store, Stream};
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let store = Store::at(folder.path())?;
//! let recorder = store.record_async(Run::new("shop", "claude")?.in_conversation("c")?).await?;
//! recorder.push(Stream::Input, b"{\"type\":\"user\"}\n".to_vec()).await?;
//! recorder.push(Stream::Output, b"{\"type\":\"result\"}\n".to_vec()).await?;
//! recorder.close(Outcome::code(0)).await?;
//! assert_eq!(store.conversation("c")?.summary()?.totals.messages, 2);
//! # Ok(())
//! # }
//! ```

use std::thread;

use jiff::Timestamp;
use tokio::sync::{mpsc, oneshot};

use crate::error::RecordError;
use crate::event::Outcome;
use crate::line::Stream;
use crate::recorder::Run;
use crate::store::Store;

/// How many lines may wait to be written before `push` blocks.
const WAITING: usize = 1024;

type Answer = oneshot::Sender<Result<(), RecordError>>;

enum Order {
    Push(Stream, Vec<u8>, Timestamp, Answer),
    Flush(Answer),
    Close(Outcome, Answer),
}

/// Records a run on a thread of its own, so that a slow disk delays only tasks that wait for it.
#[derive(Debug, Clone)]
pub struct AsyncRecorder {
    orders: mpsc::Sender<Order>,
}

impl Store {
    /// The same as [`Store::record`].
    pub async fn record_async(&self, run: Run) -> Result<AsyncRecorder, RecordError> {
        let (store, (answer, begun)) = (self.clone(), oneshot::channel());
        let (orders, mut waiting) = mpsc::channel(WAITING);
        thread::spawn(move || {
            let mut recorder = match store.record(run) {
                Ok(recorder) => recorder,
                Err(error) => return drop(answer.send(Err(error))),
            };
            let _ = answer.send(Ok(()));
            while let Some(order) = waiting.blocking_recv() {
                // The caller may have dropped the future; then the result is ignored.
                let _ = match order {
                    Order::Push(stream, line, at, answer) => answer.send(recorder.push_at(stream, &line, at)),
                    Order::Flush(answer) => answer.send(recorder.flush()),
                    Order::Close(outcome, answer) => return drop(answer.send(recorder.close(outcome))),
                };
            }
        });
        begun.await.unwrap_or_else(|_| Err(gone(self)))?;
        Ok(AsyncRecorder { orders })
    }
}

impl AsyncRecorder {
    /// Records a line that has just been completed. It is written once this returns; dropping the future drops the
    /// result, not the line.
    pub async fn push(&self, stream: Stream, line: Vec<u8>) -> Result<(), RecordError> {
        let at = Timestamp::now();
        self.order(|answer| Order::Push(stream, line, at, answer)).await
    }

    /// Waits until all records are on the disk.
    pub async fn flush(&self) -> Result<(), RecordError> {
        self.order(Order::Flush).await
    }

    /// Records how the run ended. Pushing afterwards is an error.
    pub async fn close(self, outcome: Outcome) -> Result<(), RecordError> {
        self.order(|answer| Order::Close(outcome, answer)).await
    }

    async fn order(&self, order: impl FnOnce(Answer) -> Order) -> Result<(), RecordError> {
        let (answer, done) = oneshot::channel();
        self.orders.send(order(answer)).await.map_err(|_| closed())?;
        done.await.unwrap_or_else(|_| Err(closed()))
    }
}

fn closed() -> RecordError {
    let error = std::io::Error::new(std::io::ErrorKind::BrokenPipe, "the recorder is closed");
    RecordError::Disk { doing: "write to", path: "the conversation".into(), error }
}

fn gone(store: &Store) -> RecordError {
    RecordError::disk("record in", store.path())(std::io::Error::other("the recorder ended early"))
}
