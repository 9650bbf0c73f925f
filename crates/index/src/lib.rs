//! The index: one `SQLite` file with the catalogue and the full text of all sessions.
//!
//! | module | contains |
//! |---|---|
//! | [`store`] | the file: its tables, and how it is opened |
//! | [`update`] | incremental updates, which read only new lines |
//! | [`catalogue`] | sessions, their turns and their agents |
//! | `copies` | sessions that copied from each other, and for which of them each message and call counts |
//! | `skeleton` | the stored state from which a story is extended without reading its files again |
//! | [`words`] | tokenization: parts of names, paths, all languages |
//! | [`query`] | the query language |
//! | [`search`] | searching, and snippets of the matches |
//! | [`texts`] | the searchable texts of a line, by speaker |

pub mod catalogue;
mod copies;
pub mod project;
pub mod query;
pub mod search;
mod skeleton;
pub mod store;
pub mod texts;
pub mod update;
pub mod words;

pub use store::{Index, IndexError};
pub use update::Updated;
