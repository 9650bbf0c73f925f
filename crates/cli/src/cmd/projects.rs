//! `recount projects`: the folders that sessions worked in.

use std::path::PathBuf;
use std::process::ExitCode;

use jiff::Zoned;

use crate::config::Config;
use crate::failure;
use crate::indexed;
use crate::listing::{List as _, Printing, ProjectList, Sort, Wanted};
use crate::moment::{self, End};

/// List projects: sessions, last activity, turns, calls, failures, tokens, cost, time
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Projects {
    /// Read this config root too (may be repeated)
    #[arg(long = "root", value_name = "DIR")]
    roots: Vec<PathBuf>,
    /// Only sessions that were active then or later: 2026-08-08, or 2h, 3d ago
    #[arg(short, long, value_name = "TIME")]
    since: Option<String>,
    /// What comes first
    #[arg(long, value_enum, value_name = "KEY", default_value = "when", hide_default_value = true)]
    sort: Sort,
    /// The other end first
    #[arg(short, long)]
    reverse: bool,
    #[command(flatten)]
    printing: Printing,
    /// Read all sessions anew, and keep nothing of it
    #[arg(long)]
    no_index: bool,
}

const EXAMPLES: &str = "\
A project is the folder that a session was started in. What is shown is that of whole sessions.
Exit codes: 0 listed; 1 there is none; 2 wrong usage, or something could not be read.

Examples:
  recount projects
  recount projects --since 30d --sort cost";

impl Projects {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let config = Config::load()?;
        let now = Zoned::now().with_time_zone(config.time_zone());
        let since = moment::read_option(self.since.as_deref(), "--since", End::Start, &now)?;
        let wanted = Wanted { since: since.map(jiff::Timestamp::as_millisecond), ..Wanted::default() };
        let prices = config.prices();
        let mut reading = indexed::read(&self.roots, &prices, self.no_index)?;
        let mut sessions = reading.ask(&prices, index::Index::sessions)?;
        sessions.retain(|session| wanted.wants(session));
        let mut list = ProjectList::of(&sessions);
        list.sort(self.sort, self.reverse);
        if !self.printing.print(&list, &config)? && reading.problems.is_empty() {
            failure::say("no project found", wanted.is_filter().then_some("without --since all are listed"));
        }
        Ok(failure::code(&reading.problems, list.is_empty()))
    }
}
