//! Passes bytes on immediately, and hands them to the recorder.

use std::fs::File;
use std::io::{self, Read, Write};

use record::Stream;
use record::capture_writer::Hand;

/// How bytes are passed on.
#[derive(Debug, Clone)]
pub(super) struct Passing {
    pub(super) hand: Hand,
    /// Whether lines are flushed to disk before they are passed on.
    pub(super) waits: bool,
}

impl Passing {
    /// Passes bytes on until the end, or until the reader is gone.
    pub(super) fn pass(&self, mut from: impl Read, mut to: impl Write, stream: Stream) -> io::Result<()> {
        /// The capacity of a pipe.
        const CHUNK: usize = 64 << 10;
        let mut buffer = vec![0; CHUNK];
        loop {
            let length = match from.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let bytes = buffer.get(..length).unwrap_or_default();
            if self.waits {
                self.hand.take_and_wait(stream, bytes);
                to.write_all(bytes)?;
            } else {
                // Input is recorded before the output that answers it, but the reader does not wait for the disk.
                let is_taken = self.hand.try_take(stream, bytes);
                let passed = to.write_all(bytes);
                if !is_taken {
                    self.hand.take(stream, bytes);
                }
                passed?;
            }
            to.flush()?;
        }
    }
}

/// Unbuffered standard output; the one of the standard library buffers incomplete lines.
#[cfg(unix)]
pub(super) fn output() -> io::Result<File> {
    use std::os::fd::AsFd as _;
    io::stdout().as_fd().try_clone_to_owned().map(File::from)
}

#[cfg(windows)]
pub(super) fn output() -> io::Result<File> {
    use std::os::windows::io::AsHandle as _;
    io::stdout().as_handle().try_clone_to_owned().map(File::from)
}
