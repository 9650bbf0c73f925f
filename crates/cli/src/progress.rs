//! Warnings and progress on a terminal.

use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use app::{Progress, Reporter, Silent};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::failure;

/// Prints to standard error, unless `--quiet` is set.
pub(crate) struct Terminal {
    pub(crate) is_quiet: bool,
}

impl Reporter for Terminal {
    fn warn(&self, message: &str, hints: &[String]) {
        if !self.is_quiet {
            failure::say(message, hints);
        }
    }

    fn progress(&self, total: u64) -> Box<dyn Progress> {
        if total > 0 && !self.is_quiet && std::io::stderr().is_terminal() {
            Box::new(Bar::new(total))
        } else {
            Box::new(Silent)
        }
    }
}

/// Work that finishes within this time shows no bar.
const PATIENCE: Duration = Duration::from_millis(300);

/// A bar that appears if the work takes a while, and disappears when it is dropped.
struct Bar {
    drawn: ProgressBar,
    started: Instant,
    /// Whether the bar is not visible yet.
    is_hidden: AtomicBool,
}

impl Bar {
    fn new(total: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("reading {bar:30} {decimal_bytes} of {decimal_total_bytes}") {
            bar.set_style(style.progress_chars("━╸─"));
        }
        Self { drawn: bar, started: Instant::now(), is_hidden: AtomicBool::new(true) }
    }
}

impl Progress for Bar {
    fn add(&self, bytes: u64) {
        self.drawn.inc(bytes);
        if self.is_hidden.load(Ordering::Relaxed)
            && self.started.elapsed() > PATIENCE
            && self.is_hidden.swap(false, Ordering::Relaxed)
        {
            self.drawn.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.drawn.finish_and_clear();
    }
}
