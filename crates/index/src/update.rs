//! Updates the index by reading only new lines.
//!
//! | module | contains |
//! |---|---|
//! | `plan` | decides which sessions need an update |
//! | `session` | updates one session: its new lines, its story and its ledger |
//! | `prompts` | finds the sessions of which only prompts are left |
//! | `projects` | finds the projects of sessions from their folders |
//! | `summaries` | finds the sessions that summaries in other files are about |
//! | `text` | writes the texts of lines as rows |
//!
//! A batch of lines, the read positions of their files and all derived rows are written in one transaction. The index
//! therefore always records exactly how much of each file it contains, even after a crash.

mod plan;
mod projects;
mod prompts;
mod session;
mod summaries;
mod text;

use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use ledger::Prices;
use rusqlite::{Connection, OptionalExtension as _, params};
use rustc_hash::FxHashMap;
use sources::Buffer;
use sources::FileKey;
use sources::FoundSources;
use sources::Problem;
use sources::Source;

use crate::catalogue::Bill;
use crate::copies;
use crate::skeleton;
use crate::store::place::{inside, key_in, origin_row, origins};
use crate::store::{Index, IndexError, damage, is_within};
use plan::{Job, Known, Plan};
use session::Failure;
use summaries::Summaries;
use text::Writer;

/// The result of an update.
#[derive(Debug, Default)]
pub struct Updated {
    /// Sessions that were extended or rebuilt.
    pub sessions: u64,
    /// Files that no longer exist.
    pub gone: u64,
    /// Lines that were added.
    pub lines: u64,
    /// Files that could not be read.
    pub problems: Vec<Problem>,
}

impl Index {
    /// Adds everything new in the found sources, and removes deleted files. `progress` receives the number of bytes
    /// examined. A damaged file is rebuilt.
    pub fn update(
        &mut self,
        found: &FoundSources,
        prices: &Prices,
        progress: &dyn Fn(u64),
    ) -> Result<Updated, IndexError> {
        let _lock = self.lock()?;
        // Sessions may have been forgotten since these sources were found; they must not come back.
        let left = found.without_newly_forgotten();
        let found = left.as_ref().unwrap_or(found);
        self.shelf = found.shelf.clone();
        match self.take_in(found, prices, progress) {
            Err(error) if error.is_damage() => {
                self.clear()?;
                self.take_in(found, prices, progress)
            }
            updated => updated,
        }
    }

    /// Rebuilds the whole index, after a query has shown that the file is damaged.
    pub fn update_anew(
        &mut self,
        found: &FoundSources,
        prices: &Prices,
        progress: &dyn Fn(u64),
    ) -> Result<Updated, IndexError> {
        let lock = self.lock()?;
        self.clear()?;
        drop(lock);
        self.update(found, prices, progress)
    }

    fn take_in(
        &mut self,
        found: &FoundSources,
        prices: &Prices,
        progress: &dyn Fn(u64),
    ) -> Result<Updated, IndexError> {
        self.price(prices)?;
        let mut known = self.known()?;
        let is_meant = |key: &FileKey, row: &Known| self.is_meant(&key.path, row.is_archived);
        let mut plan = Plan::of(&mut known, found, &is_meant);
        let (prompts, problems) = prompts::lone(&self.db, found, &plan.neighbours)?;
        plan.add_prompts(&mut known, prompts, &is_meant);
        plan.problems.extend(problems);
        let mut updated = Updated { problems: std::mem::take(&mut plan.problems), ..Updated::default() };
        let mut update = Update {
            known,
            prices,
            writer: Writer::new(self.has_words, self.is_frugal),
            buffer: Buffer::default(),
            summaries: Summaries::default(),
        };
        let mut transaction = self.db.transaction()?;
        let is_as_before = plan.sessions.is_empty() && plan.gone.is_empty();
        copies::select(&transaction, &self.places)?;
        if !is_as_before {
            projects::begin(&transaction)?;
        }
        update.summaries = Summaries::begin(&transaction, &plan)?;
        for (id, source) in &plan.moved {
            let origin = origin_row(&transaction, &source.origin)?;
            let path = source.input.path().map(|path| inside(&source.origin, path));
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
        // Oldest first, so that line ids roughly follow time: searches begin with the latest lines.
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
        let places = &self.places;
        let is_meant = |path: &Path, is_archived| is_within(places, path, is_archived);
        for main in copies::settle(&transaction, prices, &is_meant)? {
            let Some(source) = plan.there.get(&main).copied() else { continue };
            let main = plan.main_of(source);
            let Some(main) = plan.session(&main) else { continue };
            match update.session(&transaction, main, Job { anew: true }, &plan, &|_| {}) {
                // Its problems are known since it was read first.
                Ok(_) => {}
                Err(Failure::Read(problem)) => updated.problems.push(problem),
                Err(Failure::Database(error)) => return Err(error.into()),
            }
        }
        copies::settle(&transaction, prices, &is_meant)?;
        update.summaries.finish(&transaction)?;
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
            // An unreadable mark counts as none: the file is then read from the start.
            let mark = postcard::from_bytes(row.get_ref(3)?.as_blob().unwrap_or_default()).unwrap_or_default();
            let head = postcard::from_bytes(row.get_ref(4)?.as_blob().unwrap_or_default()).unwrap_or_default();
            known.insert(key, Known { id, session, mark, head, is_archived: row.get(5)? });
        }
        if known.len() == count { Ok(known) } else { Err(damage().into()) }
    }

    /// Recomputes the cost of all sessions if prices have changed.
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
            copies::unsettle(&transaction)?;
        }
        transaction.commit()?;
        Ok(())
    }
}

/// The last timestamp near the end of a file, as text, which sorts like time. The modification time is less reliable:
/// copies are newer than their content.
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

/// One update.
struct Update<'p> {
    known: FxHashMap<FileKey, Known>,
    prices: &'p Prices,
    writer: Writer,
    buffer: Buffer,
    summaries: Summaries,
}

/// Removes a file from the index, and its session if it is the main file.
fn forget_source(db: &Connection, id: i64) -> rusqlite::Result<()> {
    text::forget(db, id)?;
    forget_session(db, id)?;
    db.prepare_cached("DELETE FROM source WHERE id = ?")?.execute([id])?;
    Ok(())
}

/// Removes the session of a main file, if there is one.
fn forget_session(db: &Connection, main: i64) -> rusqlite::Result<()> {
    let session = "SELECT id FROM session WHERE main = ?";
    if let Some(session) = db.prepare_cached(session)?.query_row([main], |row| row.get(0)).optional()? {
        copies::release(db, session)?;
    }
    for table in ["skeleton", "turn", "agent", "tools", "summary", "summarised"] {
        db.prepare_cached(&format!("DELETE FROM {table} WHERE session IN (SELECT id FROM session WHERE main = ?)"))?
            .execute([main])?;
    }
    db.prepare_cached("DELETE FROM session WHERE main = ?")?.execute([main])?;
    Ok(())
}
