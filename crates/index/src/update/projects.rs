//! Finds the projects of sessions from the folders in which they ran.

use std::path::PathBuf;

use rusqlite::{Connection, params};
use sources::Origin;
use sources::project::MachineProjects;

use crate::store::is_within;
use crate::store::place::{PLACE, key_at, origin_at};

/// The setting with the selected folders of the last search for projects; absent while the search is due.
const SETTING: &str = "projects";

/// Marks the projects as outdated.
pub(super) fn begin(db: &Connection) -> rusqlite::Result<()> {
    db.prepare_cached("DELETE FROM setting WHERE name = ?")?.execute([SETTING])?;
    Ok(())
}

/// Whether nothing has changed since the projects in these folders were found.
pub(super) fn are_known(db: &Connection, places: &[PathBuf]) -> rusqlite::Result<bool> {
    let question = "SELECT 1 FROM setting WHERE name = ? AND value = ?";
    db.prepare_cached(question)?.exists(params![SETTING, named(places)])
}

fn named(places: &[PathBuf]) -> Vec<u8> {
    places.iter().flat_map(|place| [place.as_os_str().as_encoded_bytes(), &b"\0"[..]].concat()).collect()
}

/// A session: its origin, its folder, and its project if it is known.
struct Placed {
    id: i64,
    origin: Origin,
    folder: Option<String>,
    project: Option<String>,
    worktree: Option<String>,
}

/// Finds the projects of all selected sessions, with one disk access per folder.
pub(super) fn find_out(db: &Connection, places: &[PathBuf]) -> rusqlite::Result<()> {
    let mut sessions = Vec::new();
    let mut statement = db.prepare_cached(&format!(
        "SELECT n.id, n.folder, n.project, n.worktree, s.is_archived, {PLACE}
         FROM session n JOIN source s ON s.id = n.main JOIN origin o ON o.id = s.origin
         WHERE (n.folder NOT NULL OR n.project NOT NULL) AND n.intact AND s.intact AND o.intact"
    ))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if is_within(places, &key_at(row, 5)?.path, row.get(4)?) {
            let (project, worktree) = (row.get(2)?, row.get(3)?);
            let origin = origin_at(row, 5)?;
            sessions.push(Placed { id: row.get(0)?, origin, folder: row.get(1)?, project, worktree });
        }
    }
    drop(rows);
    let projects =
        MachineProjects::of(sessions.iter().filter_map(|session| Some((&session.origin, session.folder.as_deref()?))));
    for Placed { id, origin, folder, project, worktree } in &sessions {
        let found = folder.as_deref().and_then(|folder| projects.get(origin, folder));
        let (path, of_it) = (found.map(|found| &found.path), found.and_then(|found| found.worktree.as_ref()));
        if (path, of_it) != (project.as_ref(), worktree.as_ref()) {
            db.prepare_cached("UPDATE session SET project = ?2, worktree = ?3 WHERE id = ?1")?
                .execute(params![id, path, of_it])?;
        }
    }
    db.prepare_cached("INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)")?
        .execute(params![SETTING, named(places)])?;
    Ok(())
}
