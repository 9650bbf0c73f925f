//! `recount usage`: what sessions used, and what it cost.

mod first_word;

use std::io::{BufWriter, Write as _};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use ledger::blocks::{Blocks, FIVE_HOURS};
use ledger::{Books, Prices};
use reader::Accountant;
use reader::Accounts;
use reader::account::Wish;
use sources::Environment;
use sources::Found;
use sources::Problem;
use sources::Source;
use sources::find_at;
use sources::find_in_roots;
use sources::naming::SessionNames;
use sources::roots;

use crate::config::{BillingDay, BlockLimit, Config, Rate, Sign, WeekStart, Zone};
use crate::failure;
use crate::moment::{self, End};
use crate::parallel::{Reader, read_all};
use crate::progress::Progress;
use crate::terminal::{Paths, columns};
use crate::usage::{BlockReport, Filter, Kind, ProjectFilter, Report, Rows, ccusage, csv, json, text};
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
    /// Read this config root too (may be repeated)
    #[arg(long = "root", value_name = "DIR")]
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
    /// Only so many rows, the dearest or the latest; totals are still those of all
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
    /// Blocks: how many hours one has [default: 5]
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
Every message counts once, whatever number of lines and files it is in. Subagents count for the
session that spawned them. A cost marked ≥ is at least so much; + ? means that something has no
known price. Prices and settings of your own: docs/config.md. For those who know ccusage:
docs/ccusage.md.
Exit codes: 0 reported; 1 nothing to report; 2 wrong usage, or something could not be read.

Examples:
  recount usage
  recount usage monthly --breakdown
  recount usage session --last 7d --project .
  recount usage tool --since 2026-08-01
  recount usage run.jsonl
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

        let (kind, paths) = (self.kind(), self.paths());
        if !paths.is_empty() && !self.roots.is_empty() {
            bail!("--root is for all sessions of a config root, and cannot be used beside a path");
        }
        let found = if paths.is_empty() {
            find_in_roots(&roots(&Environment::of_process(), &self.roots))
        } else {
            find_at(&paths)
        };
        let (mut accounts, more) = self.count(&found, &prices)?;
        accounts.homes.find_projects();
        let mut problems = found.problems;
        problems.extend(more);

        let books = accounts.ledger.books(&prices);
        let mut rows = Rows::of(kind, &books, &accounts, &calendar, &filter);
        let is_by_time = kind.period().is_some() || kind == Kind::Blocks;
        let is_reversed = self.order == Some(if is_by_time { Order::Desc } else { Order::Asc });
        rows.sort(kind, !self.no_cost, is_reversed, self.top);
        let blocks = (kind == Kind::Blocks).then(|| BlockReport {
            limit: self.limit.or(config.block_limit()),
            reversed: is_reversed,
            ..self.blocks(&books, &accounts, &filter, &calendar.zone)
        });
        let report = Report {
            kind,
            rows,
            blocks,
            filter: &filter,
            zone: &calendar.zone,
            currency: &currency,
            breakdown: self.breakdown,
            with_cost: !self.no_cost,
            doubtful: &accounts.doubtful,
            doubtful_lines: accounts.doubtful_lines,
            sources: &found.sources,
        };
        if !report.is_empty() || self.json.is_some() || self.csv {
            self.print(&report)?;
        } else if problems.is_empty() {
            self.say_nothing_found();
        }
        problems.iter().for_each(failure::report_problem);
        let code = if !problems.is_empty() {
            failure::USAGE_OR_IO
        // Scripts that were written for ccusage expect no more than an empty list.
        } else if report.is_empty() && self.json != Some(Shape::Ccusage) {
            failure::FOUND_FAULT
        } else {
            0
        };
        // Nobody waits for the memory to be given back.
        std::mem::forget((report, books));
        std::mem::forget(accounts);
        Ok(ExitCode::from(code))
    }

    fn print(&self, report: &Report<'_>) -> anyhow::Result<()> {
        let mut out = BufWriter::new(anstream::stdout().lock());
        match (self.json, self.csv) {
            (Some(Shape::Recount), _) => json::write(&mut out, report)?,
            (Some(Shape::Ccusage), _) => ccusage::write(&mut out, report)?,
            (None, true) => csv::write(&mut out, report)?,
            (None, false) => text::write(&mut out, report, columns(), &Paths::from_here())?,
        }
        out.flush()?;
        Ok(())
    }

    fn say_nothing_found(&self) {
        let is_filtered =
            [&self.since, &self.until, &self.last, &self.project, &self.session].iter().any(|it| it.is_some());
        let hint = "without --since, --until, --last, --project and --session all is counted";
        if self.kind() == Kind::Blocks && self.active {
            failure::say("no block is open now", Some("without --active all blocks are shown"));
        } else {
            failure::say("no usage found", is_filtered.then_some(hint));
        }
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

    fn count(&self, found: &Found, prices: &Prices) -> anyhow::Result<(Accounts, Vec<Problem>)> {
        let (kind, names) = (self.kind(), SessionNames::of(found));
        let tools = (kind == Kind::Tool).then_some(prices);
        let wish = Wish { tools, agent_types: kind == Kind::Agent, names: Some(&names) };
        read_all(&found.sources, self.threads, || Accountant::new(wish))
    }

    /// Posts twice: first their times, then themselves, so that they need not be kept.
    fn blocks(&self, books: &Books<'_, '_>, accounts: &Accounts, filter: &Filter, zone: &TimeZone) -> BlockReport {
        let mut times = Vec::new();
        books.each(|post| times.extend(post.at.filter(|_| filter.wants(&post, accounts))));
        let length = FIVE_HOURS / 5 * i64::from(self.length);
        let mut blocks = Blocks::new(times, length);
        books.each(|post| {
            if filter.wants(&post, accounts) {
                blocks.add(&post);
            }
        });
        let limits: Vec<(i64, i64)> =
            accounts.ledger.limits().iter().filter_map(|limit| Some((limit.at, limit.resets_at(zone)?))).collect();
        blocks.set_limits(&limits);
        let now = Timestamp::now().as_millisecond();
        let (hours, only_active, top) = (self.length, self.active, self.top);
        BlockReport { blocks, hours, now, limit: None, only_active, top, reversed: false }
    }

    fn kind(&self) -> Kind {
        match self.first {
            Some(FirstWord::Report(kind)) => kind,
            Some(FirstWord::Path(_)) | None => Kind::Daily,
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
