//! The report for programs. Its fields are described in `docs/usage-json.md`.

use std::collections::BTreeSet;
use std::io::{self, Write};
use wire::JsonLayout;

use app::usage::{BlockReport, UsageLabel, UsageRow, UsageSums};
use human::Currency;
use jiff::Timestamp;
use ledger::blocks::{Block, Item};
use ledger::prices::canonical;
use ledger::totals::Share;
use ledger::{Money, Quality, Totals};
use serde::Serialize;

use super::Report;

/// The name and version of the format: the number changes when a field changes its meaning or goes.
const SCHEMA: &str = "recount.usage/1";

/// Writes the report as one JSON object.
pub(crate) fn write(out: &mut impl Write, report: &Report<'_>) -> io::Result<()> {
    wire::write(out, &Document::of(report), JsonLayout::Pretty)
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    report: String,
    time_zone: Option<&'a str>,
    since: Option<String>,
    until: Option<String>,
    currency: CurrencyUsed<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<Vec<RowOut<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blocks: Option<Vec<BlockOut>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outside_blocks: Option<Brief>,
    left_out: usize,
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
    Agent { agent: &'static str, agent_type: Option<&'a str>, agent_id: Option<&'a str> },
}

#[derive(Serialize)]
#[serde(untagged)]
enum Figures {
    Sums {
        #[serde(flatten)]
        totals: Box<TotalsOut>,
        first: Option<String>,
        last: Option<String>,
        subagents: Brief,
        models: Vec<ModelOut>,
    },
    Tool {
        calls: u64,
        input_tokens_estimated: u64,
        result_tokens_estimated: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        cost_usd_estimated: Option<f64>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_usd: Option<f64>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_usd: Option<f64>,
}

#[derive(Serialize)]
struct ModelOut {
    model: Option<String>,
    #[serde(flatten)]
    totals: TotalsOut,
}

#[derive(Serialize)]
struct UnknownModel<'a> {
    model: Option<&'a str>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_usd_per_hour: Option<f64>,
}

#[derive(Serialize)]
struct ProjectionOut {
    total_tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_usd: Option<f64>,
    remaining_minutes: i64,
}

impl<'a> Document<'a> {
    fn of(report: &'a Report<'a>) -> Self {
        let Currency { sign, rate } = &report.locale.currency;
        let totals = &report.rows.all.totals;
        let costs = Costs { are_told: report.with_cost };
        Self {
            schema: SCHEMA,
            report: report.kind.name().to_owned(),
            time_zone: report.locale.zone.iana_name(),
            since: report.filter.since.map(moment),
            until: report.filter.until.map(moment),
            currency: CurrencyUsed { sign, per_dollar: *rate },
            rows: report.blocks.is_none().then(|| report.rows.list.iter().map(|row| RowOut::of(row, costs)).collect()),
            blocks: report.blocks.as_ref().map(|report| blocks(report, costs)),
            outside_blocks: report.blocks.as_ref().map(|report| Brief::of(&report.blocks.outside, costs)),
            left_out: report.blocks.as_ref().map_or(report.rows.left_out, BlockReport::left_out),
            totals: TotalsOut::of(totals, costs),
            unknown_models: (totals.unknown_models.iter())
                .map(|(model, share)| UnknownModel {
                    model: known(model),
                    messages: share.messages,
                    tokens: share.tokens,
                })
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

/// A moment in UTC with milliseconds, as transcripts have it.
pub(super) fn moment(at: i64) -> String {
    Timestamp::from_millisecond(at).map(|at| at.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()).unwrap_or_default()
}

/// Whether costs are told.
#[derive(Clone, Copy)]
struct Costs {
    are_told: bool,
}

impl Costs {
    fn of(self, amount: Money) -> Option<f64> {
        self.are_told.then(|| amount.dollars())
    }
}

fn known(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

impl<'a> RowOut<'a> {
    fn of(row: &'a UsageRow, costs: Costs) -> Self {
        let project = row.home.as_ref().and_then(|home| home.project.as_deref());
        let label = match &row.label {
            UsageLabel::Since(date) => LabelOut::Since { since: date.map(|date| date.to_string()) },
            UsageLabel::Session(session) => LabelOut::Session { session, project },
            UsageLabel::Project(project) => LabelOut::Project { project: known(project) },
            UsageLabel::Model(model) => LabelOut::Model { model: known(model) },
            UsageLabel::Tool(tool) => LabelOut::Tool { tool: tool.as_deref() },
            UsageLabel::Branch { project, branch } => {
                LabelOut::Branch { branch: known(branch), project: known(project) }
            }
            UsageLabel::MainAgent => LabelOut::Agent { agent: "main", agent_type: None, agent_id: None },
            UsageLabel::Subagent { kind, id } => {
                LabelOut::Agent { agent: "subagent", agent_type: known(kind), agent_id: id.as_deref() }
            }
        };
        Self { figures: Figures::of(&row.label, &row.sums, costs), label }
    }
}

impl Figures {
    fn of(label: &UsageLabel, sums: &UsageSums, costs: Costs) -> Self {
        if let UsageLabel::Tool(_) = label {
            return Self::Tool {
                calls: sums.tool.calls,
                input_tokens_estimated: sums.tool.input_tokens,
                result_tokens_estimated: sums.tool.result_tokens,
                cost_usd_estimated: costs.of(sums.tool.cost),
            };
        }
        Self::Sums {
            totals: Box::new(TotalsOut::of(&sums.totals, costs)),
            first: sums.totals.span.map(|(first, _)| moment(first)),
            last: sums.totals.span.map(|(_, last)| moment(last)),
            subagents: Brief::of(&sums.agents, costs),
            models: (sums.by_model().into_iter())
                .map(|(model, totals)| ModelOut {
                    totals: TotalsOut::of(&totals, costs),
                    model: Some(model).filter(|model| !model.is_empty()),
                })
                .collect(),
        }
    }
}

impl TotalsOut {
    fn of(totals: &Totals, costs: Costs) -> Self {
        let tokens = &totals.tokens;
        let part = |quality| Brief::of_share(totals.share(quality), costs);
        Self {
            messages: totals.messages,
            input_tokens: tokens.input,
            output_tokens: tokens.output,
            cache_write_tokens: tokens.cache_write,
            cache_write_1h_tokens: tokens.cache_write_1h,
            cache_read_tokens: tokens.cache_read,
            total_tokens: tokens.total(),
            web_searches: tokens.web_searches,
            cost_usd: costs.of(totals.cost),
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
    fn of(totals: &Totals, costs: Costs) -> Self {
        Self { messages: totals.messages, tokens: totals.tokens.total(), cost_usd: costs.of(totals.cost) }
    }

    fn of_share(share: Share, costs: Costs) -> Self {
        Self { messages: share.messages, tokens: share.tokens, cost_usd: costs.of(share.cost) }
    }
}

fn blocks(report: &BlockReport, costs: Costs) -> Vec<BlockOut> {
    let limit = report.limit_tokens();
    report
        .items()
        .into_iter()
        .map(|item| match item {
            Item::Gap(gap) => BlockOut::Gap { from: moment(gap.from), until: moment(gap.until) },
            Item::Block(block) => block_out(block, report.now, limit, costs),
        })
        .collect()
}

#[expect(clippy::cast_precision_loss, reason = "a share of a limit needs no more")]
fn block_out(block: &Block, now: i64, limit: Option<u64>, costs: Costs) -> BlockOut {
    let active = block.is_active(now);
    let names: BTreeSet<String> = block.models.iter().map(|name| canonical(name).id.into_owned()).collect();
    BlockOut::Block {
        start: moment(block.start),
        end: moment(block.end),
        first: moment(block.first),
        last: moment(block.last),
        active,
        models: names.into_iter().filter(|name| !name.is_empty()).collect(),
        totals: Box::new(TotalsOut::of(&block.totals, costs)),
        limit_resets: block.limit_resets.map(moment),
        of_limit: limit.map(|limit| block.totals.tokens.total() as f64 / limit.max(1) as f64),
        burn: block.burn().filter(|_| active).map(|burn| BurnOut {
            tokens_per_minute: burn.tokens_per_minute,
            fresh_tokens_per_minute: burn.fresh_per_minute,
            cost_usd_per_hour: costs.of(burn.cost_per_hour),
        }),
        projection: block.projection(now).map(|projection| ProjectionOut {
            total_tokens: projection.tokens,
            cost_usd: costs.of(projection.cost),
            remaining_minutes: projection.remaining / 60_000,
        }),
    }
}
