//! Stores files permanently: archived bytes stay, whatever happens to the file.
//!
//! | module | for |
//! |---|---|
//! | [`Archive`], [`Content`] (`open`) | reading: files, their versions, the bytes of each |
//! | [`Writer`] (`write`) | adding what is new in files |
//! | [`verify`](mod@verify) | reading everything, to find damage |
//! | `state`, `commit` | the content of an archive, and the changes that led to it |
//! | `store`, `pack`, `record` | the layout on disk |
//! | `cut`, `alias` | how equal content is found, also in forks |
//! | [`path_text`] | paths as text, without losing a byte |
//! | `disk` | file operations, so that tests can make them fail |
//!
//! An archive is a folder with two kinds of files, both append-only:
//!
//! - `segment-000000.pack` and so on contain packs: about a megabyte of pieces of files, compressed together. A piece
//!   is a run of lines, stored once however many files contain it.
//! - `commits.log` lists the files, their versions, and where the pieces of these are. Every commit has a copy in the
//!   segments, from which the log can be rebuilt.
//!
//! Invariants:
//!
//! - Bytes, names and versions; nothing here knows what a transcript is.
//! - A commit is durable, and is never changed or removed, except by [`Writer::forget`], which writes everything that
//!   stays into new segments and then replaces the log: a kill at any moment leaves the old archive or the new one.
//! - Every record has a checksum, and bytes that do not match it are never returned.
//! - Damage costs only the damaged bytes. A torn end is not damage: unfinished writes are skipped.
//! - Opening reads only the log, whose size depends on the number of files and runs, not on their bytes.

mod alias;
mod commit;
mod cut;
mod disk;
mod error;
mod name;
mod open;
mod pack;
pub mod path_text;
mod record;
mod state;
mod store;
pub mod verify;
mod write;

pub use commit::Stamp;
pub use error::{ArchiveError, TakeError};
pub use name::{FileKey, Name, Origin};
pub use open::{Archive, Content};
pub use state::{Kept, Version};
pub use store::is_archive;
pub use verify::verify;
pub use write::{Fate, Removed, Report, Taken, Writer, last_run};
