//! Warnings and progress for the user. Each front end decides how they look.

/// A destination of warnings and progress.
pub trait Reporter: Send + Sync {
    /// Shows a warning with hints.
    fn warn(&self, message: &str, hints: &[String]);

    /// Starts work on this many bytes; 0 if the number is unknown.
    fn progress(&self, total: u64) -> Box<dyn Progress>;
}

/// Work in progress, which ends when this is dropped.
pub trait Progress: Send + Sync {
    /// Records that this many more bytes are done.
    fn add(&self, bytes: u64);
}

/// Discards everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Reporter for Silent {
    fn warn(&self, _message: &str, _hints: &[String]) {}

    fn progress(&self, _total: u64) -> Box<dyn Progress> {
        Box::new(Self)
    }
}

impl Progress for Silent {
    fn add(&self, _bytes: u64) {}
}
