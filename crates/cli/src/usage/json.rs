//! The report for programs. Its fields are described in `docs/usage-json.md`.

use std::io::{self, Write};

use jiff::Timestamp;
use ledger::blocks::{Block, Item};
use ledger::totals::Share;
use ledger::{Money, Quality, Totals};
use serde::Serialize;

use super::rows::{Kind, Label, Row, Sums};
use super::{BlockReport, Report};
use crate::config::Currency;

/// The name and version of the format: the number changes when a field changes its meaning or goes.
const SCHEMA: &str = "recount.usage/1";

/// Writes the report as one JSON object.
pub(crate) fn write(out: &mut impl Write, report: &Report<'_>) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &Document::of(report))?;
    writeln!(out)
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    report: &'static str,
    time_zone: Option<&'a str>,
    since: Option<String>,
    until: Option<String>,
    currency: CurrencyUsed<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<Vec<RowOut<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blocks: Option<Vec<BlockOut>>,
    totals: TotalsOut,
    unknown_models: Vec<UnknownModel<'a>>,
    uncounted: Uncounted,
}

#[derive(Serialize)]
struct CurrencyUsed<'a> {
    sign: &'a str,
    per_dollar: f64,
}

#[derive(Serialize)]
struct RowOut<'a> {
    #[serde(flatten)]
    label: LabelOut<'a>,
    #[serde(flatten)]
    figures: Figures,
}

/// What a row is about.
#[derive(Serialize)]
#[serde(untagged)]
enum LabelOut<'a> {
    Since { since: Option<String> },
    Session { session: &'a str, project: Option<&'a str> },
    Project { project: Option<&'a str> },
    Model { model: Option<&'a str> },
    Tool { tool: Option<&'a str> },
    Branch { branch: Option<&'a str>, project: Option<&'a str> },
    Agent { agent: &'static str, agent_type: Option<&'a str> },
}

#[derive(Serialize)]
#[serde(untagged)]
enum Figures {
    Sums {
        #[serde(flatten)]
        totals: TotalsOut,
        first: Option<String>,
        last: Option<String>,
        subagents: Brief,
        models: Vec<ModelOut>,
    },
    Tool {
        calls: u64,
        input_tokens_estimated: u64,
        result_tokens_estimated: u64,
        cost_usd_estimated: f64,
    },
}

#[derive(Serialize)]
struct TotalsOut {
    messages: u64,
    input_tokens: u64,
    output_tokens: u64,
    cache_write_tokens: u64,
    cache_write_1h_tokens: u64,
    cache_read_tokens: u64,
    total_tokens: u64,
    web_searches: u64,
    cost_usd: f64,
    quality: &'static str,
    parts: Parts,
}

/// What is known how well.
#[derive(Serialize)]
struct Parts {
    exact: Brief,
    computed: Brief,
    low: Brief,
    unknown: Brief,
}

#[derive(Serialize)]
struct Brief {
    messages: u64,
    tokens: u64,
    cost_usd: f64,
}

#[derive(Serialize)]
struct ModelOut {
    model: String,
    #[serde(flatten)]
    totals: TotalsOut,
}

#[derive(Serialize)]
struct UnknownModel<'a> {
    model: &'a str,
    messages: u64,
    tokens: u64,
}

#[derive(Serialize)]
struct Uncounted {
    lines: u64,
    first: Vec<UncountedLine>,
}

#[derive(Serialize)]
struct UncountedLine {
    file: String,
    line: u64,
    reason: String,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum BlockOut {
    Block {
        start: String,
        end: String,
        first: String,
        last: String,
        active: bool,
        models: Vec<String>,
        totals: Box<TotalsOut>,
        limit_resets: Option<String>,
        of_limit: Option<f64>,
        burn: Option<BurnOut>,
        projection: Option<ProjectionOut>,
    },
    Gap {
        from: String,
        until: String,
    },
}

#[derive(Serialize)]
struct BurnOut {
    tokens_per_minute: f64,
    fresh_tokens_per_minute: f64,
    cost_usd_per_hour: f64,
}

#[derive(Serialize)]
struct ProjectionOut {
    total_tokens: u64,
    cost_usd: f64,
    remaining_minutes: i64,
}

impl<'a> Document<'a> {
    fn of(report: &'a Report<'a>) -> Self {
        let Currency { sign, rate } = report.currency;
        let totals = &report.rows.all.totals;
        Self {
            schema: SCHEMA,
            report: name(report.kind),
            time_zone: report.zone.iana_name(),
            since: report.filter.since.map(moment),
            until: report.filter.until.map(moment),
            currency: CurrencyUsed { sign, per_dollar: *rate },
            rows: report.blocks.is_none().then(|| report.rows.rows.iter().map(RowOut::of).collect()),
            blocks: report.blocks.as_ref().map(blocks),
            totals: totals.into(),
            unknown_models: (totals.unknown_models.iter())
                .map(|(model, share)| UnknownModel { model, messages: share.messages, tokens: share.tokens })
                .collect(),
            uncounted: Uncounted {
                lines: report.doubtful_lines,
                first: (report.doubtful.iter())
                    .map(|doubtful| UncountedLine {
                        file: report.input(doubtful).map(ToString::to_string).unwrap_or_default(),
                        line: doubtful.place.line,
                        reason: super::text::reason(&doubtful.why),
                    })
                    .collect(),
            },
        }
    }
}

/// The word for a report, as it is typed.
pub(super) fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Daily => "daily",
        Kind::Weekly => "weekly",
        Kind::Monthly => "monthly",
        Kind::Session => "session",
        Kind::Project => "project",
        Kind::Model => "model",
        Kind::Tool => "tool",
        Kind::Branch => "branch",
        Kind::Agent => "agent",
        Kind::Blocks => "blocks",
    }
}

/// A moment in UTC with milliseconds, as transcripts have it.
pub(super) fn moment(at: i64) -> String {
    Timestamp::from_millisecond(at).map(|at| at.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()).unwrap_or_default()
}

fn known(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

impl<'a> RowOut<'a> {
    fn of(row: &'a Row) -> Self {
        let project = row.home.as_ref().and_then(|home| home.project.as_deref());
        let label = match &row.label {
            Label::Since(date) => LabelOut::Since { since: date.map(|date| date.to_string()) },
            Label::Session(session) => LabelOut::Session { session, project },
            Label::Project(project) => LabelOut::Project { project: known(project) },
            Label::Model(model) => LabelOut::Model { model: known(model) },
            Label::Tool(tool) => LabelOut::Tool { tool: tool.as_deref() },
            Label::Branch { project, branch } => LabelOut::Branch { branch: known(branch), project: known(project) },
            Label::Agent(None) => LabelOut::Agent { agent: "main", agent_type: None },
            Label::Agent(Some(kind)) => LabelOut::Agent { agent: "subagent", agent_type: known(kind) },
        };
        Self { figures: Figures::of(&row.label, &row.sums), label }
    }
}

impl Figures {
    fn of(label: &Label, sums: &Sums) -> Self {
        if let Label::Tool(_) = label {
            return Self::Tool {
                calls: sums.tool.calls,
                input_tokens_estimated: sums.tool.input_tokens,
                result_tokens_estimated: sums.tool.result_tokens,
                cost_usd_estimated: sums.tool.cost.dollars(),
            };
        }
        let agents = &sums.agents;
        Self::Sums {
            totals: (&sums.totals).into(),
            first: sums.totals.span.map(|(first, _)| moment(first)),
            last: sums.totals.span.map(|(_, last)| moment(last)),
            subagents: Brief::new(agents.messages, agents.tokens.total(), agents.cost),
            models: (sums.by_model().into_iter())
                .map(|(model, totals)| ModelOut { model, totals: (&totals).into() })
                .collect(),
        }
    }
}

impl From<&Totals> for TotalsOut {
    fn from(totals: &Totals) -> Self {
        let tokens = &totals.tokens;
        let part = |quality| Brief::from(totals.share(quality));
        Self {
            messages: totals.messages,
            input_tokens: tokens.input,
            output_tokens: tokens.output,
            cache_write_tokens: tokens.cache_write,
            cache_write_1h_tokens: tokens.cache_write_1h,
            cache_read_tokens: tokens.cache_read,
            total_tokens: tokens.total(),
            web_searches: tokens.web_searches,
            cost_usd: totals.cost.dollars(),
            quality: match totals.quality() {
                Quality::Exact => "exact",
                Quality::Computed => "computed",
                Quality::Low => "low",
                Quality::Unknown => "unknown",
            },
            parts: Parts {
                exact: part(Quality::Exact),
                computed: part(Quality::Computed),
                low: part(Quality::Low),
                unknown: part(Quality::Unknown),
            },
        }
    }
}

impl Brief {
    fn new(messages: u64, tokens: u64, cost: Money) -> Self {
        Self { messages, tokens, cost_usd: cost.dollars() }
    }
}

impl From<Share> for Brief {
    fn from(share: Share) -> Self {
        Self::new(share.messages, share.tokens, share.cost)
    }
}

fn blocks(report: &BlockReport) -> Vec<BlockOut> {
    let limit = report.limit_tokens();
    report
        .items()
        .map(|item| match item {
            Item::Gap(gap) => BlockOut::Gap { from: moment(gap.from), until: moment(gap.until) },
            Item::Block(block) => block_out(block, report.now, limit),
        })
        .collect()
}

#[expect(clippy::cast_precision_loss, reason = "a share of a limit needs no more")]
fn block_out(block: &Block, now: i64, limit: Option<u64>) -> BlockOut {
    let active = block.is_active(now);
    BlockOut::Block {
        start: moment(block.start),
        end: moment(block.end),
        first: moment(block.first),
        last: moment(block.last),
        active,
        models: block.models.iter().map(ToString::to_string).collect(),
        totals: Box::new((&block.totals).into()),
        limit_resets: block.limit_resets.map(moment),
        of_limit: limit.map(|limit| block.totals.tokens.total() as f64 / limit.max(1) as f64),
        burn: block.burn().filter(|_| active).map(|burn| BurnOut {
            tokens_per_minute: burn.tokens_per_minute,
            fresh_tokens_per_minute: burn.fresh_per_minute,
            cost_usd_per_hour: burn.cost_per_hour.dollars(),
        }),
        projection: block.projection(now).map(|projection| ProjectionOut {
            total_tokens: projection.tokens,
            cost_usd: projection.cost.dollars(),
            remaining_minutes: projection.remaining / 60_000,
        }),
    }
}
