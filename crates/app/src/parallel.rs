//! Reads sources on all cores, and shows progress.

use std::cmp::Reverse;
use std::num::NonZeroUsize;

use index::search::scan::{Scanned, Scanner};
use rayon::ThreadPoolBuilder;
use rayon::iter::{ParallelBridge as _, ParallelIterator as _};
use reader::census::{Census, Merge as _};
use reader::{Accountant, Accounts, Counter};
use sources::Problem;
use sources::Source;

use crate::{App, AppError};

/// Deeply nested lines need a large stack; the default of threads is smaller than that of the main thread.
const STACK: usize = 8 << 20;

/// Reads sources one after another. Several readers run in parallel.
pub trait Reader: Send {
    /// The result of reading.
    type Outcome: Default + Send;

    /// Reads the source with this number, and reports bytes as they are read.
    fn read(&mut self, number: usize, source: &Source, on_bytes: &dyn Fn(u64)) -> Result<(), Problem>;

    /// Returns the result for all sources read.
    fn finish(self) -> Self::Outcome;

    /// Merges two results.
    fn merge(one: &mut Self::Outcome, other: Self::Outcome);
}

/// Reads all sources, and returns the problems in the order of the sources.
pub fn read_all<R: Reader>(
    app: &App,
    sources: &[Source],
    threads: Option<NonZeroUsize>,
    reader: impl Fn() -> R + Sync,
) -> Result<(R::Outcome, Vec<Problem>), AppError> {
    let progress = app.progress(sources.iter().map(|source| source.size).sum());
    // Largest first, so that no thread is left with a large source at the end.
    let mut numbered: Vec<_> = sources.iter().enumerate().collect();
    numbered.sort_by_key(|(_, source)| Reverse(source.size));
    let pool = ThreadPoolBuilder::new().num_threads(threads.map_or(0, NonZeroUsize::get)).stack_size(STACK).build()?;
    let (outcome, mut problems) = pool.install(|| {
        numbered
            .into_iter()
            .par_bridge()
            .fold(
                || (reader(), Vec::new()),
                |(mut reader, mut problems), (number, source)| {
                    let outcome = reader.read(number, source, &|bytes| progress.add(bytes));
                    problems.extend(outcome.err().map(|problem| (number, problem)));
                    (reader, problems)
                },
            )
            .map(|(reader, problems)| (reader.finish(), problems))
            .reduce(<(R::Outcome, Vec<_>)>::default, |mut one, other| {
                R::merge(&mut one.0, other.0);
                one.1.extend(other.1);
                one
            })
    });
    drop(progress);
    problems.sort_by_key(|(number, _)| *number);
    Ok((outcome, problems.into_iter().map(|(_, problem)| problem).collect()))
}

impl Reader for Counter {
    type Outcome = Census;

    fn read(&mut self, number: usize, source: &Source, on_bytes: &dyn Fn(u64)) -> Result<(), Problem> {
        Self::read(self, number, source, on_bytes)
    }

    fn finish(self) -> Census {
        Self::finish(self)
    }

    fn merge(one: &mut Census, other: Census) {
        one.absorb(other);
    }
}

impl Reader for Accountant<'_> {
    type Outcome = Accounts;

    fn read(&mut self, number: usize, source: &Source, on_bytes: &dyn Fn(u64)) -> Result<(), Problem> {
        let outcome = Self::read(self, number, source);
        on_bytes(source.size);
        outcome
    }

    fn finish(self) -> Accounts {
        Self::finish(self)
    }

    fn merge(one: &mut Accounts, other: Accounts) {
        one.merge(other);
    }
}

impl Reader for Scanner<'_> {
    type Outcome = Scanned;

    fn read(&mut self, _number: usize, source: &Source, on_bytes: &dyn Fn(u64)) -> Result<(), Problem> {
        let outcome = Self::read(self, source);
        on_bytes(source.size);
        outcome
    }

    fn finish(self) -> Scanned {
        Self::finish(self)
    }

    fn merge(one: &mut Scanned, other: Scanned) {
        one.merge(other);
    }
}
