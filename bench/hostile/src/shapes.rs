//! The shapes of hostile input. Each is a function of a size: the sessions that it writes grow in proportion to it.

#![expect(clippy::semicolon_if_nothing_returned, reason = "the shapes are one expression each")]

mod code;
mod files;
mod lines;
mod texts;
mod tools;
mod tree;

use crate::writer::Writer;

/// A kind of input.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    /// Its name.
    pub(crate) name: &'static str,
    /// The size at which it costs about as much as the others.
    pub(crate) base: usize,
    /// Writes it.
    pub(crate) write: fn(&mut Writer, usize),
}

/// All shapes.
pub(crate) fn all() -> Vec<Shape> {
    [tree::SHAPES, lines::SHAPES, texts::SHAPES, code::SHAPES, tools::SHAPES, files::SHAPES].concat()
}
