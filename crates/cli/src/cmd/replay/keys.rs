//! Keyboard input during playback.

use std::io;
use std::time::{Duration, Instant};

use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::crossterm::terminal::{disable_raw_mode, enable_raw_mode};

use super::clock::{Clock, Wish};

/// A terminal in raw mode that delivers keys; dropping it restores the mode.
pub(super) struct Keys {
    began: Instant,
}

impl Keys {
    pub(super) fn listen() -> io::Result<Self> {
        enable_raw_mode()?;
        Ok(Self { began: Instant::now() })
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        // Fails only if the terminal is gone, and then there is nothing to restore.
        let _ = disable_raw_mode();
    }
}

impl Clock for Keys {
    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn wait(&mut self, until: Option<Duration>) -> Option<Wish> {
        const LONG: Duration = Duration::from_secs(3600);
        loop {
            let left = until.map_or(LONG, |until| until.saturating_sub(self.now()));
            match event::poll(left) {
                Ok(true) => match event::read() {
                    Ok(event) => {
                        if let Some(wish) = wish(&event) {
                            return Some(wish);
                        }
                    }
                    Err(_) => return Some(Wish::Quit),
                },
                Ok(false) if until.is_some() => return None,
                Ok(false) => {}
                Err(_) => return Some(Wish::Quit),
            }
        }
    }
}

fn wish(event: &Event) -> Option<Wish> {
    let Event::Key(key) = event else { return None };
    if key.kind == KeyEventKind::Release {
        return None;
    }
    Some(match key.code {
        KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => Wish::Quit,
        KeyCode::Char(' ') => Wish::Pause,
        KeyCode::Char('.') => Wish::Step,
        KeyCode::Char('q') | KeyCode::Esc => Wish::Quit,
        KeyCode::Right => Wish::NextTurn,
        KeyCode::Left => Wish::Back,
        KeyCode::Up => Wish::Faster,
        KeyCode::Down => Wish::Slower,
        _ => return None,
    })
}
