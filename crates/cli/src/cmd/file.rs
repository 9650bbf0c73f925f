//! `recount file`: shows which sessions read, wrote or edited a file.

mod text;

use std::num::NonZeroUsize;
use std::process::ExitCode;
use wire::JsonLayout;
use wire::file::FilesOut;

use app::App;
use index::search::touch::FileSearch;

use crate::cmd::search::place::Sight;
use crate::failure::{self, CommandError};
use crate::flags::{JsonFlag, LimitFlag, OutputFlag, SessionFlags};
use crate::terminal::columns;

/// Show which sessions read, wrote or edited a file
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct File {
    /// File: a relative or absolute path, or the end of a path such as `src/main.rs` or `main.rs`
    #[arg(value_name = "PATH")]
    path: String,
    /// Show the edits
    #[arg(long)]
    patch: bool,
    #[command(flatten)]
    sessions: SessionFlags,
    #[command(flatten)]
    limit: LimitFlag,
    #[command(flatten)]
    json: JsonFlag,
    #[command(flatten)]
    output: OutputFlag,
}

/// Default number of sessions per file.
const LIMIT: usize = 20;

const EXAMPLES: &str = "\
If the path matches several files, each is shown separately. --limit counts sessions per file
[default: the latest 20; all with --json]. docs/search.md describes the JSON.
Exit codes: 0 shown; 1 no session touched it; 2 wrong usage, or something could not be read.

Examples:
  recount file src/main.rs
  recount file main.rs --since 1w
  recount file ./Cargo.toml --patch";

impl File {
    pub(crate) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        let filter = self.sessions.filter(app)?;
        let search = FileSearch {
            path: &self.path,
            here: app.here(),
            since: filter.since,
            until: filter.until,
            project: filter.project.as_ref(),
            // JSON has all, unless a limit is given.
            limit: self.limit.or((!self.json.json).then_some(LIMIT)).map_or(usize::MAX, NonZeroUsize::get),
        };
        let mut open = app.open_index()?;
        let histories = open.ask(app, |index| index.touches(&search))?;
        let mut out = self.output.open()?;
        if self.json.json {
            wire::write(&mut out, &FilesOut::of(&self.path, &histories), JsonLayout::Pretty)?;
        } else {
            let look = text::FileLook {
                width: columns(),
                colours: self.output.has_colors(),
                sight: Sight { locale: app.locale()?, home: app.environment().home() },
                with_patch: self.patch,
            };
            text::write(&mut out, &histories, &look)?;
        }
        out.finish()?;
        if histories.is_empty() && open.problems.is_empty() && !self.json.json {
            let hint = "a part of a path matches whole names only: `main.rs` or `src/main.rs`, not `ain.rs`";
            return Err(CommandError::nothing(format!("no session has touched it: {}", self.path)).hint(hint));
        }
        Ok(failure::code(&open.problems, histories.is_empty()))
    }
}
