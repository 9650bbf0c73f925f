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
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use app::{App, ProjectFilter};
use live::board::Board;
use ratatui::Frame;
use ratatui::crossterm::event::Event as Input;
use ratatui::layout::Rect;

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
use worker::{Ask, News, Worker};

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

/// How a window ended.
enum End {
    Quit,
    #[cfg(unix)]
    Signal(i32),
}

/// What fills the terminal: the browser, or the board.
trait Window {
    /// Divides the screen.
    fn lay_out(&mut self, screen: Rect);
    /// Takes what has to be done outside.
    fn take_effects(&mut self) -> Vec<Effect>;
    /// Draws a frame.
    fn draw(&self, frame: &mut Frame<'_>, around: &Surroundings<'_>);
    /// Handles a key, a click or a paste.
    fn take(&mut self, input: &Input);
    /// Handles an answer of the worker.
    fn hear(&mut self, news: News);
    /// Handles a refreshed board.
    fn refresh(&mut self, board: Board);
}

impl Window for Browser {
    fn lay_out(&mut self, screen: Rect) {
        self.lay_out(screen);
    }

    fn take_effects(&mut self) -> Vec<Effect> {
        self.take_effects()
    }

    fn draw(&self, frame: &mut Frame<'_>, around: &Surroundings<'_>) {
        view::draw(frame, self, around);
    }

    fn take(&mut self, input: &Input) {
        self.take(input, Instant::now());
    }

    fn hear(&mut self, news: News) {
        self.hear(news);
    }

    /// The browser does not request the board.
    fn refresh(&mut self, _: Board) {}
}

fn browse(app: &App) -> Result<ExitCode, CommandError> {
    let mut browser = Browser::new(List::new(ProjectFilter::of(".", app.here())));
    show(app, &mut browser, |worker, events| {
        worker.ask(Ask::List);
        update::start(app.clone(), worker.clone(), events)
    })
}

/// Shows a window until the user quits. `start` begins the work in the background.
fn show(
    app: &App,
    window: &mut impl Window,
    start: impl FnOnce(&Worker, Sender<Event>) -> io::Result<()>,
) -> Result<ExitCode, CommandError> {
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
    let mut screen = Screen::enter()?;
    events::listen(&events)?;
    start(&worker, events)?;
    let end = draw_until_end(app, &mut screen, window, &mut around, &worker, &queue);
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
fn draw_until_end(
    app: &App,
    screen: &mut Screen,
    window: &mut impl Window,
    around: &mut Surroundings<'_>,
    worker: &Worker,
    queue: &Receiver<Event>,
) -> Result<End, CommandError> {
    loop {
        around.now = app.now()?;
        screen.terminal.autoresize()?;
        window.lay_out(screen.terminal.get_frame().area());
        for effect in window.take_effects() {
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
        screen.terminal.draw(|frame| window.draw(frame, around))?;
        // Handles all pending events before drawing again.
        let Ok(first) = queue.recv() else { return Ok(End::Quit) };
        for event in std::iter::once(first).chain(queue.try_iter()) {
            match event {
                Event::Input(input) => window.take(&input),
                Event::InputEnded => return Ok(End::Quit),
                Event::News(news) => window.hear(news),
                Event::Board(board) => window.refresh(*board),
                #[cfg(unix)]
                Event::Ending(signal) => return Ok(End::Signal(signal)),
                #[cfg(unix)]
                Event::Stopping => screen.suspend()?,
            }
        }
    }
}
