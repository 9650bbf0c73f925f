//! Text output of the board for commands. Its JSON is the same as the server's (`wire::board`).

pub(crate) mod text;
