//! `recount cat`: the raw lines of a session.

use std::io::{self, BufWriter, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use format::Scratch;
use jiff::Zoned;
use reader::find_session;
use sources::Buffer;
use sources::Environment;
use sources::Input;
use sources::Lines;
use sources::Source;
use sources::roots;

use crate::failure::{self, FOUND_FAULT};
use crate::moment::{self, End};
use crate::pretty;
use crate::range::Range;
use crate::select::{Role, Selection, TypeName, Wanted};
use crate::terminal::plural;

/// Print the raw lines of a session, byte for byte; filters choose among them
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Cat {
    /// An id or the beginning of one, a file, `-` for standard input, `last`, or `last~1` for the one before
    #[arg(value_name = "SESSION")]
    session: String,
    /// Only entries of this type: `user`, `system/turn_duration`, `attachment/hook_success` (may be repeated)
    #[arg(long = "type", value_name = "TYPE")]
    types: Vec<String>,
    /// Only calls of this tool, by any of its names, and their results (may be repeated)
    #[arg(long = "tool", value_name = "NAME")]
    tools: Vec<String>,
    /// Only what is said in this role
    #[arg(long, value_enum)]
    role: Option<Role>,
    /// Only from this time on: 2026-08-08T09:15:00Z, 2026-08-08, or 2h, 3d ago
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Only up to this time; a date includes the whole day
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// Only the entry with this id, or one that begins so (may be repeated)
    #[arg(long = "uuid", value_name = "UUID")]
    uuids: Vec<String>,
    /// Only these lines: 5..10, 5.., ..10, or 5
    #[arg(long, value_name = "A..B")]
    lines: Option<Range>,
    /// Indent the JSON, in colour on a terminal
    #[arg(long)]
    pretty: bool,
    /// Look for the session in this config root too (may be repeated)
    #[arg(long = "root", value_name = "DIR")]
    roots: Vec<PathBuf>,
}

const EXAMPLES: &str = "\
Without filters the output equals the file. Filters of different kinds must all hold; of those of
the same kind, one. Exit codes: 0 printed; 1 no line fits; 2 wrong usage, or the session cannot be
read.

Examples:
  recount cat last > copy.jsonl
  recount cat last~1 --type user --type assistant --since 2h
  recount cat 4c1e0f7a --tool Edit --pretty
  recount cat run.jsonl --lines 17";

impl Cat {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let mut selection = self.selection()?;
        let source = find_session(&self.session, &roots(&Environment::of_process(), &self.roots))?;
        let reader = source.open()?;
        if selection.is_everything() && !self.pretty {
            copy(&source, reader, &mut io::stdout().lock())?;
            return Ok(ExitCode::SUCCESS);
        }
        let counts = if self.pretty {
            let mut out = BufWriter::new(anstream::stdout().lock());
            print(&source, reader, &mut selection, &mut out, pretty::write)?
        } else {
            let mut out = BufWriter::new(io::stdout().lock());
            print(&source, reader, &mut selection, &mut out, Write::write_all)?
        };
        Ok(counts.conclude(&self.session, &selection))
    }

    fn selection(&self) -> anyhow::Result<Selection> {
        let now = Zoned::now();
        Ok(Selection::new(Wanted {
            types: self.types.iter().map(|text| TypeName::from(text.as_str())).collect(),
            tools: self.tools.clone(),
            role: self.role,
            since: moment::read_option(self.since.as_deref(), "--since", End::Start, &now)?,
            until: moment::read_option(self.until.as_deref(), "--until", End::End, &now)?,
            uuids: self.uuids.clone(),
            lines: self.lines.clone(),
        }))
    }
}

/// Hands on all bytes as they come.
fn copy(source: &Source, mut reader: impl Read, out: &mut impl Write) -> anyhow::Result<()> {
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

/// What was met on the way.
#[derive(Debug, Default)]
struct Counts {
    printed: u64,
    /// Lines that no condition could be tried on.
    malformed: u64,
}

/// Prints the lines that are selected.
fn print<W: Write>(
    source: &Source,
    reader: impl Read,
    selection: &mut Selection,
    out: &mut W,
    write: impl Fn(&mut W, &[u8]) -> io::Result<()>,
) -> anyhow::Result<Counts> {
    let needs_reading = selection.needs_reading();
    // Whoever pipes a running session through wants to see each line at once.
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
            // Also for lines that are not asked for: results follow their calls.
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
    fn conclude(&self, session: &str, selection: &Selection) -> ExitCode {
        if self.malformed > 0 {
            let lines = plural(self.malformed, "malformed line", "malformed lines");
            let hint = "`recount check` says which; --lines prints them";
            failure::say(&format!("passed over {lines}: {session}"), Some(hint));
        }
        if self.printed > 0 || selection.is_everything() {
            return ExitCode::SUCCESS;
        }
        failure::say(&format!("no line fits: {session}"), Some("`recount check` lists the types and tools of a file"));
        ExitCode::from(FOUND_FAULT)
    }
}
