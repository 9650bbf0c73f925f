//! `recount watch` in a terminal: the live board of running sessions.
//!
//! | module | for |
//! |---|---|
//! | `state` | the state, and how keys, clicks and events change it; no I/O |
//! | `refresh` | refreshes the board in a thread of its own |
//!
//! `view/watching.rs` draws the board; sessions open in the browser's reader.

pub(crate) mod refresh;
pub(crate) mod state;

use std::process::ExitCode;
use std::time::Instant;

use app::{App, SessionFilter};
use live::board::Board;
use ratatui::Frame;
use ratatui::crossterm::event::Event as Input;
use ratatui::layout::Rect;

use super::state::Effect;
use super::view::{self, Surroundings};
use super::worker::News;
use super::{Window, show};
use crate::failure::CommandError;
use refresh::Refresh;
use state::Watching;

/// Options of the board.
#[derive(Debug)]
pub(crate) struct Watch {
    /// Ended sessions are shown from this time on, in milliseconds since 1970; by default those of the last day.
    pub(crate) since: Option<i64>,
    /// Selects sessions.
    pub(crate) filter: SessionFilter,
    /// Whether to ring the bell when a session starts waiting.
    pub(crate) has_bell: bool,
}

/// Shows the board until the user quits.
pub(crate) fn run(app: &App, watch: Watch) -> Result<ExitCode, CommandError> {
    let mut watching = Watching::new(watch.has_bell);
    show(app, &mut watching, |_, events| {
        Refresh { app: app.clone(), since: watch.since, filter: watch.filter, events }.start()
    })
}

impl Window for Watching {
    fn lay_out(&mut self, screen: Rect) {
        self.lay_out(screen);
    }

    fn take_effects(&mut self) -> Vec<Effect> {
        self.take_effects()
    }

    fn draw(&self, frame: &mut Frame<'_>, around: &Surroundings<'_>) {
        view::watching::draw(frame, self, around);
    }

    fn take(&mut self, input: &Input) {
        self.take(input, Instant::now());
    }

    fn hear(&mut self, news: News) {
        self.app.hear(news);
    }

    fn refresh(&mut self, board: Board) {
        self.hear(board);
    }
}
