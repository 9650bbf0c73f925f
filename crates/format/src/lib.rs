//! Reads every line that Claude Code has written as a typed, lossless entry.

/// The newest version of Claude Code whose lines the types are checked against.
pub const NEWEST_VERSION: &str = "2.1.326";

pub mod assemble;
pub mod block;
pub mod entry;
pub mod header;
pub mod id;
mod json;
mod line;
pub mod message;
mod pieces;
mod read;
pub mod text;
pub mod tool;

pub use entry::{Body, Entry, Envelope};
pub use json::fields;
pub use json::{Asked, Map, Note, Raw, Repairs, Scratch, Text, Time, Unknown};
pub use line::{Framer, Line, lines};
pub use pieces::{EntryPiece, FEW_BLOCKS, PieceRole, is_crowded, pieces, read_block, read_piece};
pub use read::{
    Malformed, Reach, Reading, Scope, Wrapping, read, read_agent_meta, read_header, read_usage_header, read_with,
};
