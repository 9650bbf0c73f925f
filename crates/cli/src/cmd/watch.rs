//! `recount watch`: which sessions run, and which of them waits for whom.

use std::io::{BufWriter, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use wire::JsonLayout;

use jiff::{SignedDuration, Zoned};
use live::hooks::{self, Spool};
use live::keeper::Keeper;
use live::process::Here;
use wire::board::BoardOut;

use crate::board;
use crate::config::Config;
use crate::failure;
use crate::indexed;
use crate::listing::Look;
use crate::moment::{self, End};
use crate::terminal::columns;
use crate::tui::{self, watching};

/// Show which sessions run, and which of them waits for you
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Watch {
    /// Also sessions that ended, if they were active then or later: 2026-08-08, or 2h, 3d ago [default: 1d]
    #[arg(short, long, value_name = "TIME")]
    since: Option<String>,
    /// Print JSON (described in docs/watch-json.md)
    #[arg(short, long)]
    json: bool,
    /// Print the board as it is now, also in a terminal
    #[arg(long)]
    once: bool,
    /// Ring the bell when a session begins to wait for you, and for alerts
    #[arg(long, conflicts_with_all = ["json", "once"])]
    bell: bool,
    /// Read this config root too (may be repeated)
    #[arg(long = "root", value_name = "DIR")]
    roots: Vec<PathBuf>,
}

const EXAMPLES: &str = "\
What running sessions say about themselves (sessions/ in the config root) goes before what their
transcripts say; a state with a question mark is what it looks like. With hooks (`recount hooks
install`) fewer have one. Those that wait longest come first. In a terminal the board fills the
screen and goes on until q is pressed: ? lists the keys.
Exit codes: 0 shown; 1 no session was active; 2 wrong usage, or something could not be read.

Examples:
  recount watch
  recount watch --once
  recount watch --json | jq '.needs_you'";

impl Watch {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let config = Config::load()?;
        let now = Zoned::now().with_time_zone(config.time_zone());
        let since = match moment::read_option(self.since.as_deref(), "--since", End::Start, &now)? {
            Some(since) => since,
            None => now.timestamp() - SignedDuration::from_hours(24),
        };
        if !self.json && !self.once && tui::has_screen() {
            let since = self.since.is_some().then_some(since.as_millisecond());
            return watching::run(&watching::Watch { roots: self.roots, since, has_bell: self.bell }, &config);
        }
        let (prices, zone, at) = (config.prices(), config.time_zone(), now.timestamp().as_millisecond());
        let reading = indexed::read(&self.roots, &prices, false)?;
        let problems = reading.problems;
        let reach = at - since.as_millisecond();
        let mut keeper = Keeper::new(reading.index, reading.roots, prices, reach).with_rules(config.rules());
        keeper.begin_day(board::midnight(now.timestamp(), &zone));
        keeper.hear(heard());
        match keeper.refresh(&Here, at) {
            Err(error) if error.is_damage() => keeper.look(&Here, at, &|_| {})?,
            refreshed => refreshed?,
        };
        let board = keeper.board(&Here, at);
        board.problems.iter().for_each(|problem| failure::say(problem, None));
        let mut out = BufWriter::new(anstream::stdout().lock());
        if self.json {
            let unread = problems.iter().map(ToString::to_string);
            let notes: Vec<String> = board.alert.iter().chain(&board.problems).cloned().chain(unread).collect();
            wire::write(&mut out, &BoardOut::new(board.cards.iter(), &board.today, &notes, at), JsonLayout::Pretty)?;
        } else if board.cards.is_empty() && problems.is_empty() {
            failure::say("no session was active lately", Some("--since 7d looks further back"));
        } else {
            let currency = config.currency();
            let look =
                Look { columns: columns(), zone: &zone, currency: &currency, home: indexed::home(), limit: None };
            board::text::write(&board, &mut out, &look, at)?;
        }
        out.flush()?;
        Ok(failure::code(&problems, board.cards.is_empty()))
    }
}

/// What was heard through hooks. Without them, or where that cannot be read, all else still says something.
fn heard() -> Vec<hooks::Event> {
    let Some(folder) = hooks::folder() else { return Vec::new() };
    Spool::new(&folder).read().unwrap_or_else(|error| {
        failure::say(
            &format!("cannot read what hooks told: {}: {error}", folder.display()),
            Some("check that you may read it (ls -l); it may be deleted at any time"),
        );
        Vec::new()
    })
}
