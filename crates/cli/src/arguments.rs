//! The definition of the command line.

use std::ffi::OsString;

use clap::{Parser, Subcommand};

use crate::ccusage_words;
use crate::flags::EveryVerb;

use crate::cmd::{
    archive::Archive, capture::Capture, cat::Cat, check::Check, demo::Demo, diff::Diff, export::Export, file::File,
    forget::Forget, hooks::Hooks, import::Import, ls::Ls, projects::Projects, replay::Replay, resume::Resume,
    search::Search, serve::Serve, share::Share, show::Show, statusline::Statusline, tail::Tail, usage::Usage,
    watch::Watch,
};

/// Browse, search, export and archive Claude Code sessions.
#[derive(Debug, Parser)]
#[command(name = "recount", version, disable_help_subcommand = true, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) verb: Option<Verb>,
    #[command(flatten)]
    pub(crate) every: EveryVerb,
}

// `recount statusline` alone. Claude Code runs it several times per second, and building the definitions of all verbs
// takes longer than the status line itself. (A doc comment would become its help.)
#[derive(Debug, Parser)]
#[command(name = "recount statusline", bin_name = "recount statusline")]
struct OnlyStatusline {
    #[command(flatten)]
    statusline: Statusline,
    #[command(flatten)]
    every: EveryVerb,
}

impl Arguments {
    /// Parses the arguments of the process, [`prepared`].
    pub(crate) fn parsed(typed: &[OsString]) -> Result<Self, clap::Error> {
        match typed.get(1..) {
            Some(rest @ [verb, ..]) if verb == "statusline" => {
                let OnlyStatusline { statusline, every } = OnlyStatusline::try_parse_from(rest)?;
                Ok(Self { verb: Some(Verb::Statusline(statusline)), every })
            }
            _ => Self::try_parse_from(typed),
        }
    }
}

/// The subcommands.
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
    Share(Share),
    Usage(Usage),
    Archive(Archive),
    Forget(Forget),
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
  recount                                browse all sessions, this project's first
  recount ls --project .                 list this project's sessions, latest first
  recount show last                      show the latest session
  recount diff last                      show its file changes, one patch per file
  recount search retry policy            search prompts, replies, calls and results
  recount serve --open                   open the board and all sessions in a browser, live
  recount tail last -f                   follow the latest session step by step
  recount file src/main.rs               list every session that read or changed a file
  recount export html ~/sessions         export all sessions as a site; later runs update it
  recount share last                     write the latest session without its secrets, to be sent
  recount usage                          report cost per day; also weekly, model, tool…
  recount archive                        archive all sessions before Claude Code deletes them
  recount capture -- claude -p …         run a command, pass on its output and record it
  recount replay last --speed 10         replay the latest session at 10 times its speed
  recount check                          check all sessions for damaged or unknown entries
  recount check run.jsonl notes/         check a file, and all transcripts below a folder
  recount demo                           show a sample session
  recount cat last                       print the raw lines of the latest session
  recount cat 4c1e --tool Bash --pretty  print one session's Bash calls and their results

recount reads $CLAUDE_CONFIG_DIR, or else ~/.claude, ~/.config/claude and the data of the
Desktop app, as well as the archive and captured sessions.
Run `recount <command> --help` for details.";

/// Prefix that marks a query word with a leading minus during parsing. U+E000 is a private-use character that users do
/// not type.
const MINUS: &str = "\u{e000}-";

/// Options of every verb that take a value.
const WITH_VALUE: [&str; 7] = ["--root", "--color", "--timezone", "--tz", "-z", "--currency", "--currency-rate"];

/// Prepares arguments for clap: translates ccusage's words, and escapes query words that look like options (`-test`).
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

/// Returns the verb, if there is one.
pub(crate) fn verb_of(arguments: &[OsString]) -> Option<&str> {
    arguments.get(place_of_verb(arguments)?)?.to_str()
}

/// Returns the position of the verb: the first argument that is neither an option nor an option's value.
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

/// Returns whether the text after a minus is a query word rather than short options or the start of a long one.
fn is_word(rest: &str) -> bool {
    let rest_of_switches = rest.trim_start_matches(['l', 'c', 'j', 'h', 'q']);
    let value = rest_of_switches.strip_prefix(['C', 'n', 'p', 's', 'u', 'o', 'z']).unwrap_or(rest_of_switches);
    !rest.starts_with('-') && !value.bytes().all(|byte| byte.is_ascii_digit())
}

/// Restores a query word that [`prepared`] escaped.
#[expect(clippy::unnecessary_wraps, reason = "it has to look like a parser")]
pub(crate) fn word(text: &str) -> Result<String, String> {
    Ok(text.strip_prefix(MINUS).map_or_else(|| text.to_owned(), |rest| format!("-{rest}")))
}

#[cfg(test)]
mod tests;
