//! `recount ls`: lists sessions.

use std::collections::HashMap;
use std::process::ExitCode;

use app::{App, SessionFilter, SessionHas, SortKey};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use index::{Index, IndexError};

use crate::failure::{self, CommandError};
use crate::flags::{IndexFlag, SessionFlags, named};
use crate::listing::{Printing, SessionList};

/// List sessions
#[derive(Debug, Default, clap::Args)]
#[command(visible_alias = "list", after_help = EXAMPLES)]
pub(crate) struct Ls {
    #[command(flatten)]
    pub(crate) sessions: SessionFlags,
    /// Only sessions that used a model whose name contains MODEL
    #[arg(short, long, value_name = "MODEL")]
    model: Option<String>,
    /// Only sessions on a git branch whose name contains BRANCH
    #[arg(short, long, value_name = "BRANCH")]
    branch: Option<String>,
    /// Only sessions that contain WHAT (may be repeated)
    #[arg(long, value_name = "WHAT", value_parser = named(&SessionHas::ALL))]
    has: Vec<SessionHas>,
    #[command(flatten)]
    order: Ordering,
    /// Show subagents below their sessions, and copies below their originals
    #[arg(short, long)]
    tree: bool,
    #[command(flatten)]
    printing: Printing,
    // Lists all sessions if the project has none.
    #[arg(skip)]
    or_all: bool,
    #[command(flatten)]
    index: IndexFlag,
}

// Sort order of a list.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Ordering {
    /// Sort by KEY
    #[arg(long, value_name = "KEY", default_value = "last", hide_default_value = true,
        value_parser = sort_key())]
    pub(crate) sort: SortKey,
    /// Reverse the order
    #[arg(short, long)]
    pub(crate) reverse: bool,
}

/// Parses the name of a column to sort by.
fn sort_key() -> impl TypedValueParser<Value = SortKey> {
    let possible = |key: SortKey| PossibleValue::new(key.name()).aliases(key.other_names()).help(key.description());
    PossibleValuesParser::new(SortKey::all().map(possible))
        .try_map(|typed| SortKey::named(&typed).ok_or("no such column"))
}

const EXAMPLES: &str = "\
Shows time, project, title, turns, calls, failures, tokens, cost, duration and state of each
session. An index keeps these figures, so only new data is read. On a terminal the first 30 rows
are printed. docs/ls-json.md describes the JSON.
States: blocked (it waits for you), working, paused (a limit or a retry; it continues by itself),
done (the turn is finished and the process is there), ended (nothing runs), failed (the last turn
never finished). A question mark means that only recent lines say so.
Exit codes: 0 listed; 1 no session matches; 2 wrong usage, or something could not be read.

Examples:
  recount ls
  recount ls --project . --since 7d
  recount ls --has error --sort failed --limit 10
  recount ls --tree
  recount ls --json | jq '.sessions[].title'";

impl Ls {
    /// The latest sessions of this project, or of all projects if it has none.
    pub(crate) fn of_this_project(limit: usize) -> Self {
        let sessions = SessionFlags { project: Some(".".to_owned()), ..SessionFlags::default() };
        Self { sessions, printing: Printing::of(limit), or_all: true, ..Self::default() }
    }

    pub(crate) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        let mut filter = SessionFilter {
            model: self.model.clone(),
            branch: self.branch.clone(),
            has: self.has.clone(),
            ..self.sessions.filter(app)?
        };
        let ask = |index: &Index| {
            let sessions = app.list_sessions(index)?;
            let with_agents = sessions.iter().filter(|session| self.tree && session.counts.agents > 0);
            let with_agents = with_agents.filter(|session| filter.wants(session));
            let agents = with_agents.map(|session| Ok((session.id, index.agents(session.id)?)));
            let agents = agents.collect::<Result<HashMap<_, _>, IndexError>>()?;
            Ok((sessions, agents))
        };
        let mut open = app.any_index(self.index.keeping())?;
        let (mut sessions, agents) = open.ask(app, ask)?;
        if self.or_all && !sessions.is_empty() && !sessions.iter().any(|session| filter.wants(session)) {
            app.warn("no session of this project; these are the latest of all", &[]);
            filter.project = None;
        }
        sessions.retain(|session| filter.wants(session));
        let mut list = SessionList { sessions, agents, is_tree: self.tree };
        list.sort(self.order.sort, self.order.reverse);
        if !self.printing.print(&list, app)? && open.problems.is_empty() {
            let hint = "without --project, --since, --until, --model, --branch and --has all are listed";
            return Err(CommandError::nothing("no session matches").maybe_hint((!filter.is_empty()).then_some(hint)));
        }
        Ok(failure::code(&open.problems, list.sessions.is_empty()))
    }
}
