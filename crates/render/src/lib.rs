//! A story as text: in a terminal ([`terminal`]), as Markdown for GitHub ([`github`]), or as a replay ([`replay`]); and
//! its file changes ([`changes`]).
//!
//! Invariants:
//! - No I/O except through the arguments. Any text is accepted, however hostile.
//! - No control character of a session reaches a terminal, and no markup a Markdown document.

pub mod changes;
pub mod github;
pub mod replay;
pub mod terminal;
