//! `recount hook`: stores a hook event; Claude Code runs it for every event if hooks are installed.
//!
//! It must not disturb Claude Code: it prints nothing, takes no time, and always succeeds. So it is the only verb that
//! neither parses arguments nor builds an app.

use std::io::{self, Read as _};
use std::panic;
use std::process::{self, ExitCode};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use app::Clock;
use live::hooks::{self, Event};

/// Timeout, in case standard input stays open or a disk does not respond.
const PATIENCE: Duration = Duration::from_secs(1);

/// Upper bound of the input; larger than any event.
const LONGEST_INPUT: u64 = 256 << 20;

/// Stores the event that Claude Code writes to standard input.
pub(crate) fn run() -> ExitCode {
    panic::set_hook(Box::new(|_| process::exit(0)));
    let (done, is_done) = mpsc::channel::<()>();
    // Reading from a silent pipe and writing to a slow disk cannot be interrupted, so they run in a thread.
    let worker = thread::Builder::new().spawn(move || {
        keep();
        drop(done);
    });
    if worker.is_ok() {
        let _ = is_done.recv_timeout(PATIENCE);
    }
    ExitCode::SUCCESS
}

/// Stores the event on standard input. Failures are ignored, since they cannot be reported.
fn keep() {
    let now = Clock::System.now().as_millisecond();
    let event = Event::read(io::stdin().lock().take(LONGEST_INPUT), now);
    if let Some((event, folder)) = event.zip(hooks::folder()) {
        let _ = hooks::deliver(&folder, &event);
    }
}
