//! Finds the sessions that summaries in other files are about.
//!
//! Old versions wrote summaries of earlier sessions at the start of a new file. Such a summary names the last entry that
//! it covers, and belongs to the session that has this entry. Either file may appear, change or vanish first.
//!
//! Sessions are asked for the entries while they are read. Sessions that are not read, because they have not changed,
//! are asked only about entries that no earlier update has asked about; their stored state answers.

use reader::SessionReader;
use rusqlite::{Connection, params};
use rustc_hash::{FxHashMap, FxHashSet};
use sources::Input;
use story::StoryBuilder;

use super::plan::Plan;
use crate::skeleton::Skeleton;

/// The setting that is there unless sessions may not have been asked about all entries.
const SETTING: &str = "summaries";

/// The entries that summaries name, by the hashes of their ids.
#[derive(Debug, Default)]
pub(super) struct Summaries {
    /// Entries about which all sessions were asked by earlier updates.
    settled: FxHashSet<u64>,
    /// Entries about which the sessions of this update are asked.
    expected: FxHashSet<u64>,
    /// Entries in the order in which they were found. They were not expected, so sessions read before were not asked.
    found: Vec<u64>,
    /// How many of those were found when a session of this update was asked.
    asked: FxHashMap<i64, usize>,
}

impl Summaries {
    pub(super) fn begin(db: &Connection, plan: &Plan<'_>) -> rusqlite::Result<Self> {
        let mut summaries = Self::default();
        if db.prepare_cached("SELECT 1 FROM setting WHERE name = ?")?.exists([SETTING])? {
            let mut statement = db.prepare_cached("SELECT DISTINCT leaf FROM summary")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                summaries.settled.insert(row.get::<_, i64>(0)?.cast_unsigned());
            }
        }
        if !plan.sessions.is_empty() {
            // Absent until the end of the update, which may be interrupted.
            db.prepare_cached("DELETE FROM setting WHERE name = ?")?.execute([SETTING])?;
        }
        summaries.expected.clone_from(&summaries.settled);
        for main in plan.sessions.keys().filter_map(|key| plan.session(key)) {
            let named =
                plan.neighbours.head(main).summaries.into_iter().map(|(leaf, _)| StoryBuilder::entry_hash(&leaf));
            summaries.expected.extend(named);
        }
        Ok(summaries)
    }

    /// Records the summaries in a session, and which of the entries it has.
    pub(super) fn note(&mut self, db: &Connection, session: i64, reader: &SessionReader) -> rusqlite::Result<()> {
        db.prepare_cached("DELETE FROM summary WHERE session = ?")?.execute([session])?;
        db.prepare_cached("DELETE FROM summarised WHERE session = ?")?.execute([session])?;
        let mut insert = db.prepare_cached("INSERT OR IGNORE INTO summary (session, leaf, text) VALUES (?, ?, ?)")?;
        for (leaf, text) in reader.summaries_of_others() {
            insert.execute(params![session, leaf.cast_signed(), text])?;
            if self.expected.insert(leaf) {
                self.found.push(leaf);
            }
        }
        self.asked.insert(session, self.found.len());
        note_entries(db, session, reader, &self.expected)
    }

    /// Asks the other sessions about the new entries.
    pub(super) fn finish(&self, db: &Connection) -> rusqlite::Result<()> {
        let mut is_there = db.prepare_cached("SELECT 1 FROM summary WHERE leaf = ?")?;
        let mut new = FxHashSet::default();
        for leaf in self.expected.difference(&self.settled) {
            if is_there.exists([leaf.cast_signed()])? {
                new.insert(*leaf);
            }
        }
        if !new.is_empty() {
            let sessions: Vec<i64> = db
                .prepare_cached("SELECT id FROM session")?
                .query_map([], |row| row.get(0))?
                .collect::<Result<_, _>>()?;
            for session in sessions {
                match self.asked.get(&session) {
                    None => ask(db, session, &new)?,
                    Some(known) => {
                        let late = self.found.get(*known..).unwrap_or_default();
                        if !late.is_empty() {
                            ask(db, session, &late.iter().copied().collect())?;
                        }
                    }
                }
            }
        }
        db.prepare_cached("INSERT OR REPLACE INTO setting (name, value) VALUES (?, 1)")?.execute([SETTING])?;
        Ok(())
    }
}

/// Asks the stored state of a session.
fn ask(db: &Connection, session: i64, leaves: &FxHashSet<u64>) -> rusqlite::Result<()> {
    let Some(skeleton) = Skeleton::load(db, session)? else { return Ok(()) };
    // The state suffices; no file is opened.
    let inputs = skeleton.files.iter().map(|_| Input::Stdin).collect();
    skeleton.reader(inputs).map_or(Ok(()), |reader| note_entries(db, session, &reader, leaves))
}

fn note_entries(
    db: &Connection,
    session: i64,
    reader: &SessionReader,
    leaves: &FxHashSet<u64>,
) -> rusqlite::Result<()> {
    let mut insert = db.prepare_cached("INSERT OR REPLACE INTO summarised (session, leaf, place) VALUES (?, ?, ?)")?;
    for leaf in leaves {
        if let Some(place) = reader.entry_place(*leaf) {
            insert.execute(params![session, leaf.cast_signed(), i64::try_from(place).unwrap_or(i64::MAX)])?;
        }
    }
    Ok(())
}
