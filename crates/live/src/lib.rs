//! The state of running sessions, and which of them wait for you.
//!
//! | module | for |
//! |---|---|
//! | [`registry`] | the processes that Claude Code registers |
//! | [`process`] | whether they are alive |
//! | [`hooks`] | events from Claude Code's hooks, for users who installed them |
//! | [`state`] | the state from all of these |
//! | [`glance`] | a session at a glance |
//! | [`evidence`] | the evidence that something runs, for any session |
//! | `details` | the details of a story's end that only its lines contain |
//! | `before` | the figures before the part of a session that is held in memory |
//! | [`board`] | all active sessions |
//! | [`alert`] | alerts |
//! | [`session_follower`] | keeps the board up to date |

pub mod alert;
mod before;
pub mod board;
mod details;
pub mod evidence;
pub mod glance;
pub mod hooks;
pub mod process;
pub mod registry;
pub mod session_follower;
pub mod state;
