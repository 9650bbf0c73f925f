//! What a program says through a pipe, until it has nothing more to say.
//!
//! The end of the pipe is not enough to know that: what the program started may hold it open for as long as it likes.

use std::io::{self, PipeReader, PipeWriter, Read};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::retry_on_intr;

/// How long nothing need come, after the program is over, before nothing more is waited for.
pub(super) const LULL: Duration = Duration::from_millis(200);

/// A program that runs; once this is dropped, it is over.
#[derive(Debug)]
pub(super) struct Life {
    _writer: PipeWriter,
}

/// Where those hear of the end who read what it says.
#[derive(Debug, Clone)]
pub(super) struct End(Arc<PipeReader>);

pub(super) fn life() -> io::Result<(Life, End)> {
    let (end, writer) = io::pipe()?;
    Ok((Life { _writer: writer }, End(Arc::new(end))))
}

/// What a program says: all that it had written when it was over, and what others write in its place until they fall
/// silent.
pub(super) fn said<R: Read + AsFd>(from: R, end: &End) -> impl Read + use<R> {
    Said { from, end: end.clone(), is_over: false }
}

struct Said<R> {
    from: R,
    end: End,
    is_over: bool,
}

impl<R: AsFd> Said<R> {
    /// Waits until there is something to read, or nobody left who could write. `false` if it is not worth waiting.
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
        // A pipe that is empty now was emptied of all that came before the end.
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
