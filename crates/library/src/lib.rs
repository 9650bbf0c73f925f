//! Finds sessions on disk and reads their files.
//!
//! | module | for |
//! |---|---|
//! | [`roots`](mod@roots) | where Claude Code keeps its sessions |
//! | [`folders`] | where this user's programs keep what is theirs |
//! | [`find`] | the sources under roots, folders and paths |
//! | [`source`] | one source: what it is, and its lines |
//! | [`session`] | one session by its id, a prefix, `last`, a path, or words of its title |
//! | [`archived`] | files that are gone from the disk and still in the archive |
//! | [`keep`](mod@keep) | what of the sessions is archived |
//! | [`kept`] | what of them is in an archive |
//! | [`follow`] | what has been added to a file, or become of it, since it was read |
//! | [`files`] | all files of a session: its agents, and what it copied from |
//! | [`telling`] | a session's story, and its texts |
//! | [`growing`] | a session that is told as it grows |
//! | [`census`] | what is in sources, counted |
//! | [`account`] | what sources used, counted |
//! | [`recent`] | what was used lately, kept up to date for a status line |
//! | [`problem`] | what can be wrong with a source |
//!
//! Invariants:
//!
//! - This is the only crate that touches disk, and it writes nothing under a
//!   config root.
//! - A source that cannot be read is a [`Problem`] in a list, never the end of
//!   the others.
//! - Memory follows the longest line, not the size of a file or their number.
//! - The order of sources is that of their names, so that two runs say the same.
//! - The environment is a value ([`Environment`]), not something that is asked.

pub mod account;
pub mod archived;
mod captured;
pub mod census;
pub mod files;
pub mod find;
pub mod folders;
pub mod follow;
pub mod growing;
pub mod keep;
pub mod kept;
pub mod problem;
pub mod recent;
pub mod roots;
pub mod session;
pub mod source;
pub mod telling;
mod title;

pub use account::{Accountant, Accounts};
pub use archived::Archived;
pub use census::{Census, Counter};
pub use files::{Head, Neighbours, Part, files_of_session};
pub use find::{Found, find_at, find_in_roots};
pub use growing::Growing;
pub use problem::Problem;
pub use recent::Recent;
pub use roots::{Environment, Root, roots};
pub use session::{Candidate, LookupError, find_session};
pub use source::{Buffer, Input, Lines, Origin, Source, SourceKind, Twin};
pub use telling::{Telling, Texts};
pub use title::title_of;
