//! A usage report.

use std::collections::BTreeSet;

use app::usage::{BlockReport, UsageLabel, UsageReport, UsageRow, UsageSums};
use human::Currency;
use ledger::blocks::{Block, Item};
use ledger::prices::canonical;
use ledger::totals::Share;
use ledger::{Money, Quality, Totals};
use serde::Serialize;
use story::readable::Moment;

/// The name and version of a usage report.
pub const USAGE: &str = "recount.usage/2";

/// A usage report: rows, or five-hour blocks.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct UsageOut<'a> {
    /// The name and version of this document.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = USAGE)))]
    schema: &'static str,
    report: String,
    time_zone: Option<&'a str>,
    since: Option<Moment>,
    until: Option<Moment>,
    currency: CurrencyUsed<'a>,
    rows: Option<Vec<RowOut<'a>>>,
    blocks: Option<Vec<BlockOut>>,
    outside_blocks: Option<Brief>,
    left_out: usize,
    totals: TotalsOut,
    unknown_models: Vec<UnknownModel<'a>>,
    uncounted: Uncounted,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct CurrencyUsed<'a> {
    sign: &'a str,
    per_dollar: f64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct RowOut<'a> {
    #[serde(flatten)]
    label: LabelOut<'a>,
    #[serde(flatten)]
    figures: Figures,
}

/// The subject of a row.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
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

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
#[serde(untagged)]
enum Figures {
    Sums {
        #[serde(flatten)]
        totals: Box<TotalsOut>,
        first_message: Option<Moment>,
        last_message: Option<Moment>,
        subagents: Brief,
        models: Vec<ModelOut>,
    },
    Tool {
        calls: u64,
        input_tokens_estimated: u64,
        result_tokens_estimated: u64,
        cost_usd_estimated: Option<f64>,
    },
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct TotalsOut {
    messages: u64,
    input_tokens: u64,
    output_tokens: u64,
    cache_write_tokens: u64,
    cache_write_1h_tokens: u64,
    cache_read_tokens: u64,
    total_tokens: u64,
    web_searches: u64,
    cost_usd: Option<f64>,
    quality: &'static str,
    parts: Parts,
    without_lines: Brief,
}

/// The quality of the figures.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct Parts {
    exact: Brief,
    managed: Brief,
    computed: Brief,
    low: Brief,
    unknown: Brief,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct Brief {
    messages: u64,
    tokens: u64,
    cost_usd: Option<f64>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct ModelOut {
    model: Option<String>,
    #[serde(flatten)]
    totals: TotalsOut,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct UnknownModel<'a> {
    model: Option<&'a str>,
    messages: u64,
    tokens: u64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct Uncounted {
    lines: u64,
    first: Vec<UncountedLine>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct UncountedLine {
    file: String,
    line: u64,
    reason: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "lowercase")]
enum BlockOut {
    Block {
        start: Moment,
        end: Moment,
        first: Moment,
        last: Moment,
        active: bool,
        models: Vec<String>,
        totals: Box<TotalsOut>,
        limit_resets: Option<Moment>,
        of_limit: Option<f64>,
        burn: Option<BurnOut>,
        projection: Option<ProjectionOut>,
    },
    Gap {
        from: Moment,
        until: Moment,
    },
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct BurnOut {
    tokens_per_minute: f64,
    fresh_tokens_per_minute: f64,
    cost_usd_per_hour: Option<f64>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct ProjectionOut {
    total_tokens: u64,
    cost_usd: Option<f64>,
    remaining_minutes: i64,
}

impl<'a> UsageOut<'a> {
    /// The JSON of a report.
    pub fn of(report: &'a UsageReport<'a>) -> Self {
        let Currency { sign, rate } = &report.locale.currency;
        let totals = &report.rows.all.totals;
        let costs = Costs { are_shown: report.with_cost };
        Self {
            schema: USAGE,
            report: report.kind.name().to_owned(),
            time_zone: report.locale.zone.iana_name(),
            since: report.filter.since.map(Moment),
            until: report.filter.until.map(Moment),
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
                        reason: doubtful.why.to_string(),
                    })
                    .collect(),
            },
        }
    }
}

/// Whether costs are shown.
#[derive(Clone, Copy)]
struct Costs {
    are_shown: bool,
}

impl Costs {
    fn of(self, amount: Money) -> Option<f64> {
        self.are_shown.then(|| amount.dollars())
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
            first_message: sums.totals.span.map(|(first, _)| Moment(first)),
            last_message: sums.totals.span.map(|(_, last)| Moment(last)),
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
                Quality::Managed => "managed",
                Quality::Computed => "computed",
                Quality::Low => "low",
                Quality::Unknown => "unknown",
            },
            parts: Parts {
                exact: part(Quality::Exact),
                managed: part(Quality::Managed),
                computed: part(Quality::Computed),
                low: part(Quality::Low),
                unknown: part(Quality::Unknown),
            },
            without_lines: Brief::of_share(totals.without_lines, costs),
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
            Item::Gap(gap) => BlockOut::Gap { from: Moment(gap.from), until: Moment(gap.until) },
            Item::Block(block) => block_out(block, report.now, limit, costs),
        })
        .collect()
}

#[expect(clippy::cast_precision_loss, reason = "a share of a limit needs no more")]
fn block_out(block: &Block, now: i64, limit: Option<u64>, costs: Costs) -> BlockOut {
    let active = block.is_active(now);
    let names: BTreeSet<String> = block.models.iter().map(|name| canonical(name).id.into_owned()).collect();
    BlockOut::Block {
        start: Moment(block.start),
        end: Moment(block.end),
        first: Moment(block.first),
        last: Moment(block.last),
        active,
        models: names.into_iter().filter(|name| !name.is_empty()).collect(),
        totals: Box::new(TotalsOut::of(&block.totals, costs)),
        limit_resets: block.limit_resets.map(Moment),
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
