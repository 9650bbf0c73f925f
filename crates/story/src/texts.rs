//! Where the texts of a story are read from.

use std::io;

use crate::place::Span;

/// The lines of a story, to be read again.
pub trait Texts {
    /// The bytes of a line.
    fn line(&mut self, span: Span) -> io::Result<&[u8]>;
}
