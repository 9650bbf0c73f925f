//! The board, for people and for programs.

pub(crate) mod json;
pub(crate) mod text;
