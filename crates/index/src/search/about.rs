//! Reads sessions, agents and turns of search results from the tables.

use rusqlite::{Connection, OptionalExtension as _};
use sources::FileKey;
use sources::follow::Mark;

use super::AgentInfo;
use crate::store::damage;
use crate::store::place::{PLACE, key_at};

/// A file of a session, with cached lookups.
#[derive(Debug)]
pub(super) struct Transcript {
    id: i64,
    pub(super) key: FileKey,
    /// The subagent of the file.
    pub(super) agent: Option<AgentInfo>,
    /// The turn in which the subagent worked.
    turn: Option<u64>,
    /// The starts of turns, loaded on first use.
    turns: Option<Vec<(u64, u64)>>,
}

impl Transcript {
    pub(super) fn load(db: &Connection, id: i64) -> rusqlite::Result<Self> {
        let key = file(db, id)?.0;
        let (agent, turn) = agent(db, id)?.map_or((None, None), |(agent, turn)| (Some(agent), turn));
        Ok(Self { id, key, agent, turn, turns: None })
    }

    /// The turn that contains a line.
    pub(super) fn turn(&mut self, db: &Connection, line: u64) -> rusqlite::Result<Option<u64>> {
        if self.agent.is_some() {
            return Ok(self.turn);
        }
        let turns = match &mut self.turns {
            Some(turns) => turns,
            none => none.insert(turns(db, self.id)?),
        };
        let later = turns.partition_point(|(first, _)| *first <= line);
        Ok(later.checked_sub(1).and_then(|at| turns.get(at)).map(|(_, number)| *number))
    }
}

/// The subagent of a source, and the turn in which it worked.
fn agent(db: &Connection, source: i64) -> rusqlite::Result<Option<(AgentInfo, Option<u64>)>> {
    let mut statement = db.prepare_cached(
        "SELECT s.agent, a.kind, a.description, a.turn
         FROM source s LEFT JOIN agent a ON a.session = s.session AND a.source = s.id
         WHERE s.id = ? AND s.agent NOT NULL AND s.intact AND coalesce(a.intact, 1)",
    )?;
    let known = statement.query_row([source], |row| {
        let agent = AgentInfo { name: row.get(0)?, kind: row.get(1)?, description: row.get(2)? };
        Ok((agent, row.get::<_, Option<i64>>(3)?.map(i64::cast_unsigned)))
    });
    known.optional()
}

/// The turns that begin in a source, as first line and number, sorted by line.
fn turns(db: &Connection, source: i64) -> rusqlite::Result<Vec<(u64, u64)>> {
    let mut statement = db.prepare_cached(
        "SELECT t.line, t.number, t.source, n.turn_rows, t.intact FROM source s
         JOIN session n ON n.id = s.session JOIN turn t ON t.session = s.session WHERE s.id = ?",
    )?;
    let mut rows = statement.query([source])?;
    let (mut turns, mut count, mut expected) = (Vec::new(), 0, 0);
    while let Some(row) = rows.next()? {
        // Reading a damaged row fails here.
        (expected, count) = (row.get(3)?, count + row.get::<_, i64>(4)?);
        if row.get::<_, i64>(2)? == source {
            turns.push((row.get::<_, i64>(0)?.cast_unsigned(), row.get::<_, i64>(1)?.cast_unsigned()));
        }
    }
    turns.sort_unstable();
    if count == expected { Ok(turns) } else { Err(damage()) }
}

/// The file of a source, and how far it was read.
pub(super) fn file(db: &Connection, source: i64) -> rusqlite::Result<(FileKey, Mark)> {
    let mut statement = db.prepare_cached(&format!(
        "SELECT {PLACE}, s.mark FROM source s JOIN origin o ON o.id = s.origin WHERE s.id = ? AND s.intact AND o.intact"
    ))?;
    let file = statement.query_row([source], |row| {
        let mark = postcard::from_bytes(row.get_ref(4)?.as_blob()?).unwrap_or_default();
        Ok((key_at(row, 0)?, mark))
    });
    Ok(file.optional()?.unwrap_or_default())
}

/// The tools of a line.
pub(super) fn tools(db: &Connection, line: i64) -> rusqlite::Result<Vec<String>> {
    let mut statement =
        db.prepare_cached("SELECT n.text FROM tool t JOIN name n ON n.id = t.name WHERE t.line = ? ORDER BY t.name")?;
    statement.query_map([line], |row| row.get(0))?.collect()
}
