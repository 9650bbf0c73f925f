//! A story as text: in a terminal ([`terminal`]), as Markdown for GitHub ([`github`]), or as it happened
//! ([`replay`]); and what it changed in files ([`changes`]).
//!
//! Invariants:
//! - No I/O except through what is handed in. Any text is accepted, however hostile.
//! - No control character of a session reaches a terminal, and no markup a Markdown document.

pub mod changes;
pub mod github;
pub mod replay;
pub mod terminal;
