//! How the app speaks to the person who waits: warnings and progress. The front doors decide how they look.

/// Where warnings and progress go.
pub trait Reporter: Send + Sync {
    /// Something went wrong that ends nothing, and what can be done about it.
    fn warn(&self, message: &str, hints: &[String]);

    /// Work on so many bytes begins; 0 if the number is not known.
    fn progress(&self, total: u64) -> Box<dyn Progress>;
}

/// Work that is under way. It ends when this is dropped.
pub trait Progress: Send + Sync {
    /// So many bytes more are done.
    fn add(&self, bytes: u64);
}

/// Says nothing.
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
