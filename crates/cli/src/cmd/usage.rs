//! `recount usage`: what sessions used, and what it cost.

use std::io::{BufWriter, Write as _};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use ledger::Prices;
use ledger::blocks::{Blocks, FIVE_HOURS};
use library::account::Wish;
use library::{Accountant, Accounts, Environment, Problem, Source, find_at, find_in_roots, roots};

use crate::config::{BillingDay, BlockLimit, Config, Rate, Sign, WeekStart, Zone};
use crate::failure;
use crate::moment::{self, End};
use crate::parallel::{Reader, read_all};
use crate::progress::Progress;
use crate::terminal::{Paths, columns};
use crate::usage::{BlockReport, Filter, Kind, ProjectFilter, Report, Rows, ccusage, csv, json, text};

/// Report what sessions used and what it cost: by day, week, month, session, project, model, tool, branch, agent, block
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Usage {
    /// What the rows are
    #[arg(value_enum, value_name = "REPORT", default_value_t = Kind::Daily, hide_default_value = true)]
    kind: Kind,
    /// Files, folders (read with all below them), or `-` for standard input [default: all config roots]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Read this config root too (may be repeated)
    #[arg(long = "root", value_name = "DIR", conflicts_with = "paths")]
    roots: Vec<PathBuf>,
    /// Only from then on: 2026-08-08, 20260808, 2026-08-08T09:15:00Z, or 2h, 3d ago
    #[arg(short, long, value_name = "TIME")]
    since: Option<String>,
    /// Only until then; a date means to its end
    #[arg(short, long, value_name = "TIME")]
    until: Option<String>,
    /// Only the last days, such as 7d, today included
    #[arg(long, value_name = "SPAN", conflicts_with = "since")]
    last: Option<String>,
    /// Only this project: a folder such as `.`, or a part of its path
    #[arg(short, long, value_name = "PROJECT")]
    project: Option<String>,
    /// Only sessions whose id begins like this
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Show the models below each row
    #[arg(short, long)]
    breakdown: bool,
    /// Which end comes first: asc or desc [default: oldest first, or dearest first]
    #[arg(short, long, value_enum, value_name = "ORDER")]
    order: Option<Order>,
    /// Only so many rows, the dearest or the latest; the totals are still of all
    #[arg(long, value_name = "N")]
    top: Option<NonZeroUsize>,
    /// Where days begin, such as Europe/Riga [default: here]
    #[arg(short = 'z', long, value_name = "ZONE", alias = "tz")]
    timezone: Option<Zone>,
    /// The first day of a week [default: sunday]
    #[arg(long, value_name = "DAY")]
    start_of_week: Option<WeekStart>,
    /// The day of the month on which a month begins [default: 1]
    #[arg(long, value_name = "N")]
    billing_day: Option<BillingDay>,
    /// Blocks: how many tokens one may have, or `max` for the most so far
    #[arg(short = 't', long, value_name = "TOKENS", alias = "token-limit")]
    limit: Option<BlockLimit>,
    /// Blocks: only the open one
    #[arg(short, long)]
    active: bool,
    /// Blocks: how many hours one has
    #[arg(long, value_name = "HOURS", default_value_t = 5, hide_default_value = true, alias = "session-length",
        value_parser = clap::value_parser!(u16).range(1..=1000))]
    length: u16,
    /// Leave out what it cost
    #[arg(long)]
    no_cost: bool,
    /// What a dollar is worth, to show costs in another currency
    #[arg(long, value_name = "RATE")]
    currency_rate: Option<Rate>,
    /// The sign of that currency [default: $]
    #[arg(long, value_name = "SIGN")]
    currency: Option<Sign>,
    /// Print JSON (described in docs/usage-json.md), or with =ccusage in the shape of ccusage
    #[arg(short, long, value_enum, value_name = "SHAPE", num_args = 0..=1, require_equals = true,
        default_missing_value = "recount", conflicts_with = "csv")]
    json: Option<Shape>,
    /// Print comma-separated values, costs in dollars
    #[arg(long)]
    csv: bool,
    /// Read with so many threads [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

const EXAMPLES: &str = "\
Every message counts once, whatever number of lines and files it is in. Subagents count for the session that
spawned them. A cost marked ≥ is at least so much; + ? means that something has no known price. Prices and
settings of your own: docs/config.md.
Exit codes: 0 reported; 1 nothing to report; 2 wrong usage, or something could not be read.

Examples:
  recount usage
  recount usage monthly --breakdown
  recount usage session --last 7d --project .
  recount usage tool --since 2026-08-01
  recount usage blocks --active --limit max
  recount usage daily --json=ccusage | jq .totals.totalCost";

/// Which end comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Order {
    /// The oldest or the cheapest first
    Asc,
    /// The newest or the dearest first
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

impl Usage {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let config = Config::load()?;
        let prices = config.prices();
        let mut calendar = config.calendar();
        if let Some(Zone(zone)) = self.timezone.clone() {
            calendar.zone = zone;
        }
        calendar.week_starts = self.start_of_week.map_or(calendar.week_starts, |WeekStart(day)| day);
        calendar.billing_day = self.billing_day.map_or(calendar.billing_day, |BillingDay(day)| day);
        let mut currency = config.currency();
        currency.rate = self.currency_rate.map_or(currency.rate, |Rate(rate)| rate);
        if let Some(Sign(sign)) = self.currency.clone() {
            currency.sign = sign;
        }
        let filter = self.filter(&calendar.zone)?;

        let found = if self.paths.is_empty() {
            find_in_roots(&roots(&Environment::of_process(), &self.roots))
        } else {
            find_at(&self.paths)
        };
        let mut problems = found.problems;
        let (accounts, more) = self.count(&found.sources, &prices)?;
        problems.extend(more);

        let mut rows = Rows::of(self.kind, &accounts, &prices, &calendar, &filter);
        let is_reversed = self.order.is_some_and(|order| match self.kind.period() {
            Some(_) => order == Order::Desc,
            None => order == Order::Asc,
        });
        rows.sort(self.kind, is_reversed, self.top);
        let blocks = (self.kind == Kind::Blocks).then(|| self.blocks(&accounts, &prices, &filter, &calendar.zone));
        let report = Report {
            kind: self.kind,
            rows,
            blocks: blocks.map(|report| BlockReport { limit: self.limit.or(config.block_limit()), ..report }),
            filter: &filter,
            zone: &calendar.zone,
            currency: &currency,
            breakdown: self.breakdown,
            with_cost: !self.no_cost,
            doubtful: &accounts.doubtful,
            doubtful_lines: accounts.doubtful_lines,
            sources: &found.sources,
        };
        self.print(&report)?;
        problems.iter().for_each(failure::report_problem);
        let code = if !problems.is_empty() {
            failure::USAGE_OR_IO
        } else if report.is_empty() {
            failure::FOUND_FAULT
        } else {
            0
        };
        // Nobody waits for the memory to be given back.
        std::mem::forget(report);
        std::mem::forget(accounts);
        Ok(ExitCode::from(code))
    }

    fn print(&self, report: &Report<'_>) -> anyhow::Result<()> {
        let mut out = BufWriter::new(anstream::stdout().lock());
        match (self.json, self.csv) {
            (Some(Shape::Recount), _) => json::write(&mut out, report)?,
            (Some(Shape::Ccusage), _) => ccusage::write(&mut out, report)?,
            (None, true) => csv::write(&mut out, report)?,
            (None, false) if report.is_empty() => {
                failure::say(
                    "no usage found",
                    Some("without --since, --until, --last, --project and --session all is counted"),
                );
            }
            (None, false) => text::write(&mut out, report, columns(), &Paths::from_here())?,
        }
        out.flush()?;
        Ok(())
    }

    fn filter(&self, zone: &TimeZone) -> anyhow::Result<Filter> {
        let now = Zoned::now().with_time_zone(zone.clone());
        let moment = |text: &Option<String>, flag: &str, end: End| -> anyhow::Result<Option<i64>> {
            Ok(moment::read_option(text.as_deref(), flag, end, &now)?.map(Timestamp::as_millisecond))
        };
        let since = match &self.last {
            Some(span) => Some(moment::last_days(span, &now).map_err(|why| anyhow::anyhow!("--last {span}: {why}"))?),
            None => None,
        };
        Ok(Filter {
            since: since.map(Timestamp::as_millisecond).or(moment(&self.since, "--since", End::Start)?),
            until: moment(&self.until, "--until", End::End)?,
            project: self.project.as_deref().map(ProjectFilter::of),
            session: self.session.clone(),
        })
    }

    fn count(&self, sources: &[Source], prices: &Prices) -> anyhow::Result<(Accounts, Vec<Problem>)> {
        let wish = Wish { tools: (self.kind == Kind::Tool).then_some(prices), agent_types: self.kind == Kind::Agent };
        read_all(sources, self.threads, || Accountant::new(wish))
    }

    /// Posts twice: first their times, then themselves, so that they need not be kept.
    fn blocks(&self, accounts: &Accounts, prices: &Prices, filter: &Filter, zone: &TimeZone) -> BlockReport {
        let mut times = Vec::new();
        accounts.ledger.each(prices, |post| times.extend(post.at.filter(|_| filter.wants(&post, accounts))));
        let length = FIVE_HOURS / 5 * i64::from(self.length);
        let mut blocks = Blocks::new(times, length);
        accounts.ledger.each(prices, |post| {
            if filter.wants(&post, accounts) {
                blocks.add(&post);
            }
        });
        let limits: Vec<(i64, i64)> =
            accounts.ledger.limits().iter().filter_map(|limit| Some((limit.at, limit.resets_at(zone)?))).collect();
        blocks.set_limits(&limits);
        let now = Timestamp::now().as_millisecond();
        BlockReport { blocks, now, limit: None, only_active: self.active }
    }
}

impl Reader for Accountant<'_> {
    type Outcome = Accounts;

    fn read(&mut self, number: usize, source: &Source, progress: &Progress) -> Result<(), Problem> {
        let outcome = Self::read(self, number, source);
        progress.add(source.size);
        outcome
    }

    fn finish(self) -> Accounts {
        Self::finish(self)
    }

    fn merge(one: &mut Accounts, other: Accounts) {
        one.merge(other);
    }
}
