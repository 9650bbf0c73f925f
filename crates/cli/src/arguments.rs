//! The command line as a whole.

use std::ffi::OsString;

use clap::{Parser, Subcommand};

use crate::ccusage_words;
use crate::flags::EveryVerb;

use crate::cmd::{
    archive::Archive, capture::Capture, cat::Cat, check::Check, demo::Demo, diff::Diff, export::Export, file::File,
    hooks::Hooks, import::Import, ls::Ls, projects::Projects, replay::Replay, resume::Resume, search::Search,
    serve::Serve, show::Show, statusline::Statusline, tail::Tail, usage::Usage, watch::Watch,
};

/// Reads Claude Code's sessions.
#[derive(Debug, Parser)]
#[command(name = "recount", version, disable_help_subcommand = true, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) verb: Option<Verb>,
    #[command(flatten)]
    pub(crate) every: EveryVerb,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Ls(Ls),
    Projects(Projects),
    Show(Show),
    Diff(Diff),
    Search(Search),
    Watch(Watch),
    Serve(Serve),
    Tail(Tail),
    File(File),
    Check(Check),
    Cat(Cat),
    Export(Export),
    Usage(Usage),
    Archive(Archive),
    Capture(Capture),
    Replay(Replay),
    Resume(Resume),
    Import(Import),
    Demo(Demo),
    Statusline(Statusline),
    Hooks(Hooks),
}

const EXAMPLES: &str = "\
Examples:
  recount                                browse all sessions: those of this project first
  recount ls --project .                 the sessions of this project, the latest first
  recount show last                      the newest session, told again
  recount diff last                      what it changed in files, as one patch per file
  recount search retry policy            everything that was ever said, done or seen about it
  recount serve --open                   the board and all sessions in a browser, live
  recount tail last -f                   the newest session, step by step as it goes on
  recount file src/main.rs               every session that read or changed it
  recount export html ~/sessions         all sessions as a site; again, only what changed
  recount usage                          what each day cost; also weekly, model, tool…
  recount archive                        keep all sessions before they are deleted
  recount capture -- claude -p …         run it, pass on what it says, and keep all of it
  recount replay last --speed 10         the newest session, as it happened
  recount check                          all sessions: what is there, what is damaged or unknown
  recount check run.jsonl notes/         a file, and all transcripts below a folder
  recount demo                           a sample session, for those who have none yet
  recount cat last                       the raw lines of the newest session
  recount cat 4c1e --tool Bash --pretty  the Bash calls of one session and their results

Sessions are looked for in $CLAUDE_CONFIG_DIR, else in ~/.claude,
~/.config/claude and the data of the Desktop app; in the archive, and in what was captured.
`recount <command> --help` says more.";

/// Stands before a word of a query that begins with a minus, while arguments are read. It is typed by no one.
const MINUS: &str = "\u{e000}-";

/// Options of every verb that take a value.
const WITH_VALUE: [&str; 7] = ["--root", "--color", "--timezone", "--tz", "-z", "--currency", "--currency-rate"];

/// The arguments as they are read: the words of ccusage in ours, and words of a query that look like options (`-test`)
/// told apart from these.
pub(crate) fn prepared(arguments: Vec<OsString>) -> Vec<OsString> {
    let arguments = match place_of_verb(&arguments) {
        Some(at) => ccusage_words::translated(arguments, at),
        None => arguments,
    };
    let Some(at) = place_of_verb(&arguments).filter(|at| arguments.get(*at).is_some_and(|verb| verb == "search"))
    else {
        return arguments;
    };
    let escaped = |(place, argument): (usize, OsString)| match argument.to_str().and_then(|it| it.strip_prefix('-')) {
        Some(rest) if place > at && is_word(rest) => format!("{MINUS}{rest}").into(),
        _ => argument,
    };
    arguments.into_iter().enumerate().map(escaped).collect()
}

/// The verb, if one is typed.
pub(crate) fn verb_of(arguments: &[OsString]) -> Option<&str> {
    arguments.get(place_of_verb(arguments)?)?.to_str()
}

/// Where the verb is: the first argument that is neither an option nor the value of one.
fn place_of_verb(arguments: &[OsString]) -> Option<usize> {
    let mut at = 1;
    while let Some(argument) = arguments.get(at) {
        match argument.to_str() {
            Some(option) if WITH_VALUE.contains(&option) => at += 2,
            Some(option) if option.starts_with('-') => at += 1,
            _ => return Some(at),
        }
    }
    None
}

/// Whether what follows a minus is a word, and not options or the beginning of a long one.
fn is_word(rest: &str) -> bool {
    let rest_of_switches = rest.trim_start_matches(['l', 'c', 'j', 'h', 'q']);
    let value = rest_of_switches.strip_prefix(['C', 'n', 'p', 's', 'u', 'o', 'z']).unwrap_or(rest_of_switches);
    !rest.starts_with('-') && !value.bytes().all(|byte| byte.is_ascii_digit())
}

/// A word of a query as it was typed.
#[expect(clippy::unnecessary_wraps, reason = "it has to look like a parser")]
pub(crate) fn word(text: &str) -> Result<String, String> {
    Ok(text.strip_prefix(MINUS).map_or_else(|| text.to_owned(), |rest| format!("-{rest}")))
}

#[cfg(test)]
mod tests;
