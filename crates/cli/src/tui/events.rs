//! One queue for all events: keys, clicks, signals, and messages of the worker.

use std::io;
use std::sync::mpsc::Sender;
use std::thread;

use live::board::Board;
use ratatui::crossterm::event;

use super::worker::News;

/// An event.
#[derive(Debug)]
pub(crate) enum Event {
    Input(event::Event),
    /// Standard input is closed.
    InputEnded,
    /// A signal asks the program to end.
    #[cfg(unix)]
    Ending(i32),
    /// A signal asks the program to suspend.
    #[cfg(unix)]
    Stopping,
    News(News),
    /// The current board.
    Board(Box<Board>),
}

/// Starts to listen to keys, the mouse and signals.
pub(crate) fn listen(events: &Sender<Event>) -> io::Result<()> {
    #[cfg(unix)]
    listen_to_signals(events.clone())?;
    let events = events.clone();
    let read = move || {
        while let Ok(input) = event::read() {
            if events.send(Event::Input(input)).is_err() {
                return;
            }
        }
        let _ = events.send(Event::InputEnded);
    };
    thread::Builder::new().name("input".to_owned()).spawn(read)?;
    Ok(())
}

#[cfg(unix)]
fn listen_to_signals(events: Sender<Event>) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
    let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP])?;
    let listen = move || {
        for signal in signals.forever() {
            let event = if signal == SIGTSTP { Event::Stopping } else { Event::Ending(signal) };
            if events.send(event).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("signals".to_owned()).spawn(listen)?;
    Ok(())
}
