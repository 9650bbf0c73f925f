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
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use app::{App, SessionFilter};

use super::End;
use super::events::{self, Event};
use super::look::TuiLook;
use super::screen::Screen;
use super::state::Effect;
use super::view::{self, Surroundings};
use super::worker::Worker;
use crate::failure::CommandError;
use crate::flags::wants_colors;
use crate::listing;
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
    let mut around = Surroundings {
        look: TuiLook::new(wants_colors(app)),
        here: String::new(),
        roots: Vec::new(),
        listing: listing::ListLook { columns: 0, ..listing::ListLook::new(app)? },
        now: app.now()?,
    };
    let (events, queue) = channel();
    // Sessions that cannot be read from an index are read from their files.
    let worker = Worker::start(app.clone(), events.clone())?;
    let mut watching = Watching::new(watch.has_bell);
    let mut screen = Screen::enter()?;
    events::listen(&events)?;
    Refresh { app: app.clone(), since: watch.since, filter: watch.filter, events }.start()?;
    let end = show(app, &mut screen, &mut watching, &mut around, &worker, &queue);
    drop(screen);
    end?.code()
}

/// Draws, waits for an event, and draws again.
fn show(
    app: &App,
    screen: &mut Screen,
    watching: &mut Watching,
    around: &mut Surroundings<'_>,
    worker: &Worker,
    queue: &Receiver<Event>,
) -> Result<End, CommandError> {
    loop {
        around.now = app.now()?;
        screen.terminal.autoresize()?;
        watching.lay_out(screen.terminal.get_frame().area());
        for effect in watching.take_effects() {
            match effect {
                Effect::Quit => return Ok(End::Quit),
                #[cfg(unix)]
                Effect::Suspend => screen.suspend()?,
                #[cfg(not(unix))]
                Effect::Suspend => {}
                Effect::Ask(ask) => worker.ask(ask),
                Effect::Send(sequence) => screen.send(&sequence)?,
            }
        }
        screen.terminal.draw(|frame| view::watching::draw(frame, watching, around))?;
        let Ok(first) = queue.recv() else { return Ok(End::Quit) };
        for event in std::iter::once(first).chain(queue.try_iter()) {
            match event {
                Event::Input(input) => watching.take(&input, Instant::now()),
                Event::InputEnded => return Ok(End::Quit),
                Event::News(news) => watching.app.hear(news),
                Event::Board(board) => watching.hear(*board),
                #[cfg(unix)]
                Event::Ending(signal) => return Ok(End::Signal(signal)),
                #[cfg(unix)]
                Event::Stopping => screen.suspend()?,
            }
        }
    }
}
