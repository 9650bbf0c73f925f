//! `recount hook`: what Claude Code runs for every event, if hooks are installed.
//!
//! Claude Code must not notice it: it says nothing, takes no time, and ends well whatever happens. So it is the one verb
//! that neither reads arguments nor builds an app.

use std::io::{self, Read as _};
use std::panic;
use std::process::{self, ExitCode};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use app::Clock;
use live::hooks::{self, Event};

/// How long it may take, if standard input stays open or a disk does not answer.
const PATIENCE: Duration = Duration::from_secs(1);

/// More than any event has.
const LONGEST_INPUT: u64 = 256 << 20;

/// Keeps an event that Claude Code writes to standard input.
pub(crate) fn run() -> ExitCode {
    panic::set_hook(Box::new(|_| process::exit(0)));
    let (done, is_done) = mpsc::channel::<()>();
    // Neither a pipe that stays silent nor a disk can be made to hurry.
    let keeper = thread::Builder::new().spawn(move || {
        keep();
        drop(done);
    });
    if keeper.is_ok() {
        let _ = is_done.recv_timeout(PATIENCE);
    }
    ExitCode::SUCCESS
}

/// Keeps what standard input says. There is no one to report a failure to.
fn keep() {
    let now = Clock::System.now().as_millisecond();
    let event = Event::read(io::stdin().lock().take(LONGEST_INPUT), now);
    if let Some((event, folder)) = event.zip(hooks::folder()) {
        let _ = hooks::deliver(&folder, &event);
    }
}
