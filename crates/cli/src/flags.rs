//! Flags that have the same meaning in every verb, each declared once.
//!
//! Verbs include the groups with `#[command(flatten)]`; [`EveryVerb`] belongs to all verbs.

use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anstream::adapter::StripBytes;
use anstream::{AutoStream, ColorChoice};
use app::config::{Rate, Sign, Zone};
use app::filter::Named;
use app::{App, End, Flags, Keeping, ProjectFilter, SessionFilter};
use clap::builder::{OsStringValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use output::NewFile;
use sources::path_text;

use crate::failure::CommandError;

// Flags of every verb. (A doc comment would become part of the help.)
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct EveryVerb {
    /// Also read this config root (may be repeated)
    #[arg(long = "root", value_name = "DIR", global = true, help_heading = EVERYWHERE)]
    roots: Vec<PathBuf>,
    /// When to use colors: auto, always or never
    #[arg(long, value_enum, value_name = "WHEN", global = true, default_value = "auto", hide_default_value = true,
        hide_possible_values = true, help_heading = EVERYWHERE)]
    color: Colors,
    /// Suppress progress and notices; print only results and errors
    #[arg(short, long, global = true, help_heading = EVERYWHERE)]
    quiet: bool,
    /// Time zone for times and day boundaries, such as Europe/Riga [default: from the settings, else the system's]
    #[arg(short = 'z', long, value_name = "ZONE", alias = "tz", global = true, help_heading = EVERYWHERE)]
    timezone: Option<Zone>,
    /// Currency sign for costs [default: from the settings, else $]
    #[arg(long, value_name = "SIGN", global = true, help_heading = EVERYWHERE)]
    currency: Option<Sign>,
    /// Exchange rate for costs: the value of one dollar [default: from the settings, else 1]
    #[arg(long, value_name = "RATE", global = true, help_heading = EVERYWHERE)]
    currency_rate: Option<Rate>,
}

const EVERYWHERE: &str = "Options of every command";

/// When to use colors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Colors {
    #[default]
    Auto,
    Always,
    Never,
}

impl EveryVerb {
    /// Returns the flags that the app is built from.
    pub(crate) fn flags(&self) -> Flags {
        Flags {
            roots: self.roots.clone(),
            timezone: self.timezone.clone(),
            currency: self.currency.clone(),
            currency_rate: self.currency_rate,
            is_quiet: self.quiet,
        }
    }

    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Applies `--color` to all output of the process.
    pub(crate) fn apply_colors(&self) {
        match self.color {
            Colors::Auto => {}
            Colors::Always => ColorChoice::Always.write_global(),
            Colors::Never => ColorChoice::Never.write_global(),
        }
    }
}

/// Returns whether standard output has colors.
pub(crate) fn has_colors() -> bool {
    AutoStream::choice(&io::stdout()) != ColorChoice::Never
}

/// Returns whether output for a screen or a color-capable program is colored: yes, unless `--color` or `NO_COLOR`
/// disables it.
pub(crate) fn wants_colors(app: &App) -> bool {
    match ColorChoice::global() {
        ColorChoice::Always | ColorChoice::AlwaysAnsi => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => app.environment().variable("NO_COLOR").is_none(),
    }
}

// Session filters.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct SessionFlags {
    /// Only this project: a folder such as `.`, or part of its path
    #[arg(short, long, value_name = "PROJECT")]
    pub(crate) project: Option<String>,
    /// Only from TIME on: today, yesterday, monday, last week, 7d, 2h, 2026-08-08, 09:15 or 2026-08-08T09:15:00Z
    #[arg(short, long, value_name = "TIME")]
    pub(crate) since: Option<String>,
    /// Only up to TIME; a day or a week is included to its end
    #[arg(short, long, value_name = "TIME")]
    pub(crate) until: Option<String>,
}

impl SessionFlags {
    /// Returns the filter that the flags describe.
    pub(crate) fn filter(&self, app: &App) -> Result<SessionFilter, CommandError> {
        let (since, until) = self.period(app)?;
        Ok(SessionFilter { since, until, ..self.project_only(app) })
    }

    /// Returns a filter for the project only, for verbs whose period applies to the contents of one session.
    pub(crate) fn project_only(&self, app: &App) -> SessionFilter {
        let project = self.project.as_deref().map(|text| ProjectFilter::of(text, app.here()));
        SessionFilter { project, ..SessionFilter::default() }
    }

    /// Returns the start and end of the period, in milliseconds since 1970.
    pub(crate) fn period(&self, app: &App) -> Result<(Option<i64>, Option<i64>), CommandError> {
        // Avoids reading the settings when they are not needed.
        if self.since.is_none() && self.until.is_none() {
            return Ok((None, None));
        }
        let moments = app.moments()?;
        let since = moments.read_flag("--since", self.since.as_deref(), End::Start)?;
        Ok((since, moments.read_flag("--until", self.until.as_deref(), End::End)?))
    }
}

// Tool filter.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct ToolFlag {
    /// Only calls of these tools and their results (may be repeated)
    #[arg(long = "tool", alias = "tools", value_delimiter = ',', value_name = "NAME,…")]
    pub(crate) tools: Vec<String>,
}

// Row limit.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct LimitFlag {
    /// Print at most N rows; 0 for all
    #[arg(short = 'n', long, value_name = "N", value_parser = rows)]
    pub(crate) limit: Option<usize>,
}

impl LimitFlag {
    /// Returns the number of rows; `None` for all.
    pub(crate) fn or(self, usual: Option<usize>) -> Option<NonZeroUsize> {
        self.limit.map_or(usual.and_then(NonZeroUsize::new), NonZeroUsize::new)
    }
}

/// Parses a number of rows. `--limit` used to be the token limit of a block, so the error names the new flag.
fn rows(text: &str) -> Result<usize, String> {
    let expected = "expected a number of rows; the tokens of a five-hour block are --block-limit";
    text.parse().map_err(|_| expected.to_owned())
}

// JSON instead of text.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct JsonFlag {
    #[arg(short, long, help = JSON)]
    pub(crate) json: bool,
}

/// Help text of `--json`, shared with verbs whose `--json` takes a value and is declared separately.
pub(crate) const JSON: &str = "Print JSON for programs; docs/ describes its fields";

// Number of reader threads.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct ThreadsFlag {
    /// Use N threads [default: one per core]
    #[arg(long, value_name = "N", alias = "jobs")]
    pub(crate) threads: Option<NonZeroUsize>,
}

// Bypasses the index.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct IndexFlag {
    /// Read all sessions instead of using the index
    #[arg(long)]
    pub(crate) no_index: bool,
}

impl IndexFlag {
    pub(crate) fn keeping(self) -> Keeping {
        if self.no_index { Keeping::Fresh } else { Keeping::Kept }
    }
}

// Output file.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct OutputFlag {
    /// Write to PATH instead of standard output
    #[arg(short, long, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
}

/// The writer for a verb's output. A file is in its place when it is [finished](Out::finish).
pub(crate) enum Out {
    /// Standard output.
    Standard(BufWriter<Box<dyn Write>>),
    /// A file, as it is.
    File(NewFile),
    /// A file, without colors.
    Plain(StripBytes, NewFile),
}

impl Out {
    /// Ends the output: a file that was complete only now is put in its place.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            Self::Standard(mut out) => out.flush(),
            Self::File(file) | Self::Plain(_, file) => file.finish(),
        }
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Standard(out) => out.write(bytes),
            Self::File(file) => file.write(bytes),
            Self::Plain(colors, file) => {
                colors.strip_next(bytes).try_for_each(|text| file.write_all(text))?;
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Standard(out) => out.flush(),
            Self::File(file) | Self::Plain(_, file) => file.flush(),
        }
    }
}

impl OutputFlag {
    /// Opens the file, or standard output. Colors are stripped from a file.
    pub(crate) fn open(&self) -> io::Result<Out> {
        match &self.output {
            Some(path) => Ok(Out::Plain(StripBytes::new(), NewFile::create(path)?)),
            None => Ok(Out::Standard(BufWriter::new(Box::new(anstream::stdout().lock())))),
        }
    }

    /// Opens the file, or standard output, without changing what is written.
    pub(crate) fn open_raw(&self) -> io::Result<Out> {
        self.open_with(NewFile::create)
    }

    /// The same for output that others follow while it grows, so it is written where it is.
    pub(crate) fn open_growing(&self) -> io::Result<Out> {
        self.open_with(NewFile::create_in_place)
    }

    fn open_with(&self, create: impl FnOnce(&Path) -> io::Result<NewFile>) -> io::Result<Out> {
        match &self.output {
            Some(path) => Ok(Out::File(create(path)?)),
            None => Ok(Out::Standard(BufWriter::new(Box::new(io::stdout().lock())))),
        }
    }

    /// Returns whether output goes to a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.output.is_none() && io::stdout().is_terminal()
    }

    /// Returns whether output has colors.
    pub(crate) fn has_colors(&self) -> bool {
        self.output.is_none() && has_colors()
    }
}

/// Parses the name of a session: text, or the path of a file, which may be no Unicode.
pub(crate) fn session_word() -> impl TypedValueParser<Value = String> {
    OsStringValueParser::new().map(|typed| path_text::encode(Path::new(&typed)).into_owned())
}

/// Parses a value by its name.
pub(crate) fn named<T: Clone + Send + Sync + 'static>(all: &'static [Named<T>]) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.iter().map(possible)).try_map(move |typed| {
        let is_it = |(_, name, others, _): &&Named<T>| *name == typed || others.contains(&typed.as_str());
        all.iter().find(is_it).map(|(value, ..)| value.clone()).ok_or("no such name")
    })
}

/// Describes a named value for help and completion.
pub(crate) fn possible<T>((_, name, others, help): &Named<T>) -> PossibleValue {
    PossibleValue::new(*name).aliases(others.iter().copied()).help(*help)
}

/// Renamed flags whose old names still work: verb, old name, new name.
const RENAMED: [(&str, &str, &str); 8] = [
    ("usage", "--top", "--limit"),
    ("usage", "--token-limit", "--block-limit"),
    ("usage", "--session-length", "--length"),
    ("export", "--jobs", "--threads"),
    ("show", "--tools", "--tool"),
    ("tail", "--steps", "--limit"),
    ("archive", "--all", "--versions"),
    ("demo", "--once", "--one-round"),
];

/// Returns the renamed flags among the arguments, each with its new name.
pub(crate) fn renamed(verb: &str, arguments: &[std::ffi::OsString]) -> Vec<(&'static str, &'static str)> {
    let is_typed = |old: &str| {
        let typed = arguments.iter().filter_map(|argument| argument.to_str()).take_while(|argument| *argument != "--");
        typed
            .into_iter()
            .any(|typed| typed.strip_prefix(old).is_some_and(|rest| rest.is_empty() || rest.starts_with('=')))
    };
    let of_verb = RENAMED.iter().filter(|(of, ..)| *of == verb);
    of_verb.filter(|(_, old, _)| is_typed(old)).map(|(_, old, new)| (*old, *new)).collect()
}
