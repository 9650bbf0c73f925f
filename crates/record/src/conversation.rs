//! A recorded conversation.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use format::{Body, Entry, Scratch};
use ledger::Money;

use crate::error::RecordError;
use crate::event::{Event, Outcome};
use crate::line::{Content, Record, Stream};
use crate::meter::Meter;

/// A conversation that was recorded, or is being recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversation {
    path: PathBuf,
}

impl Conversation {
    /// The conversation in a file.
    pub fn at(path: &Path) -> Self {
        Self { path: path.to_path_buf() }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its name.
    pub fn name(&self) -> &str {
        part(self.path.file_stem())
    }

    /// Its agent.
    pub fn agent(&self) -> &str {
        part(self.path.parent().and_then(Path::file_name))
    }

    /// Its workspace.
    pub fn workspace(&self) -> &str {
        part(self.path.parent().and_then(Path::parent).and_then(Path::file_name))
    }

    /// `workspace/agent/name`
    pub fn full_name(&self) -> String {
        [self.workspace(), self.agent(), self.name()].join("/")
    }

    /// Its records, in order, without one that is still being written.
    pub fn records(&self) -> Result<Records, RecordError> {
        let file = File::open(&self.path).map_err(RecordError::disk("read", &self.path))?;
        Ok(Records {
            file: BufReader::with_capacity(256 << 10, file),
            path: self.path.clone(),
            line: Vec::new(),
            number: 0,
        })
    }

    /// The summary of the conversation. Lines that are not records are skipped.
    pub fn summary(&self) -> Result<Summary, RecordError> {
        let mut fold = Fold::default();
        for record in self.records()? {
            match record {
                Ok(record) => fold.push(&record),
                Err(RecordError::NotARecord { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(fold.finish())
    }
}

fn part(name: Option<&std::ffi::OsStr>) -> &str {
    name.and_then(|name| name.to_str()).unwrap_or_default()
}

/// An iterator over the records of a conversation; memory is bounded by the longest record.
#[derive(Debug)]
pub struct Records {
    file: BufReader<File>,
    path: PathBuf,
    line: Vec<u8>,
    number: u64,
}

impl Iterator for Records {
    type Item = Result<Record, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.line.clear();
        self.number += 1;
        match self.file.read_until(b'\n', &mut self.line) {
            Ok(_) if !self.line.ends_with(b"\n") => None,
            Ok(_) => Some(Record::read(&self.line).map_err(|why| {
                let (path, line) = (self.path.clone(), self.number);
                RecordError::NotARecord { path, line, why }
            })),
            Err(error) => Some(Err(RecordError::disk("read", &self.path)(error))),
        }
    }
}

/// The summary of a conversation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Summary {
    /// The session to resume, as last stated by the program.
    pub session_id: Option<String>,
    /// The last working directory.
    pub directory: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// The program and its arguments in the last run.
    pub command: Vec<String>,
    /// Whether the model ended it, so that it cannot be resumed.
    pub ended_by_model: bool,
    /// How the last run ended; `None` if it is still running, or was killed together with its recorder.
    pub outcome: Option<Outcome>,
    /// The totals.
    pub totals: Totals,
}

/// Totals over all runs of a conversation.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Totals {
    /// Runs of a program.
    pub runs: u64,
    /// Messages in both directions.
    pub messages: u64,
    /// `result` messages: the number of completed turns.
    pub results: u64,
    /// Their cost, in dollars.
    pub cost_usd: f64,
    /// Their duration.
    pub duration_ms: u64,
    /// Lines that are not messages, without those on standard error.
    pub other_lines: u64,
    /// Lines on standard error.
    pub error_lines: u64,
    /// Lines that could not be recorded.
    pub lost: u64,
}

#[derive(Default)]
struct Fold {
    summary: Summary,
    cost: Money,
    meter: Meter,
    scratch: Scratch,
}

impl Fold {
    fn push(&mut self, record: &Record) {
        let totals = &mut self.summary.totals;
        match (&record.content, record.stream) {
            (Content::Event(event), _) => self.event(event),
            (_, Some(Stream::Errors)) => totals.error_lines += 1,
            (Content::Message(message), stream) => {
                totals.messages += 1;
                self.scratch.reset();
                let reading = format::read(message, &self.scratch);
                for entry in &reading.entries {
                    entry_into(entry, stream, &mut self.summary, &mut self.meter, &mut self.cost);
                }
            }
            (Content::Text(_) | Content::Bytes(_), _) => totals.other_lines += 1,
        }
    }

    fn event(&mut self, event: &Event) {
        let summary = &mut self.summary;
        match event {
            Event::Start { command, cwd, title, .. } => {
                self.meter.restart();
                summary.totals.runs += 1;
                summary.outcome = None;
                summary.command.clone_from(command);
                summary.directory = cwd.clone().or(summary.directory.take());
                summary.title = title.clone().or(summary.title.take());
            }
            Event::End(outcome) => summary.outcome = Some(outcome.clone()),
            Event::Lost { records, .. } => summary.totals.lost += records,
            Event::Other => {}
        }
    }

    fn finish(mut self) -> Summary {
        self.summary.totals.cost_usd = self.cost.dollars();
        self.summary
    }
}

fn entry_into(entry: &Entry<'_>, stream: Option<Stream>, summary: &mut Summary, meter: &mut Meter, cost: &mut Money) {
    if stream == Some(Stream::Input) {
        return;
    }
    if let Some(session) = entry.envelope.session() {
        summary.session_id = Some(session.as_str().to_owned());
    }
    match &entry.body {
        Body::System(_) => {
            if let Some(cwd) = entry.envelope.cwd {
                summary.directory = Some(cwd.as_str().to_owned());
            }
        }
        Body::EndedByModel(_) => summary.ended_by_model = true,
        Body::Result(result) if result.key.is_none() => {
            let reading = meter.result(result);
            summary.totals.results += 1;
            summary.totals.duration_ms += reading.duration_ms.unwrap_or_default();
            let more = reading.cost.unwrap_or(Money::ZERO);
            *cost = Money::from_picodollars(cost.picodollars() + more.picodollars());
        }
        _ => {}
    }
}
