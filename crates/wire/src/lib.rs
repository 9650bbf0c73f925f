//! Every JSON document that leaves recount: the outputs of commands, the answers of the server, the files of exports.
//!
//! All documents follow one convention, which `docs/json/README.md` states: an object with its name and version as
//! `schema`, keys in snake case, moments in RFC 3339, durations in milliseconds, costs in US dollars, and `null` for a
//! value that is missing.
//!
//! | module | document |
//! |---|---|
//! | [`show`] | the story of a session |
//! | [`list`] | sessions, their agents, projects |
//! | [`found`] | the matches of a search |
//! | [`mod@file`] | the history of a file |
//! | [`diff`] | the changes of a session to files |
//! | [`board`] | running sessions |
//! | [`tail`] | a step of a session that is followed |
//! | [`usage`] | a report of usage |
//! | [`check`] | the report of a check |
//! | [`figures`] | what only the web app serves: usage, tools, archives, one session |
//! | [`archive`] | archives: a run, what one holds, what is damaged |
//!
//! The JSON Schemas and TypeScript declarations in `docs/json/` are generated from these types; a test fails when they
//! are out of date. With the feature `schema` the types derive their schemas for other crates.

pub mod archive;
pub mod board;
pub mod check;
pub mod diff;
pub mod figures;
pub mod file;
pub mod found;
pub mod list;
#[cfg(test)]
mod schema;
pub mod show;
pub mod tail;
pub mod usage;
pub mod used;

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use story::readable::Moment;
use story::step::Millis;

/// How a document is laid out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum JsonLayout {
    /// Indented, for people to look at.
    #[default]
    Pretty,
    /// On one line.
    Compact,
}

/// Writes a document and a line break. Much is written in small pieces, so `out` should have a buffer.
pub fn write(out: &mut (impl Write + ?Sized), document: &impl Serialize, layout: JsonLayout) -> io::Result<()> {
    match layout {
        JsonLayout::Pretty => serde_json::to_writer_pretty(&mut *out, document)?,
        JsonLayout::Compact => serde_json::to_writer(&mut *out, document)?,
    }
    writeln!(out)
}

/// A moment as documents write it, for tables of text such as CSV.
pub fn moment(at: Option<Millis>) -> Option<String> {
    Moment(at?).rfc3339()
}

/// The path of a file. JSON has no form for a path that is not Unicode: what cannot be written is replaced.
pub fn path(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
