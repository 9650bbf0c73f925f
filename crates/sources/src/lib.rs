//! Finds the files of sessions and reads their lines.
//!
//! | module | for |
//! |---|---|
//! | [`roots`](mod@roots) | where Claude Code keeps its sessions |
//! | [`folders`] | where recount keeps its own files |
//! | [`find`] | the sources under roots, folders and paths |
//! | [`source`] | one source: what it is, and its lines |
//! | [`naming`] | what sessions are called where several have the same id |
//! | [`machine`] | the name of this machine, where files of several are kept |
//! | `partial` | subagents whose session lies elsewhere, or is gone |
//! | [`archived`] | files that are deleted and still in the archive |
//! | [`keep`](mod@keep) | which files of the sessions are archived |
//! | [`kept`] | which of them an archive holds |
//! | [`follow`] | how a file changed since it was last read |
//! | [`files`] | all files of a session: its agents, and the sessions it copied from |
//! | [`project`] | which project a folder belongs to |
//! | [`problem`] | what can be wrong with a source |
//!
//! Invariants:
//!
//! - The only crate that opens sessions. It writes nothing under a config root.
//! - A source that cannot be read is a [`Problem`] in a list; the others are still read.
//! - Memory is bounded by the longest line, not by the size or the number of files.
//! - Sources are ordered by name, so that two runs give the same result.
//! - The environment is a value ([`Environment`]); only [`folders`] and [`machine`] ask the process for it.
//! - A file is known by its [`Origin`] and the path inside it ([`FileKey`]), never by an absolute path alone: files of
//!   several homes may be in one archive and in one index. Of this machine, neither tenant nor machine are stated.

pub mod archived;
pub mod captured;
pub mod files;
pub mod find;
pub mod folders;
pub mod follow;
pub mod keep;
pub mod kept;
pub mod machine;
pub mod naming;
mod partial;
pub mod problem;
pub mod project;
pub mod roots;
pub mod source;

pub use archive::{FileKey, Origin};
pub use archived::Archived;
pub use files::{Head, Neighbours, Part, files_of_session, sessions_of};
pub use find::{Found, find_at, find_in_roots};
pub use problem::Problem;
pub use roots::{Environment, Root, roots};
pub use source::{Buffer, FoundBy, Input, Lines, Source, SourceKind, Twin};
