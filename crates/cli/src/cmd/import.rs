//! `recount import`: imports recorded runs of other tools into the store.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::failure::{CommandError, Context as _};
use app::App;
use format::{Body, Scratch, Time};
use jiff::Timestamp;
use record::{Fsync, Name, Outcome, Record, RecordError, Recorder, Store, Stream};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::capture::about::About;
use crate::capture::store_location::StoreLocation;
use crate::failure::{self, USAGE_OR_IO};
use crate::terminal::plural;

/// Import runs recorded by other tools into the store
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Import {
    /// Files to import
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Workspace of the conversation [default: named after the folder; for an import: imported]
    #[arg(long, value_name = "NAME", default_value = "imported", hide_default_value = true)]
    workspace: String,
    /// Conversation to create or extend [default: a new one; for an import: named after its file]
    #[arg(long, value_name = "NAME")]
    conversation: Option<String>,
    #[command(flatten)]
    about: About,
    #[command(flatten)]
    place: StoreLocation,
}

const EXAMPLES: &str = "\
Reads saved streams, the JSON array of the GitHub Action, the output of --output-format json,
sessions of claude.ai, and conversations of other stores. Messages stay unchanged, except for line
breaks between their fields.
Exit codes: 0 all imported; 2 wrong usage, or a file could not be imported.

Examples:
  recount import run.jsonl
  recount import claude-execution-output.json --conversation review-812";

impl Import {
    pub(crate) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        if self.conversation.is_some() && self.files.len() > 1 {
            let message = format!("--conversation names one conversation, and there are {} files", self.files.len());
            return Err(CommandError::usage(message));
        }
        let store = self.place.make(app)?;
        let mut failed = false;
        for file in &self.files {
            match self.file(app, &store, file) {
                Ok((name, messages)) => anstream::println!("{name}: {}", plural(messages, "line", "lines")),
                Err(error) => {
                    failed = true;
                    failure::say(&format!("{}: {error}", file.display()), &error.hints);
                }
            }
        }
        Ok(ExitCode::from(if failed { USAGE_OR_IO } else { 0 }))
    }

    fn file(&self, app: &App, store: &Store, path: &Path) -> Result<(String, u64), CommandError> {
        let bytes = fs::read(path).context("cannot be read")?;
        let written = fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
        let written = written.and_then(|time| Timestamp::try_from(time).ok()).unwrap_or_else(|| app.timestamp());
        let lines = taken_apart(&bytes);
        if !lines.iter().any(|line| is_known(&line.bytes)) {
            return Err(CommandError::io("it contains no message of Claude Code"));
        }
        let name = self
            .conversation
            .clone()
            .unwrap_or_else(|| Name::of_folder(Path::new(path.file_stem().unwrap_or_default())).to_string());
        let from = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let run = self.about.run_in(&self.workspace)?.in_new_conversation(&name)?.fsync(Fsync::Never);
        let run = run.imported_from(from.to_string_lossy().into_owned());
        let recorder = match store.record(run) {
            Err(RecordError::Exists { .. }) => {
                let full = format!("{}/{}/{name}", self.workspace, self.about.agent);
                let message = format!("conversation {full} already exists");
                return Err(CommandError::io(message).hint("name another with --conversation"));
            }
            recorder => recorder?,
        };
        let file = recorder.path().to_path_buf();
        if let Err(error) = write_all(recorder, &lines, written) {
            // A partial conversation would get in the way of a retry.
            let _ = fs::remove_file(file);
            return Err(error.into());
        }
        Ok((name, lines.len() as u64))
    }
}

/// Writes the lines with the times they contain, or with the file's time if they contain none.
fn write_all(mut recorder: Recorder, lines: &[Said], written: Timestamp) -> Result<(), RecordError> {
    // A line without a time gets the time of the line before it.
    let mut now = lines.iter().find_map(|line| line.at).unwrap_or(written);
    for line in lines {
        now = line.at.unwrap_or(now);
        recorder.push_at(line.stream, &line.bytes, now)?;
    }
    recorder.flush()?;
    recorder.close(Outcome::default())
}

/// An imported line.
struct Said {
    stream: Stream,
    bytes: Vec<u8>,
    at: Option<Timestamp>,
}

/// Extracts the messages of a file from any supported wrapper.
fn taken_apart(bytes: &[u8]) -> Vec<Said> {
    #[derive(Deserialize)]
    struct Loglines<'a> {
        #[serde(borrow)]
        loglines: Vec<&'a RawValue>,
    }
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let wrapped = serde_json::from_str::<Vec<&RawValue>>(text)
        .or_else(|_| serde_json::from_str::<Loglines<'_>>(text).map(|wrapped| wrapped.loglines))
        // A single object may span several lines.
        .or_else(|error| {
            let is_one = text.trim_start().starts_with('{') && text.trim_end().contains('\n');
            if is_one { serde_json::from_str::<&RawValue>(text).map(|one| vec![one]) } else { Err(error) }
        });
    match wrapped {
        Ok(messages) => messages.into_iter().map(|message| Said::message(message.get())).collect(),
        Err(_) => bytes.split_inclusive(|byte| *byte == b'\n').filter_map(Said::line).collect(),
    }
}

impl Said {
    /// Puts a message on one line. Line breaks occur between its fields, never inside its texts.
    fn message(message: &str) -> Self {
        let bytes = format!("{}\n", message.replace('\n', " ")).into_bytes();
        Self { stream: Stream::Output, at: time_of(&bytes), bytes }
    }

    /// Returns the line unchanged, or the line recorded in it. `None` for a record about anything other than a line.
    fn line(line: &[u8]) -> Option<Self> {
        match Record::read(line) {
            Ok(record) => Some(Self { stream: record.stream?, bytes: record.line(), at: record.at }),
            Err(_) => Some(Self { stream: Stream::Output, at: time_of(line), bytes: line.to_vec() }),
        }
    }
}

fn time_of(line: &[u8]) -> Option<Timestamp> {
    let scratch = Scratch::default();
    let reading = format::read(line, &scratch);
    let mut times = reading.entries.iter().map(|entry| entry.envelope.timestamp.or(entry.envelope.audit_timestamp));
    times.find_map(|time| time.and_then(Time::timestamp))
}

fn is_known(line: &[u8]) -> bool {
    let scratch = Scratch::default();
    let is_ours = |entry: &format::Entry<'_>| entry.foreign.is_none() && !matches!(entry.body, Body::Unknown(_));
    format::read(line, &scratch).entries.iter().any(is_ours)
}
