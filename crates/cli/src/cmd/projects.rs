//! `recount projects`: the folders that sessions worked in.

use std::io::{BufWriter, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use jiff::Zoned;

use crate::config::Config;
use crate::failure;
use crate::indexed::{self, Reading};
use crate::listing::{Look, ProjectList, Sort, Wanted};
use crate::moment::{self, End};
use crate::terminal::columns;

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
    /// Only so many; 0 for all [default: 30 on a terminal, else all]
    #[arg(short = 'n', long, value_name = "N")]
    limit: Option<usize>,
    /// Print JSON (described in docs/ls-json.md)
    #[arg(short, long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values
    #[arg(long)]
    csv: bool,
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
        let zone = config.time_zone();
        let now = Zoned::now().with_time_zone(zone.clone());
        let since = moment::read_option(self.since.as_deref(), "--since", End::Start, &now)?;
        let wanted = Wanted { since: since.map(jiff::Timestamp::as_millisecond), ..Wanted::default() };
        let Reading { index, problems } = indexed::read(&self.roots, &config.prices(), self.no_index)?;
        let mut sessions = index.sessions()?;
        sessions.retain(|session| wanted.wants(session));
        let mut list = ProjectList::of(&sessions);
        list.sort(self.sort, self.reverse);
        if !list.is_empty() || self.json || self.csv {
            let currency = config.currency();
            let mut out = BufWriter::new(anstream::stdout().lock());
            let look = Look {
                columns: columns(),
                zone: &zone,
                currency: &currency,
                home: indexed::home(),
                limit: super::ls::limit(self.limit, self.json || self.csv),
            };
            match (self.json, self.csv) {
                (true, _) => list.write_json(&mut out, &look)?,
                (_, true) => list.write_csv(&mut out, &look)?,
                _ => list.write_text(&mut out, &look)?,
            }
            out.flush()?;
        } else if problems.is_empty() {
            failure::say("no project found", wanted.is_filter().then_some("without --since all are listed"));
        }
        Ok(failure::code(&problems, list.is_empty()))
    }
}
