//! Sends long output through the user's pager.

use std::io::{self, BufWriter, Write};
use std::process::{Child, ChildStdin, Command, Stdio};

/// The destination of long output: `$PAGER`, else `less`, else the terminal itself.
pub(crate) struct Pager {
    child: Option<Child>,
    out: Box<dyn Write>,
}

impl Pager {
    pub(crate) fn start() -> Self {
        let started = match std::env::var("PAGER") {
            Ok(pager) if pager.trim().is_empty() || pager.trim() == "cat" => None,
            Ok(pager) => spawn(Command::new("sh").args(["-c", &pager])),
            // Passes colors through, and exits at once if everything fits on the screen.
            Err(_) => spawn(Command::new("less").args(["-F", "-R", "-X"])),
        };
        match started {
            Some((child, input)) => Self { child: Some(child), out: Box::new(BufWriter::new(input)) },
            None => Self { child: None, out: Box::new(BufWriter::new(io::stdout().lock())) },
        }
    }

    /// Waits until the user quits the pager. Quitting early is not an error.
    pub(crate) fn finish(mut self, outcome: io::Result<()>) -> io::Result<()> {
        let outcome = outcome.and_then(|()| self.out.flush());
        drop(self.out);
        if let Some(child) = &mut self.child {
            child.wait()?;
            return match outcome {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                outcome => outcome,
            };
        }
        outcome
    }
}

impl Write for Pager {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn spawn(command: &mut Command) -> Option<(Child, ChildStdin)> {
    // Without this, a `less` in `$PAGER` would show colors as escapes.
    if std::env::var_os("LESS").is_none() {
        command.env("LESS", "FRX");
    }
    let mut child = command.stdin(Stdio::piped()).spawn().ok()?;
    let input = child.stdin.take()?;
    Some((child, input))
}
