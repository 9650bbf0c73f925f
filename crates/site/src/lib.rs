//! Many sessions as a folder: of pages, of Markdown, or of JSON, with a list of all.
//!
//! What holds for every export:
//! - Only what changed is written: a record of what was made from which files lies in the folder.
//! - Every file is written beside its place and put there when it is whole.
//! - Only what the record names is ever removed, and a folder that has no record must be empty: what others put into
//!   it stays.

mod export;
mod folder;
mod name;
mod parts;
mod record;

pub use export::{Exported, Form, PART_BYTES, Wish, export};
pub use folder::SiteError;
