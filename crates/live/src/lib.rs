//! What running sessions are doing, and which of them waits for whom.
//!
//! | module | for |
//! |---|---|
//! | [`registry`] | what processes say about themselves |
//! | [`process`] | whether they are there |
//! | [`tail`] | what the end of a story says |
//! | [`hooks`] | what Claude Code tells through hooks, for those who installed them |
//! | [`state`] | all of them together |
//! | [`glance`] | what there is to say about a session at a glance |
//! | `before` | what a session came to before its end, which is all that is held of it |
//! | [`board`] | all sessions that are active |
//! | [`alert`] | what somebody wants to be told about |
//! | [`keeper`] | the board, kept up to date |
//! | [`json`] | the board, for programs |

pub mod alert;
mod before;
pub mod board;
pub mod glance;
pub mod hooks;
pub mod json;
pub mod keeper;
pub mod process;
pub mod registry;
pub mod state;
pub mod tail;
