//! Runs a program or reads a pipe, passes its output on, and records it.

pub(crate) mod about;
mod child;
mod pass;
#[cfg(unix)]
mod pipe;
mod progress;
pub(crate) mod store_location;

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use crate::failure::{CommandError, Context as _, ErrorKind};
use app::App;
use human::Currency;
use record::{CaptureWriter, Fsync, Heard, Outcome, Recorder, Run, Store, Stream};

use crate::failure::{self, USAGE_OR_IO};
use crate::terminal::plural;
use pass::Passing;
use progress::{Progress, Screen, Ticker};

/// A capture: what to record, and where.
pub(crate) struct Capture {
    /// The store, or why there is none: the program runs anyway.
    pub(crate) store: Result<Store, CommandError>,
    pub(crate) run: Run,
    pub(crate) fsync: Fsync,
    /// The program and its arguments; empty for a pipe.
    pub(crate) command: Vec<OsString>,
    /// The folder to run the program in, if it is another one.
    pub(crate) directory: Option<PathBuf>,
    /// Whether to record standard input, too.
    pub(crate) input: bool,
}

impl Capture {
    /// Records until the end, and returns the exit code.
    pub(crate) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        let words = self.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let here = self.directory.clone().or_else(|| Some(app.here().to_path_buf()));
        let run = self.run.command(words, here.map(|path| path.to_string_lossy().into_owned())).fsync(self.fsync);
        let recorder = self.store.and_then(|store| Ok(store.record(run)?));
        // The program is not to blame for a disk that is full, so it runs.
        let (recorder, obstacle) = match recorder {
            Err(error) if error.kind != ErrorKind::Unwritable => return Err(error),
            Err(error) => (None, Some(error)),
            Ok(recorder) => (Some(recorder), None),
        };
        if let Some(aside) = recorder.as_ref().and_then(Recorder::torn_aside) {
            let what = format!("the end of the conversation was incomplete: moved to {}", aside.display());
            let hint = "a capture was killed while it wrote this; everything before it is intact".to_owned();
            app.warn(&what, &[hint]);
        }
        let name = recorder.as_ref().map(|recorder| recorder.conversation().to_string()).unwrap_or_default();
        let screen = Screen::of_stderr();
        let is_shown = screen.is_shown();
        let screen = Arc::new(Mutex::new(screen));
        let progress = Arc::new(Mutex::new(Progress::in_currency(currency(app))));
        let listener = {
            let progress = Arc::clone(&progress);
            move |stream: Stream, line: &[u8]| {
                if let Ok(mut progress) = progress.lock() {
                    progress.hear(stream, line, is_shown);
                }
            }
        };
        let ticker = Ticker::start(&progress, &screen);
        let writer = match recorder {
            Some(recorder) => CaptureWriter::begin(recorder, Box::new(listener)),
            None => CaptureWriter::without_recorder(Box::new(listener)),
        };
        let passing = Passing { hand: writer.hand(), waits: self.fsync == Fsync::Always };
        let ended = if self.command.is_empty() {
            pass_on_pipe(&passing)
        } else {
            child::run(&self.command, self.directory.as_deref(), self.input, &passing, &screen)
        };
        drop((passing, ticker));
        if let Ok(mut screen) = screen.lock() {
            screen.clear();
        }
        let outcome = ended.as_ref().map_or_else(|_| Outcome::default(), Clone::clone);
        let heard = writer.close(outcome.clone());
        if let (Ok(progress), None) = (progress.lock(), &obstacle) {
            progress.conclude(&name, is_shown);
        }
        let is_recorded = report(&heard, &name, obstacle.as_ref());
        ended?;
        let code = child::exit_code(&outcome);
        Ok(ExitCode::from(if code == 0 && !is_recorded { USAGE_OR_IO } else { code }))
    }
}

/// Returns the user's currency. Unreadable settings do not prevent recording.
fn currency(app: &App) -> Currency {
    match app.locale() {
        Ok(locale) => locale.currency.clone(),
        Err(error) => {
            app.warn(&error.to_string(), &["costs are shown in dollars".to_owned()]);
            Currency::default()
        }
    }
}

/// Passes standard input on to standard output.
fn pass_on_pipe(passing: &Passing) -> Result<Outcome, CommandError> {
    let done = passing.pass(io::stdin(), pass::output()?, Stream::Output);
    match done {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        done => done.context("standard input")?,
    }
    Ok(Outcome::code(0))
}

/// Reports what could not be recorded. Returns whether everything was recorded.
fn report(heard: &Heard, name: &str, obstacle: Option<&CommandError>) -> bool {
    let lost = plural(heard.lost.records, "line was", "lines were");
    let what = match (obstacle, &heard.error) {
        (Some(obstacle), _) => format!("{lost} not recorded: {obstacle}"),
        (None, Some(error)) if heard.lost.records == 0 => format!("not recorded as configured: {name}: {error}"),
        (None, Some(error)) => format!("{lost} not recorded: {name}: {error}"),
        (None, None) => return true,
    };
    let hint = "the output was passed on anyway; check that the disk has space, or use --store";
    failure::say(&what, &[hint.to_owned()]);
    false
}
