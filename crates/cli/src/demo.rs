//! Sample sessions.

pub(crate) mod live;
