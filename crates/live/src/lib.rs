//! What running sessions are doing, and which of them waits for whom.
//!
//! | module | for |
//! |---|---|
//! | [`registry`] | what processes say about themselves |
//! | [`process`] | whether they are there |
//! | [`tail`] | what the end of a story says |
//! | [`state`] | both together |
//! | [`board`] | all sessions that are active |

pub mod board;
pub mod process;
pub mod registry;
pub mod state;
pub mod tail;
