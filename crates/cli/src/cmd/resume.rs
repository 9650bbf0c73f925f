//! `recount resume`: continues a recorded conversation.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use app::{App, SessionFilter};
use format::{Body, Scratch};
use record::{Conversation, Run, Store, Summary};
use sources::Buffer;
use sources::Lines;

use super::capture::When;
use crate::capture::Capture;
use crate::capture::store_location::StoreLocation;
use crate::failure::{CommandError, Context as _};

/// Resume a recorded conversation: run claude --resume in its folder and record the run
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Resume {
    /// Conversation: its name or a prefix, workspace/agent/name, or last, last~1…
    #[arg(value_name = "CONVERSATION")]
    conversation: String,
    /// Print the command without running it
    #[arg(long)]
    print: bool,
    /// Also record standard input
    #[arg(long)]
    input: bool,
    /// When to flush records to disk: before passing on each line, every second, or when the system decides
    #[arg(long, value_enum, default_value = "interval")]
    fsync: When,
    #[command(flatten)]
    place: StoreLocation,
    /// Additional arguments for claude
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

const EXAMPLES: &str = "\
Exit codes: the exit code of claude; 1 if the conversation cannot be resumed; 2 wrong usage, or it
cannot be read.

Examples:
  recount resume retries -- -p 'now write the tests' --output-format stream-json --verbose
  recount resume retries --print";

impl Resume {
    pub(crate) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        let store = Store::open(&self.place.folder(app)?)?;
        let conversation = store.conversation(&self.conversation)?;
        let summary = conversation.summary()?;
        let (session, directory) = prospects(app, &summary, &self.conversation)?;
        let mut command = vec![program(&summary), "--resume".into(), session.into()];
        command.extend(self.arguments.iter().cloned());
        if self.print {
            anstream::println!(
                "cd {} && {}",
                quoted(directory.as_os_str()),
                command.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
            );
            return Ok(ExitCode::SUCCESS);
        }
        let run = same_place(&conversation)?;
        let fsync = self.fsync.into();
        Capture { store: Ok(store), run, fsync, command, directory: Some(directory), input: self.input }.run(app)
    }
}

/// Returns the session to resume and its folder.
fn prospects(app: &App, summary: &Summary, name: &str) -> Result<(String, PathBuf), CommandError> {
    let obstacle = |why: &str, hint: &str| CommandError::nothing(format!("cannot resume {name}: {why}")).hint(hint);
    let Some(session) = summary.session_id.clone() else {
        let hint = "no recorded line names a session; was it run with --output-format stream-json?";
        return Err(obstacle("it has no session id", hint));
    };
    if summary.ended_by_model || is_ended_in_transcript(app, &session) {
        return Err(obstacle("the model ended it", "begin another one: recount capture -- claude …"));
    }
    let Some(directory) = summary.directory.as_ref().map(PathBuf::from) else {
        return Err(obstacle("its folder is not known", "run claude --resume yourself, in its folder"));
    };
    if !directory.is_dir() {
        let hint = "sessions belong to their folders; restore it, or move the session along with it";
        return Err(obstacle(&format!("its folder is gone: {}", directory.display()), hint));
    }
    Ok((session, directory))
}

/// Returns whether the transcript of a session, if there is one, says that the model ended it.
fn is_ended_in_transcript(app: &App, session: &str) -> bool {
    let Ok(source) = app.find_session(session, &SessionFilter::default()) else { return false };
    let Ok(file) = source.open() else { return false };
    let (mut buffer, mut scratch) = (Buffer::default(), Scratch::default());
    let mut lines = Lines::new(file, &mut buffer);
    while let Ok(Some(line)) = lines.next_line() {
        scratch.reset();
        let is_short = line.bytes.len() < 4096;
        if is_short
            && format::read(line.bytes, &scratch).entries.iter().any(|it| matches!(it.body, Body::EndedByModel(_)))
        {
            return true;
        }
    }
    false
}

/// Returns the claude that ran before, or else the one on the path.
fn program(summary: &Summary) -> OsString {
    let before =
        summary.command.first().filter(|word| Path::new(word).file_name().is_some_and(|name| name == "claude"));
    before.map_or_else(|| "claude".into(), OsString::from)
}

fn same_place(conversation: &Conversation) -> Result<Run, CommandError> {
    let run = Run::new(conversation.workspace(), conversation.agent()).context("the conversation lies elsewhere")?;
    Ok(run.in_conversation(conversation.name())?)
}

/// Quotes a word for a shell.
fn quoted(word: &std::ffi::OsStr) -> String {
    let text = word.to_string_lossy();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '=' | ':' | ',');
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.into_owned();
    }
    format!("'{}'", crate::terminal::clean(&text).replace('\'', "'\\''"))
}
