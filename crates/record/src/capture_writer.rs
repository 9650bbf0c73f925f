//! Records the output of a program on a thread of its own, so that forwarding it never waits for the disk.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use jiff::Timestamp;

use crate::error::RecordError;
use crate::event::Outcome;
use crate::line::Stream;
use crate::recorder::{Lost, Recorder};

/// How many pieces may wait for the disk before taking more blocks.
const WAITING: usize = 512;

/// Called with every line and its stream.
pub type Listener = Box<dyn FnMut(Stream, &[u8]) + Send>;

enum Order {
    Bytes(Stream, Vec<u8>, Timestamp),
    /// The same; answers when the bytes are written, or could not be.
    Wait(Stream, Vec<u8>, Timestamp, SyncSender<()>),
    Close(Outcome),
}

/// Takes bytes as they arrive, and records the lines they form.
///
/// ```
/// use record::{CaptureWriter, Outcome, Run, Store, Stream};
/// let folder = tempfile::tempdir()?;
/// let store = Store::at(folder.path())?;
/// let recorder = store.record(Run::new("shop", "claude")?.in_conversation("c")?)?;
/// let writer = CaptureWriter::begin(recorder, Box::new(|_, _| {}));
/// writer.take(Stream::Output, b"{\"type\":\"assistant\"}\n{\"type\":\"res");
/// writer.take(Stream::Output, b"ult\"}\n");
/// let heard = writer.close(Outcome::code(0));
/// assert!(heard.error.is_none());
/// assert_eq!(store.conversation("c")?.summary()?.totals.messages, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CaptureWriter {
    orders: SyncSender<Order>,
    thread: JoinHandle<Heard>,
}

/// The result of recording.
#[derive(Debug, Default)]
pub struct Heard {
    /// Lines that could not be recorded.
    pub lost: Lost,
    /// The first error.
    pub error: Option<RecordError>,
}

impl CaptureWriter {
    /// Starts recording. Calls the listener with every complete line.
    pub fn begin(recorder: Recorder, listener: Listener) -> Self {
        Self::start(Recording::At(Box::new(recorder)), listener)
    }

    /// The same without a place to record: every line is counted as lost.
    pub fn without_recorder(listener: Listener) -> Self {
        Self::start(Recording::Nowhere(Lost::default()), listener)
    }

    fn start(recording: Recording, listener: Listener) -> Self {
        let (orders, waiting) = sync_channel(WAITING);
        let writer = WriterThread { recording, listener, parts: Default::default(), error: None };
        Self { orders, thread: thread::spawn(move || writer.run(&waiting)) }
    }

    /// A handle for another thread.
    pub fn hand(&self) -> Hand {
        Hand { orders: self.orders.clone() }
    }

    /// Takes bytes without waiting for the disk.
    pub fn take(&self, stream: Stream, bytes: &[u8]) {
        self.hand().take(stream, bytes);
    }

    /// Records the remaining bytes, and how the run ended.
    pub fn close(self, outcome: Outcome) -> Heard {
        // Sending fails only if the thread has panicked.
        let _ = self.orders.send(Order::Close(outcome));
        self.thread.join().unwrap_or_default()
    }
}

/// A handle that passes one stream's bytes to a capture writer.
#[derive(Debug, Clone)]
pub struct Hand {
    orders: SyncSender<Order>,
}

impl Hand {
    /// Takes bytes without waiting for the disk.
    pub fn take(&self, stream: Stream, bytes: &[u8]) {
        // Bytes after the end are dropped.
        let _ = self.orders.send(Order::Bytes(stream, bytes.to_vec(), Timestamp::now()));
    }

    /// The same, unless the queue is full. Returns whether the bytes were taken.
    pub fn try_take(&self, stream: Stream, bytes: &[u8]) -> bool {
        let sent = self.orders.try_send(Order::Bytes(stream, bytes.to_vec(), Timestamp::now()));
        !matches!(sent, Err(TrySendError::Full(_)))
    }

    /// Takes bytes and returns when their lines are written: with [`Fsync::Always`], on the disk.
    ///
    /// [`Fsync::Always`]: crate::Fsync::Always
    pub fn take_and_wait(&self, stream: Stream, bytes: &[u8]) {
        let (answer, done) = sync_channel(1);
        if self.orders.send(Order::Wait(stream, bytes.to_vec(), Timestamp::now(), answer)).is_ok() {
            let _ = done.recv();
        }
    }
}

/// Where lines go.
enum Recording {
    At(Box<Recorder>),
    /// The store cannot be written.
    Nowhere(Lost),
}

impl Recording {
    fn push<'l>(
        &mut self,
        stream: Stream,
        lines: impl IntoIterator<Item = &'l [u8]>,
        at: Timestamp,
    ) -> Result<(), RecordError> {
        match self {
            Self::At(recorder) => recorder.push_all(stream, lines, at),
            Self::Nowhere(lost) => {
                lines.into_iter().for_each(|line| lost.add(line.len()));
                Ok(())
            }
        }
    }

    fn flush_if_due(&mut self) -> Result<(), RecordError> {
        match self {
            Self::At(recorder) => recorder.flush_if_due(),
            Self::Nowhere(_) => Ok(()),
        }
    }

    fn close(self, outcome: Outcome) -> (Lost, Result<(), RecordError>) {
        match self {
            Self::At(recorder) => (recorder.lost(), recorder.close(outcome)),
            Self::Nowhere(lost) => (lost, Ok(())),
        }
    }
}

struct WriterThread {
    recording: Recording,
    listener: Listener,
    /// The incomplete line of each stream.
    parts: [PartialLine; 3],
    error: Option<RecordError>,
}

#[derive(Default)]
struct PartialLine {
    bytes: Vec<u8>,
    at: Timestamp,
}

impl WriterThread {
    fn run(mut self, orders: &Receiver<Order>) -> Heard {
        /// The idle time after which a due sync is checked.
        const IDLE: Duration = Duration::from_millis(200);
        loop {
            match orders.recv_timeout(IDLE) {
                Ok(Order::Bytes(stream, bytes, at)) => self.take(stream, &bytes, at),
                Ok(Order::Wait(stream, bytes, at, answer)) => {
                    self.take(stream, &bytes, at);
                    let _ = answer.send(());
                }
                Ok(Order::Close(outcome)) => return self.close(outcome),
                Err(RecvTimeoutError::Timeout) => {
                    let flushed = self.recording.flush_if_due();
                    self.note(flushed);
                }
                Err(RecvTimeoutError::Disconnected) => return self.close(Outcome::default()),
            }
        }
    }

    fn take(&mut self, stream: Stream, bytes: &[u8], at: Timestamp) {
        let Some(part) = self.parts.get_mut(stream as usize) else { return };
        part.at = at;
        let Some(end) = memchr::memrchr(b'\n', bytes).map(|end| end + 1) else {
            return part.bytes.extend_from_slice(bytes);
        };
        let (whole, rest) = bytes.split_at_checked(end).unwrap_or((bytes, &[]));
        let first_end = memchr::memchr(b'\n', whole).map_or(whole.len(), |end| end + 1);
        let (first, others) = whole.split_at_checked(first_end).unwrap_or((whole, &[]));
        let mut begun = std::mem::take(&mut part.bytes);
        part.bytes.extend_from_slice(rest);
        begun.extend_from_slice(first);
        let lines = || std::iter::once(begun.as_slice()).chain(others.split_inclusive(|byte| *byte == b'\n'));
        lines().for_each(|line| (self.listener)(stream, line));
        let pushed = self.recording.push(stream, lines(), at);
        self.note(pushed);
    }

    fn close(mut self, outcome: Outcome) -> Heard {
        for stream in [Stream::Input, Stream::Output, Stream::Errors] {
            let Some(part) = self.parts.get_mut(stream as usize).map(std::mem::take) else { continue };
            if !part.bytes.is_empty() {
                (self.listener)(stream, &part.bytes);
                let pushed = self.recording.push(stream, [part.bytes.as_slice()], part.at);
                self.note(pushed);
            }
        }
        let (lost, closed) = self.recording.close(outcome);
        Heard { lost, error: self.error.or(closed.err()) }
    }

    fn note(&mut self, done: Result<(), RecordError>) {
        if let (Err(error), None) = (done, &self.error) {
            self.error = Some(error);
        }
    }
}
