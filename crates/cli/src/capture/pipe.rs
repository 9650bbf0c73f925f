//! Reads the output of a program until it is complete.
//!
//! The end of the pipe is not a sufficient sign, since child processes of the program may hold the pipe open.

use std::io::{self, PipeReader, PipeWriter, Read};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::retry_on_intr;

/// After the program has ended, reading stops when no output arrives for this long.
pub(super) const LULL: Duration = Duration::from_millis(200);

/// A running program; dropping this marks it as ended.
#[derive(Debug)]
pub(super) struct Life {
    _writer: PipeWriter,
}

/// Signals the end of the program to its readers.
#[derive(Debug, Clone)]
pub(super) struct End(Arc<PipeReader>);

pub(super) fn life() -> io::Result<(Life, End)> {
    let (end, writer) = io::pipe()?;
    Ok((Life { _writer: writer }, End(Arc::new(end))))
}

/// Returns a reader of everything that the program wrote before it ended, and of the output of its child processes
/// until they fall silent.
pub(super) fn said<R: Read + AsFd>(from: R, end: &End) -> impl Read + use<R> {
    Said { from, end: end.clone(), is_over: false }
}

struct Said<R> {
    from: R,
    end: End,
    is_over: bool,
}

impl<R: AsFd> Said<R> {
    /// Waits until there is something to read or all writers are closed. Returns `false` if no more output is expected.
    fn wait(&mut self) -> io::Result<bool> {
        if !self.is_over {
            let mut both = [PollFd::new(&self.from, PollFlags::IN), PollFd::new(&*self.end.0, PollFlags::IN)];
            retry_on_intr(|| poll(&mut both, None))?;
            let [has_said, is_over] = both.map(|one| !one.revents().is_empty());
            self.is_over = is_over;
            if has_said {
                return Ok(true);
            }
        }
        // A pipe that is empty now contains nothing from before the end.
        let lull = Timespec::try_from(LULL).map_err(io::Error::other)?;
        let mut one = [PollFd::new(&self.from, PollFlags::IN)];
        Ok(retry_on_intr(|| poll(&mut one, Some(&lull)))? > 0)
    }
}

impl<R: Read + AsFd> Read for Said<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.wait()? { self.from.read(buffer) } else { Ok(0) }
    }
}
