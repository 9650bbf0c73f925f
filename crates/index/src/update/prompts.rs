//! Finds the sessions of which only prompts are left, by reading only what was added to prompt histories.

use rusqlite::{Connection, OptionalExtension as _, params};
use sources::prompts::{PromptHistory, lone_prompts};
use sources::{FoundSources, Neighbours, Problem, Source, SourceKind};

use crate::store::place::{inside, origin_row};

/// The sessions of which only prompts are left among found sources. Records how far each prompt history was read.
pub(super) fn lone(
    db: &Connection,
    found: &FoundSources,
    neighbours: &Neighbours,
) -> rusqlite::Result<(Vec<Source>, Vec<Problem>)> {
    for history in found.sources.iter().filter(|source| source.kind == SourceKind::History) {
        // A failure is reported when the prompts are looked for.
        if let Ok(Some(state)) = found.shelf.resume_prompts(history, load(db, history)?) {
            save(db, history, &state)?;
        }
    }
    Ok(lone_prompts(found, neighbours))
}

/// The state of the last run. An unreadable one counts as none: the prompt history is then read from the start.
fn load(db: &Connection, history: &Source) -> rusqlite::Result<Option<PromptHistory>> {
    let Some(path) = history.input.path() else { return Ok(None) };
    let origin = origin_row(db, &history.origin)?;
    let mut statement = db.prepare_cached("SELECT state FROM history WHERE origin = ? AND path = ? AND intact")?;
    let path = inside(&history.origin, path);
    let state = statement.query_row(params![origin, path], |row| {
        Ok(postcard::from_bytes(row.get_ref(0)?.as_blob().unwrap_or_default()).ok())
    });
    Ok(state.optional()?.flatten())
}

fn save(db: &Connection, history: &Source, state: &PromptHistory) -> rusqlite::Result<()> {
    let (Some(path), Ok(state)) = (history.input.path(), postcard::to_extend(state, Vec::new())) else { return Ok(()) };
    let origin = origin_row(db, &history.origin)?;
    let path = inside(&history.origin, path);
    db.prepare_cached(
        "INSERT INTO history (origin, path, state) VALUES (?1, ?2, ?3)
         ON CONFLICT (origin, path) DO UPDATE SET state = ?3",
    )?
    .execute(params![origin, path, state])?;
    Ok(())
}
