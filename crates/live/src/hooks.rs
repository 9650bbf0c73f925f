//! Events from Claude Code's hooks, for users who installed them.
//!
//! | module | for |
//! |---|---|
//! | [`event`] | the stored part of a hook's input |
//! | [`spool`] | the file that events are appended to, and read from |
//! | [`listener`] | the socket that wakes waiting readers |
//! | [`heard`] | the combined state from a session's events |
//!
//! Claude Code runs `recount hook` for every event, so it must neither take time nor fail: it appends a line, sends the
//! same line to the listener, and exits. All interpretation is left to the readers.

pub mod event;
pub mod heard;
#[cfg(unix)]
pub mod listener;
pub mod spool;

use std::io;
use std::path::{Path, PathBuf};

pub use event::{Event, HookEventKind};
pub use heard::{Heard, Sessions};
#[cfg(unix)]
pub use listener::Listener;
pub use spool::Spool;

/// The folder of the events, if this user has one for such data.
pub fn folder() -> Option<PathBuf> {
    Some(sources::folders::state()?.join("recount"))
}

/// Removes the stored events of sessions for good.
pub fn forget(folder: &Path, is_meant: &dyn Fn(&str) -> bool) -> io::Result<()> {
    spool::forget(folder, is_meant)
}

/// Stores an event and wakes the listener, if there is one.
pub fn deliver(folder: &Path, event: &Event) -> io::Result<()> {
    let line = event.to_line()?;
    let kept = spool::append(folder, &line);
    // Wakes a server, which then reads the spool.
    #[cfg(unix)]
    listener::send(folder, &line);
    kept
}
