//! `recount archive status`: shows what is in the archive.

use std::path::Path;
use std::process::ExitCode;

use ::archive::{Archive, last_run};
use app::App;
use human::Locale;
use jiff::Timestamp;
use sources::kept::{Holdings, kept_sessions};
use wire::JsonLayout;
use wire::archive::ArchiveStatusOut;

use super::archive_location::ArchiveLocation;
use crate::failure::{self, CommandError};
use crate::flags::JsonFlag;
use crate::terminal::{clean, plural, thousands};

/// Show what is in the archive and when it was last updated
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Status {
    #[command(flatten)]
    json: JsonFlag,
    #[command(flatten)]
    place: ArchiveLocation,
}

const EXAMPLES: &str = "\
The JSON lists all sessions; docs/archive.md describes it.
Exit codes: 0 there is an archive; 1 no archive yet; 2 wrong usage, or it cannot be read.

Examples:
  recount archive status
  recount archive status --json | jq '.sessions[] | select(.deleted) | .session'";

impl Status {
    pub(super) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        let folder = self.place.folder(app)?;
        let archive = Archive::open(&folder)?;
        let sessions = kept_sessions(&archive);
        let last_run = last_run(&folder).and_then(|at| Timestamp::try_from(at).ok()).map(Timestamp::as_millisecond);
        if self.json.json {
            let document = ArchiveStatusOut::of(&folder, &archive, &sessions, last_run);
            wire::write(&mut anstream::stdout(), &document, JsonLayout::Pretty)?;
        } else if archive.changed_at().is_none() {
            let message = format!("nothing is archived yet: {}", folder.display());
            return Err(CommandError::nothing(message).hint("`recount archive` creates an archive"));
        } else {
            print(&Holdings::of(&archive, &sessions), last_run, &folder, app.locale()?);
        }
        Ok(ExitCode::from(if archive.changed_at().is_some() { 0 } else { failure::FOUND_FAULT }))
    }
}

fn print(summary: &Holdings, last_run: Option<i64>, folder: &Path, locale: &Locale) {
    let deleted = match summary.deleted {
        0 => String::new(),
        deleted => format!(", {} of them only in the archive", thousands(deleted)),
    };
    let older = match summary.versions.saturating_sub(summary.files) {
        0 => String::new(),
        older => format!(", and {}", plural(older, "older version", "older versions")),
    };
    let last_run = match last_run {
        Some(at) => locale.date_and_time(Some(at)),
        None => "never".to_owned(),
    };
    let rows = [
        ("archive", clean(&folder.display().to_string()).into_owned()),
        ("sessions", format!("{}{deleted}", thousands(summary.sessions))),
        ("files", format!("{}{older}", thousands(summary.files))),
        ("size", format!("{}, stored in {}", human::bytes(summary.bytes), human::bytes(summary.stored))),
        ("last run", last_run),
    ];
    for (what, text) in rows {
        anstream::println!("{what:<9} {text}");
    }
}
