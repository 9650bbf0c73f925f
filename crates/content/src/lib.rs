//! The content of entries and calls, as typed sections that every output renders in its own way.
//!
//! Full text, terminal, Markdown, HTML and JSON all use the same sections: [`entry`] and [`call`] map the types of
//! `format` to [`Section`]s, each with a speaker, a label and the level at which it is shown. [`view`] reads the lines
//! of a story again to do this for a step. A [`Selection`] determines the steps to show and their level of detail.
//!
//! Invariants: exhaustive over tools, results, blocks, events, attachments and pieces of text; every field of a tool's
//! record is in some section (a test checks them all); no I/O except through [`story::Texts`]; no clock; no decision
//! about the appearance of a section; linear in the bytes of the line; no copies of texts that need no unescaping.

mod again;
mod bill;
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

pub use again::{Again, SHOWN, raw_place};
pub use bill::Bill;
pub use call::{CallParts, CallSections};
pub use entry::{content_of, entry};
pub use listed::Listed;
pub use section::{Body, Section, Speaker};
pub use selection::{Selection, Threads, main_thread};
