//! `recount cat`: prints the raw lines of a session.

use std::io::{self, Read, Write};
use std::process::ExitCode;

use app::App;
use format::Scratch;
use jiff::Timestamp;
use site::share;
use sources::Buffer;
use sources::Input;
use sources::Lines;
use sources::Source;

use crate::failure::{self, CommandError};
use crate::flags::{self, OutputFlag, SessionFlags, ToolFlag};
use crate::pretty;
use crate::range::Range;
use crate::redaction::{DecisionFlags, print_report};
use crate::select::{LineFilter, Role, Selection, TypeName};
use crate::terminal::plural;

/// Print the raw lines of a session, byte for byte
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Cat {
    /// Session id or prefix, file, `-` for standard input, `last`, or `last~1` for the one before
    #[arg(value_name = "SESSION", value_parser = flags::session_word())]
    session: String,
    /// Only entries of this type: `user`, `system/turn_duration`, `attachment/hook_success` (may be repeated)
    #[arg(long = "type", value_name = "TYPE")]
    types: Vec<String>,
    #[command(flatten)]
    tools: ToolFlag,
    /// Only entries with this role
    #[arg(long, value_enum)]
    role: Option<Role>,
    #[command(flatten)]
    sessions: SessionFlags,
    /// Only the entry with this id or id prefix (may be repeated)
    #[arg(long = "uuid", value_name = "UUID")]
    uuids: Vec<String>,
    /// Only these lines: 5..10, 5.., ..10, or 5
    #[arg(long, value_name = "A..B")]
    lines: Option<Range>,
    /// Indent the JSON, with colors on a terminal
    #[arg(long)]
    pretty: bool,
    /// Replace secrets and private things, as `recount share` does
    #[arg(long)]
    redact: bool,
    #[command(flatten)]
    decisions: DecisionFlags,
    #[command(flatten)]
    output: OutputFlag,
}

const EXAMPLES: &str = "\
Without filters the output equals the file. With --redact, all of the session is searched first, and
a report of what was replaced goes to standard error (docs/share.md). A line must match all kinds of filters given, and at
least one value of each kind. If a name matches several sessions, use --project to choose one.
Exit codes: 0 printed; 1 no line matches, or something needs a decision; 2 wrong usage, or the session cannot be read.

Examples:
  recount cat last > copy.jsonl
  recount cat last~1 --type user --type assistant --since 2h
  recount cat 4c1e0f7a --tool Edit --pretty
  recount cat run.jsonl --lines 17";

impl Cat {
    pub(crate) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        self.decisions.need(self.redact)?;
        let source = app.find_session(&self.session, &self.sessions.project_only(app))?;
        if !self.redact {
            return self.print(app, &source, source.open()?);
        }
        let keep = self.decisions.keep();
        let shared = self.decisions.ask(app, |decide| share(app, &source, &keep, decide, &|_| {}))?;
        let printed = self.print(app, &source, shared.lines()?)?;
        if app.is_quiet() {
            shared.problems.iter().for_each(failure::report_problem);
        } else {
            print_report(&mut anstream::stderr(), &shared.report, &shared.problems)?;
        }
        Ok(printed)
    }

    fn print(&self, app: &App, source: &Source, reader: impl Read) -> Result<ExitCode, CommandError> {
        let mut selection = self.selection(app)?;
        if selection.is_everything() && !self.pretty {
            let mut out = self.output.open_raw()?;
            copy(source, reader, &mut out)?;
            out.finish()?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut out = if self.pretty { self.output.open()? } else { self.output.open_raw()? };
        let write = if self.pretty { pretty::write } else { Write::write_all };
        let counts = print(source, reader, &mut selection, &mut out, write)?;
        out.finish()?;
        counts.conclude(app, &self.session, &selection)
    }

    fn selection(&self, app: &App) -> Result<Selection, CommandError> {
        let (since, until) = self.sessions.period(app)?;
        let moment = |at: Option<i64>| at.and_then(|at| Timestamp::from_millisecond(at).ok());
        Ok(Selection::new(LineFilter {
            types: self.types.iter().map(|text| TypeName::from(text.as_str())).collect(),
            tools: self.tools.tools.clone(),
            role: self.role,
            since: moment(since),
            until: moment(until),
            uuids: self.uuids.clone(),
            lines: self.lines.clone(),
        }))
    }
}

/// Copies all bytes unchanged.
fn copy(source: &Source, mut reader: impl Read, out: &mut impl Write) -> Result<(), CommandError> {
    let mut buffer = vec![0; 256 << 10];
    loop {
        let length = match reader.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(source.unreadable(error).into()),
        };
        out.write_all(buffer.get(..length).unwrap_or_default())?;
        out.flush()?;
    }
}

/// Counts of one pass.
#[derive(Debug, Default)]
struct Counts {
    printed: u64,
    /// Malformed lines, which the filters cannot examine.
    malformed: u64,
}

/// Prints the selected lines.
fn print<W: Write>(
    source: &Source,
    reader: impl Read,
    selection: &mut Selection,
    out: &mut W,
    write: impl Fn(&mut W, &[u8]) -> io::Result<()>,
) -> Result<Counts, CommandError> {
    let needs_reading = selection.needs_reading();
    // Lines piped from a running session are printed at once.
    let is_live = source.input == Input::Stdin;
    let mut counts = Counts::default();
    let (mut buffer, mut scratch) = (Buffer::default(), Scratch::default());
    let mut lines = Lines::new(reader, &mut buffer);
    while let Some(line) = lines.next_line().map_err(|error| source.unreadable(error))? {
        if selection.is_behind(&line) {
            break;
        }
        let has_number = selection.has_number(&line);
        let selected = if needs_reading {
            scratch.reset();
            let reading = format::read(line.bytes, &scratch);
            counts.malformed += u64::from(has_number && reading.malformed.is_some());
            // Evaluated for every line, since results follow their calls.
            selection.selects(&reading) && has_number
        } else {
            has_number
        };
        if selected {
            counts.printed += 1;
            write(out, line.bytes)?;
            if is_live {
                out.flush()?;
            }
        }
    }
    out.flush()?;
    Ok(counts)
}

impl Counts {
    fn conclude(&self, app: &App, session: &str, selection: &Selection) -> Result<ExitCode, CommandError> {
        if self.malformed > 0 {
            let lines = plural(self.malformed, "malformed line", "malformed lines");
            let hint = "`recount check` says which; --lines prints them".to_owned();
            app.warn(&format!("skipped {lines}: {session}"), &[hint]);
        }
        if self.printed > 0 || selection.is_everything() {
            return Ok(ExitCode::SUCCESS);
        }
        let hint = "`recount check` lists the types and tools of a file";
        Err(CommandError::nothing(format!("no line matches: {session}")).hint(hint))
    }
}
