//! Locations of files: the rows of `origin`, and paths inside origins.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension as _, Row, params};
use rustc_hash::FxHashMap;
use sources::{FileKey, Origin, path_text};

/// The columns of a file's location, from `source s` and `origin o`.
pub(crate) const PLACE: &str = "o.tenant, o.machine, o.root, s.path";

/// Reads the key of a file from the columns of [`PLACE`], starting at a column.
pub(crate) fn key_at(row: &Row<'_>, at: usize) -> rusqlite::Result<FileKey> {
    let text = |at: usize| row.get_ref(at)?.as_str().map_err(rusqlite::Error::from);
    Ok(FileKey { tenant: text(at)?.into(), machine: text(at + 1)?.into(), path: full(text(at + 2)?, text(at + 3)?) })
}

/// Reads the origin from the columns of [`PLACE`].
pub(crate) fn origin_at(row: &Row<'_>, at: usize) -> rusqlite::Result<Origin> {
    let text = |at: usize| row.get_ref(at)?.as_str().map_err(rusqlite::Error::from);
    Ok(Origin { tenant: text(at)?.into(), machine: text(at + 1)?.into(), root: path_text::decode(text(at + 2)?) })
}

/// A path inside a root.
fn full(root: &str, path: &str) -> PathBuf {
    let mut full = PathBuf::with_capacity(root.len() + path.len() + 1);
    full.push(path_text::decode(root));
    full.push(path_text::decode(path));
    full
}

/// All origins by row.
pub(crate) fn origins(db: &Connection) -> rusqlite::Result<FxHashMap<i64, Origin>> {
    let mut statement = db.prepare_cached("SELECT id, tenant, machine, root FROM origin WHERE intact")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, origin_at(row, 1)?)))?;
    rows.collect()
}

/// The key of a path inside an origin.
pub(crate) fn key_in(origin: &Origin, path: &str) -> FileKey {
    FileKey::new(origin, origin.root.join(path_text::decode(path)))
}

/// The row of an origin, which is added if it is missing.
pub(crate) fn origin_row(db: &Connection, origin: &Origin) -> rusqlite::Result<i64> {
    let Origin { tenant, machine, root } = origin;
    let columns = params![tenant, machine, path_text::encode(root)];
    let known = db
        .prepare_cached("SELECT id FROM origin WHERE tenant = ? AND machine = ? AND root = ?")?
        .query_row(columns, |row| row.get(0))
        .optional()?;
    match known {
        Some(id) => Ok(id),
        None => db.prepare_cached("INSERT INTO origin (tenant, machine, root) VALUES (?, ?, ?)")?.insert(columns),
    }
}

/// The path of a source inside its origin, as text.
pub(crate) fn inside<'p>(origin: &Origin, path: &'p Path) -> Cow<'p, str> {
    path_text::encode(path.strip_prefix(&origin.root).unwrap_or(path))
}
