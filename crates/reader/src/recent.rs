//! Recent usage for a status line, updated by reading only new lines.
//!
//! Every running session requests its status line several times a minute, so it must cost next to nothing. A small file
//! stores the messages of the last thirty hours and the position reached in each transcript. An update checks a few
//! files and reads only the lines added to them.
//!
//! | module | contains |
//! |---|---|
//! | `file_check` | finds the files that have changed |
//! | `tail` | counts the lines added to a file |
//! | `state` | the stored state and its file format |
//!
//! The total cost that a session states is left out, because it covers the whole session, not its last hours.

mod file_check;
mod state;
mod tail;

use std::cmp::Reverse;
use std::fs::File;
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use ledger::Ledger;
use rustc_hash::FxHasher;

use file_check::Round;
use sources::roots::Root;
use state::State;
use tail::Tail;

/// The messages of the last thirty hours.
#[derive(Debug)]
pub struct Recent {
    /// The file that stores it.
    path: PathBuf,
    /// Held by the one process that may write; the others read what it wrote.
    lock: Option<Lock>,
    /// The `projects` folders.
    projects: Vec<PathBuf>,
    state: State,
    /// Milliseconds since 1970.
    now: i64,
}

/// The beginning of the names of its files.
pub const PREFIX: &str = "statusline-";

/// How far back messages are stored: a day may have 25 hours, and a five-hour window reaches into the day before.
pub const HORIZON: i64 = 30 * HOUR;

/// Minimum interval between updates, in milliseconds.
const PAUSE: i64 = 300;

/// How long a small update may stay unwritten.
const KEPT_FOR: i64 = 10 * SECOND;

/// The size of a small update, in bytes: it takes less than a tenth of a millisecond to read.
const LITTLE: u64 = 64 << 10;

const HOUR: i64 = 60 * MINUTE;
const MINUTE: i64 = 60 * SECOND;
const SECOND: i64 = 1000;

impl Recent {
    /// Opens the state stored in `folder` for the sessions of `roots`; `now` is in milliseconds since 1970.
    ///
    /// A missing, corrupt or outdated file gives an empty state, never an error.
    pub fn open(folder: &Path, roots: &[Root], now: i64) -> Self {
        let projects: Vec<PathBuf> = roots.iter().map(|root| root.path.join("projects")).collect();
        // One file per set of roots, so that several accounts do not share one.
        let path = folder.join(format!("{PREFIX}{:016x}.bin", hash(&projects)));
        let lock = Lock::take(&path.with_extension("lock"));
        let state = State::read(&path).unwrap_or_default();
        Self { path, lock, projects, state, now }
    }

    /// Reads new lines: the files of the session with this transcript, recently written files, and others in turn.
    ///
    /// Reads at most `budget` bytes, newest files first; the rest is left for the next update. Does nothing while
    /// another process updates, or has just done so.
    pub fn update(&mut self, transcript: Option<&Path>, budget: u64) {
        let has_just_been = (0..PAUSE).contains(&self.now.saturating_sub(self.state.written));
        let Some(lock) = self.lock.as_mut().filter(|_| !has_just_been) else { return };
        let mut round = lock.round();
        let has_found = round.check(&mut self.state, &self.projects, transcript, self.now);
        lock.note(&round);
        let since = self.now.saturating_sub(HORIZON);
        let read = self.read(budget, since);
        let is_older = |time: i64, than: i64| !(0..than).contains(&self.now.saturating_sub(time));
        let forgets = is_older(self.state.forgotten, HOUR);
        // Reading a small update again is cheaper than writing it.
        let has_news = read > LITTLE || read > 0 && (self.is_behind() || is_older(self.state.written, KEPT_FOR));
        if forgets {
            self.state.ledger.forget_before(since);
            self.state.forgotten = self.now;
        }
        if has_found || has_news || forgets {
            self.state.written = self.now;
            // If this fails, the next process reads the same lines again.
            let _ = self.state.write(&self.path);
        }
    }

    /// Reads the lines added to files, newest first, and returns the number of bytes.
    fn read(&mut self, budget: u64, since: i64) -> u64 {
        let State { files, ledger, .. } = &mut self.state;
        let mut new: Vec<_> = files.iter_mut().filter(|(_, file)| file.has_more()).collect();
        new.sort_by_key(|(_, file)| Reverse(file.modified));
        let mut tail = Tail::new(ledger, budget, since);
        for (path, file) in &mut new {
            tail.read(&sources::path_text::decode(path), file);
        }
        tail.bytes()
    }

    /// The messages; `None` if nothing has ever been read.
    pub fn ledger(&self) -> Option<&Ledger> {
        (self.state.written != 0).then_some(&self.state.ledger)
    }

    /// Whether there is more to read.
    pub fn is_behind(&self) -> bool {
        !self.state.has_seen_all || self.state.files.values().any(state::Known::has_more)
    }
}

/// A file that one process at a time locks. It stores the progress of the round through all folders.
#[derive(Debug)]
struct Lock(File);

impl Lock {
    /// Takes the lock, unless another process holds it.
    fn take(path: &Path) -> Option<Self> {
        private::make_folder(path.parent()?).ok()?;
        let file = private::options().create(true).truncate(false).read(true).write(true).open(path).ok()?;
        file.try_lock().ok()?;
        Some(Self(file))
    }

    /// The stored round; a new one if it cannot be read.
    fn round(&mut self) -> Round {
        let mut bytes = Vec::new();
        let read = self.0.rewind().and_then(|()| self.0.read_to_end(&mut bytes));
        read.ok().and_then(|_| postcard::from_bytes(&bytes).ok()).unwrap_or_default()
    }

    /// Stores the progress of the round. If this fails, the next process repeats the same part.
    fn note(&mut self, round: &Round) {
        let bytes = postcard::to_extend(round, Vec::new()).unwrap_or_default();
        let _ = self.0.rewind().and_then(|()| self.0.set_len(0)).and_then(|()| self.0.write_all(&bytes));
    }
}

/// A hash that is stable across runs of the same binary; a different binary starts over.
fn hash(value: &(impl std::hash::Hash + ?Sized)) -> u64 {
    use std::hash::Hasher as _;
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests;
