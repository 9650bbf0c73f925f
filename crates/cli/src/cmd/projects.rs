//! `recount projects`: lists projects.

use std::process::ExitCode;

use app::App;

use crate::cmd::ls::Ordering;
use crate::failure::{self, CommandError};
use crate::flags::{IndexFlag, SessionFlags};
use crate::listing::{List as _, Printing, ProjectList};

/// List projects
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Projects {
    #[command(flatten)]
    sessions: SessionFlags,
    #[command(flatten)]
    order: Ordering,
    #[command(flatten)]
    printing: Printing,
    #[command(flatten)]
    index: IndexFlag,
}

const EXAMPLES: &str = "\
Shows sessions, last activity, turns, calls, failures, tokens, cost and time of each project. A
project is the folder that a session started in. Figures cover whole sessions.
On a terminal the first 30 rows are printed. docs/ls-json.md describes the JSON.
Exit codes: 0 listed; 1 no projects; 2 wrong usage, or something could not be read.

Examples:
  recount projects
  recount projects --since 30d --sort cost";

impl Projects {
    pub(crate) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        let filter = self.sessions.filter(app)?;
        let mut open = app.any_index(self.index.keeping())?;
        let mut sessions = open.ask(app, index::Index::sessions)?;
        sessions.retain(|session| filter.wants(session));
        let mut list = ProjectList::of(&sessions);
        list.sort(self.order.sort, self.order.reverse);
        if !self.printing.print(&list, app)? && open.problems.is_empty() {
            let hint = "without --project, --since and --until all are listed";
            return Err(CommandError::nothing("no project found").maybe_hint((!filter.is_empty()).then_some(hint)));
        }
        Ok(failure::code(&open.problems, list.is_empty()))
    }
}
