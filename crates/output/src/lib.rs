//! Files that recount writes.
//!
//! [`NewFile`] is a file that the user names: its content is written beside its place and put there as a whole, so a
//! full disk or a kill leaves the old file. [`Folder`] is a folder that recount fills: names in it are resolved without
//! following a link, so nothing outside it is ever written or removed, whatever else changes the folder meanwhile.
//!
//! Files that recount keeps for itself are the business of `private`.

mod folder;
mod new_file;

#[cfg(unix)]
#[path = "handle/unix.rs"]
mod handle;
#[cfg(not(unix))]
#[path = "handle/elsewhere.rs"]
mod handle;

pub use folder::{Folder, Unfinished, Whole};
pub use new_file::{NewFile, write};

/// The beginning of the names of files that are not complete.
const TEMPORARY: &str = ".recount-";
