//! Tests scripts in a real browser, module by module: they have to agree with their counterparts in Rust.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "these are tests")]

mod code;
mod human;
mod lexer;
mod modules;
mod names;
mod style;
