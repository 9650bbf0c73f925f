//! `recount` from the outside, verb by verb: exit codes, messages, bytes.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "these are tests")]

mod archive;
mod capture;
mod cat;
mod check;
mod config;
mod counts;
mod demo;
mod diff;
mod export;
mod file;
mod forget;
mod help;
mod hooks;
mod identity;
mod index;
mod ls;
#[cfg(target_os = "linux")]
mod memory;
mod names;
#[cfg(target_os = "linux")]
mod output;
#[cfg(unix)]
mod private;
mod prompts;
mod sandbox;
mod search;
#[cfg(unix)]
mod serve;
mod share;
mod show;
mod statusline;
mod tail;
mod tools;
mod untouched;
mod usage;
mod watch;
