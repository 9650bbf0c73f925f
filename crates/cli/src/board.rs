//! The board in commands, as text. As JSON it is the same as the server's (`live::json`).

pub(crate) mod text;
