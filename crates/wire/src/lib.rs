//! Every JSON document that leaves recount: the output of commands, the responses of the server, the files of exports.
//!
//! All documents follow one convention, which `docs/json/README.md` states: an object with its name and version as
//! `schema`, keys in snake case, moments in RFC 3339, durations in milliseconds, costs in US dollars, and `null` for a
//! missing value.
//!
//! | module | document |
//! |---|---|
//! | [`show`] | the story of a session |
//! | [`list`] | sessions, their agents, projects |
//! | [`found`] | the matches of a search |
//! | [`mod@file`] | the history of a file |
//! | [`diff`] | the changes of a session to files |
//! | [`board`] | running sessions |
//! | [`tail`] | a step of a followed session |
//! | [`usage`] | a usage report |
//! | [`check`] | the report of a check |
//! | [`figures`] | documents that only the web app serves: usage, tools, archives, one session |
//! | [`archive`] | archives: a run, the contents, the damage |
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
pub mod share;
pub mod show;
pub mod state;
pub mod tail;
pub mod usage;
pub mod used;

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use story::readable::Moment;
use story::step::Millis;

/// The layout of a document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum JsonLayout {
    /// Indented, for people.
    #[default]
    Pretty,
    /// On one line.
    Compact,
}

/// Writes a document and a line break, in many small pieces: `out` should be buffered.
pub fn write(out: &mut (impl Write + ?Sized), document: &impl Serialize, layout: JsonLayout) -> io::Result<()> {
    match layout {
        JsonLayout::Pretty => serde_json::to_writer_pretty(&mut *out, document)?,
        JsonLayout::Compact => serde_json::to_writer(&mut *out, document)?,
    }
    writeln!(out)
}

/// A moment in the format of documents, for tables of text such as CSV.
pub fn moment(at: Option<Millis>) -> Option<String> {
    Moment(at?).rfc3339()
}

/// The path of a file. JSON cannot represent a path that is not Unicode: invalid parts are replaced.
pub fn path(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
