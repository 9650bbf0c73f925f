//! Counts work in tests, so that they can compare it without a clock. In the library this is nothing.

#[cfg(test)]
thread_local! {
    static DONE: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Notes that so much was looked at.
#[cfg(test)]
pub(crate) fn done(amount: usize) {
    DONE.with(|done| done.set(done.get() + amount as u64));
}

/// Notes nothing.
#[cfg(not(test))]
#[inline]
pub(crate) fn done(_amount: usize) {}

/// How much was looked at while something ran.
#[cfg(test)]
pub(crate) fn of(run: impl FnOnce()) -> u64 {
    let before = DONE.with(std::cell::Cell::get);
    run();
    DONE.with(std::cell::Cell::get) - before
}
