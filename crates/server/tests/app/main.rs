//! The app from outside, over a socket.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

mod board;
mod browser;
mod events;
mod figures;
mod guard;
mod hostile;
mod pages;
mod share;
mod site;
mod slow;
