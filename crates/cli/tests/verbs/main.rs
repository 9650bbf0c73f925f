//! `recount` from the outside, verb by verb: exit codes, messages, bytes.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "these are tests")]

mod cat;
mod check;
mod config;
mod demo;
mod export;
mod help;
mod sandbox;
mod show;
mod statusline;
mod usage;
