//! Exports many sessions as a folder of pages, Markdown or JSON, with a list of all.
//!
//! [`share`] writes one session without its secrets.
//!
//! Invariants of every export:
//! - Only what changed is written: a record in the folder lists the output and the files it came from.
//! - Every file is written to a temporary name and renamed when complete.
//! - Only files in the record are ever removed, and a folder without a record must be empty: files of others stay.

mod export;
mod folder;
mod name;
mod parts;
mod record;
mod share;

pub use export::{Decide, Exported, Form, PART_BYTES, Wish, export, export_redacted};
pub use folder::SiteError;
pub use share::{ShareError, ShareForm, Shared, share};
