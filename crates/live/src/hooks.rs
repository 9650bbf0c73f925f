//! What Claude Code tells through hooks, for those who installed them.
//!
//! | module | for |
//! |---|---|
//! | [`event`] | what is kept of what a hook is told |
//! | [`spool`] | the file that events are appended to, and read from |
//! | [`listener`] | the socket that wakes whoever waits for them |
//! | [`heard`] | what the events of a session say together |
//!
//! `recount hook` is run by Claude Code for every event, and must neither take time nor fail: it appends a line, sends
//! the same line to whoever listens, and is done. All that is to be understood is understood by those who read.

pub mod event;
pub mod heard;
#[cfg(unix)]
pub mod listener;
pub mod spool;

use std::io;
use std::path::{Path, PathBuf};

pub use event::{Event, Kind};
pub use heard::{Heard, Sessions};
#[cfg(unix)]
pub use listener::Listener;
pub use spool::Spool;

/// Where events are kept, if this user has a place for such things.
pub fn folder() -> Option<PathBuf> {
    Some(sources::folders::state()?.join("recount"))
}

/// Keeps an event, and tells whoever listens. That nobody does is no error.
pub fn deliver(folder: &Path, event: &Event) -> io::Result<()> {
    let line = event.to_line()?;
    let kept = spool::append(folder, &line);
    // This wakes a server up, which then reads what was kept.
    #[cfg(unix)]
    listener::send(folder, &line);
    kept
}
