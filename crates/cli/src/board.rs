//! The board in commands, as text. As JSON it is the same as the server's (`wire::board`).

pub(crate) mod text;
