//! `recount ls`: all sessions, and what is known of each.

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::ExitCode;

use index::{Index, IndexError};
use jiff::Zoned;

use crate::config::Config;
use crate::failure;
use crate::indexed;
use crate::listing::{Has, Printing, SessionList, Sort, Wanted};
use crate::moment::{self, End};
use crate::usage::ProjectFilter;

/// List sessions: when, project, title, turns, calls, failures, tokens, cost, time, state
#[derive(Debug, Default, clap::Args)]
#[command(visible_alias = "list", after_help = EXAMPLES)]
pub(crate) struct Ls {
    /// Read this config root too (may be repeated)
    #[arg(long = "root", value_name = "DIR")]
    pub(crate) roots: Vec<PathBuf>,
    /// Only this project: a folder such as `.`, or a part of its path
    #[arg(short, long, value_name = "PROJECT")]
    pub(crate) project: Option<String>,
    /// Only sessions that were active then or later: 2026-08-08, or 2h, 3d ago
    #[arg(short, long, value_name = "TIME")]
    since: Option<String>,
    /// Only sessions that began before that; a date means to its end
    #[arg(short, long, value_name = "TIME")]
    until: Option<String>,
    /// Only sessions in which a model answered that has this in its name
    #[arg(short, long, value_name = "MODEL")]
    model: Option<String>,
    /// Only sessions on a git branch that has this in its name
    #[arg(short, long, value_name = "BRANCH")]
    branch: Option<String>,
    /// Only sessions that have this (may be repeated)
    #[arg(long, value_enum, value_name = "WHAT")]
    has: Vec<Has>,
    /// What comes first
    #[arg(long, value_enum, value_name = "KEY", default_value = "when", hide_default_value = true)]
    sort: Sort,
    /// The other end first
    #[arg(short, long)]
    reverse: bool,
    /// Show subagents below their sessions, and copies below the sessions they were copied from
    #[arg(short, long)]
    tree: bool,
    #[command(flatten)]
    printing: Printing,
    // If the project has no sessions, all are listed instead.
    #[arg(skip)]
    or_all: bool,
    /// Read all sessions anew, and keep nothing of it
    #[arg(long)]
    no_index: bool,
}

const EXAMPLES: &str = "\
What is known of the sessions is kept in an index, so that only what is new has to be read.
States: open (nothing says that its last turn ended), asking, done, stopped (by the user), failed.
Exit codes: 0 listed; 1 no session fits; 2 wrong usage, or something could not be read.

Examples:
  recount ls
  recount ls --project . --since 7d
  recount ls --has error --sort failures --limit 10
  recount ls --tree
  recount ls --json | jq '.sessions[].title'";

impl Ls {
    /// The latest sessions of this project; if it has none, those of all projects.
    pub(crate) fn of_this_project(limit: usize) -> Self {
        Self { project: Some(".".to_owned()), printing: Printing::of(limit), or_all: true, ..Self::default() }
    }

    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let config = Config::load()?;
        let now = Zoned::now().with_time_zone(config.time_zone());
        let moment = |text: &Option<String>, flag: &str, end: End| -> anyhow::Result<Option<i64>> {
            Ok(moment::read_option(text.as_deref(), flag, end, &now)?.map(jiff::Timestamp::as_millisecond))
        };
        let mut wanted = Wanted {
            project: self.project.as_deref().map(ProjectFilter::of),
            since: moment(&self.since, "--since", End::Start)?,
            until: moment(&self.until, "--until", End::End)?,
            model: self.model.clone(),
            branch: self.branch.clone(),
            has: self.has.clone(),
        };
        let ask = |index: &Index| {
            let sessions = index.sessions()?;
            let with_agents = sessions.iter().filter(|session| self.tree && session.counts.agents > 0);
            let with_agents = with_agents.filter(|session| wanted.wants(session));
            let agents = with_agents.map(|session| Ok((session.id, index.agents(session.id)?)));
            let agents = agents.collect::<Result<HashMap<_, _>, IndexError>>()?;
            Ok((sessions, agents))
        };
        let prices = config.prices();
        let mut reading = indexed::read(&self.roots, &prices, self.no_index)?;
        let (mut sessions, agents) = reading.ask(&prices, ask)?;
        if self.or_all && !sessions.is_empty() && !sessions.iter().any(|session| wanted.wants(session)) {
            failure::say("no session of this project; these are the latest of all", None);
            wanted.project = None;
        }
        sessions.retain(|session| wanted.wants(session));
        let mut list = SessionList { sessions, agents, is_tree: self.tree };
        list.sort(self.sort, self.reverse);
        if !self.printing.print(&list, &config)? && reading.problems.is_empty() {
            let hint = "without --project, --since, --until, --model, --branch and --has all are listed";
            failure::say("no session fits", wanted.is_filter().then_some(hint));
        }
        Ok(failure::code(&reading.problems, list.sessions.is_empty()))
    }
}
