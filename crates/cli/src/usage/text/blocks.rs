//! Text output of the five-hour windows.

use app::usage::UsageReport;
use std::collections::BTreeSet;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use app::usage::BlockReport;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ledger::Money;
use ledger::blocks::{Block, Item};
use ledger::prices::canonical;

use super::{ROOMS, Room, as_float, cost, left, right, share, short_model, write_left_out, write_widest};
use crate::table::{Table, Weight};
use crate::terminal::{plural, thousands};

const LIVE: Style = AnsiColor::Green.on_default().bold();

pub(super) fn title(blocks: Option<&BlockReport>) -> String {
    match blocks.map_or(5, |blocks| blocks.hours) {
        1 => "Usage in blocks of an hour".to_owned(),
        5 => "Usage in five-hour blocks".to_owned(),
        hours => format!("Usage in blocks of {hours} hours"),
    }
}

/// Writes the blocks, and the projection of the open one.
pub(super) fn write(
    out: &mut impl Write,
    report: &UsageReport<'_>,
    blocks: &BlockReport,
    columns: usize,
) -> io::Result<()> {
    let limit = blocks.limit_tokens();
    write_widest(out, &ROOMS.map(|room| table(report, blocks, limit, room)), columns)?;
    match blocks.blocks.active(blocks.now) {
        Some(active) => write_active(out, report, blocks, active, limit),
        None => Ok(()),
    }
}

fn table(report: &UsageReport<'_>, blocks: &BlockReport, limit: Option<u64>, room: Room) -> Table {
    let state = |block: &Block| state(block, blocks.now, &report.locale.zone, room);
    let has_state = |item: &Item<'_>| matches!(item, Item::Block(block) if !state(block).is_empty());
    let shows_state = blocks.items().iter().any(has_state);
    let mut columns = vec![left("block")];
    columns.extend(shows_state.then(|| left("")));
    if room < Room::Full {
        columns.push(left("models"));
    }
    columns.push(right("tokens"));
    columns.extend(limit.map(|_| right("of limit")));
    columns.extend(report.with_cost.then(|| right("cost")));
    let mut table = Table::new(columns, room.has_bars());
    let largest = blocks.all().map(|block| block.totals.tokens.total()).max().unwrap_or(0);
    let mut shown = 0;
    for item in blocks.items() {
        match item {
            Item::Gap(gap) => {
                let pause = format!("  {} pause", minutes(gap.until.saturating_sub(gap.from)));
                table.row(Weight::Part, vec![pause], None);
            }
            Item::Block(block) => {
                shown += 1;
                let tokens = block.totals.tokens.total();
                let mut cells = vec![label(block, &report.locale.zone)];
                cells.extend(shows_state.then(|| state(block)));
                if room < Room::Full {
                    let names = block.models.iter().map(|name| short_model(&canonical(name).id));
                    cells.push(names.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", "));
                }
                cells.push(room.number(tokens));
                cells.extend(limit.map(|limit| percent(tokens, limit)));
                cells.extend(report.with_cost.then(|| cost(&block.totals, report)));
                table.row(Weight::Normal, cells, (largest > 0).then(|| as_float(tokens) / as_float(largest)));
            }
        }
    }
    write_left_out(&mut table, blocks.left_out());
    if shown > 1 || blocks.left_out() > 0 {
        let all = &report.rows.all.totals;
        let mut cells = vec!["total".to_owned()];
        cells.extend(shows_state.then(String::new));
        cells.extend((room < Room::Full).then(String::new));
        cells.push(room.number(all.tokens.total()));
        cells.extend(limit.map(|_| String::new()));
        cells.extend(report.with_cost.then(|| cost(all, report)));
        table.row(Weight::Total, cells, None);
    }
    table
}

fn label(block: &Block, zone: &TimeZone) -> String {
    let until = human::time_of_day(Some(block.end), zone);
    format!("{} – {until}", human::date_and_time(Some(block.start), zone))
}

fn state(block: &Block, now: i64, zone: &TimeZone, room: Room) -> String {
    match (block.is_active(now), block.limit_resets) {
        (true, _) => "open".to_owned(),
        (false, Some(_)) if room >= Room::Tight => "limit".to_owned(),
        (false, Some(resets)) => format!("limit, until {}", human::time_of_day(Some(resets), zone)),
        (false, None) => String::new(),
    }
}

fn percent(part: u64, whole: u64) -> String {
    share(as_float(part), as_float(whole))
}

/// Formats a duration without seconds.
fn minutes(millis: i64) -> String {
    match u64::try_from(millis).unwrap_or(0) / 60_000 {
        0 => "less than a minute".to_owned(),
        minutes => human::duration(minutes * 60_000),
    }
}

fn write_active(
    out: &mut impl Write,
    report: &UsageReport<'_>,
    blocks: &BlockReport,
    active: &Block,
    limit: Option<u64>,
) -> io::Result<()> {
    let elapsed = blocks.now.saturating_sub(active.start);
    let remaining = active.end.saturating_sub(blocks.now);
    writeln!(out, "\n{LIVE}open now{LIVE:#}  {} in, {} left", minutes(elapsed), minutes(remaining))?;
    let amount = |amount: Money, after: &str| {
        if report.with_cost { format!(", {}{after}", report.locale.money(amount.dollars())) } else { String::new() }
    };
    if let Some(burn) = active.burn() {
        let tokens = rounded(burn.tokens_per_minute);
        writeln!(out, "burning   {tokens} tokens a minute{}", amount(burn.cost_per_hour, " an hour"))?;
    }
    if let Some(projection) = active.projection(blocks.now) {
        let of_limit = limit.map(|limit| format!(" ({} of the limit)", percent(projection.tokens, limit)));
        let tokens = thousands(projection.tokens) + " tokens" + &of_limit.unwrap_or_default();
        let end = report.locale.time_of_day(Some(active.end));
        writeln!(out, "by {end}  {tokens}{} at this rate", amount(projection.cost, ""))?;
    }
    if let Some(limit) = limit {
        let left = limit.saturating_sub(active.totals.tokens.total());
        writeln!(out, "limit     {} of {} tokens left", thousands(left), thousands(limit))?;
    }
    if let Some(resets) = active.limit_resets.filter(|resets| Timestamp::from_millisecond(*resets).is_ok()) {
        let resets = report.locale.date_and_time(Some(resets));
        writeln!(out, "reached   a limit, which resets at {resets}")?;
    }
    Ok(())
}

/// Returns the usage outside all blocks, if there is any.
pub(super) fn outside(report: &UsageReport<'_>, blocks: &BlockReport) -> Option<String> {
    let outside = &blocks.blocks.outside;
    let tokens = outside.tokens.total();
    (tokens > 0).then(|| {
        let amount =
            if report.with_cost { format!(", {}", report.locale.money(outside.cost.dollars())) } else { String::new() };
        format!("{}{amount} are in no block: their time is unknown.", plural(tokens, "token", "tokens"))
    })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
fn rounded(number: f64) -> String {
    thousands(number.round() as u64)
}
