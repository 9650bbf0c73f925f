//! `recount export`: many sessions as a folder.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;

use human::counted;
use jiff::{Timestamp, Zoned};
use site::{Form, Wish, export};
use sources::Environment;
use sources::find_at;
use sources::find_in_roots;
use sources::roots;

use crate::cmd::show::Level;
use crate::failure::{self, FOUND_FAULT};
use crate::moment::{self, End};
use crate::progress::Progress;

/// Write many sessions to a folder: a site, Markdown or JSON; a second time, only what changed
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Export {
    /// In which form
    #[arg(value_enum, value_name = "FORM")]
    form: ExportForm,
    /// The folder; it is made if it is not there
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Only these sessions, or those below these folders, instead of all
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Only sessions whose project has this in its path
    #[arg(long, value_name = "TEXT")]
    project: Option<String>,
    /// Only sessions that were active since then: 2026-08-08T09:15:00Z, 2026-08-08, or 2h, 3d ago
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// How much is told; of pages, what they show at first
    #[arg(long, value_enum, default_value_t = Level::Steps, value_name = "LEVEL")]
    detail: Level,
    /// Put style and script into every page, so that each can be sent alone
    #[arg(long)]
    inline: bool,
    /// How many sessions are told at once [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Look for sessions in this config root too (may be repeated)
    #[arg(long = "root", value_name = "DIR")]
    roots: Vec<PathBuf>,
}

const EXAMPLES: &str = "\
Only files that an export made are ever replaced or removed: the folder must be new, empty, or an
export.
Exit codes: 0 exported; 1 nothing to export; 2 wrong usage, or something could not be read or
written.

Examples:
  recount export html ~/sessions
  recount export html ~/sessions --project garden --since 30d
  recount export md notes/ --detail talk";

/// In which form sessions are exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ExportForm {
    /// A site: a list of all sessions, and a page for each
    Html,
    /// A folder of GitHub-flavoured Markdown
    Md,
    /// A folder of documents for programs
    Json,
}

impl Export {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let since = moment::read_option(self.since.as_deref(), "--since", End::Start, &Zoned::now())?;
        let found = if self.paths.is_empty() {
            find_in_roots(&roots(&Environment::of_process(), &self.roots))
        } else {
            find_at(&self.paths)
        };
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
            project: self.project.clone(),
            since: since.map(Timestamp::as_millisecond),
            inline: self.inline,
            part_bytes: site::PART_BYTES,
            jobs: self.jobs.map_or_else(all_cores, usize::from),
        };
        let progress = Mutex::new(Progress::new(0));
        let on_bar = |act: &dyn Fn(&mut Progress)| {
            act(&mut progress.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
        };
        let exported = export(
            &found,
            &self.folder,
            &wish,
            &|total| on_bar(&|progress| *progress = Progress::new(total)),
            &|bytes| on_bar(&|progress| progress.add(bytes)),
        );
        on_bar(&|progress| progress.finish());
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
