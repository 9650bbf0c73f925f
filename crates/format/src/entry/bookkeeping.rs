//! Bookkeeping: records of a session's state, which are not part of the conversation (docs/format A.4, B.6, B.7, B.8,
//! G.7).
//!
//! Most of them apply to the session as a whole: their position in the file means nothing, and the last of a kind wins.
//! The records here hold only what they add to the envelope, which has session, time and agent.

mod files;
mod state;
mod titles;

pub use files::*;
pub use state::*;
pub use titles::*;
