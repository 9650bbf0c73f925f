//! Text that looks like the content of sessions: prose, code, paths, shell output.
//!
//! Only the shape matters (line lengths, quotes, tabs, a few non-ASCII characters), because readers spend their time on
//! escapes and newlines. All of it is generated from the word lists and templates here.

mod code;
mod output;
mod patch;
mod words;

pub(crate) use code::{Language, code, numbered};
pub(crate) use output::{compiler_output, grep_output, listing, log_output, test_output};
pub(crate) use patch::hunks;
pub(crate) use words::{
    NAMES, capitalised, directory, file_name, fill, identifier, join, markdown, nickname, phrase, prose, sentence,
    windows_directory,
};
