//! The command line as a whole.

use clap::{Parser, Subcommand};

use crate::cmd::{
    cat::Cat, check::Check, demo::Demo, export::Export, show::Show, statusline::Statusline, usage::Usage,
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
    Show(Show),
    Check(Check),
    Cat(Cat),
    Export(Export),
    Usage(Usage),
    Demo(Demo),
    Statusline(Statusline),
}

const EXAMPLES: &str = "\
Examples:
  recount show last                      the newest session, told again
  recount export html ~/sessions         all sessions as a site; again, only what changed
  recount usage                          what each day cost; also weekly, session, model, tool, blocks…
  recount check                          all sessions: what is there, what is damaged or unknown
  recount check run.jsonl notes/         a file, and all transcripts below a folder
  recount demo                           a sample session, for those who have none yet
  recount cat last                       the raw lines of the newest session
  recount cat 4c1e --tool Bash --pretty  the Bash calls of one session and their results

Sessions are looked for in $CLAUDE_CONFIG_DIR, else in ~/.claude and ~/.config/claude.
`recount <command> --help` says more.";
