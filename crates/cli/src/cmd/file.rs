//! `recount file`: which sessions read, wrote or edited a file.

mod text;

use std::io::{BufWriter, Write as _};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use wire::JsonLayout;
use wire::file::FilesOut;

use index::search::touch::FileSearch;
use jiff::{Timestamp, Zoned};
use sources::Environment;
use sources::find_in_roots;
use sources::roots;

use crate::config::Config;
use crate::failure::{self, FOUND_FAULT, USAGE_OR_IO};
use crate::indexed;
use crate::moment::{self, End};
use crate::terminal::columns;

/// Tell which sessions read, wrote or edited a file
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct File {
    /// The file: from here, absolute, or the end of its path such as `src/main.rs` or `main.rs`
    #[arg(value_name = "PATH")]
    path: String,
    /// Show the edits themselves
    #[arg(short, long)]
    patch: bool,
    /// Only from then on: 2026-08-08, 2026-08-08T09:15:00Z, or 2h, 3d ago
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Show so many sessions of each file, the latest
    #[arg(short = 'n', long, value_name = "N", default_value = "20")]
    limit: NonZeroUsize,
    /// Print JSON (described in docs/search.md)
    #[arg(short, long)]
    json: bool,
    /// Look for sessions in this config root too (may be repeated)
    #[arg(long = "root", value_name = "DIR")]
    roots: Vec<PathBuf>,
}

const EXAMPLES: &str = "\
If the path fits several files, each is told by itself.
Exit codes: 0 told; 1 no session has touched it; 2 wrong usage, or something could not be read.

Examples:
  recount file src/main.rs
  recount file main.rs --since 1w
  recount file ./Cargo.toml --patch";

impl File {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let config = Config::load()?;
        let now = Zoned::now().with_time_zone(config.time_zone());
        let since = moment::read_option(self.since.as_deref(), "--since", End::Start, &now)?;
        let roots = roots(&Environment::of_process(), &self.roots);
        let found = find_in_roots(&roots);
        let here = std::env::current_dir().unwrap_or_default();
        let search = FileSearch {
            path: &self.path,
            here: &here,
            since: since.map(Timestamp::as_millisecond),
            limit: self.limit.get(),
        };
        let prices = config.prices();
        let (mut index, more) = indexed::open(&found, &roots, &prices)?;
        let histories = indexed::ask(&mut index, &found, &prices, |index| index.touches(&search))?;
        let problems: Vec<_> = found.problems.into_iter().chain(more).collect();
        let mut out = BufWriter::new(anstream::stdout().lock());
        if self.json {
            wire::write(&mut out, &FilesOut::of(&self.path, &histories), JsonLayout::Pretty)?;
        } else {
            let look = text::Look {
                width: columns(),
                colours: anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never,
                zone: now.time_zone().clone(),
                with_patch: self.patch,
            };
            text::write(&mut out, &histories, &look)?;
        }
        out.flush()?;
        if histories.is_empty() && problems.is_empty() && !self.json {
            let hint = "a part of a path fits whole names only: `main.rs` or `src/main.rs`, not `ain.rs`";
            failure::say(&format!("no session has touched it: {}", self.path), Some(hint));
        }
        problems.iter().for_each(failure::report_problem);
        Ok(ExitCode::from(match (problems.is_empty(), histories.is_empty()) {
            (false, _) => USAGE_OR_IO,
            (true, true) => FOUND_FAULT,
            (true, false) => 0,
        }))
    }
}
