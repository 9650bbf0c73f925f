//! `recount usage`: what sessions used, and what it cost.

mod first_word;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use app::config::{BillingDay, BlockLimit, WeekStart};
use app::usage::{BlockReport, UsageKind, UsageReport, UsageRows, UsageWish};
use app::{App, SessionFilter};
use jiff::Timestamp;
use wire::JsonLayout;
use wire::usage::UsageOut;

use crate::failure::{self, CommandError};
use crate::flags::{JSON, LimitFlag, OutputFlag, SessionFlags, ThreadsFlag};
use crate::terminal::{Paths, columns};
use crate::usage::{ccusage, csv, text};
use first_word::{FirstWord, FirstWordParser};

/// Report what sessions used and what it cost: by day, week, month, session, project, model, tool, branch, agent, block
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Usage {
    /// What the rows are [default: daily]
    #[arg(value_name = "REPORT", value_parser = FirstWordParser)]
    first: Option<FirstWord>,
    /// Files, folders (read with all below them), or `-` for standard input [default: all config roots]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    sessions: SessionFlags,
    /// Only the last days, such as 7d, today included
    #[arg(long, value_name = "SPAN", conflicts_with = "since")]
    last: Option<String>,
    /// Only sessions whose id begins like this
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Show the models below each row
    #[arg(long)]
    breakdown: bool,
    /// Which end comes first: asc or desc [default: oldest first, or most expensive first]
    #[arg(long, value_enum, value_name = "ORDER")]
    order: Option<Order>,
    #[command(flatten)]
    limit: LimitFlag,
    // The old name of --limit.
    #[arg(long = "top", value_name = "N", hide = true, conflicts_with = "limit")]
    top: Option<usize>,
    /// The first day of a week [default: the settings', else sunday]
    #[arg(long, value_name = "DAY")]
    start_of_week: Option<WeekStart>,
    /// The day of the month on which a month begins [default: the settings', else 1]
    #[arg(long, value_name = "N")]
    billing_day: Option<BillingDay>,
    /// Blocks: how many tokens one may have, or `max` for the most so far
    #[arg(long, value_name = "TOKENS", alias = "token-limit")]
    block_limit: Option<BlockLimit>,
    /// Blocks: only the open one
    #[arg(short, long)]
    active: bool,
    /// Blocks: how many hours one has [default: 5]
    #[arg(long, value_name = "HOURS", default_value_t = 5, hide_default_value = true, alias = "session-length",
        value_parser = clap::value_parser!(u16).range(1..=1000))]
    length: u16,
    /// Leave out costs
    #[arg(long)]
    no_cost: bool,
    #[arg(short, long, help = JSON, value_enum, value_name = "SHAPE", num_args = 0..=1, require_equals = true,
        default_missing_value = "recount", conflicts_with = "csv", hide_possible_values = true)]
    json: Option<Shape>,
    /// Print comma-separated values, costs in dollars
    #[arg(long)]
    csv: bool,
    #[command(flatten)]
    output: OutputFlag,
    #[command(flatten)]
    threads: ThreadsFlag,
}

const EXAMPLES: &str = "\
Every message counts once, whatever number of lines and files it is in. Subagents count for the
session that spawned them. A cost marked ≥ is at least so much; + ? means that something has no
known price. --limit keeps the latest or most expensive rows; totals are still those of all.
--json=ccusage prints the JSON of ccusage; its words work, too: `recount daily -j`.
Prices and settings of your own: docs/config.md. JSON: docs/usage-json.md. ccusage:
docs/ccusage.md.
Exit codes: 0 reported; 1 nothing to report; 2 wrong usage, or something could not be read.

Examples:
  recount usage
  recount usage monthly --breakdown
  recount usage session --last 7d --project .
  recount usage tool --since 2026-08-01
  recount usage run.jsonl
  recount usage blocks --active --block-limit max
  recount usage daily --json=ccusage | jq .totals.totalCost";

/// Which end comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Order {
    /// The oldest or the cheapest first
    Asc,
    /// The newest or the most expensive first
    Desc,
}

/// What JSON looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Shape {
    /// All that is known
    Recount,
    /// As ccusage prints it
    Ccusage,
}

/// More rows than a report has: such a number means tokens.
const TOO_MANY_ROWS: usize = 10_000;

impl Usage {
    pub(crate) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        let settings = app.settings()?;
        let mut calendar = settings.calendar.clone();
        calendar.week_starts = self.start_of_week.map_or(calendar.week_starts, |WeekStart(day)| day);
        calendar.billing_day = self.billing_day.map_or(calendar.billing_day, |BillingDay(day)| day);
        let filter = self.filter(app)?;
        let (kind, top) = (self.kind(), self.limit.or(self.top));
        if kind == UsageKind::Blocks && top.is_some_and(|top| top.get() >= TOO_MANY_ROWS) {
            let hint = "the tokens of a block are --block-limit".to_owned();
            app.warn("--limit is a number of rows", &[hint]);
        }
        let mut found = super::chosen_sources(app, &self.paths())?;
        let mut problems = std::mem::take(&mut found.problems);
        let (accounts, more) = app.count_usage(&found, UsageWish::of(kind), self.threads.threads)?;
        problems.extend(more);

        let books = accounts.ledger.books(&settings.prices);
        let mut rows = UsageRows::of(kind, &books, &accounts, &calendar, &filter);
        let is_by_time = kind.period().is_some() || kind == UsageKind::Blocks;
        let is_reversed = self.order == Some(if is_by_time { Order::Desc } else { Order::Asc });
        rows.sort(kind, !self.no_cost, is_reversed, top);
        let now = app.timestamp().as_millisecond();
        let blocks = (kind == UsageKind::Blocks).then(|| BlockReport {
            limit: self.block_limit.or(settings.block_limit),
            reversed: is_reversed,
            only_active: self.active,
            top,
            ..BlockReport::of(&books, &accounts, &filter, &calendar.zone, self.length, now)
        });
        let report = UsageReport {
            kind,
            rows,
            blocks,
            filter: &filter,
            locale: &settings.locale,
            breakdown: self.breakdown,
            with_cost: !self.no_cost,
            doubtful: &accounts.doubtful,
            doubtful_lines: accounts.doubtful_lines,
            sources: &found.sources,
        };
        let is_empty = report.is_empty();
        if !is_empty || self.json.is_some() || self.csv {
            self.print(app, &report)?;
        }
        // The process ends now: giving the memory back would only take time.
        std::mem::forget((report, books));
        std::mem::forget(accounts);
        if is_empty && problems.is_empty() && self.json.is_none() && !self.csv {
            return Err(self.nothing(&filter));
        }
        // Scripts that were written for ccusage expect no more than an empty list.
        Ok(failure::code(&problems, is_empty && self.json != Some(Shape::Ccusage)))
    }

    fn print(&self, app: &App, report: &UsageReport<'_>) -> Result<(), CommandError> {
        let mut out = self.output.open()?;
        match (self.json, self.csv) {
            (Some(Shape::Recount), _) => wire::write(&mut out, &UsageOut::of(report), JsonLayout::Pretty)?,
            (Some(Shape::Ccusage), _) => ccusage::write(&mut out, report)?,
            (None, true) => csv::write(&mut out, report)?,
            (None, false) => text::write(&mut out, report, columns(), &Paths::from_here(app))?,
        }
        out.flush()?;
        Ok(())
    }

    fn nothing(&self, filter: &SessionFilter) -> CommandError {
        if self.kind() == UsageKind::Blocks && self.active {
            return CommandError::nothing("no block is open now").hint("without --active all blocks are shown");
        }
        let hint = "without --since, --until, --last, --project and --session all is counted";
        CommandError::nothing("no usage found").maybe_hint((!filter.is_empty()).then_some(hint))
    }

    fn filter(&self, app: &App) -> Result<SessionFilter, CommandError> {
        let filter = SessionFilter { session: self.session.clone(), ..self.sessions.filter(app)? };
        let Some(span) = &self.last else { return Ok(filter) };
        let first = app.moments()?.last_days(span);
        let first = first.map_err(|expected| CommandError::usage(format!("--last {span}: {expected}")))?;
        Ok(SessionFilter { since: Some(Timestamp::as_millisecond(first)), ..filter })
    }

    fn kind(&self) -> UsageKind {
        match self.first {
            Some(FirstWord::Report(kind)) => kind,
            Some(FirstWord::Path(_)) | None => UsageKind::Daily,
        }
    }

    fn paths(&self) -> Vec<PathBuf> {
        let first = match &self.first {
            Some(FirstWord::Path(path)) => Some(path),
            Some(FirstWord::Report(_)) | None => None,
        };
        first.into_iter().chain(&self.paths).cloned().collect()
    }
}
