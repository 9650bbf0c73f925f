//! Text output of the report: only what exists, largest first.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use format::tool::{MCP_PREFIX, split_mcp};
use reader::census::{Kinds, MalformedLine, Merge as _, Seen, SourceLine, Tally, ToolCount};
use sources::SourceKind;
use styled::{Line, Role, wrap};

use super::Report;
use super::table::{Align, Table};
use crate::terminal::{Paths, clean, plural, thousands};

const HEADING: Style = Style::new().bold();
const NOTE: Style = AnsiColor::Yellow.on_default().bold();
const FAULT: Style = AnsiColor::Red.on_default().bold();
const FINE: Style = AnsiColor::Green.on_default();

/// Number of unknowns of a kind shown; `--json` lists all.
const SHOWN: usize = 40;

/// Writes the report.
pub(crate) fn write(out: &mut impl Write, report: &Report<'_>, paths: &Paths) -> io::Result<()> {
    let census = report.census;
    write_summary(out, report)?;
    write_kinds(out, "Entries", census.entry_count(), &census.entries)?;
    write_kinds(out, "Blocks", census.block_count(), &census.blocks)?;
    write_tools(out, report)?;
    write_oddities(out, report, paths)?;
    write_unknowns(out, report, paths)?;
    write_prices(out, report)?;
    write_malformed(out, report, paths)?;
    write_verdict(out, report)
}

fn heading(out: &mut impl Write, style: Style, text: &str) -> io::Result<()> {
    writeln!(out, "\n{style}{text}{style:#}")
}

fn write_summary(out: &mut impl Write, report: &Report<'_>) -> io::Result<()> {
    let census = report.census;
    let kind = |kind: &SourceKind, count: u64| match kind {
        SourceKind::Transcript | SourceKind::Partial => plural(count, "session", "sessions"),
        SourceKind::Subagent => plural(count, "subagent", "subagents"),
        SourceKind::Journal => plural(count, "workflow journal", "workflow journals"),
        SourceKind::History => "the prompt history".to_owned(),
        SourceKind::Capture => plural(count, "capture of a session", "captures of sessions"),
        SourceKind::Prompts => format!("the prompts of {}", plural(count, "session", "sessions")),
    };
    let sources: Vec<_> = census.sources.iter().map(|(name, count)| kind(name, *count)).collect();
    let lines = plural(census.lines, "line", "lines");
    writeln!(out, "{HEADING}{}{HEADING:#} · {lines} · {}", sources.join(", "), human::bytes(census.bytes))?;
    match report.census.versions_in_order().as_slice() {
        [] => Ok(()),
        [(version, _)] => writeln!(out, "written by Claude Code {}", clean(version)),
        [(first, _), .., (last, _)] => {
            let count = census.versions.len();
            writeln!(out, "written by Claude Code {} to {} ({count} versions)", clean(first), clean(last))
        }
    }
}

/// Returns a name for display; some things have none.
fn name_of(name: &str) -> String {
    if name.is_empty() { "(no name)".to_owned() } else { clean(name).into_owned() }
}

fn write_kinds(out: &mut impl Write, title: &str, total: u64, tally: &Tally<Kinds>) -> io::Result<()> {
    if tally.is_empty() {
        return Ok(());
    }
    heading(out, HEADING, &format!("{title} {}", thousands(total)))?;
    let mut table = Table::new([Align::Left, Align::Right]);
    for (name, kinds) in tally.by_size(|kinds| kinds.count) {
        table.row([name_of(name), thousands(kinds.count)]);
        for (name, count) in kinds.below.by_size(|count| *count) {
            table.row([format!("  {}", name_of(name)), thousands(*count)]);
        }
    }
    table.write(out)
}

fn write_tools(out: &mut impl Write, report: &Report<'_>) -> io::Result<()> {
    let census = report.census;
    let total = census.tool_total();
    if total == ToolCount::default() {
        return Ok(());
    }
    heading(out, HEADING, &format!("Tools {}", thousands(census.tools.len() as u64)))?;
    let mut table = Table::new([Align::Left, Align::Right, Align::Right, Align::Right, Align::Right]);
    table.row(["", "calls", "results", "typed", "failed"].map(str::to_owned));
    let mut row = |name: String, count: ToolCount| {
        let ToolCount { calls, results, typed, failed } = count;
        let [calls, results, typed, failed] =
            [calls, results, typed, failed].map(|number| if number == 0 { "·".to_owned() } else { thousands(number) });
        table.row([name, calls, results, typed, failed]);
    };
    for (name, count) in by_server(&census.tools) {
        row(name, count);
    }
    if census.without_call.results > 0 {
        row("(call not in the file)".to_owned(), census.without_call);
    }
    row("all".to_owned(), total);
    table.write(out)
}

/// Returns the tools, most used first, with those of an MCP server as one.
fn by_server(tools: &Tally<ToolCount>) -> Vec<(String, ToolCount)> {
    let mut servers: BTreeMap<&str, (u64, ToolCount)> = BTreeMap::new();
    let mut rows = Vec::new();
    for (name, count) in tools.by_name() {
        match split_mcp(name) {
            Some((server, _)) => {
                let (tools, sum) = servers.entry(server).or_default();
                *tools += 1;
                sum.absorb(*count);
            }
            None => rows.push((name_of(name), *count)),
        }
    }
    let of_server = |(server, (tools, sum)): (&str, (u64, ToolCount))| {
        (format!("{MCP_PREFIX}{} ({})", clean(server), plural(tools, "tool", "tools")), sum)
    };
    rows.extend(servers.into_iter().map(of_server));
    rows.sort_by_key(|(_, count)| Reverse(count.calls));
    rows
}

/// Writes oddities that were read nevertheless.
fn write_oddities(out: &mut impl Write, report: &Report<'_>, paths: &Paths) -> io::Result<()> {
    let census = report.census;
    let facts = [
        (census.blank_lines, "line is blank", "lines are blank"),
        (census.spread_objects, "object is spread over several lines", "objects are spread over several lines"),
        (census.wrapped.several, "line contains several objects", "lines contain several objects"),
        (census.wrapped.arrays, "line is a JSON array, or part of one", "lines are JSON arrays, or parts of one"),
        (census.wrapped.loglines, "line is a list of log lines", "lines are lists of log lines"),
        (census.repaired.invalid_utf8, "line is not UTF-8 throughout", "lines are not UTF-8 throughout"),
        (census.repaired.debris, "line has control characters at an end", "lines have control characters at an end"),
        (census.empty_sources, "file is empty", "files are empty"),
    ];
    let mut table = Table::new([Align::Right, Align::Left]);
    let mut any = false;
    for (count, one, many) in facts.into_iter().filter(|(count, ..)| *count > 0) {
        any = true;
        table.row([thousands(count), if count == 1 { one } else { many }.to_owned()]);
    }
    for (agent, foreign) in &census.foreign {
        any = true;
        let place = place(report, foreign.entries.first, paths);
        let files = match foreign.sources {
            0 => "no file of its own".to_owned(),
            files => plural(files, "file", "files"),
        };
        table.row([thousands(foreign.entries.count), format!("entries of {agent} ({files}), first in {place}")]);
    }
    let prompts = census.prompts_without_session;
    if prompts.count > 0 {
        any = true;
        let place = place(report, prompts.first, paths);
        let what =
            if prompts.count == 1 { "prompt does not name its session" } else { "prompts do not name their session" };
        table.row([thousands(prompts.count), format!("{what}, first in {place}; recount cat shows that file")]);
    }
    if any {
        heading(out, HEADING, "Unusual")?;
    }
    table.write(out)
}

fn write_unknowns(out: &mut impl Write, report: &Report<'_>, paths: &Paths) -> io::Result<()> {
    let census = report.census;
    if !census.has_unknowns() {
        return Ok(());
    }
    heading(out, NOTE, "Not understood")?;
    let mut table = Table::new([Align::Left, Align::Left, Align::Right, Align::Left]);
    let mut row = |what: &str, name: String, seen: &Seen| {
        let place = place(report, seen.first, paths);
        table.row([what.to_owned(), name, thousands(seen.count), format!("first in {place}")]);
    };
    let mut left_out = 0;
    if census.other_sources.count > 0 {
        row("files", "not transcripts".to_owned(), &census.other_sources);
    }
    for (of, tally) in &census.unknown_kinds {
        let all = tally.by_size(|seen| seen.count);
        left_out += all.len().saturating_sub(SHOWN);
        all.into_iter().take(SHOWN).for_each(|(name, seen)| row(of, name_of(name), seen));
    }
    let mut fields = Vec::new();
    for (record, tally) in &census.unknown_fields {
        fields.extend(tally.by_name().into_iter().map(|(field, seen)| (format!("{record}.{}", clean(field)), seen)));
    }
    fields.sort_by_key(|(_, seen)| Reverse(seen.count));
    left_out += fields.len().saturating_sub(SHOWN);
    fields.into_iter().take(SHOWN).for_each(|(name, seen)| row("field", name, seen));
    for (value, seen) in &census.odd_values {
        let place = [value.record, value.field].join(".");
        row("value", format!("{} is not {}", place.trim_end_matches('.'), value.expected), seen);
    }
    table.write(out)?;
    if left_out > 0 {
        writeln!(out, "  and {} more (--json lists all)", thousands(left_out as u64))?;
    }
    match census.novelty() {
        Some(novelty) => write_paragraph(out, &novelty.to_string()),
        None => Ok(()),
    }
}

/// Says that the price list is older than a model.
fn write_prices(out: &mut impl Write, report: &Report<'_>) -> io::Result<()> {
    let Some(outdated) = report.outdated else { return Ok(()) };
    heading(out, NOTE, "Prices")?;
    write_paragraph(out, &outdated.to_string())
}

/// Columns of a paragraph.
const PARAGRAPH: usize = 100;

fn write_paragraph(out: &mut impl Write, text: &str) -> io::Result<()> {
    let text = Line::new().with(text, Role::Quiet);
    let indent = Line::new().with("  ", styled::Style::PLAIN);
    wrap(&text, PARAGRAPH, &indent, &indent).iter().try_for_each(|line| writeln!(out, "{}", line.text().trim_end()))
}

fn write_malformed(out: &mut impl Write, report: &Report<'_>, paths: &Paths) -> io::Result<()> {
    let malformed = &report.census.malformed;
    if malformed.count == 0 {
        return Ok(());
    }
    heading(out, FAULT, &format!("Malformed {}", thousands(malformed.count)))?;
    for line in &malformed.first {
        let MalformedLine { place: at, byte, reason, unfinished } = line;
        let place = place(report, Some(*at), paths);
        let unfinished = if *unfinished { ", perhaps still being written" } else { "" };
        writeln!(out, "{place}: {} (byte {byte}{unfinished})", clean(reason))?;
    }
    let more = malformed.count - malformed.first.len() as u64;
    if more > 0 {
        writeln!(out, "and {} more", thousands(more))?;
    }
    Ok(())
}

fn write_verdict(out: &mut impl Write, report: &Report<'_>) -> io::Result<()> {
    let census = report.census;
    let unknowns = census.has_unknowns();
    let (style, verdict) = match (census.malformed.count, unknowns) {
        (0, false) if report.problems.is_empty() => (FINE, "Everything is read and understood.".to_owned()),
        (0, false) => (HEADING, "Everything was understood.".to_owned()),
        (0, true) => (NOTE, "Everything is read; some of it is not understood.".to_owned()),
        (count, _) => {
            let lines = plural(count, "line is", "lines are");
            let rest = if unknowns { "some of the rest is not understood" } else { "the rest is read and understood" };
            (FAULT, format!("{lines} malformed; {rest}."))
        }
    };
    writeln!(out, "\n{style}{verdict}{style:#}")
}

/// Formats a place as `file:line`.
fn place(report: &Report<'_>, place: Option<SourceLine>, paths: &Paths) -> String {
    let Some(place) = place else { return "?".to_owned() };
    let input = report.input(place).map_or_else(|| "?".to_owned(), |input| paths.show(input));
    format!("{input}:{}", place.line)
}
