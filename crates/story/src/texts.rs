//! Access to the texts of a story.

use std::io;
use std::ops::Range;

use crate::place::Span;

/// The lines of a story, to be read again.
pub trait Texts {
    /// The bytes of a line.
    fn line(&mut self, span: Span) -> io::Result<&[u8]>;

    /// A part of a line. It takes time in proportion to the part, not to the line.
    fn part(&mut self, span: Span, part: Range<u32>) -> io::Result<&[u8]> {
        let line = self.line(span)?;
        line.get(part.start as usize..part.end as usize).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }

    /// The output of a call that was too long for its line, from the file with this name beside the session.
    ///
    /// Output longer than [`LONGEST_COMPANION`] is truncated to one byte more than that.
    fn companion(&mut self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let _ = name;
        Ok(None)
    }

    /// The text of a large paste of a typed prompt, by its hash, truncated like a [`Texts::companion`].
    fn paste(&mut self, hash: &str) -> io::Result<Option<Vec<u8>>> {
        let _ = hash;
        Ok(None)
    }
}

/// The maximum size of a [`Texts::companion`] that is shown, in bytes.
pub const LONGEST_COMPANION: usize = 8 << 20;
