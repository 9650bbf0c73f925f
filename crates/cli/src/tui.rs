//! `recount` alone: a browser of all sessions in the terminal.
//!
//! | module | for |
//! |---|---|
//! | `state`, `list`, `told` | what is known, and how keys, clicks and news change it; no I/O |
//! | `keys` | what keys mean |
//! | `view`, `look` | what is drawn |
//! | `worker`, `update`, `finder`, `write` | what takes time, in threads of their own |
//! | `screen`, `events`, `clipboard` | the terminal |
//! | `watching` | the board of running sessions, which shares all that with the browser |

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
mod told;
mod update;
mod view;
pub(crate) mod watching;
mod worker;
mod write;

use std::io::{self, IsTerminal as _};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use index::Index;
use jiff::Zoned;
use sources::Environment;
use sources::roots;

use crate::cmd::ls::Ls;
use crate::config::Config;
use crate::indexed;
use crate::listing;
use crate::terminal::clean;
use crate::usage::ProjectFilter;
use events::Event;
use list::List;
use look::Look;
use screen::Screen;
use state::{App, Effect};
use view::Surroundings;
use worker::{Ask, Worker};

/// How many sessions are listed where nobody can browse.
const LISTED: usize = 10;

/// Browses; or lists the latest sessions of this project, if this is no terminal.
pub(crate) fn run() -> anyhow::Result<ExitCode> {
    if has_screen() { browse() } else { Ls::of_this_project(LISTED).run() }
}

/// Whether there is a terminal that can be drawn on, with somebody to type.
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

fn browse() -> anyhow::Result<ExitCode> {
    let config = Config::load()?;
    let (zone, currency) = (config.time_zone(), config.currency());
    let roots = roots(&Environment::of_process(), &[]);
    let listing = listing::Look { columns: 0, zone: &zone, currency: &currency, home: indexed::home(), limit: None };
    let here = std::env::current_dir().map(|here| listing.folder(&here.to_string_lossy())).unwrap_or_default();
    let mut around = Surroundings {
        look: Look::new(std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())),
        here,
        roots: roots.iter().map(|root| clean(&listing.folder(&root.path.to_string_lossy())).into_owned()).collect(),
        listing,
        now: Zoned::now().with_time_zone(zone.clone()),
    };
    let path = indexed::cache().map(|folder| folder.join("index.db"));
    // What is wrong with it is said when it is brought up to date.
    let index = path.as_deref().and_then(|path| Index::open(path).ok()).map(|index| indexed::within(index, &roots));
    let (events, queue) = channel();
    let worker = Worker::start(index, zone.clone(), events.clone())?;
    worker.ask(Ask::List);
    let mut app = App::new(List::new(ProjectFilter::of(".")));
    let mut screen = Screen::enter()?;
    events::listen(&events)?;
    update::start(path, roots, config.prices(), worker.clone(), events)?;
    let end = show(&mut screen, &mut app, &mut around, &worker, &queue);
    drop(screen);
    end?.code()
}

impl End {
    fn code(self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Quit => Ok(ExitCode::SUCCESS),
            #[cfg(unix)]
            Self::Signal(signal) => {
                // Whoever sent it sees that it was obeyed.
                signal_hook::low_level::emulate_default_handler(signal)?;
                Ok(ExitCode::FAILURE)
            }
        }
    }
}

/// Draws, waits until something happens, and draws again.
fn show(
    screen: &mut Screen,
    app: &mut App,
    around: &mut Surroundings<'_>,
    worker: &Worker,
    queue: &Receiver<Event>,
) -> anyhow::Result<End> {
    loop {
        around.now = Zoned::now().with_time_zone(around.listing.zone.clone());
        screen.terminal.autoresize()?;
        app.lay_out(screen.terminal.get_frame().area());
        for effect in app.take_effects() {
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
        screen.terminal.draw(|frame| view::draw(frame, app, around))?;
        // Whatever else is waiting is taken in before the next picture.
        let Ok(first) = queue.recv() else { return Ok(End::Quit) };
        for event in std::iter::once(first).chain(queue.try_iter()) {
            match event {
                Event::Input(input) => app.take(&input, Instant::now()),
                Event::InputEnded => return Ok(End::Quit),
                Event::News(news) => app.hear(news),
                // Nobody asked for it here.
                Event::Board(_) => {}
                #[cfg(unix)]
                Event::Ending(signal) => return Ok(End::Signal(signal)),
                #[cfg(unix)]
                Event::Stopping => screen.suspend()?,
            }
        }
    }
}
