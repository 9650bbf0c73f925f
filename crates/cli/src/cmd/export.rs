//! `recount export`: exports many sessions to a folder.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use app::{App, Progress, Silent};
use human::counted;
use site::{Decide, Form, Wish, export, export_redacted};

use super::chosen_sources;
use crate::cmd::show::Level;
use crate::failure::{self, CommandError, FOUND_FAULT};
use crate::flags::{SessionFlags, ThreadsFlag};
use crate::redaction::{DecisionFlags, print_report};

/// Export sessions to a folder as a site, Markdown or JSON; later runs update only what changed
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Export {
    /// Output format
    #[arg(value_enum, value_name = "FORM")]
    form: ExportForm,
    /// Output folder, created if missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Only these sessions, or the sessions below these folders
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    sessions: SessionFlags,
    /// Level of detail; for pages, the initial level
    #[arg(long, value_enum, default_value_t = Level::Steps, value_name = "LEVEL")]
    detail: Level,
    /// Inline style and script in every page, so that each is self-contained
    #[arg(long)]
    inline: bool,
    #[command(flatten)]
    threads: ThreadsFlag,
    /// Replace secrets and private things, as `recount share` does
    #[arg(long)]
    redact: bool,
    #[command(flatten)]
    decisions: DecisionFlags,
}

const EXAMPLES: &str = "\
Only files created by an export are ever replaced or removed: the folder must be new, empty, or an
existing export. With --redact, secrets and private things are replaced under the same names in all
sessions, and all of them are written each time; a value that is only likely to be a secret stops
the export before anything is written, unless --yes or --review decides on it (docs/share.md).
Exit codes: 0 exported; 1 nothing to export, or something needs a decision; 2 wrong usage, or something could not be read or
written.

Examples:
  recount export html ~/sessions
  recount export html ~/sessions --project garden --since 30d
  recount export md notes/ --detail talk
  recount export html site/ --redact --yes";

/// Export formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ExportForm {
    /// Site with a list of all sessions and a page for each
    Html,
    /// Folder of GitHub-flavored Markdown files
    Md,
    /// Folder of JSON files
    Json,
}

impl Export {
    pub(crate) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        self.decisions.need(self.redact)?;
        let found = chosen_sources(app, &self.paths)?;
        found.problems.iter().for_each(failure::report_problem);
        if found.sources.is_empty() {
            return Ok(ExitCode::from(failure::USAGE_OR_IO));
        }
        let wish = Wish {
            form: match self.form {
                ExportForm::Html => Form::Html,
                ExportForm::Md => Form::Markdown,
                ExportForm::Json => Form::Json,
            },
            detail: self.detail.into(),
            filter: self.sessions.filter(app)?,
            inline: self.inline,
            part_bytes: site::PART_BYTES,
            threads: self.threads.threads.map_or_else(all_cores, usize::from),
        };
        let progress: Mutex<Box<dyn Progress>> = Mutex::new(Box::new(Silent));
        let bar = || progress.lock().unwrap_or_else(PoisonError::into_inner);
        let on_total = |total| *bar() = app.progress(total);
        let on_bytes = |bytes| bar().add(bytes);
        let exported = if self.redact {
            self.decisions.ask(app, |decide| {
                // Questions and a progress bar do not go together.
                let decide: Decide<'_> = &mut |findings| {
                    *bar() = Box::new(Silent);
                    decide(findings)
                };
                let redaction = (&self.decisions.keep(), decide);
                export_redacted(app, &found, &self.folder, &wish, redaction, &on_total, &on_bytes)
            })
        } else {
            export(app, &found, &self.folder, &wish, &on_total, &on_bytes).map_err(CommandError::from)
        };
        *bar() = Box::new(Silent);
        let exported = exported?;
        exported.problems.iter().for_each(failure::report_problem);
        let sessions = |number: usize| counted(number as u64, "session", "sessions");
        let mut said = vec![format!("{} written", sessions(exported.written))];
        if exported.unchanged > 0 {
            said.push(format!("{} unchanged", exported.unchanged));
        }
        if exported.removed > 0 {
            said.push(format!("{} removed", counted(exported.removed as u64, "file", "files")));
        }
        anstream::println!("{}: {}", self.folder.display(), said.join(", "));
        if let Some(report) = exported.report.as_ref().filter(|_| !app.is_quiet()) {
            print_report(&mut anstream::stdout(), report, &[])?;
        }
        let failed = !found.problems.is_empty() || !exported.problems.is_empty();
        Ok(match (failed, exported.written + exported.unchanged) {
            (true, _) => ExitCode::from(failure::USAGE_OR_IO),
            (false, 0) => ExitCode::from(FOUND_FAULT),
            (false, _) => ExitCode::SUCCESS,
        })
    }
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
