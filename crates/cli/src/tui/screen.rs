//! Terminal setup and restoration.
//!
//! The terminal is restored when the program ends by a key, an error, a panic or a signal, and while it is suspended.

use std::io::{self, Stdout, Write as _};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture};
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::crossterm::{execute, queue};

/// Exclusive use of the terminal; dropping it restores the terminal.
pub(crate) struct Screen {
    pub(crate) terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Screen {
    pub(crate) fn enter() -> io::Result<Self> {
        restore_on_panic();
        take()?;
        let terminal = Terminal::new(CrosstermBackend::new(io::stdout())).inspect_err(|_| restore())?;
        Ok(Self { terminal })
    }

    /// Restores the terminal and suspends the program until it is continued.
    #[cfg(unix)]
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        restore();
        signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)?;
        take()?;
        // Redraws everything, since the size may have changed.
        let size = self.terminal.size()?;
        self.terminal.resize(ratatui::layout::Rect::from((ratatui::layout::Position::ORIGIN, size)))
    }

    /// Sends a control sequence.
    pub(crate) fn send(&mut self, sequence: &str) -> io::Result<()> {
        let out = self.terminal.backend_mut();
        out.write_all(sequence.as_bytes())?;
        io::Write::flush(out)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Whether the browser is using the terminal.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

fn take() -> io::Result<()> {
    enable_raw_mode()?;
    IS_TAKEN.store(true, Ordering::SeqCst);
    let taken = execute!(io::stdout(), EnterAlternateScreen, Hide, EnableMouseCapture, EnableBracketedPaste);
    taken.inspect_err(|_| restore())
}

/// Restores the terminal, once. Errors are ignored: they mean that the terminal is gone.
fn restore() {
    if !IS_TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = io::stdout();
    let _ = queue!(out, DisableBracketedPaste, DisableMouseCapture, Show, LeaveAlternateScreen);
    let _ = out.flush();
    let _ = disable_raw_mode();
}

/// Restores the terminal before a panic message is printed.
fn restore_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore();
            before(panic);
        }));
    });
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::{Duration, Instant};

    use super::*;

    /// Run in its own terminal by the test below.
    #[test]
    #[ignore = "run by the test below, in a terminal of its own; it is meant to panic"]
    fn panics_while_the_screen_is_taken() {
        let mut screen = Screen::enter().unwrap();
        screen.terminal.draw(|frame| frame.render_widget("the browser", frame.area())).unwrap();
        std::thread::sleep(Duration::from_millis(500));
        panic!("something went wrong");
    }

    fn tmux(folder: &tempfile::TempDir, arguments: &[&str]) -> String {
        let mut tmux = Command::new("tmux");
        let output = tmux.args(["-f", "/dev/null", "-S"]).arg(folder.path().join("tmux")).args(arguments).output();
        String::from_utf8_lossy(&output.expect("tmux is needed for this test").stdout).into_owned()
    }

    #[test]
    fn a_panic_leaves_the_terminal_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let program = std::env::current_exe().unwrap();
        let name = "tui::screen::tests::panics_while_the_screen_is_taken";
        let command = format!("RUST_BACKTRACE=0 {} --exact {name} --ignored --nocapture; cat", program.display());
        tmux(&folder, &["new-session", "-d", "-x", "160", "-y", "24", &command]);
        let deadline = Instant::now() + Duration::from_secs(60);
        let (mut was_taken, mut screen) = (false, String::new());
        while Instant::now() < deadline && !screen.contains("panicked at") {
            std::thread::sleep(Duration::from_millis(50));
            screen = tmux(&folder, &["capture-pane", "-p"]);
            was_taken |= screen.contains("the browser");
        }
        let modes = tmux(&folder, &["display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag}"]);
        tmux(&folder, &["kill-server"]);
        assert!(was_taken && screen.contains("panicked at"), "{screen}");
        assert_eq!(modes.trim(), "0 1 0", "no alternate screen, a cursor, no mouse");
    }
}
