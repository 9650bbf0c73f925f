//! A progress bar for a person who waits: on a terminal, and only if it takes a while.

use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work that finishes within this time needs no bar.
const PATIENCE: Duration = Duration::from_millis(300);

/// How far the reading is, in bytes. May be told from any thread.
pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
    /// Whether there is still a reason to bring the bar up.
    waiting: AtomicBool,
}

impl Progress {
    /// For `total` bytes; 0 if nobody knows.
    pub(crate) fn new(total: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("reading {bar:30} {decimal_bytes} of {decimal_total_bytes}") {
            bar.set_style(style.progress_chars("━╸─"));
        }
        let waiting = AtomicBool::new(total > 0 && std::io::stderr().is_terminal());
        Self { bar, started: Instant::now(), waiting }
    }

    /// So many bytes more were read.
    pub(crate) fn add(&self, bytes: u64) {
        self.bar.inc(bytes);
        if self.waiting.load(Ordering::Relaxed)
            && self.started.elapsed() > PATIENCE
            && self.waiting.swap(false, Ordering::Relaxed)
        {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.waiting.store(false, Ordering::Relaxed);
        self.bar.finish_and_clear();
    }
}
