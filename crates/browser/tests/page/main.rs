//! Pages in a real browser: they work, load nothing, stay small, and run nothing from a session.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "these are tests")]

mod access;
mod hostile;
mod large;
mod made;
mod parts;
mod payloads;
mod reading;
mod using;
