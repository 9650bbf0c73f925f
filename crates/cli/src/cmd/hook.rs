//! `recount hook`: what Claude Code runs for every event, if hooks are installed.
//!
//! Claude Code must not notice it: it says nothing, takes no time, and ends well whatever happens.

use std::ffi::OsString;
use std::io::{self, Read as _};
use std::panic;
use std::process::{self, ExitCode};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use jiff::Timestamp;
use live::hooks::{self, Event};

/// Keep an event that Claude Code tells on standard input; `recount hooks install` sets it up
#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Hook {
    /// Whatever else is said
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    _rest: Vec<OsString>,
}

/// How long it may take, if nobody says anything or a disk does not answer.
const PATIENCE: Duration = Duration::from_secs(1);

/// More than any event has.
const LONGEST_INPUT: u64 = 256 << 20;

impl Hook {
    #[expect(clippy::unused_self, reason = "it is called as the other verbs are")]
    pub(crate) fn run(self) -> ExitCode {
        panic::set_hook(Box::new(|_| process::exit(0)));
        let (done, is_done) = mpsc::channel::<()>();
        // Neither a pipe that nobody writes to nor a disk can be told to hurry.
        let keeper = thread::Builder::new().spawn(move || {
            keep();
            drop(done);
        });
        if keeper.is_ok() {
            let _ = is_done.recv_timeout(PATIENCE);
        }
        ExitCode::SUCCESS
    }
}

/// Keeps what standard input tells. There is nobody to tell what went wrong.
fn keep() {
    let now = Timestamp::now().as_millisecond();
    let event = Event::read(io::stdin().lock().take(LONGEST_INPUT), now);
    if let Some((event, folder)) = event.zip(hooks::folder()) {
        let _ = hooks::deliver(&folder, &event);
    }
}
