//! The measured tasks.

use std::hint::black_box;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Result, anyhow};
use format::Scratch;
use format::tool::Calls;
use index::texts::{marks, pieces};
use measure::{Measured, read_fully};
use sources::Buffer;
use sources::Lines;
use sources::Source;
use sources::find_at;

/// A task for every line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Task {
    Scan,
    Sonic,
    Serde,
    Header,
    Full,
    Texts,
}

impl Task {
    pub(crate) const ALL: [Self; 6] = [Self::Scan, Self::Sonic, Self::Serde, Self::Header, Self::Full, Self::Texts];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Scan => "newline scan",
            Self::Sonic => "sonic_rs::Value",
            Self::Serde => "serde_json::Value",
            Self::Header => "header",
            Self::Full => "full",
            Self::Texts => "full, and its texts",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|task| task.name() == name)
    }

    /// Runs the task on all files under `folder`.
    ///
    /// A small folder is read several times, and the average is reported: otherwise process start-up and first memory
    /// accesses would dominate.
    pub(crate) fn run(self, folder: &Path, threads: usize) -> Result<Measured> {
        const ENOUGH_BYTES: u64 = 400_000_000;
        let mut found = find_at(&[folder.to_path_buf()]);
        let bytes = found.sources.iter().map(|source| source.size).sum::<u64>().max(1);
        let times = ENOUGH_BYTES.div_ceil(bytes);
        found.sources = (0..times).flat_map(|_| found.sources.clone()).collect();
        let started = Instant::now();
        if threads <= 1 {
            let mut reader = Reader::default();
            for source in &found.sources {
                reader.read(self, source)?;
            }
        } else {
            // Each thread takes the next file when it has finished one, largest first, as `recount check` does.
            found.sources.sort_by_key(|source| std::cmp::Reverse(source.size));
            let next = Mutex::new(found.sources.iter());
            let work = || -> Result<()> {
                let mut reader = Reader::default();
                loop {
                    let source = next.lock().map_err(|_| anyhow!("another thread failed"))?.next();
                    match source {
                        Some(source) => reader.read(self, source)?,
                        None => return Ok(()),
                    }
                }
            };
            std::thread::scope(|scope| {
                let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
                threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| anyhow!("a thread failed"))?)
            })?;
        }
        Ok(Measured::since(started, bytes)?.per(times))
    }
}

/// The state of one thread between files.
#[derive(Default)]
struct Reader {
    buffer: Buffer,
    scratch: Scratch,
    calls: Calls,
}

impl Reader {
    fn read(&mut self, task: Task, source: &Source) -> Result<()> {
        self.calls.clear();
        let file = source.open().map_err(|problem| anyhow!("{problem}"))?;
        let mut lines = Lines::new(file, &mut self.buffer);
        while let Some(line) = lines.next_line()? {
            self.scratch.reset();
            match task {
                Task::Scan => drop(black_box(line.bytes.len())),
                Task::Sonic => drop(black_box(sonic_rs::from_slice::<sonic_rs::Value>(line.bytes))),
                Task::Serde => drop(black_box(serde_json::from_slice::<serde_json::Value>(line.bytes))),
                Task::Header => drop(black_box(format::read_header(line.bytes, &self.scratch))),
                Task::Full => read_fully(line, &self.scratch, &self.calls, |_| {}),
                Task::Texts => read_fully(line, &self.scratch, &self.calls, |entry| {
                    pieces(entry, |_, text| {
                        black_box(text.len());
                    });
                    black_box(marks(entry));
                }),
            }
        }
        Ok(())
    }
}
