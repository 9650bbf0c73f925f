//! `recount check`: reports what sessions contain and what is damaged or unknown.

use std::path::PathBuf;
use std::process::ExitCode;
use wire::JsonLayout;
use wire::check::CheckOut;

use app::App;
use app::parallel::read_all;
use reader::census::Census;
use reader::{Counter, facts_of};
use sources::{Problem, Source};

use super::chosen_sources;
use crate::failure::{self, CommandError};
use crate::flags::{JsonFlag, OutputFlag, SessionFlags, ThreadsFlag};
use crate::report::{Report, text};
use crate::terminal::Paths;

/// Check sessions: count entries, blocks and tools, and report damaged or unknown data
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Check {
    /// Files, folders (read recursively), or `-` for standard input [default: all config roots]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    sessions: SessionFlags,
    #[command(flatten)]
    json: JsonFlag,
    /// Exit with 1 for unknown data too, not only for malformed lines
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    output: OutputFlag,
    #[command(flatten)]
    threads: ThreadsFlag,
}

const EXAMPLES: &str = "\
docs/check-json.md describes the JSON.
Exit codes: 0 all read; 1 something is malformed (with --strict, also unknown); 2 wrong usage, or
something could not be read.

Examples:
  recount check
  recount check --root /mnt/backup/.claude
  recount check --json ~/.claude/projects/-home-ana-shop | jq .tools.total
  claude -p hi --output-format stream-json --verbose | recount check -";

impl Check {
    pub(crate) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        if self.paths.is_empty() {
            app.warn_of_exposed_files();
        }
        let mut found = chosen_sources(app, &self.paths)?;
        let filter = self.sessions.filter(app)?;
        if !filter.is_empty() {
            let is_wanted = |source: &Source| facts_of(source).is_some_and(|facts| filter.wants_facts(&facts));
            found.sources.retain(is_wanted);
        }
        let mut problems = found.problems;
        let (census, more) = read_all(app, &found.sources, self.threads.threads, Counter::default)?;
        problems.extend(more);
        if census.source_count() > 0 && census.entries.is_empty() && census.malformed.count == 0 {
            let agents = census.foreign.keys().copied().collect();
            problems.push(Problem::NoTranscripts { files: census.source_count(), agents });
        }
        if found.sources.is_empty() && problems.is_empty() && !self.json.json {
            let hint = "without --project, --since and --until all are read";
            return Err(CommandError::nothing("no session matches").maybe_hint((!filter.is_empty()).then_some(hint)));
        }
        let code = self.exit_code(&census, &problems);
        let models = census.models.by_name();
        let outdated = app.prices()?.outdated_by(models.into_iter().map(|(model, _)| model));
        let (sources, outdated) = (&found.sources[..], outdated.as_ref());
        let report = Report { census: &census, sources, problems: &problems, outdated };
        let mut out = self.output.open()?;
        if self.json.json {
            let hinted: Vec<_> = problems.iter().map(|problem| (problem, failure::hint_for(problem))).collect();
            let document = CheckOut::of(&census, sources, &hinted, outdated, code);
            wire::write(&mut out, &document, JsonLayout::Pretty)?;
        } else if !census.sources.is_empty() {
            text::write(&mut out, &report, &Paths::from_here(app))?;
        }
        out.finish()?;
        problems.iter().for_each(failure::report_problem);
        Ok(ExitCode::from(code))
    }

    fn exit_code(&self, census: &Census, problems: &[Problem]) -> u8 {
        if !problems.is_empty() {
            failure::USAGE_OR_IO
        } else if census.malformed.count > 0 || self.strict && census.has_unknowns() {
            failure::FOUND_FAULT
        } else {
            0
        }
    }
}
