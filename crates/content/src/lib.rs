//! What an entry or a call says, as typed sections that every output shows in its own way.
//!
//! There is one answer, and full text, terminal, Markdown, HTML and JSON all read it: [`entry`] and [`call`] map what
//! `format` has read to [`Section`]s, each with who speaks, a label and the level at which it is shown. [`view`] reads
//! the lines of a story again to do that for a step. A [`Selection`] says which steps are wanted and at which detail.
//!
//! Invariants: exhaustive over tools, results, blocks, events, attachments and pieces of text; a field that a record of
//! a tool has is in some section (a test walks them all); no I/O except through [`story::Texts`]; no clock; no decision
//! about how a section looks; linear in the bytes of the line, and no copies where the texts are read as they stand.

mod block;
pub mod call;
mod entry;
pub mod json;
mod label;
mod listed;
mod pen;
pub mod section;
mod selection;
pub mod speech;
pub mod view;
pub mod wording;

pub use call::{CallParts, CallSections};
pub use entry::{content_of, entry};
pub use listed::Listed;
pub use section::{Body, Section, Speaker};
pub use selection::{Selection, Threads, main_thread};
