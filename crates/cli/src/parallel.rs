//! Reads sources on all cores, with a progress bar.

use std::cmp::Reverse;
use std::num::NonZeroUsize;

use rayon::ThreadPoolBuilder;
use rayon::iter::{ParallelBridge as _, ParallelIterator as _};
use sources::Problem;
use sources::Source;

use crate::progress::Progress;

/// Deeply nested lines need some stack; the default of other threads is smaller than that of the main one.
const STACK: usize = 8 << 20;

/// Who reads sources, one after another; several work side by side.
pub(crate) trait Reader: Send {
    /// What comes of it.
    type Outcome: Default + Send;

    /// Reads a source, which has a number, and tells how far it is.
    fn read(&mut self, number: usize, source: &Source, progress: &Progress) -> Result<(), Problem>;

    /// What came of it.
    fn finish(self) -> Self::Outcome;

    /// Puts two outcomes together.
    fn merge(one: &mut Self::Outcome, other: Self::Outcome);
}

/// Reads all sources, and gives the problems in their order.
pub(crate) fn read_all<R: Reader>(
    sources: &[Source],
    threads: Option<NonZeroUsize>,
    reader: impl Fn() -> R + Sync,
) -> anyhow::Result<(R::Outcome, Vec<Problem>)> {
    let progress = Progress::new(sources.iter().map(|source| source.size).sum());
    // The largest first, so that no thread is left alone with one at the end.
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
                    let outcome = reader.read(number, source, &progress);
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
    progress.finish();
    problems.sort_by_key(|(number, _)| *number);
    Ok((outcome, problems.into_iter().map(|(_, problem)| problem).collect()))
}
