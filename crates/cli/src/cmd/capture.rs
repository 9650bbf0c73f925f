//! `recount capture`: records a run of Claude Code or of any other program.

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Duration;

use crate::failure::CommandError;
use app::App;
use record::{Fsync, Name};

use crate::capture::Capture as Recording;
use crate::capture::about::About;
use crate::capture::store_location::StoreLocation;

/// Run a program and record its output, which is passed on unchanged
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Capture {
    /// Workspace of the conversation [default: named after the folder; for an import: imported]
    #[arg(long, value_name = "NAME")]
    workspace: Option<String>,
    /// Conversation to create or extend [default: a new one; for an import: named after its file]
    #[arg(long, value_name = "NAME")]
    conversation: Option<String>,
    #[command(flatten)]
    about: About,
    /// Also record standard input
    #[arg(long)]
    input: bool,
    /// When to flush records to disk: before passing on each line, every second, or when the system decides
    #[arg(long, value_enum, default_value = "interval")]
    fsync: When,
    #[command(flatten)]
    place: StoreLocation,
    /// Program to run, with its arguments; without it, standard input is recorded and passed on
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// When records are flushed to disk.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(crate) enum When {
    Always,
    Interval,
    Never,
}

impl From<When> for Fsync {
    fn from(when: When) -> Self {
        match when {
            When::Always => Self::Always,
            When::Interval => Self::Interval(Duration::from_secs(1)),
            When::Never => Self::Never,
        }
    }
}

const EXAMPLES: &str = "\
Standard output, standard error and signals are passed on immediately. The exit code is the
program's; 2 if the program succeeded but not everything could be recorded; 128 plus the signal
number if a signal ended it. If the store cannot be written at all, the program runs all the same,
and the end of the output says that it was not recorded. Lines that are not stream-json are
recorded as well.
Captured sessions are listed, shown, searched and counted like all others. docs/store.md
describes the files.

Examples:
  recount capture -- claude -p 'add retries' --output-format stream-json --verbose
  recount capture --conversation retries --title Retries -- claude -p … --output-format stream-json
  recount capture --input -- claude -p --input-format stream-json --output-format stream-json
  claude -p … --output-format stream-json --verbose | recount capture | my-app";

impl Capture {
    pub(crate) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        if self.command.is_empty() && self.input {
            return Err(CommandError::usage("--input needs a command").hint("recount capture --input -- COMMAND"));
        }
        let here = app.here().to_path_buf();
        let workspace = self.workspace.clone().unwrap_or_else(|| Name::of_folder(&here).to_string());
        let mut run = self.about.run_in(&workspace)?.workspace_path(&here);
        if let Some(name) = &self.conversation {
            run = run.in_conversation(name)?;
        }
        let (store, fsync) = (self.place.make(app), self.fsync.into());
        Recording { store, run, fsync, command: self.command, directory: None, input: self.input }.run(app)
    }
}
