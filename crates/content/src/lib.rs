//! What a step or a call says, as typed sections that every output shows in its own way.
//!
//! A [`Selection`] says which steps are wanted and at which detail. [`view`] reads their texts again from the lines.
//!
//! Invariants: no I/O except through [`story::Texts`]; no clock; no decision about how a section looks.

mod listed;
mod selection;
pub mod view;
pub mod wording;

pub use listed::Listed;
pub use selection::{Selection, Threads, main_thread};
