//! `recount watch`: shows which sessions are running and which wait for you.

use std::process::ExitCode;
use wire::JsonLayout;

use app::{App, Keeping, SessionFilter};
use live::hooks::{self, Spool};
use live::process::Here;
use live::session_follower::SessionFollower;
use wire::board::BoardOut;

use crate::board;
use crate::failure::{self, CommandError};
use crate::flags::{JsonFlag, LimitFlag, OutputFlag, SessionFlags};
use crate::listing::ListLook;
use crate::tui::{self, watching};

/// Show running sessions and the ones waiting for you
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Watch {
    #[command(flatten)]
    sessions: SessionFlags,
    #[command(flatten)]
    limit: LimitFlag,
    #[command(flatten)]
    json: JsonFlag,
    /// Print the board once and exit, even in a terminal
    #[arg(long)]
    once: bool,
    /// Ring the terminal bell when a session starts waiting for you, and for alerts
    #[arg(long, conflicts_with_all = ["json", "once"])]
    bell: bool,
    #[command(flatten)]
    output: OutputFlag,
}

const EXAMPLES: &str = "\
The status that running sessions report (sessions/ in the config root) takes precedence over their
transcripts. A question mark marks a state that only lines show; hooks (`recount hooks install`) make these
rarer. The sessions waiting longest come first. Ended sessions are shown if they were active
within a day, or since --since; 5 of them are printed. In a terminal the board fills the screen
until you press q; ? lists the keys. docs/watch-json.md describes the JSON.
Exit codes: 0 shown; 1 no session was active; 2 wrong usage, or something could not be read.

Examples:
  recount watch
  recount watch --project . --once
  recount watch --json | jq '.needs_you'";

/// How far back ended sessions are shown by default, in milliseconds.
const DAY: i64 = 24 * 60 * 60 * 1000;

impl Watch {
    pub(crate) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        let filter = self.sessions.filter(app)?;
        // The board handles the period itself.
        let (since, filter) = (filter.since, SessionFilter { since: None, ..filter });
        if !self.json.json && !self.once && self.output.output.is_none() && tui::has_screen() {
            return watching::run(app, watching::Watch { since, filter, has_bell: self.bell });
        }
        let settings = app.settings()?;
        let at = app.timestamp().as_millisecond();
        let open = app.any_index(Keeping::Kept)?;
        let problems = open.problems;
        let reach = since.map_or(DAY, |since| at - since);
        let follower = SessionFollower::new(open.index, app.roots().to_vec(), settings.prices.clone(), reach);
        let mut follower = follower.with_rules(settings.rules.clone());
        follower.begin_day(app.midnight()?);
        follower.hear(heard(app));
        match follower.refresh(&Here, at) {
            Err(error) if error.is_damage() => follower.look(&Here, at, &|_| {})?,
            refreshed => refreshed?,
        };
        let mut board = follower.board(&Here, at);
        board.cards.retain(|card| filter.wants_card(card));
        board.problems.iter().for_each(|problem| failure::say(problem, &[]));
        if board.cards.is_empty() && problems.is_empty() && !self.json.json {
            let hint =
                if filter.is_empty() { "--since 7d looks further back" } else { "without --project all are shown" };
            return Err(CommandError::nothing("no session was active recently").hint(hint));
        }
        let mut out = self.output.open()?;
        if self.json.json {
            let unread = problems.iter().map(ToString::to_string);
            let notes: Vec<String> = board.alert.iter().chain(&board.problems).cloned().chain(unread).collect();
            let most = self.limit.or(None).map_or(usize::MAX, usize::from);
            let document = BoardOut::new(board.cards.iter().take(most), &board.today, &notes, at);
            wire::write(&mut out, &document, JsonLayout::Pretty)?;
        } else {
            let look = ListLook { limit: self.limit.or(Some(board::text::ENDED)), ..ListLook::new(app)? };
            board::text::write(&board, &mut out, &look, at)?;
        }
        out.finish()?;
        Ok(failure::code(&problems, board.cards.is_empty()))
    }
}

/// Reads hook events. Without them, or if they cannot be read, the board works from the transcripts.
fn heard(app: &App) -> Vec<hooks::Event> {
    let Some(folder) = hooks::folder() else { return Vec::new() };
    Spool::new(&folder).read().unwrap_or_else(|error| {
        let hint = "check that you may read it (ls -l); it may be deleted at any time".to_owned();
        app.warn(&format!("cannot read the events of hooks: {}: {error}", folder.display()), &[hint]);
        Vec::new()
    })
}
