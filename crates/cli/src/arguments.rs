//! The command line as a whole.

use std::ffi::{OsStr, OsString};

use clap::{Parser, Subcommand};

use crate::cmd::{
    archive::Archive, capture::Capture, cat::Cat, check::Check, demo::Demo, diff::Diff, export::Export, file::File,
    hook::Hook, hooks::Hooks, import::Import, ls::Ls, projects::Projects, replay::Replay, resume::Resume,
    search::Search, serve::Serve, show::Show, statusline::Statusline, tail::Tail, usage::Usage, watch::Watch,
};

/// Reads Claude Code's sessions.
#[derive(Debug, Parser)]
#[command(name = "recount", version, disable_help_subcommand = true, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) verb: Option<Verb>,
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
    #[command(hide = true)]
    Hook(Hook),
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

/// Stands before a word of a query that begins with a minus, while arguments are read. Nobody types it.
const MINUS: &str = "\u{e000}-";

/// The arguments, with words of a query that would look like options (`-test`) told apart from these.
pub(crate) fn with_words(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    if arguments.get(1).map(OsString::as_os_str) == Some(OsStr::new("search")) {
        for argument in arguments.iter_mut().skip(2) {
            if let Some(rest) = argument.to_str().and_then(|text| text.strip_prefix('-'))
                && is_word(rest)
            {
                *argument = format!("{MINUS}{rest}").into();
            }
        }
    }
    arguments
}

/// Whether what follows a minus is a word, and not options or the beginning of a long one.
fn is_word(rest: &str) -> bool {
    let is_flags = rest
        .trim_start_matches(['l', 'c', 'j', 'h'])
        .trim_start_matches(['C', 'n'])
        .bytes()
        .all(|byte| byte.is_ascii_digit());
    !rest.starts_with('-') && !is_flags
}

/// A word of a query as it was typed.
#[expect(clippy::unnecessary_wraps, reason = "it has to look like a parser")]
pub(crate) fn word(text: &str) -> Result<String, String> {
    Ok(text.strip_prefix(MINUS).map_or_else(|| text.to_owned(), |rest| format!("-{rest}")))
}
