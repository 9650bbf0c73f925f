//! The session browser in the terminal, which `recount` without a verb starts.
//!
//! | module | for |
//! |---|---|
//! | `state`, `list`, `story_lines` | the state, and how keys, clicks and events change it; no I/O |
//! | `keys` | key bindings |
//! | `view`, `look` | drawing |
//! | `worker`, `update`, `finder`, `write` | slow work, in threads of its own |
//! | `screen`, `events`, `clipboard` | the terminal |
//! | `watching` | the board of running sessions, which shares the other modules |

mod clipboard;
mod events;
mod finder;
mod keys;
mod list;
mod look;
#[cfg(test)]
mod samples;
mod screen;
mod state;
mod story_lines;
mod update;
mod view;
pub(crate) mod watching;
mod worker;
mod write;

use std::io::{self, IsTerminal as _};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use app::{App, ProjectFilter};

use crate::cmd::ls::Ls;
use crate::failure::CommandError;
use crate::flags::wants_colors;
use crate::listing;
use crate::terminal::clean;
use events::Event;
use list::List;
use look::TuiLook;
use screen::Screen;
use state::{Browser, Effect};
use view::Surroundings;
use worker::{Ask, Worker};

/// Number of sessions listed if there is no terminal to browse in.
const LISTED: usize = 10;

/// Runs the browser, or lists the latest sessions of this project if this is no terminal.
pub(crate) fn run(app: &App) -> Result<ExitCode, CommandError> {
    if has_screen() { browse(app) } else { Ls::of_this_project(LISTED).run(app) }
}

/// Returns whether there is a terminal to draw on and a keyboard.
pub(crate) fn has_screen() -> bool {
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    is_terminal && !is_dumb
}

/// How the browser ended.
enum End {
    Quit,
    #[cfg(unix)]
    Signal(i32),
}

fn browse(app: &App) -> Result<ExitCode, CommandError> {
    let listing = listing::ListLook { columns: 0, ..listing::ListLook::new(app)? };
    let folder = |path: &std::path::Path| listing.folder(&path.to_string_lossy());
    let mut around = Surroundings {
        look: TuiLook::new(wants_colors(app)),
        here: folder(app.here()),
        roots: app.roots().iter().map(|root| clean(&folder(&root.path)).into_owned()).collect(),
        listing,
        now: app.now()?,
    };
    let (events, queue) = channel();
    // Problems with the index are reported when it is updated.
    let worker = Worker::start(app.clone(), events.clone())?;
    worker.ask(Ask::List);
    let mut browser = Browser::new(List::new(ProjectFilter::of(".", app.here())));
    let mut screen = Screen::enter()?;
    events::listen(&events)?;
    update::start(app.clone(), worker.clone(), events)?;
    let end = show(app, &mut screen, &mut browser, &mut around, &worker, &queue);
    drop(screen);
    end?.code()
}

impl End {
    fn code(self) -> Result<ExitCode, CommandError> {
        match self {
            Self::Quit => Ok(ExitCode::SUCCESS),
            #[cfg(unix)]
            Self::Signal(signal) => {
                // Lets the sender of the signal see the default effect.
                signal_hook::low_level::emulate_default_handler(signal)?;
                Ok(ExitCode::FAILURE)
            }
        }
    }
}

/// Draws, waits for an event, and draws again.
fn show(
    app: &App,
    screen: &mut Screen,
    browser: &mut Browser,
    around: &mut Surroundings<'_>,
    worker: &Worker,
    queue: &Receiver<Event>,
) -> Result<End, CommandError> {
    loop {
        around.now = app.now()?;
        screen.terminal.autoresize()?;
        browser.lay_out(screen.terminal.get_frame().area());
        for effect in browser.take_effects() {
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
        screen.terminal.draw(|frame| view::draw(frame, browser, around))?;
        // Handles all pending events before drawing again.
        let Ok(first) = queue.recv() else { return Ok(End::Quit) };
        for event in std::iter::once(first).chain(queue.try_iter()) {
            match event {
                Event::Input(input) => browser.take(&input, Instant::now()),
                Event::InputEnded => return Ok(End::Quit),
                Event::News(news) => browser.hear(news),
                // The browser does not request the board.
                Event::Board(_) => {}
                #[cfg(unix)]
                Event::Ending(signal) => return Ok(End::Signal(signal)),
                #[cfg(unix)]
                Event::Stopping => screen.suspend()?,
            }
        }
    }
}
