//! Where the texts of a story are read from.

use std::io;

use crate::place::Span;

/// The lines of a story, to be read again.
pub trait Texts {
    /// The bytes of a line.
    fn line(&mut self, span: Span) -> io::Result<&[u8]>;

    /// What a call printed, if that was too long for its line and is kept in a file of this name beside the session.
    ///
    /// Of what is longer than [`LONGEST_COMPANION`], only the beginning is given, which is one byte longer than that.
    fn companion(&mut self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let _ = name;
        Ok(None)
    }
}

/// The most bytes of a [`Texts::companion`] that are worth showing.
pub const LONGEST_COMPANION: usize = 8 << 20;
