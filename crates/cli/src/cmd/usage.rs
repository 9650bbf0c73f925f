//! `recount usage`: reports tokens and costs.

mod first_word;

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

/// Report tokens and costs by day, week, month, session, project, model, tool, branch, agent or block
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Usage {
    /// Report to print [default: daily]
    #[arg(value_name = "REPORT", value_parser = FirstWordParser)]
    first: Option<FirstWord>,
    /// Files, folders (read recursively), or `-` for standard input [default: all config roots]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    sessions: SessionFlags,
    /// Only the last days, such as 7d; includes today
    #[arg(long, value_name = "SPAN", conflicts_with = "since")]
    last: Option<String>,
    /// Only sessions whose id starts with ID
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Show models below each row
    #[arg(long)]
    breakdown: bool,
    /// Sort order: asc or desc [default: oldest first, or most expensive first]
    #[arg(long, value_enum, value_name = "ORDER")]
    order: Option<Order>,
    #[command(flatten)]
    limit: LimitFlag,
    // Old name of --limit.
    #[arg(long = "top", value_name = "N", hide = true, conflicts_with = "limit")]
    top: Option<usize>,
    /// First day of the week [default: from the settings, else sunday]
    #[arg(long, value_name = "DAY")]
    start_of_week: Option<WeekStart>,
    /// Day of the month on which months begin [default: from the settings, else 1]
    #[arg(long, value_name = "N")]
    billing_day: Option<BillingDay>,
    /// Blocks: token limit of a block, or `max` for the highest so far
    #[arg(long, value_name = "TOKENS", alias = "token-limit")]
    block_limit: Option<BlockLimit>,
    /// Blocks: show only the open block
    #[arg(short, long)]
    active: bool,
    /// Blocks: length of a block in hours [default: 5]
    #[arg(long, value_name = "HOURS", default_value_t = 5, hide_default_value = true, alias = "session-length",
        value_parser = clap::value_parser!(u16).range(1..=1000))]
    length: u16,
    /// Omit costs
    #[arg(long)]
    no_cost: bool,
    #[arg(short, long, help = JSON, value_enum, value_name = "SHAPE", num_args = 0..=1, require_equals = true,
        default_missing_value = "recount", conflicts_with = "csv", hide_possible_values = true)]
    json: Option<Shape>,
    /// Print comma-separated values, with costs in dollars
    #[arg(long)]
    csv: bool,
    #[command(flatten)]
    output: OutputFlag,
    #[command(flatten)]
    threads: ThreadsFlag,
}

const EXAMPLES: &str = "\
Each message counts once, however many lines and files it appears in. Subagents count toward the
session that spawned them. A cost marked ≥ is a lower bound; + ? means that something has no
known price. --limit keeps the latest or most expensive rows; totals still cover all rows.
--json=ccusage prints ccusage's JSON. ccusage's commands also work: `recount daily -j`.
See docs/config.md for prices and settings, docs/usage-json.md for the JSON, and docs/ccusage.md
for ccusage.
Exit codes: 0 reported; 1 nothing to report; 2 wrong usage, or something could not be read.

Examples:
  recount usage
  recount usage monthly --breakdown
  recount usage session --last 7d --project .
  recount usage tool --since 2026-08-01
  recount usage run.jsonl
  recount usage blocks --active --block-limit max
  recount usage daily --json=ccusage | jq .totals.totalCost";

/// Sort order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Order {
    /// Oldest or cheapest first
    Asc,
    /// Newest or most expensive first
    Desc,
}

/// Shape of the JSON output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Shape {
    /// recount's own shape, with all fields
    Recount,
    /// ccusage's shape
    Ccusage,
}

/// A limit above any realistic number of rows; it is probably meant as tokens.
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
        // Skips freeing memory, since the process ends here.
        std::mem::forget((report, books));
        std::mem::forget(accounts);
        if is_empty && problems.is_empty() && self.json.is_none() && !self.csv {
            return Err(self.nothing(&filter));
        }
        // Scripts written for ccusage expect an empty list, not a failure.
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
        out.finish()?;
        Ok(())
    }

    fn nothing(&self, filter: &SessionFilter) -> CommandError {
        if self.kind() == UsageKind::Blocks && self.active {
            return CommandError::nothing("no block is open now").hint("without --active all blocks are shown");
        }
        let hint = "without --since, --until, --last, --project and --session everything is counted";
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
