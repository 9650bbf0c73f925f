//! CSV output of the report: a line per row, or per row and model.

use std::io::{self, Write};

use app::usage::{BlockReport, UsageKind, UsageLabel, UsageReport, UsageRow};
use ledger::blocks::Item;
use ledger::{Quality, Totals};

use crate::spreadsheet::{line, name};

/// Writes the report with a header line.
pub(crate) fn write(out: &mut impl Write, report: &UsageReport<'_>) -> io::Result<()> {
    if let Some(blocks) = &report.blocks {
        return write_blocks(out, report, blocks);
    }
    if report.kind == UsageKind::Tool {
        return write_tools(out, report);
    }
    let mut headings = labels(report.kind).to_vec();
    if report.breakdown {
        headings.push("model");
    }
    headings.extend(figure_names(report.with_cost));
    line(out, &headings)?;
    for row in &report.rows.list {
        let label = label(row);
        let mut write = |model: Option<&str>, totals: &Totals| {
            let mut cells = label.clone();
            cells.extend(model.map(name));
            cells.extend(figures(totals, report.with_cost));
            line(out, &cells)
        };
        if report.breakdown {
            for (model, totals) in row.sums.by_model() {
                write(Some(&model), &totals)?;
            }
        } else {
            write(None, &row.sums.totals)?;
        }
    }
    Ok(())
}

const COUNTS: [&str; 7] = [
    "messages",
    "input_tokens",
    "output_tokens",
    "cache_write_tokens",
    "cache_write_1h_tokens",
    "cache_read_tokens",
    "total_tokens",
];
const COSTS: [&str; 3] = ["cost_usd", "cost_usd_low_part", "tokens_without_price"];

fn figure_names(with_cost: bool) -> impl Iterator<Item = &'static str> {
    COUNTS.into_iter().chain(COSTS.into_iter().filter(move |_| with_cost)).chain(["last_message"])
}

fn labels(kind: UsageKind) -> &'static [&'static str] {
    match kind {
        UsageKind::Daily | UsageKind::Weekly | UsageKind::Monthly => &["since"],
        UsageKind::Session => &["session", "project"],
        UsageKind::Project => &["project"],
        UsageKind::Model => &["model_id"],
        UsageKind::Tool => &["tool"],
        UsageKind::Branch => &["branch", "project"],
        UsageKind::Agent => &["agent", "agent_id"],
        UsageKind::Blocks => &["start"],
    }
}

fn label(row: &UsageRow) -> Vec<String> {
    match &row.label {
        UsageLabel::Since(date) => vec![date.map(|date| date.to_string()).unwrap_or_default()],
        UsageLabel::Session(session) => {
            let project = row.home.as_ref().and_then(|home| home.project.as_deref()).unwrap_or_default();
            vec![name(session), name(project)]
        }
        UsageLabel::Project(it) | UsageLabel::Model(it) => vec![name(it)],
        UsageLabel::Tool(tool) => vec![tool.as_deref().map_or_else(|| "(conversation)".to_owned(), name)],
        UsageLabel::Branch { project, branch } => vec![name(branch), name(project)],
        UsageLabel::MainAgent => vec!["(main)".to_owned(), String::new()],
        UsageLabel::Subagent { kind, id } => vec![name(kind), id.as_deref().map(name).unwrap_or_default()],
    }
}

fn figures(totals: &Totals, with_cost: bool) -> Vec<String> {
    let tokens = &totals.tokens;
    let counts = [
        totals.messages,
        tokens.input,
        tokens.output,
        tokens.cache_write,
        tokens.cache_write_1h,
        tokens.cache_read,
        tokens.total(),
    ];
    let mut cells: Vec<String> = counts.iter().map(ToString::to_string).collect();
    if with_cost {
        cells.push(totals.cost.dollars().to_string());
        cells.push(totals.share(Quality::Low).cost.dollars().to_string());
        cells.push(totals.share(Quality::Unknown).tokens.to_string());
    }
    cells.push(totals.span.map(|(_, last)| instant(last)).unwrap_or_default());
    cells
}

fn write_tools(out: &mut impl Write, report: &UsageReport<'_>) -> io::Result<()> {
    let mut headings = vec!["tool", "calls", "input_tokens_estimated", "result_tokens_estimated"];
    headings.extend(report.with_cost.then_some("cost_usd_estimated"));
    line(out, &headings)?;
    for row in &report.rows.list {
        let tool = row.sums.tool;
        let mut cells = label(row);
        cells.extend([tool.calls, tool.input_tokens, tool.result_tokens].map(|count| count.to_string()));
        cells.extend(report.with_cost.then(|| tool.cost.dollars().to_string()));
        line(out, &cells)?;
    }
    Ok(())
}

fn write_blocks(out: &mut impl Write, report: &UsageReport<'_>, blocks: &BlockReport) -> io::Result<()> {
    let mut headings = vec!["start", "end", "active"];
    headings.extend(figure_names(report.with_cost));
    line(out, &headings)?;
    for item in blocks.items() {
        let Item::Block(block) = item else { continue };
        let mut cells = vec![instant(block.start), instant(block.end), block.is_active(blocks.now).to_string()];
        cells.extend(figures(&block.totals, report.with_cost));
        line(out, &cells)?;
    }
    Ok(())
}

/// A moment in UTC with milliseconds, as transcripts have it.
fn instant(at: i64) -> String {
    wire::moment(Some(at)).unwrap_or_default()
}
