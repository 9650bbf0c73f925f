//! Writes Claude Code sessions for the tests and benches of this workspace.
//!
//! | module | for |
//! |---|---|
//! | [`entry`] | one line: `entry::user("add retries").at("…").line()` |
//! | [`session`] | a chain of lines with ids, times and parents filled in |
//! | [`root`] | whole config roots of any size and era, from a seed |
//! | [`gallery`] | a config root with one session of every kind |
//! | [`stream`] | captured `stream-json` runs and their wrappings |
//! | [`hostile`](mod@hostile) | texts that are likely to do harm where they are shown |
//! | [`mutate`] | hostile changes to bytes, for property tests and fuzzing |
//! | [`rng`], [`json`], [`clock`], [`era`] | building blocks of the above |
//!
//! Everything is a function of its arguments: no clock, no environment, no hash order. The same seed gives the same
//! bytes on every machine.

pub mod clock;
pub mod entry;
pub mod era;
pub mod gallery;
pub mod hostile;
pub mod json;
pub mod mutate;
pub mod rng;
pub mod root;
pub mod session;
pub mod stream;
mod text;
mod tools;

pub use era::{Era, Version};
pub use json::Json;
pub use rng::{Rng, Words};
pub use session::Session;
