//! The report for people.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ledger::blocks::{Block, Item};
use ledger::prices::canonical;
use ledger::{Money, Quality, Totals};
use library::account::Doubt;
use render::human;

use super::rows::{Kind, Label, Row, Sums};
use super::table::{Align, Column, Table, Weight};
use super::{BlockReport, Report};
use crate::terminal::{Paths, clean, plural, thousands};

const HEADING: Style = Style::new().bold();
const NOTE: Style = AnsiColor::Yellow.on_default();
const LIVE: Style = AnsiColor::Green.on_default().bold();

/// How many doubtful lines are shown; `--json` lists more.
const SHOWN: usize = 5;

/// Writes the report in so many columns of the terminal.
pub(crate) fn write(out: &mut impl Write, report: &Report<'_>, columns: usize, paths: &Paths) -> io::Result<()> {
    writeln!(out, "{HEADING}{}{HEADING:#}{}", title(report.kind), range(report))?;
    writeln!(out)?;
    match &report.blocks {
        Some(blocks) => write_blocks(out, report, blocks, columns)?,
        None => write_table(out, report, columns)?,
    }
    write_notes(out, report, paths)
}

fn title(kind: Kind) -> &'static str {
    match kind {
        Kind::Daily => "Usage by day",
        Kind::Weekly => "Usage by week",
        Kind::Monthly => "Usage by month",
        Kind::Session => "Usage by session",
        Kind::Project => "Usage by project",
        Kind::Model => "Usage by model",
        Kind::Tool => "Usage by tool, estimated",
        Kind::Branch => "Usage by branch",
        Kind::Agent => "Usage by kind of agent",
        Kind::Blocks => "Usage in five-hour blocks",
    }
}

/// From when until when, and where.
fn range(report: &Report<'_>) -> String {
    let date = |at: i64| human::date(Some(at), report.zone);
    let span = match &report.blocks {
        Some(blocks) => {
            let mut all = blocks.all();
            all.next().map(|first| (first.first, all.last().unwrap_or(first).last))
        }
        None => report.rows.all.totals.span,
    };
    let mut text = match span.map(|(first, last)| (date(first), date(last))) {
        Some((first, last)) if first == last => format!(" · {first}"),
        Some((first, last)) => format!(" · {first} to {last}"),
        None => String::new(),
    };
    if let Some(zone) = report.zone.iana_name() {
        let _ = write!(text, " · {}", clean(zone));
    }
    text
}

/// How much room the numbers get, from the most to the least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Room {
    /// The models of each row, and all numbers to the last digit.
    Wide,
    /// All numbers to the last digit.
    Full,
    /// All numbers, rounded.
    Rounded,
    /// The same without bars.
    Bare,
    /// All tokens together.
    Narrow,
    /// That without bars.
    Least,
}

const ROOMS: [Room; 6] = [Room::Wide, Room::Full, Room::Rounded, Room::Bare, Room::Narrow, Room::Least];

impl Room {
    fn has_bars(self) -> bool {
        !matches!(self, Self::Bare | Self::Least)
    }
}

fn write_table(out: &mut impl Write, report: &Report<'_>, columns: usize) -> io::Result<()> {
    let tables =
        ROOMS.map(|room| if report.kind == Kind::Tool { tool_table(report, room) } else { table(report, room) });
    write_widest(out, &tables, columns)
}

/// Writes the first table that fits; the last one has to do if none does.
fn write_widest(out: &mut impl Write, tables: &[Table], columns: usize) -> io::Result<()> {
    let fitting = tables.iter().find(|table| table.least_width() <= columns).or(tables.last());
    fitting.map_or(Ok(()), |table| table.write(out, columns))
}

fn right(heading: &'static str) -> Column {
    Column { heading, align: Align::Right }
}

fn left(heading: &'static str) -> Column {
    Column { heading, align: Align::Left }
}

fn table(report: &Report<'_>, room: Room) -> Table {
    let mut columns = vec![left(label_heading(report.kind))];
    let shows_models = room == Room::Wide && !report.breakdown && report.kind != Kind::Model;
    if report.kind == Kind::Session {
        columns.push(left("last active"));
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
    let largest = report.rows.rows.iter().map(|row| size(&row.sums.totals)).fold(0.0, f64::max);
    let cells = |label: String, active: String, models: String, totals: &Totals| {
        let mut cells = vec![label];
        cells.extend((report.kind == Kind::Session).then_some(active));
        cells.extend(shows_models.then_some(models));
        let number = |count: u64| if room < Room::Rounded { thousands(count) } else { human::tokens(count) };
        let tokens = &totals.tokens;
        if room < Room::Narrow {
            cells.extend([tokens.input, tokens.output, tokens.cache_write, tokens.cache_read].map(number));
        }
        cells.push(number(tokens.total()));
        cells.extend(report.with_cost.then(|| cost(totals, report)));
        cells
    };
    for row in &report.rows.rows {
        let totals = &row.sums.totals;
        let active = human::date_and_time(totals.span.map(|(_, last)| last), report.zone);
        let cells_of_row = cells(label(row, report.kind), active, models(&row.sums), totals);
        table.row(Weight::Normal, cells_of_row, (largest > 0.0).then(|| size(totals) / largest));
        if report.breakdown {
            for (model, totals) in row.sums.by_model() {
                let label = format!("  {}", short_model(&model));
                table.row(Weight::Part, cells(label, String::new(), String::new(), &totals), None);
            }
        }
    }
    if report.rows.rows.len() != 1 {
        let total = cells("total".to_owned(), String::new(), String::new(), &report.rows.all.totals);
        table.row(Weight::Total, total, None);
    }
    table
}

fn tool_table(report: &Report<'_>, room: Room) -> Table {
    let mut columns = vec![left("tool"), right("calls")];
    if room < Room::Narrow {
        columns.extend(["in inputs", "in results"].map(right));
    } else {
        columns.push(right("tokens"));
    }
    if report.with_cost {
        columns.extend([right("cost"), right("share")]);
    }
    let mut table = Table::new(columns, room.has_bars());
    let number = |count: u64| if room < Room::Rounded { thousands(count) } else { human::tokens(count) };
    let all = report.rows.all.totals.cost.dollars();
    let largest = report.rows.rows.iter().map(|row| row.sums.tool.cost.dollars()).fold(0.0, f64::max);
    for row in &report.rows.rows {
        let tool = row.sums.tool;
        let is_tool = row.label != Label::Tool(None);
        let shown = |count: u64| if is_tool { number(count) } else { String::new() };
        let mut cells = vec![label(row, report.kind), if is_tool { thousands(tool.calls) } else { String::new() }];
        if room < Room::Narrow {
            cells.extend([shown(tool.input_tokens), shown(tool.result_tokens)]);
        } else {
            cells.push(shown(tool.input_tokens + tool.result_tokens));
        }
        if report.with_cost {
            let share = if all > 0.0 { tool.cost.dollars() / all * 100.0 } else { 0.0 };
            cells.extend([report.currency.show(tool.cost), format!("{share:.1} %")]);
        }
        table.row(Weight::Normal, cells, (largest > 0.0).then(|| tool.cost.dollars() / largest));
    }
    if report.rows.rows.len() > 1 && report.with_cost {
        let mut cells = vec!["total".to_owned(), String::new(), String::new()];
        cells.extend((room < Room::Narrow).then(String::new));
        cells.extend([cost(&report.rows.all.totals, report), String::new()]);
        table.row(Weight::Total, cells, None);
    }
    table
}

fn label_heading(kind: Kind) -> &'static str {
    match kind {
        Kind::Daily => "day",
        Kind::Weekly => "week from",
        Kind::Monthly => "month",
        Kind::Session => "session",
        Kind::Project => "project",
        Kind::Model => "model",
        Kind::Tool => "tool",
        Kind::Branch => "branch",
        Kind::Agent => "agent",
        Kind::Blocks => "block",
    }
}

/// What a row is about, made harmless.
fn label(row: &Row, kind: Kind) -> String {
    let named = |name: &str, otherwise: &str| {
        if name.is_empty() { otherwise.to_owned() } else { clean(name).into_owned() }
    };
    match &row.label {
        Label::Since(None) => "no date".to_owned(),
        Label::Since(Some(date)) if kind == Kind::Monthly && date.day() == 1 => date.strftime("%Y-%m").to_string(),
        Label::Since(Some(date)) => date.to_string(),
        Label::Session(session) => {
            let project = row.home.as_ref().and_then(|home| home.project.as_deref()).unwrap_or_default();
            let folder = last_folder(project);
            let short = session.get(..8).filter(|_| is_uuid(session)).unwrap_or(session);
            let short = named(short, "no name");
            if folder.is_empty() { short } else { format!("{short}  {}", clean(folder)) }
        }
        Label::Project(project) => named(project, "unknown project"),
        Label::Model(model) => named(model, "unknown model"),
        Label::Tool(None) => "conversation".to_owned(),
        Label::Tool(Some(tool)) => named(tool, "unknown tool"),
        Label::Branch { project, branch } => {
            let folder = last_folder(project);
            let branch = named(branch, "no branch");
            if folder.is_empty() { branch } else { format!("{branch}  {}", clean(folder)) }
        }
        Label::Agent(None) => "main conversation".to_owned(),
        Label::Agent(Some(kind)) => named(kind, "subagent of unknown type"),
    }
}

/// The name of a folder, on whatever system it is.
fn last_folder(path: &str) -> &str {
    path.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or_default()
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36 && text.chars().all(|c| c == '-' || c.is_ascii_hexdigit())
}

/// The models of a row, the dearest first.
fn models(sums: &Sums) -> String {
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

/// An amount with marks for what it leaves out.
fn cost(totals: &Totals, report: &Report<'_>) -> String {
    let is_low = totals.share(Quality::Low).tokens > 0;
    let is_unknown = totals.share(Quality::Unknown).tokens > 0;
    if is_unknown && totals.cost == Money::ZERO {
        return "?".to_owned();
    }
    let low = if is_low { "≥" } else { "" };
    let unknown = if is_unknown { " + ?" } else { "" };
    format!("{low}{}{unknown}", report.currency.show(totals.cost))
}

#[expect(clippy::cast_precision_loss, reason = "what is shown has far fewer digits")]
fn as_float(number: u64) -> f64 {
    number as f64
}

fn write_notes(out: &mut impl Write, report: &Report<'_>, paths: &Paths) -> io::Result<()> {
    let totals = &report.rows.all.totals;
    let mut notes = Vec::new();
    if report.kind == Kind::Tool {
        notes.push(
            "An estimate: what is in the context is attributed to tools by the size of their inputs and results, \
             and every request pays for all that is in its context."
                .to_owned(),
        );
    }
    if report.with_cost {
        notes.extend(quality_notes(totals, report));
    }
    if report.doubtful_lines > 0 {
        let mut note = format!("{} could not be counted in full:", plural(report.doubtful_lines, "line", "lines"));
        for doubtful in report.doubtful.iter().take(SHOWN) {
            let place = report.input(doubtful).map(|input| paths.show(input)).unwrap_or_default();
            let _ = write!(note, "\n  {place}:{}: {}", doubtful.place.line, clean(&reason(&doubtful.why)));
        }
        if report.doubtful_lines > SHOWN as u64 {
            note.push_str("\n  …; --json lists more");
        }
        notes.push(note);
    }
    for note in notes {
        writeln!(out)?;
        writeln!(out, "{NOTE}{note}{NOTE:#}")?;
    }
    Ok(())
}

/// What is wrong with a line, in words.
pub(super) fn reason(doubt: &Doubt) -> String {
    match doubt {
        Doubt::Malformed(reason) => format!("cannot be read: {reason}"),
        Doubt::Negative => "fewer than no tokens, counted as none".to_owned(),
        Doubt::TooMany => "more tokens than any message has, counted as none".to_owned(),
        Doubt::NoTime => "no time that can be understood, counted with the line before it".to_owned(),
    }
}

/// How good the figures are, if not all are equally good.
fn quality_notes(totals: &Totals, report: &Report<'_>) -> Vec<String> {
    let show = |amount: Money| report.currency.show(amount);
    let messages = |count: u64| plural(count, "message", "messages");
    let mut notes = Vec::new();
    if totals.exact.cost > Money::ZERO && totals.exact.cost != totals.cost {
        notes.push(format!(
            "{} of it is stated by the sessions themselves, the rest is computed.",
            show(totals.exact.cost)
        ));
    }
    let low = totals.low;
    if low.tokens > 0 {
        notes.push(format!(
            "≥  at least so much: of {} only a first count of tokens was written down ({} tokens, {}).",
            messages(low.messages),
            thousands(low.tokens),
            show(low.cost)
        ));
    }
    if !totals.unknown_models.is_empty() {
        let models: Vec<String> = (totals.unknown_models.iter())
            .map(|(name, share)| {
                let name = if name.is_empty() { "no model named".to_owned() } else { clean(name).into_owned() };
                format!("{name} ({}, {} tokens)", messages(share.messages), thousands(share.tokens))
            })
            .collect();
        notes.push(format!("?  price unknown, not in the costs: {}", models.join(", ")));
    }
    notes
}

fn write_blocks(out: &mut impl Write, report: &Report<'_>, blocks: &BlockReport, columns: usize) -> io::Result<()> {
    let limit = blocks.limit_tokens();
    write_widest(out, &ROOMS.map(|room| block_table(report, blocks, limit, room)), columns)?;
    match blocks.blocks.active(blocks.now) {
        Some(active) => write_active(out, report, blocks, active, limit),
        None => Ok(()),
    }
}

fn block_table(report: &Report<'_>, blocks: &BlockReport, limit: Option<u64>, room: Room) -> Table {
    let mut columns = vec![left("block"), left("")];
    if room < Room::Full {
        columns.push(left("models"));
    }
    columns.push(right("tokens"));
    columns.extend(limit.map(|_| right("of limit")));
    if report.with_cost {
        columns.push(right("cost"));
    }
    let mut table = Table::new(columns, room.has_bars());
    let largest = blocks.all().map(|block| block.totals.tokens.total()).max().unwrap_or(0);
    let number = |count: u64| if room < Room::Rounded { thousands(count) } else { human::tokens(count) };
    for item in blocks.items() {
        match item {
            Item::Gap(gap) => {
                let long = human::duration(u64::try_from(gap.until - gap.from).unwrap_or(0) / 60_000 * 60_000);
                table.row(Weight::Part, vec![format!("  {long} pause")], None);
            }
            Item::Block(block) => {
                let is_active = block.is_active(blocks.now);
                let tokens = block.totals.tokens.total();
                let state = match (is_active, block.limit_resets) {
                    (true, _) => "open".to_owned(),
                    (false, Some(resets)) => format!("limit, until {}", human::time_of_day(Some(resets), report.zone)),
                    (false, None) => String::new(),
                };
                let mut cells = vec![block_label(block, report.zone), state];
                if room < Room::Full {
                    let names: BTreeSet<String> =
                        block.models.iter().map(|name| short_model(&canonical(name).id)).collect();
                    cells.push(names.into_iter().collect::<Vec<_>>().join(", "));
                }
                cells.push(number(tokens));
                cells.extend(limit.map(|limit| percent(tokens, limit)));
                cells.extend(report.with_cost.then(|| cost(&block.totals, report)));
                table.row(Weight::Normal, cells, (largest > 0).then(|| as_float(tokens) / as_float(largest)));
            }
        }
    }
    table
}

fn block_label(block: &Block, zone: &TimeZone) -> String {
    let until = human::time_of_day(Some(block.end), zone);
    format!("{} – {until}", human::date_and_time(Some(block.start), zone))
}

fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", as_float(part) / as_float(whole.max(1)) * 100.0)
}

fn write_active(
    out: &mut impl Write,
    report: &Report<'_>,
    blocks: &BlockReport,
    active: &Block,
    limit: Option<u64>,
) -> io::Result<()> {
    let minutes = |millis: i64| human::duration(u64::try_from(millis).unwrap_or(0) / 60_000 * 60_000);
    let elapsed = blocks.now.saturating_sub(active.start);
    let remaining = active.end.saturating_sub(blocks.now);
    writeln!(out, "\n{LIVE}open now{LIVE:#}  {} in, {} left", minutes(elapsed), minutes(remaining))?;
    if let Some(burn) = active.burn() {
        let rate = if report.with_cost {
            format!(", {} an hour", report.currency.show(burn.cost_per_hour))
        } else {
            String::new()
        };
        writeln!(out, "burning   {} tokens a minute{rate}", rounded(burn.tokens_per_minute))?;
    }
    if let Some(projection) = active.projection(blocks.now) {
        let amount =
            if report.with_cost { format!(", {}", report.currency.show(projection.cost)) } else { String::new() };
        let of_limit = limit.map(|limit| format!(" ({} of the limit)", percent(projection.tokens, limit)));
        let of_limit = of_limit.unwrap_or_default();
        writeln!(out, "if it goes on like that: {} tokens{of_limit}{amount}", thousands(projection.tokens))?;
    }
    if let Some(limit) = limit {
        let used = active.totals.tokens.total();
        let left = limit.saturating_sub(used);
        writeln!(out, "limit     {} of {} tokens left", thousands(left), thousands(limit))?;
    }
    if let Some(resets) = active.limit_resets.filter(|resets| Timestamp::from_millisecond(*resets).is_ok()) {
        writeln!(out, "a limit was reached; it resets at {}", human::date_and_time(Some(resets), report.zone))?;
    }
    Ok(())
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
fn rounded(number: f64) -> String {
    thousands(number.round() as u64)
}
