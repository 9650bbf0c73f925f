//! Lists of sessions and of projects: which, in which order, and how they are printed.

mod projects;
mod sessions;

pub(crate) use projects::ProjectList;
pub(crate) use sessions::{SessionList, folder_name};

use std::cmp::Reverse;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::num::NonZeroUsize;

use index::catalogue::{Session, Used};
use jiff::tz::TimeZone;
use story::TurnState;

use crate::config::{Config, Currency};
use crate::indexed;
use crate::terminal::{clean, columns};
use crate::usage::ProjectFilter;

/// What sessions have to be or have.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    pub(crate) project: Option<ProjectFilter>,
    pub(crate) since: Option<i64>,
    pub(crate) until: Option<i64>,
    pub(crate) model: Option<String>,
    pub(crate) branch: Option<String>,
    pub(crate) has: Vec<Has>,
}

/// Something that a session has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Has {
    /// A call that failed
    #[value(alias = "errors", alias = "failure", alias = "failures")]
    Error,
    /// A question or a plan that waits for an answer
    Question,
    /// Subagents
    #[value(alias = "agent", alias = "subagents")]
    Agents,
    /// Branches that were left
    #[value(alias = "branch")]
    Branches,
    /// A conversation that was summarised to go on
    #[value(alias = "compactions")]
    Compaction,
}

impl Wanted {
    pub(crate) fn wants(&self, session: &Session) -> bool {
        let holds = |text: &Option<String>, wanted: &Option<String>| {
            wanted.as_ref().is_none_or(|wanted| text.as_ref().is_some_and(|text| text.contains(wanted.as_str())))
        };
        let project = session.project.as_deref().unwrap_or_default();
        self.project.as_ref().is_none_or(|wanted| wanted.matches(project))
            && self.since.is_none_or(|since| session.last.is_some_and(|last| last >= since))
            && self.until.is_none_or(|until| session.first.is_some_and(|first| first <= until))
            && self
                .model
                .as_ref()
                .is_none_or(|wanted| session.models.iter().any(|model| model.contains(wanted.as_str())))
            && holds(&session.branch, &self.branch)
            && self.has.iter().all(|has| has.is_true_of(session))
    }

    /// Whether anything is left out.
    pub(crate) fn is_filter(&self) -> bool {
        self.project.is_some()
            || self.since.is_some()
            || self.until.is_some()
            || self.model.is_some()
            || self.branch.is_some()
            || !self.has.is_empty()
    }
}

impl Has {
    fn is_true_of(self, session: &Session) -> bool {
        match self {
            Self::Error => session.counts.failed > 0,
            Self::Question => session.state == Some(TurnState::Asking),
            Self::Agents => session.counts.agents > 0,
            Self::Branches => session.counts.branches > 0,
            Self::Compaction => session.counts.compactions > 0,
        }
    }
}

/// What comes first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Sort {
    /// The latest
    #[default]
    #[value(alias = "last", alias = "time")]
    When,
    /// The dearest
    Cost,
    /// The most tokens
    Tokens,
    /// The most turns
    Turns,
    /// The most calls
    Calls,
    /// The most failures
    #[value(alias = "failed", alias = "errors")]
    Failures,
    /// The longest at work
    #[value(alias = "time-worked")]
    Duration,
    /// By the project's path
    Project,
    /// By the title
    Title,
}

/// The figures that sessions and projects are compared by.
struct Figures<'a> {
    last: Option<i64>,
    used: &'a Used,
    turns: u64,
    calls: u64,
    failed: u64,
    active_ms: u64,
    project: &'a str,
    title: &'a str,
}

impl Sort {
    fn sort<T>(self, list: &mut [T], reverse: bool, figures: impl Fn(&T) -> Figures<'_>) {
        // What is equal stays in the order of time.
        list.sort_by(|one, other| {
            let (one, other) = (figures(one), figures(other));
            let number = |figures: &Figures<'_>| match self {
                Self::Tokens => figures.used.tokens,
                Self::Turns => figures.turns,
                Self::Calls => figures.calls,
                Self::Failures => figures.failed,
                Self::Duration => figures.active_ms,
                Self::When | Self::Cost | Self::Project | Self::Title => 0,
            };
            match self {
                Self::When => other.last.cmp(&one.last),
                Self::Cost => other.used.cost.cmp(&one.used.cost),
                Self::Project => one.project.cmp(other.project),
                Self::Title => one.title.to_lowercase().cmp(&other.title.to_lowercase()),
                _ => Reverse(number(&one)).cmp(&Reverse(number(&other))),
            }
        });
        if reverse {
            list.reverse();
        }
    }
}

/// What is asked of the printing of a list.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Printing {
    /// Only so many; 0 for all [default: 30 on a terminal, else all]
    #[arg(short = 'n', long, value_name = "N")]
    limit: Option<usize>,
    /// Print JSON (described in docs/ls-json.md)
    #[arg(short, long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values
    #[arg(long)]
    csv: bool,
}

/// Something that can be printed as a list.
pub(crate) trait List {
    fn is_empty(&self) -> bool;
    fn write_text(&self, out: &mut impl Write, look: &Look<'_>) -> io::Result<()>;
    fn write_json(&self, out: &mut impl Write, look: &Look<'_>) -> io::Result<()>;
    fn write_csv(&self, out: &mut impl Write, look: &Look<'_>) -> io::Result<()>;
}

impl Printing {
    /// So many, to be looked at.
    pub(crate) fn of(limit: usize) -> Self {
        Self { limit: Some(limit), ..Self::default() }
    }

    /// Prints a list. Programs get an empty one, too; whether there is anything to look at comes back.
    pub(crate) fn print(&self, list: &impl List, config: &Config) -> io::Result<bool> {
        /// As many as one looks through at a time.
        const USUAL: usize = 30;
        let is_for_programs = self.json || self.csv;
        if list.is_empty() && !is_for_programs {
            return Ok(false);
        }
        let usual = if !is_for_programs && io::stdout().is_terminal() { USUAL } else { 0 };
        let (zone, currency) = (config.time_zone(), config.currency());
        let look = Look {
            columns: columns(),
            zone: &zone,
            currency: &currency,
            home: indexed::home(),
            limit: NonZeroUsize::new(self.limit.unwrap_or(usual)),
        };
        let mut out = BufWriter::new(anstream::stdout().lock());
        match (self.json, self.csv) {
            (true, _) => list.write_json(&mut out, &look)?,
            (_, true) => list.write_csv(&mut out, &look)?,
            _ => list.write_text(&mut out, &look)?,
        }
        out.flush()?;
        Ok(true)
    }
}

/// How a list is printed.
#[derive(Debug)]
pub(crate) struct Look<'a> {
    pub(crate) columns: usize,
    pub(crate) zone: &'a TimeZone,
    pub(crate) currency: &'a Currency,
    /// The user's home, which is written as `~`.
    pub(crate) home: Option<String>,
    /// Only so many rows.
    pub(crate) limit: Option<NonZeroUsize>,
}

impl Look<'_> {
    /// A cost: `$3.41`, `≥$3.41`, `?`.
    pub(crate) fn cost(&self, used: &Used) -> String {
        if used.is_partial && used.cost == ledger::Money::ZERO {
            return "?".to_owned();
        }
        let low = if used.is_low { "≥" } else { "" };
        let partial = if used.is_partial { " + ?" } else { "" };
        format!("{low}{}{partial}", self.currency.show(used.cost))
    }

    /// A folder, from the user's home.
    pub(crate) fn folder(&self, path: &str) -> String {
        let below = self.home.as_deref().and_then(|home| path.strip_prefix(home));
        match below.filter(|rest| rest.is_empty() || rest.starts_with('/')) {
            Some(rest) => clean(&format!("~{rest}")).into_owned(),
            None => clean(path).into_owned(),
        }
    }

    fn shown<'l, T>(&self, list: &'l [T]) -> (&'l [T], usize) {
        let limit = self.limit.map_or(list.len(), NonZeroUsize::get).min(list.len());
        list.split_at_checked(limit).map_or((list, 0), |(shown, rest)| (shown, rest.len()))
    }
}
