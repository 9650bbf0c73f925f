//! `recount archive`: keeps sessions that Claude Code would delete.

mod archive_location;
mod export;
mod install;
mod restore;
mod status;
mod tar;
mod verify;

use std::process::ExitCode;
use std::time::Duration;

use ::archive::{Report, Writer};
use app::App;
use sources::keep::{belongings, keep};
use sources::machine;
use wire::JsonLayout;
use wire::archive::ArchivedOut;

use crate::failure::{self, CommandError};
use crate::flags::JsonFlag;
use crate::terminal::plural;
use archive_location::ArchiveLocation;
use install::Install;

/// Archive sessions permanently; Claude Code deletes them after 30 days
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, after_help = EXAMPLES)]
pub(crate) struct Archive {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    run: Run,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    Status(status::Status),
    Verify(verify::Verify),
    Restore(restore::Restore),
    Export(export::Export),
    Install(Install),
}

#[derive(Debug, clap::Args)]
struct Run {
    /// Compare every file with its copy byte for byte, and store damaged copies again
    #[arg(long)]
    compare: bool,
    #[command(flatten)]
    json: JsonFlag,
    /// Set up a daily run; same as `recount archive install`
    #[arg(long, conflicts_with_all = ["uninstall", "compare", "json"])]
    install: bool,
    /// Undo --install
    #[arg(long, conflicts_with_all = ["compare", "json"])]
    uninstall: bool,
    #[command(flatten)]
    how: install::How,
    #[command(flatten)]
    place: ArchiveLocation,
}

const EXAMPLES: &str = "\
Reads only new data. Archived files stay, whatever happens to the originals: a file that was
truncated or rewritten gets a new version, and the old one stays too. archive never writes below
a config root. docs/archive.md describes the JSON. The archive is in
$XDG_DATA_HOME/recount/archive, unless --archive or $RECOUNT_ARCHIVE names another folder.

Exit codes: 0 archived; 1 verify found damage, or no such session; 2 wrong usage, or something
could not be read or written.

Examples:
  recount archive                        archive new data
  recount archive --install              archive new data every day
  recount archive status                 show what is archived
  recount archive restore 4c1e -o old/   restore the files of a session
  recount archive export -o all.tar      export everything to one file
  recount archive verify                 read everything and report damage";

/// How long to wait for another run to finish.
const PATIENCE: Duration = Duration::from_secs(60);

impl Archive {
    pub(crate) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        match self.verb {
            Some(Verb::Status(status)) => status.run(app),
            Some(Verb::Verify(verify)) => verify.run(app),
            Some(Verb::Restore(restore)) => restore.run(app),
            Some(Verb::Export(export)) => export.run(app),
            Some(Verb::Install(install)) => install.run(app),
            None if self.run.install || self.run.uninstall => {
                Install { remove: self.run.uninstall, how: self.run.how, place: self.run.place }.run(app)
            }
            None => self.run.run(app),
        }
    }
}

impl Run {
    fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        let folder = self.place.folder(app)?;
        let (files, mut problems) = belongings(app.roots());
        // Without sessions no archive is created.
        if files.is_empty() && !folder.is_dir() {
            problems.iter().for_each(failure::report_problem);
            return Ok(ExitCode::from(failure::USAGE_OR_IO));
        }
        let progress = app.progress(files.iter().map(|file| file.size).sum());
        let report = (|| {
            let mut writer = Writer::open(&folder, PATIENCE)?;
            if self.compare {
                writer.compare_all();
            }
            problems.extend(keep(&mut writer, &files, &machine::established(), &|bytes| progress.add(bytes))?);
            writer.finish()
        })();
        drop(progress);
        let report = match report {
            Ok(report) => report,
            Err(error) => {
                problems.iter().for_each(failure::report_problem);
                return Err(error.into());
            }
        };
        if self.json.json {
            wire::write(&mut anstream::stdout(), &ArchivedOut::of(&report, &folder), JsonLayout::Pretty)?;
        } else if !app.is_quiet() {
            anstream::println!("{}", summary(&report));
        }
        problems.iter().for_each(failure::report_problem);
        if app.forgotten().is_ok_and(|forgotten| forgotten.is_unfinished()) {
            let hint = "`recount forget` without arguments removes what is left of them";
            app.warn("sessions were forgotten, but not removed from everything yet", &[hint.to_owned()]);
        }
        Ok(ExitCode::from(if problems.is_empty() { 0 } else { failure::USAGE_OR_IO }))
    }
}

/// Summarizes the run in one line.
fn summary(report: &Report) -> String {
    let files = plural(report.files, "file", "files");
    let changed = report.new + report.grown + report.replaced;
    if changed == 0 {
        return format!("nothing new in {files}");
    }
    let parts = [(report.new, "new"), (report.grown, "grown"), (report.replaced, "rewritten")];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0);
    let parts: Vec<_> = parts.map(|(number, what)| format!("{} {what}", crate::terminal::thousands(number))).collect();
    let shared = if report.shared > 0 {
        format!(", {} of it already archived under another name", human::bytes(report.shared))
    } else {
        String::new()
    };
    format!(
        "archived {} of {files}: {}\n{} new{shared}, stored in {}",
        crate::terminal::thousands(changed),
        parts.join(", "),
        human::bytes(report.bytes),
        human::bytes(report.stored)
    )
}
