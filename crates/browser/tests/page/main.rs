//! Pages in a real browser: that they work, load nothing, stay small, and let nothing of a session run.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "these are tests")]

mod access;
mod hostile;
mod large;
mod made;
mod parts;
mod payloads;
mod reading;
mod using;
