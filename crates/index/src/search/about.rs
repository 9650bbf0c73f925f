//! What the tables know about sessions, agents and turns.

use std::path::PathBuf;

use rusqlite::{Connection, OptionalExtension as _};

use super::{AgentInfo, SessionInfo};

/// A session by its number.
pub(super) fn session(db: &Connection, id: i64) -> rusqlite::Result<SessionInfo> {
    let mut statement = db.prepare_cached(
        "SELECT n.name, s.path, n.title, n.project, n.branch, n.first, n.last
         FROM session n LEFT JOIN source s ON s.id = n.main WHERE n.id = ?",
    )?;
    let known = statement.query_row([id], |row| {
        Ok(SessionInfo {
            name: row.get(0)?,
            path: row.get::<_, Option<String>>(1)?.map(PathBuf::from).unwrap_or_default(),
            title: row.get(2)?,
            project: row.get(3)?,
            branch: row.get(4)?,
            first: row.get(5)?,
            last: row.get(6)?,
        })
    });
    Ok(known.optional()?.unwrap_or_default())
}

/// The subagent whose file a source is, and the turn it was at work for.
pub(super) fn agent(db: &Connection, source: i64) -> rusqlite::Result<Option<(AgentInfo, Option<u64>)>> {
    let mut statement = db.prepare_cached(
        "SELECT s.agent, a.kind, a.description, a.turn
         FROM source s LEFT JOIN agent a ON a.session = s.session AND a.source = s.id
         WHERE s.id = ? AND s.agent NOT NULL",
    )?;
    let known = statement.query_row([source], |row| {
        let agent = AgentInfo { name: row.get(0)?, kind: row.get(1)?, description: row.get(2)? };
        Ok((agent, row.get::<_, Option<i64>>(3)?.map(i64::cast_unsigned)))
    });
    known.optional()
}

/// The turn that a line of a session's own file is in.
pub(super) fn turn(db: &Connection, source: i64, line: u64) -> rusqlite::Result<Option<u64>> {
    let mut statement = db.prepare_cached(
        "SELECT t.number FROM source s JOIN turn t ON t.session = s.session AND t.source = s.id
         WHERE s.id = ?1 AND t.line <= ?2 ORDER BY t.line DESC LIMIT 1",
    )?;
    let turn = statement.query_row([source, line.cast_signed()], |row| row.get::<_, i64>(0)).optional()?;
    Ok(turn.map(i64::cast_unsigned))
}

/// The file of a source.
pub(super) fn path(db: &Connection, source: i64) -> rusqlite::Result<PathBuf> {
    let mut statement = db.prepare_cached("SELECT path FROM source WHERE id = ?")?;
    let path: Option<String> = statement.query_row([source], |row| row.get(0)).optional()?;
    Ok(path.map(PathBuf::from).unwrap_or_default())
}

/// The tools that a line has to do with.
pub(super) fn tools(db: &Connection, line: i64) -> rusqlite::Result<Vec<String>> {
    let mut statement =
        db.prepare_cached("SELECT n.text FROM tool t JOIN name n ON n.id = t.name WHERE t.line = ? ORDER BY t.name")?;
    statement.query_map([line], |row| row.get(0))?.collect()
}
