//! Scripts in a real browser, module by module: that they say what their counterparts in Rust say.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "these are tests")]

mod code;
mod human;
mod lexer;
mod modules;
mod names;
mod style;
