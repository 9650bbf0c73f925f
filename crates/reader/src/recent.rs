//! What was used lately, kept up to date by reading only what is new: for a status line.
//!
//! A status line is asked several times a minute, by every session that runs,
//! and may cost nothing. So the messages of the last thirty hours are kept in a
//! small file, with how far each transcript has been read. To bring it up to
//! date, a few files are looked at, and of each only what was added is read.
//!
//! | module | for |
//! |---|---|
//! | `look` | which files have changed |
//! | `tail` | what was added to a file |
//! | `state` | what is kept, and how it is written |
//!
//! What sessions state about their whole cost is left out: it holds for all of
//! a session, and only its last hours are here.

mod look;
mod state;
mod tail;

use std::cmp::Reverse;
use std::fs::{self, File};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use ledger::Ledger;
use rustc_hash::FxHasher;

use look::Round;
use sources::roots::Root;
use state::State;
use tail::Tail;

/// The messages of the last thirty hours.
#[derive(Debug)]
pub struct Recent {
    /// Where it is kept.
    path: PathBuf,
    /// Held by the one that may write; the others read what it wrote.
    lock: Option<Lock>,
    /// The folders with the projects.
    projects: Vec<PathBuf>,
    state: State,
    /// Milliseconds since 1970.
    now: i64,
}

/// How far back messages are kept: a day may have 25 hours, and a five-hour window reaches into the one before.
pub const HORIZON: i64 = 30 * HOUR;

/// Whoever asks again so soon gets the same answer.
const PAUSE: i64 = 300;

/// How long a little that was read need not be written.
const KEPT_FOR: i64 = 10 * SECOND;

/// In bytes: less than a tenth of a millisecond.
const LITTLE: u64 = 64 << 10;

const HOUR: i64 = 60 * MINUTE;
const MINUTE: i64 = 60 * SECOND;
const SECOND: i64 = 1000;

impl Recent {
    /// Opens what is kept in `folder` about the sessions of `roots`; `now` is in milliseconds since 1970.
    ///
    /// There is always something: what is not there or not in order is begun anew.
    pub fn open(folder: &Path, roots: &[Root], now: i64) -> Self {
        let projects: Vec<PathBuf> = roots.iter().map(|root| root.path.join("projects")).collect();
        // Whoever has several accounts has several of these.
        let path = folder.join(format!("statusline-{:016x}.bin", hash(&projects)));
        let lock = Lock::take(&path.with_extension("lock"));
        let state = State::read(&path).unwrap_or_default();
        Self { path, lock, projects, state, now }
    }

    /// Reads what is new: files of the session with this transcript, those written to lately, and others in turn.
    ///
    /// No more than `budget` bytes are read, the newest first; the rest is for the next time. Does nothing while
    /// another process is at it, or has just been.
    pub fn update(&mut self, transcript: Option<&Path>, budget: u64) {
        let has_just_been = (0..PAUSE).contains(&self.now.saturating_sub(self.state.written));
        let Some(lock) = self.lock.as_mut().filter(|_| !has_just_been) else { return };
        let mut round = lock.round();
        let has_found = round.look(&mut self.state, &self.projects, transcript, self.now);
        lock.note(&round);
        let since = self.now.saturating_sub(HORIZON);
        let read = self.read(budget, since);
        let is_older = |time: i64, than: i64| !(0..than).contains(&self.now.saturating_sub(time));
        let forgets = is_older(self.state.forgotten, HOUR);
        // A little is sooner read again than written.
        let has_news = read > LITTLE || read > 0 && (self.is_behind() || is_older(self.state.written, KEPT_FOR));
        if forgets {
            self.state.ledger.forget_before(since);
            self.state.forgotten = self.now;
        }
        if has_found || has_news || forgets {
            self.state.written = self.now;
            // Then the next one reads the same again.
            let _ = self.state.write(&self.path);
        }
    }

    /// Reads what was added to files, the newest first, and says how many bytes that were.
    fn read(&mut self, budget: u64, since: i64) -> u64 {
        let State { files, ledger, .. } = &mut self.state;
        let mut new: Vec<_> = files.iter_mut().filter(|(_, file)| file.has_more()).collect();
        new.sort_by_key(|(_, file)| Reverse(file.modified));
        let mut tail = Tail::new(ledger, budget, since);
        for (path, file) in &mut new {
            tail.read(Path::new(path), file);
        }
        tail.bytes()
    }

    /// The messages; `None` if nothing was ever read.
    pub fn ledger(&self) -> Option<&Ledger> {
        (self.state.written != 0).then_some(&self.state.ledger)
    }

    /// Whether there is more that has not been read yet.
    pub fn is_behind(&self) -> bool {
        !self.state.has_seen_all || self.state.files.values().any(state::Known::has_more)
    }
}

/// The file that one process at a time holds. In it is noted how far the round through all folders has come.
#[derive(Debug)]
struct Lock(File);

impl Lock {
    /// Takes the lock, unless another process has it.
    fn take(path: &Path) -> Option<Self> {
        fs::create_dir_all(path.parent()?).ok()?;
        let file = File::options().create(true).truncate(false).read(true).write(true).open(path).ok()?;
        file.try_lock().ok()?;
        Some(Self(file))
    }

    /// The round as it was noted; a new one if that cannot be read.
    fn round(&mut self) -> Round {
        let mut bytes = Vec::new();
        let read = self.0.rewind().and_then(|()| self.0.read_to_end(&mut bytes));
        read.ok().and_then(|_| postcard::from_bytes(&bytes).ok()).unwrap_or_default()
    }

    /// Notes how far the round has come. If that fails, the next one takes the same way again.
    fn note(&mut self, round: &Round) {
        let bytes = postcard::to_extend(round, Vec::new()).unwrap_or_default();
        let _ = self.0.rewind().and_then(|()| self.0.set_len(0)).and_then(|()| self.0.write_all(&bytes));
    }
}

/// The same in every run of the same program; another one begins anew.
fn hash(value: &(impl std::hash::Hash + ?Sized)) -> u64 {
    use std::hash::Hasher as _;
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests;
