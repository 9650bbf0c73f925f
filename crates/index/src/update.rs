//! Brings the index up to date by reading only what is new.
//!
//! | module | for |
//! |---|---|
//! | `plan` | which sessions have to be looked at |
//! | `session` | one session: its new lines, and what its story and its ledger say then |
//! | `projects` | the projects of sessions, from the folders that they ran in |
//! | `text` | what lines say, as rows |
//!
//! A batch of lines, the marks of their files and all that follows from them go
//! into the file in one transaction: whatever happens, the index says of each
//! file that it has been read as far as its lines are there.

mod plan;
mod projects;
mod session;
mod text;

use std::io::{Read as _, Seek as _, SeekFrom};

use ledger::Prices;
use rusqlite::{Connection, params};
use rustc_hash::FxHashMap;
use sources::Buffer;
use sources::FileKey;
use sources::Found;
use sources::Problem;
use sources::Source;

use crate::catalogue::Bill;
use crate::skeleton;
use crate::store::place::{inside, key_in, origin_row, origins};
use crate::store::{Index, IndexError, damage};
use plan::{Known, Plan};
use session::Failure;
use text::Writer;

/// What an update did.
#[derive(Debug, Default)]
pub struct Updated {
    /// Sessions that were told on, or anew.
    pub sessions: u64,
    /// Files that are not there any more.
    pub gone: u64,
    /// Lines that were added.
    pub lines: u64,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

impl Index {
    /// Takes in what is new in what was found, and forgets the files that are gone. `progress` is told how many bytes
    /// were looked at. If the file turns out to be damaged, it is made anew.
    pub fn update(&mut self, found: &Found, prices: &Prices, progress: &dyn Fn(u64)) -> Result<Updated, IndexError> {
        let _lock = self.lock()?;
        self.shelf = found.shelf.clone();
        match self.take_in(found, prices, progress) {
            Err(error) if error.is_damage() => {
                self.clear()?;
                self.take_in(found, prices, progress)
            }
            updated => updated,
        }
    }

    /// Takes everything in again: a question has shown that the file is damaged.
    pub fn update_anew(
        &mut self,
        found: &Found,
        prices: &Prices,
        progress: &dyn Fn(u64),
    ) -> Result<Updated, IndexError> {
        let lock = self.lock()?;
        self.clear()?;
        drop(lock);
        self.update(found, prices, progress)
    }

    fn take_in(&mut self, found: &Found, prices: &Prices, progress: &dyn Fn(u64)) -> Result<Updated, IndexError> {
        self.price(prices)?;
        let mut known = self.known()?;
        let is_meant = |key: &FileKey, row: &Known| self.is_meant(&key.path, row.is_archived);
        let mut plan = Plan::of(&mut known, found, &is_meant);
        let mut updated = Updated { problems: std::mem::take(&mut plan.problems), ..Updated::default() };
        let mut update =
            Update { known, prices, writer: Writer::new(self.has_words, self.is_frugal), buffer: Buffer::default() };
        let mut transaction = self.db.transaction()?;
        let is_as_before = plan.sessions.is_empty() && plan.gone.is_empty();
        if !is_as_before {
            projects::begin(&transaction)?;
        }
        for (id, source) in &plan.moved {
            let origin = origin_row(&transaction, &source.origin)?;
            let path = source.input.path().map(|path| inside(&source.origin, path).to_string_lossy());
            let mut statement = transaction.prepare_cached("UPDATE source SET origin = ?2, path = ?3 WHERE id = ?1")?;
            statement.execute(params![id, origin, path])?;
        }
        for (id, is_archived) in &plan.shelved {
            let mut statement = transaction.prepare_cached("UPDATE source SET is_archived = ?2 WHERE id = ?1")?;
            statement.execute(params![id, is_archived])?;
        }
        for (id, reading) in plan.idle.drain(..) {
            if let Ok(mark) = reading.read(&mut update.buffer, |_| {}) {
                session::note_mark(&transaction, id, &mark)?;
            }
        }
        for id in &plan.gone {
            forget_source(&transaction, *id)?;
            updated.gone += 1;
        }
        // The oldest first, so that the order of lines is about that of time: searches begin with the latest lines.
        let mut jobs: Vec<_> = plan.sessions.iter().filter_map(|(key, job)| Some((plan.session(key)?, *job))).collect();
        jobs.sort_by_cached_key(|(main, _)| (last_time(main), main.modified, main.input.clone()));
        for (main, job) in jobs {
            match update.session(&transaction, main, job, &plan, progress) {
                Ok(problems) => updated.problems.extend(problems),
                Err(Failure::Read(problem)) => updated.problems.push(problem),
                Err(Failure::Database(error)) => return Err(error.into()),
            }
            updated.sessions += 1;
            if update.writer.is_full() {
                update.writer.rest();
                transaction.commit()?;
                transaction = self.db.transaction()?;
            }
        }
        updated.lines = update.writer.lines;
        if !projects::are_known(&transaction, &self.places)? {
            projects::find_out(&transaction, &self.places)?;
        }
        transaction.commit()?;
        self.settle()?;
        Ok(updated)
    }

    fn known(&self) -> Result<FxHashMap<FileKey, Known>, IndexError> {
        let count: usize =
            self.db.query_row("SELECT count(*) FROM source INDEXED BY source_by_session", [], |row| row.get(0))?;
        let mut statement = self.db.prepare(
            "SELECT id, path, session, mark, head, is_archived, origin FROM source NOT INDEXED WHERE intact",
        )?;
        let origins = origins(&self.db)?;
        let mut rows = statement.query([])?;
        let mut known = FxHashMap::default();
        while let Some(row) = rows.next()? {
            let (id, session) = (row.get(0)?, row.get(2)?);
            let origin = origins.get(&row.get(6)?).ok_or_else(damage)?;
            let key = key_in(origin, row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?);
            // What cannot be read is as good as nothing: then the file is read from the start.
            let mark = postcard::from_bytes(row.get_ref(3)?.as_blob().unwrap_or_default()).unwrap_or_default();
            let head = postcard::from_bytes(row.get_ref(4)?.as_blob().unwrap_or_default()).unwrap_or_default();
            known.insert(key, Known { id, session, mark, head, is_archived: row.get(5)? });
        }
        if known.len() == count { Ok(known) } else { Err(damage().into()) }
    }

    /// Bills all sessions again if prices are others than before.
    fn price(&mut self, prices: &Prices) -> Result<(), IndexError> {
        let print = prices.fingerprint().to_le_bytes();
        let transaction = self.db.transaction()?;
        let changed = transaction.execute(
            "INSERT INTO setting (name, value) VALUES ('prices', ?1)
             ON CONFLICT DO UPDATE SET value = ?1 WHERE value != ?1",
            params![print],
        )?;
        if changed > 0 {
            let mut sessions = transaction.prepare("SELECT session, ledger FROM skeleton WHERE intact")?;
            let mut rows = sessions.query([])?;
            while let Some(row) = rows.next()? {
                let session: i64 = row.get(0)?;
                let ledger = skeleton::read_ledger(row.get_ref(1)?.as_blob().unwrap_or_default()).unwrap_or_default();
                Bill::of(&ledger, prices).write(&transaction, session)?;
            }
        }
        transaction.commit()?;
        Ok(())
    }
}

/// The last time in the end of a file, as text, which sorts as time does. When a file was written says less: copies are
/// younger than what they hold.
fn last_time(source: &Source) -> Option<Vec<u8>> {
    const END: u64 = 16 << 10;
    const MARK: &[u8] = b"\"timestamp\":\"";
    const LENGTH: usize = "2026-08-08T09:15:00".len();
    let mut file = source.input.open().ok()?;
    file.seek(SeekFrom::Start(source.size.saturating_sub(END))).ok()?;
    let mut end = Vec::new();
    file.take(END).read_to_end(&mut end).ok()?;
    let at = memchr::memmem::rfind(&end, MARK)? + MARK.len();
    end.get(at..at + LENGTH).map(<[u8]>::to_vec)
}

/// One run.
struct Update<'p> {
    known: FxHashMap<FileKey, Known>,
    prices: &'p Prices,
    writer: Writer,
    buffer: Buffer,
}

/// Takes a file out of the index, and its session with it if it was the main one.
fn forget_source(db: &Connection, id: i64) -> rusqlite::Result<()> {
    text::forget(db, id)?;
    forget_session(db, id)?;
    db.prepare_cached("DELETE FROM source WHERE id = ?")?.execute([id])?;
    Ok(())
}

/// Takes the session out that a file is the main one of, if it is.
fn forget_session(db: &Connection, main: i64) -> rusqlite::Result<()> {
    for table in ["skeleton", "turn", "agent", "tools"] {
        db.prepare_cached(&format!("DELETE FROM {table} WHERE session IN (SELECT id FROM session WHERE main = ?)"))?
            .execute([main])?;
    }
    db.prepare_cached("DELETE FROM session WHERE main = ?")?.execute([main])?;
    Ok(())
}
