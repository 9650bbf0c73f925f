//! Finds the files of sessions and reads their lines.
//!
//! | module | contains |
//! |---|---|
//! | [`roots`](mod@roots) | the folders in which Claude Code keeps its sessions |
//! | [`folders`] | the folders in which recount keeps its own files |
//! | [`find`] | discovery of sources under roots, folders and paths |
//! | [`source`] | one source: its kind and its lines |
//! | [`naming`] | the names of sessions that share an id |
//! | [`machine`] | the name of this machine, for stores with files of several machines |
//! | `partial` | subagents whose session is in another folder or deleted |
//! | [`archived`] | files that are deleted but still in the archive |
//! | [`keep`](mod@keep) | the files of sessions that are archived |
//! | [`kept`] | the sessions in an archive |
//! | [`follow`] | changes of a file since it was last read |
//! | [`files`] | all files of a session: its agents, and the sessions from which it was copied |
//! | [`prompts`] | sessions of which only prompts are left |
//! | [`project`] | the project of a folder |
//! | [`problem`] | problems with a source |
//!
//! Invariants:
//!
//! - It is the only crate that opens sessions. It writes nothing under a config root.
//! - A source that cannot be read is a [`Problem`] in a list; the others are still read.
//! - Memory is bounded by the longest line, not by the size or the number of files.
//! - Sources are sorted by name, so that two runs give the same result.
//! - The environment is a value ([`Environment`]); only [`folders`] and [`machine`] read it from the process.
//! - A file is identified by its [`Origin`] and the path inside it ([`FileKey`]), never by an absolute path alone: one
//!   archive or index may contain files of several homes. For this machine, tenant and machine are empty.

pub mod archived;
pub mod captured;
pub mod files;
pub mod find;
pub mod folders;
pub mod follow;
pub mod forgotten;
pub mod keep;
pub mod kept;
pub mod machine;
pub mod naming;
mod partial;
pub mod problem;
pub mod project;
pub mod prompts;
mod recognise;
pub mod roots;
pub mod source;

pub use archive::{FileKey, Origin, path_text};
pub use archived::Archived;
pub use files::{Head, Neighbours, SessionFile, files_of_session, notes_beside, notes_in, sessions_of};
pub use find::{FoundSources, find_at, find_in_roots};
pub use forgotten::{Forgotten, ForgottenName};
pub use problem::Problem;
pub use roots::{Environment, Root, roots};
pub use source::{Buffer, FoundBy, Input, Lines, Source, SourceKind, Twin};
