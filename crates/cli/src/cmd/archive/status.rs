//! `recount archive status`: what is in the archive.

use std::path::Path;
use std::process::ExitCode;
use std::time::SystemTime;

use ::archive::{Archive, Kept, last_run};
use app::App;
use human::Locale;
use jiff::Timestamp;
use serde::Serialize;
use sources::kept::{Holdings, KeptSession, kept_sessions};

use super::place::Place;
use crate::failure::{self, CommandError};
use crate::flags::JsonFlag;
use crate::terminal::{clean, plural, thousands};

/// Say what is in the archive, and when it was last brought up to date
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Status {
    #[command(flatten)]
    json: JsonFlag,
    #[command(flatten)]
    place: Place,
}

const EXAMPLES: &str = "\
The JSON has a list of all sessions; docs/archive.md describes it.
Exit codes: 0 there is an archive; 1 there is none yet; 2 wrong usage, or it cannot be read.

Examples:
  recount archive status
  recount archive status --json | jq '.sessions[] | select(.deleted) | .session'";

impl Status {
    pub(super) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        let folder = self.place.folder(app)?;
        let archive = Archive::open(&folder)?;
        let sessions = kept_sessions(&archive);
        let summary = Summary::of(&archive, &sessions, last_run(&folder));
        if self.json.json {
            let all = sessions.iter().map(Row::of).collect();
            let document = Document {
                schema: "recount.archive-status/1",
                archive: folder.display().to_string(),
                summary,
                sessions: all,
            };
            anstream::println!("{}", serde_json::to_string_pretty(&document)?);
        } else if archive.changed_at().is_none() {
            let message = format!("nothing is archived yet: {}", folder.display());
            return Err(CommandError::nothing(message).hint("`recount archive` begins"));
        } else {
            print(&summary, &folder, app.locale()?);
        }
        Ok(ExitCode::from(if archive.changed_at().is_some() { 0 } else { failure::FOUND_FAULT }))
    }
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    archive: String,
    #[serde(flatten)]
    summary: Summary,
    sessions: Vec<Row>,
}

#[derive(Serialize)]
struct Summary {
    session_count: u64,
    /// Sessions that are only here any more.
    deleted: u64,
    files: u64,
    versions: u64,
    /// Bytes of all versions.
    bytes: u64,
    stored: u64,
    last_run: Option<String>,
    last_change: Option<String>,
    #[serde(skip)]
    last_run_at: Option<i64>,
}

impl Summary {
    fn of(archive: &Archive, sessions: &[KeptSession<'_>], last_run: Option<SystemTime>) -> Self {
        let last_run = last_run.and_then(|at| Timestamp::try_from(at).ok());
        let Holdings { sessions, deleted, files, versions, bytes, stored } = Holdings::of(archive, sessions);
        Self {
            session_count: sessions,
            deleted,
            files,
            versions,
            bytes,
            stored,
            last_run: last_run.map(in_full),
            last_change: archive.changed_at().and_then(|at| Timestamp::from_millisecond(at).ok()).map(in_full),
            last_run_at: last_run.map(Timestamp::as_millisecond),
        }
    }
}

fn in_full(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
}

/// A session.
#[derive(Serialize)]
struct Row {
    session: String,
    /// The machine that it comes from, if that is another one.
    machine: Option<String>,
    deleted: bool,
    files: Vec<FileRow>,
}

#[derive(Serialize)]
struct FileRow {
    path: String,
    kind: String,
    versions: Vec<VersionRow>,
}

#[derive(Serialize)]
struct VersionRow {
    bytes: u64,
    since: Option<String>,
    until: Option<String>,
}

impl Row {
    fn of(session: &KeptSession<'_>) -> Self {
        let moment = |at| Timestamp::from_millisecond(at).ok().map(in_full);
        let file = |file: &&Kept| FileRow {
            path: file.name.full().display().to_string(),
            kind: file.name.kind.to_string(),
            versions: file
                .versions
                .iter()
                .map(|version| VersionRow {
                    bytes: version.length,
                    since: moment(version.since),
                    until: moment(version.until),
                })
                .collect(),
        };
        Self {
            session: session.name.clone(),
            machine: session.machine.map(str::to_owned),
            deleted: session.is_deleted(),
            files: session.files.iter().map(file).collect(),
        }
    }
}

fn print(summary: &Summary, folder: &Path, locale: &Locale) {
    let deleted = match summary.deleted {
        0 => String::new(),
        deleted => format!(", {} of them only here any more", thousands(deleted)),
    };
    let older = match summary.versions.saturating_sub(summary.files) {
        0 => String::new(),
        older => format!(", and {}", plural(older, "older version", "older versions")),
    };
    let last_run = match summary.last_run_at {
        Some(at) => locale.date_and_time(Some(at)),
        None => "never".to_owned(),
    };
    let rows = [
        ("archive", clean(&folder.display().to_string()).into_owned()),
        ("sessions", format!("{}{deleted}", thousands(summary.session_count))),
        ("files", format!("{}{older}", thousands(summary.files))),
        ("size", format!("{}, stored in {}", human::bytes(summary.bytes), human::bytes(summary.stored))),
        ("last run", last_run),
    ];
    for (what, text) in rows {
        anstream::println!("{what:<9} {text}");
    }
}
