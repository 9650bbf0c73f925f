//! One `SQLite` file that finds everything in all sessions.
//!
//! | module | for |
//! |---|---|
//! | [`store`] | the file: its tables, and how it is opened |
//! | [`update`] | bringing it up to date by reading only what is new |
//! | [`catalogue`] | sessions, their turns and their agents |
//! | `skeleton` | what it takes to tell a session on without reading it again |
//! | [`words`] | texts as words that can be found: parts of names, paths, all languages |
//! | [`query`] | what somebody looks for |
//! | [`search`] | finding it, and showing where it is |
//! | [`texts`] | what a line says, by who said it |
//! | [`json`] | what is listed and found, for programs |

pub mod catalogue;
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
