//! Text output of the report.

mod blocks;

use std::fmt::Write as _;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use app::usage::{ToolSums, UsageKind, UsageLabel, UsageReport, UsageRow, UsageSums};
use index::catalogue::Used;
use ledger::{Money, Totals};
use sources::naming::short_name;
use sources::project::ShortNames;
use styled::Line;
use styled::width::width;
use styled::wrap;

use crate::table::{Table, Weight, left, right, write_widest};
use crate::terminal::{Paths, clean, plural, thousands};

const HEADING: Style = Style::new().bold();
const NOTE: Style = AnsiColor::Yellow.on_default();

/// Number of doubtful lines shown; `--json` lists more.
const SHOWN: usize = 5;

/// Writes the report for a terminal with this many columns.
pub(crate) fn write(out: &mut impl Write, report: &UsageReport<'_>, columns: usize, paths: &Paths) -> io::Result<()> {
    writeln!(out, "{HEADING}{}{HEADING:#}{}", title(report), range(report))?;
    writeln!(out)?;
    match &report.blocks {
        Some(blocks) => blocks::write(out, report, blocks, columns)?,
        None => write_table(out, report, columns)?,
    }
    write_notes(out, report, columns, paths)
}

fn title(report: &UsageReport<'_>) -> String {
    let title = match report.kind {
        UsageKind::Daily => "Usage by day",
        UsageKind::Weekly => "Usage by week",
        UsageKind::Monthly => "Usage by month",
        UsageKind::Session => "Usage by session",
        UsageKind::Project => "Usage by project",
        UsageKind::Model => "Usage by model",
        UsageKind::Tool => "Usage by tool, estimated",
        UsageKind::Branch => "Usage by branch",
        UsageKind::Agent => "Usage by kind of agent",
        UsageKind::Blocks => return blocks::title(report.blocks.as_ref()),
    };
    title.to_owned()
}

/// Describes the period and its time zone.
fn range(report: &UsageReport<'_>) -> String {
    let date = |at: i64| report.locale.date(Some(at));
    let span = match &report.blocks {
        Some(blocks) if blocks.only_active => blocks.span(),
        _ => report.rows.all.totals.span,
    };
    let mut text = match span.map(|(first, last)| (date(first), date(last))) {
        Some((first, last)) if first == last => format!(" · {first}"),
        Some((first, last)) => format!(" · {first} to {last}"),
        None => String::new(),
    };
    if let Some(zone) = report.locale.zone.iana_name() {
        let _ = write!(text, " · {}", clean(zone));
    }
    text
}

/// Layouts of the numbers, from widest to narrowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Room {
    /// The models of each row, and exact numbers.
    Wide,
    /// Exact numbers.
    Full,
    /// Rounded numbers.
    Rounded,
    /// Rounded numbers without bars.
    Bare,
    /// A single column for all tokens.
    Narrow,
    /// A single column for all tokens, without bars.
    Least,
    /// Only the essential columns.
    Tight,
}

const ROOMS: [Room; 7] = [Room::Wide, Room::Full, Room::Rounded, Room::Bare, Room::Narrow, Room::Least, Room::Tight];

impl Room {
    fn has_bars(self) -> bool {
        !matches!(self, Self::Bare | Self::Least | Self::Tight)
    }

    /// Formats a number of tokens for this layout.
    fn number(self, count: u64) -> String {
        if self < Self::Rounded { thousands(count) } else { human::tokens(count) }
    }
}

fn write_table(out: &mut impl Write, report: &UsageReport<'_>, columns: usize) -> io::Result<()> {
    let tables =
        ROOMS.map(|room| if report.kind == UsageKind::Tool { tool_table(report, room) } else { table(report, room) });
    write_widest(out, &tables, columns)
}

fn table(report: &UsageReport<'_>, room: Room) -> Table {
    let mut columns = vec![left(label_heading(report.kind))];
    let shows_models = room == Room::Wide && !report.breakdown && report.kind != UsageKind::Model;
    let shows_time = report.kind == UsageKind::Session && room < Room::Tight;
    if shows_time {
        columns.push(left("last message"));
    }
    if shows_models {
        columns.push(left("models"));
    }
    if room < Room::Narrow {
        columns.extend(["input", "output", "cache write", "cache read"].map(right));
    }
    columns.push(right("tokens"));
    if report.with_cost {
        columns.push(right("cost"));
    }
    let mut table = Table::new(columns, room.has_bars());
    let size = |totals: &Totals| if report.with_cost { totals.cost.dollars() } else { as_float(totals.tokens.total()) };
    let largest = report.rows.list.iter().map(|row| size(&row.sums.totals)).fold(0.0, f64::max);
    let cells = |label: String, active: String, models: String, totals: &Totals| {
        let mut cells = vec![label];
        cells.extend(shows_time.then_some(active));
        cells.extend(shows_models.then_some(models));
        let tokens = &totals.tokens;
        if room < Room::Narrow {
            let kinds = [tokens.input, tokens.output, tokens.cache_write, tokens.cache_read];
            cells.extend(kinds.map(|count| room.number(count)));
        }
        cells.push(room.number(tokens.total()));
        cells.extend(report.with_cost.then(|| cost(totals, report)));
        cells
    };
    let names = project_names(report);
    for row in &report.rows.list {
        let totals = &row.sums.totals;
        let active = report.locale.date_and_time(totals.span.map(|(_, last)| last));
        let cells_of_row = cells(label(row, report.kind, &names), active, models(&row.sums), totals);
        table.row(Weight::Normal, cells_of_row, (largest > 0.0).then(|| size(totals) / largest));
        if report.breakdown {
            for (model, totals) in row.sums.by_model() {
                let label = format!("  {}", short_model(&model));
                table.row(Weight::Part, cells(label, String::new(), String::new(), &totals), None);
            }
        }
    }
    write_left_out(&mut table, report.rows.left_out);
    if report.rows.list.len() != 1 || report.rows.left_out > 0 {
        let total = cells("total".to_owned(), String::new(), String::new(), &report.rows.all.totals);
        table.row(Weight::Total, total, None);
    }
    table
}

fn tool_table(report: &UsageReport<'_>, room: Room) -> Table {
    let mut columns = vec![left("tool"), right("calls")];
    if room < Room::Narrow {
        columns.extend(["in inputs", "in results"].map(right));
    } else {
        columns.push(right("tokens"));
    }
    let shows_share = report.with_cost && room < Room::Tight;
    columns.extend(report.with_cost.then(|| right("cost")));
    columns.extend(shows_share.then(|| right("share")));
    let mut table = Table::new(columns, room.has_bars());
    let all = report.rows.all.totals.cost.dollars();
    let size = |tool: &ToolSums| if report.with_cost { tool.cost.dollars() } else { as_float(tool.tokens()) };
    let largest = report.rows.list.iter().map(|row| size(&row.sums.tool)).fold(0.0, f64::max);
    let names = project_names(report);
    for row in &report.rows.list {
        let tool = row.sums.tool;
        let is_tool = row.label != UsageLabel::Tool(None);
        // The rest has only a cost.
        if !is_tool && !report.with_cost {
            continue;
        }
        let shown = |count: u64| if is_tool { room.number(count) } else { String::new() };
        let mut cells =
            vec![label(row, report.kind, &names), if is_tool { thousands(tool.calls) } else { String::new() }];
        if room < Room::Narrow {
            cells.extend([shown(tool.input_tokens), shown(tool.result_tokens)]);
        } else {
            cells.push(shown(tool.tokens()));
        }
        cells.extend(report.with_cost.then(|| report.locale.money(tool.cost.dollars())));
        cells.extend(shows_share.then(|| share(tool.cost.dollars(), all)));
        table.row(Weight::Normal, cells, (largest > 0.0).then(|| size(&tool) / largest));
    }
    write_left_out(&mut table, report.rows.left_out);
    if (report.rows.list.len() > 1 || report.rows.left_out > 0) && report.with_cost {
        let mut cells = vec!["total".to_owned(), String::new(), String::new()];
        cells.extend((room < Room::Narrow).then(String::new));
        cells.push(cost(&report.rows.all.totals, report));
        table.row(Weight::Total, cells, None);
    }
    table
}

/// Adds a line about rows that are not shown.
fn write_left_out(table: &mut Table, rows: usize) {
    if rows > 0 {
        table.row(Weight::Part, vec![format!("  {} more", thousands(rows as u64))], None);
    }
}

/// Formats a share: `12.3 %`.
fn share(part: f64, whole: f64) -> String {
    format!("{:.1} %", if whole > 0.0 { part / whole * 100.0 } else { 0.0 })
}

fn label_heading(kind: UsageKind) -> &'static str {
    match kind {
        UsageKind::Daily => "day",
        UsageKind::Weekly => "week from",
        UsageKind::Monthly => "month",
        UsageKind::Session => "session",
        UsageKind::Project => "project",
        UsageKind::Model => "model",
        UsageKind::Tool => "tool",
        UsageKind::Branch => "branch",
        UsageKind::Agent => "agent",
        UsageKind::Blocks => "block",
    }
}

/// Returns the label of a row, safe for the terminal.
fn label(row: &UsageRow, kind: UsageKind, projects: &ShortNames) -> String {
    let named = |name: &str, otherwise: &str| {
        if name.is_empty() { otherwise.to_owned() } else { clean(name).into_owned() }
    };
    match &row.label {
        UsageLabel::Since(None) => "no date".to_owned(),
        UsageLabel::Since(Some(date)) if kind == UsageKind::Monthly && date.day() == 1 => {
            date.strftime("%Y-%m").to_string()
        }
        UsageLabel::Since(Some(date)) => date.to_string(),
        UsageLabel::Session(session) => {
            let project = row.home.as_ref().and_then(|home| home.project.as_deref()).unwrap_or_default();
            let folder = projects.get(project);
            let short = named(&short_name(session), "no name");
            if folder.is_empty() { short } else { format!("{short}  {}", clean(folder)) }
        }
        UsageLabel::Project(project) => named(projects.get(project), "unknown project"),
        UsageLabel::Model(model) => named(model, "unknown model"),
        UsageLabel::Tool(None) => "conversation".to_owned(),
        UsageLabel::Tool(Some(tool)) => named(tool, "unknown tool"),
        UsageLabel::Branch { project, branch } => {
            let folder = projects.get(project);
            let branch = named(branch, "no branch");
            if folder.is_empty() { branch } else { format!("{branch}  {}", clean(folder)) }
        }
        UsageLabel::MainAgent => "main conversation".to_owned(),
        UsageLabel::Subagent { kind, id: None } => named(kind, "subagent of unknown type"),
        UsageLabel::Subagent { kind, id: Some(id) } => {
            format!("{}  {}", named(kind, "subagent of unknown type"), clean(id))
        }
    }
}

/// Returns the names of the projects in a report.
fn project_names(report: &UsageReport<'_>) -> ShortNames {
    ShortNames::of(report.rows.list.iter().filter_map(|row| match &row.label {
        UsageLabel::Session(_) => row.home.as_ref()?.project.as_deref(),
        UsageLabel::Project(project) | UsageLabel::Branch { project, .. } => Some(project.as_str()),
        UsageLabel::Since(_)
        | UsageLabel::Model(_)
        | UsageLabel::Tool(_)
        | UsageLabel::MainAgent
        | UsageLabel::Subagent { .. } => None,
    }))
}

/// Returns the models of a row, most expensive first.
fn models(sums: &UsageSums) -> String {
    const MOST: usize = 3;
    let models = sums.by_model();
    let mut names: Vec<String> = models.iter().take(MOST).map(|(name, _)| short_model(name)).collect();
    if models.len() > MOST {
        names.push(format!("+{}", models.len() - MOST));
    }
    names.join(", ")
}

fn short_model(name: &str) -> String {
    match clean(name.strip_prefix("claude-").unwrap_or(name)).as_ref() {
        "" => "unknown model".to_owned(),
        name => name.to_owned(),
    }
}

/// Formats an amount, marked if it is incomplete.
fn cost(totals: &Totals, report: &UsageReport<'_>) -> String {
    report.locale.cost(Used::of(totals).priced())
}

#[expect(clippy::cast_precision_loss, reason = "the displayed value has far fewer digits")]
fn as_float(number: u64) -> f64 {
    number as f64
}

/// A note: the mark that it explains, if any, and a sentence.
type Note = (&'static str, String);

fn write_notes(out: &mut impl Write, report: &UsageReport<'_>, columns: usize, paths: &Paths) -> io::Result<()> {
    let mut notes = Vec::new();
    if report.kind == UsageKind::Tool {
        let text = "An estimate: the context is attributed to tools by the size of their inputs and results, \
                    and every request pays for its whole context.";
        notes.push(("", text.to_owned()));
    }
    if let Some(blocks) = &report.blocks {
        notes.extend(blocks::outside(report, blocks).map(|text| ("", text)));
    }
    if report.with_cost {
        notes.extend(quality_notes(&report.rows.all.totals, report));
    }
    for note in notes {
        writeln!(out)?;
        write_note(out, &note, columns)?;
    }
    if report.doubtful_lines == 0 {
        return Ok(());
    }
    writeln!(out)?;
    let heading = format!("{} could not be counted in full:", plural(report.doubtful_lines, "line", "lines"));
    write_note(out, &("", heading), columns)?;
    for doubtful in report.doubtful.iter().take(SHOWN) {
        let place = report.input(doubtful).map(|input| paths.show(input)).unwrap_or_default();
        let reason = clean(&doubtful.why.to_string()).into_owned();
        // Not wrapped, so that the location can be copied.
        writeln!(out, "{NOTE}  {place}:{}: {reason}{NOTE:#}", doubtful.place.line)?;
    }
    if report.doubtful_lines > SHOWN as u64 {
        writeln!(out, "{NOTE}  …; --json lists more{NOTE:#}")?;
    }
    Ok(())
}

/// Writes a note in this many columns, with its text beside its mark.
fn write_note(out: &mut impl Write, (mark, text): &Note, columns: usize) -> io::Result<()> {
    let plain = |text: &str| Line::new().with(text, styled::Style::PLAIN);
    let indent = " ".repeat(width(mark));
    for line in wrap(&plain(text), columns, &plain(mark), &plain(&indent)) {
        writeln!(out, "{NOTE}{}{NOTE:#}", line.text())?;
    }
    Ok(())
}

/// Returns notes on the quality of the figures, if it varies.
fn quality_notes(totals: &Totals, report: &UsageReport<'_>) -> Vec<Note> {
    let show = |amount: Money| report.locale.money(amount.dollars());
    let messages = |count: u64| plural(count, "message", "messages");
    let tokens = |count: u64| plural(count, "token", "tokens");
    let mut notes = Vec::new();
    if totals.exact.cost > Money::ZERO && totals.exact.cost != totals.cost {
        let exact = show(totals.exact.cost);
        notes.push(("", format!("{exact} of it is stated by the sessions themselves, the rest is computed.")));
    }
    if totals.managed.tokens > 0 {
        let managed = show(totals.managed.cost);
        notes.push(("", format!("{managed} of it is stated at prices of your organisation, not at list prices.")));
    }
    if totals.without_lines.cost > Money::ZERO {
        let extra = show(totals.without_lines.cost);
        let why = "titles, summaries, hooks, permission checks and stopped calls leave no lines";
        notes.push(("", format!("{extra} of it is only in the totals that sessions state: {why}.")));
    }
    let low = totals.low;
    if low.tokens > 0 {
        let what = format!("{} ({}, {})", messages(low.messages), tokens(low.tokens), show(low.cost));
        notes.push(("≥  ", format!("at least this much: only a first count of tokens was recorded for {what}.")));
    }
    if !totals.unknown_models.is_empty() {
        let models: Vec<String> = (totals.unknown_models.iter())
            .map(|(name, share)| {
                let name = if name.is_empty() { "no model named".to_owned() } else { clean(name).into_owned() };
                format!("{name} ({}, {})", messages(share.messages), tokens(share.tokens))
            })
            .collect();
        notes.push(("?  ", format!("price unknown, not in the costs: {}.", models.join(", "))));
    }
    if let Some(outdated) = totals.outdated_list() {
        notes.push(("", outdated.to_string()));
    }
    notes
}
