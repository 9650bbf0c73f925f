//! Keeps files for good: what was archived once stays, whatever becomes of the file.
//!
//! | module | for |
//! |---|---|
//! | [`Archive`], [`Content`] (`open`) | reading: files, their versions, the bytes of each |
//! | [`Writer`] (`write`) | adding what is new in files |
//! | [`verify`](mod@verify) | reading everything, to find damage |
//! | `state`, `commit` | what an archive holds, and the steps that led there |
//! | `store`, `pack`, `record` | how it lies on the disk |
//! | `cut`, `alias` | how equal content is found, in forks too |
//! | `disk` | what is done to files, so that tests can make it fail |
//!
//! An archive is a folder with two kinds of files, and both are only ever added to:
//!
//! - `segment-000000.pack` and so on hold packs: about a megabyte of pieces of files, compressed together. A piece is
//!   a run of lines, and stored once however many files hold it.
//! - `commits.log` says what files there are, which versions they have, and where the pieces of these are. Every
//!   commit has a copy in the segments, from which the log can be written again.
//!
//! Invariants:
//!
//! - Bytes, names and versions; nothing here knows what a transcript is.
//! - What was committed is on the disk, and is never changed or removed.
//! - Every record has a checksum, and nothing is handed out that does not fit it.
//! - Damage costs what was damaged, and no more. Torn ends are no damage: what was never finished is passed over.
//! - Opening reads the log alone: its size follows the number of files and runs, not their bytes.

mod alias;
mod commit;
mod cut;
mod disk;
mod error;
mod name;
mod open;
mod pack;
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
pub use write::{Report, Taken, Writer, last_run};
