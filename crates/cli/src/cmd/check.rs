//! `recount check`: what is there, and what of it is damaged or unknown.

use std::io::{BufWriter, Write as _};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use reader::Counter;
use reader::census::{Census, Merge as _};
use sources::Environment;
use sources::Problem;
use sources::Source;
use sources::find_at;
use sources::find_in_roots;
use sources::roots;

use crate::failure;
use crate::parallel::{Reader, read_all};
use crate::progress::Progress;
use crate::report::{Report, json, text};
use crate::terminal::Paths;

/// Read sessions and report what is there: entries, blocks, tools, and what is damaged or unknown
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Check {
    /// Files, folders (read with all below them), or `-` for standard input [default: all config roots]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Read this config root too (may be repeated)
    #[arg(long = "root", value_name = "DIR", conflicts_with = "paths")]
    roots: Vec<PathBuf>,
    /// Print JSON (described in docs/check-json.md)
    #[arg(long)]
    json: bool,
    /// Exit with 1 for unknown things too, not only for malformed lines
    #[arg(long)]
    strict: bool,
    /// Read with so many threads [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

const EXAMPLES: &str = "\
Exit codes: 0 all read; 1 something is malformed (with --strict also: not understood); 2 wrong
usage, or something could not be read.

Examples:
  recount check
  recount check --root /mnt/backup/.claude
  recount check --json ~/.claude/projects/-home-ana-shop | jq .tools.total
  claude -p hi --output-format stream-json --verbose | recount check -";

impl Check {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let found = if self.paths.is_empty() {
            find_in_roots(&roots(&Environment::of_process(), &self.roots))
        } else {
            find_at(&self.paths)
        };
        let mut problems = found.problems;
        let (census, more) = read_all(&found.sources, self.threads, Counter::default)?;
        problems.extend(more);
        if census.source_count() > 0 && census.entries.is_empty() && census.malformed.count == 0 {
            let agents = census.foreign.keys().copied().collect();
            problems.push(Problem::NoTranscripts { files: census.source_count(), agents });
        }

        let code = self.exit_code(&census, &problems);
        let report = Report { census: &census, sources: &found.sources, problems: &problems, code };
        let mut out = BufWriter::new(anstream::stdout().lock());
        if self.json {
            json::write(&mut out, &report)?;
        } else if !census.sources.is_empty() {
            text::write(&mut out, &report, &Paths::from_here())?;
        }
        out.flush()?;
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

impl Reader for Counter {
    type Outcome = Census;

    fn read(&mut self, number: usize, source: &Source, progress: &Progress) -> Result<(), Problem> {
        Self::read(self, number, source, &|bytes| progress.add(bytes))
    }

    fn finish(self) -> Census {
        Self::finish(self)
    }

    fn merge(one: &mut Census, other: Census) {
        one.absorb(other);
    }
}
