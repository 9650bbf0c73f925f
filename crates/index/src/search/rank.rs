//! Finds the best of the latest entries.
//!
//! The rarity of a word does not matter among entries that all contain it; only the number and place of its occurrences
//! count. The tables provide the column and the length of each entry, and the best entries by these are read.

use rusqlite::Connection;
use rustc_hash::FxHashMap;

use super::Search;
use super::gather::{self, CandidateLine, Gathered};
use super::line::{Lines, weight};
use crate::store::Index;
use crate::texts::Column;

/// The number of latest entries considered.
const AMONG: usize = 5_000;

/// The number of entries that are read.
const READ: usize = 200;

/// The best sessions, by their best entries.
pub(super) fn best(index: &Index, search: &Search<'_>, lines: &mut Lines<'_>) -> rusqlite::Result<Gathered> {
    let (found, is_all) = gather::latest(index, search, AMONG)?;
    let mut promising = promise(&index.db, search, found)?;
    let read = READ.max(search.limit.saturating_mul(8));
    promising.sort_by(|one, other| other.0.total_cmp(&one.0).then(other.1.id.cmp(&one.1.id)));
    let is_all = is_all && promising.len() <= read;
    let mut scored: Vec<(f32, CandidateLine, i64)> = Vec::new();
    for (_, found, session) in promising.into_iter().take(read) {
        if let Some((_, score)) = lines.score(&found, 1.0)? {
            scored.push((score, found, session));
        }
    }
    scored.sort_by(|one, other| other.0.total_cmp(&one.0).then(other.1.id.cmp(&one.1.id)));
    let sessions = gather::in_order(scored.into_iter().map(|(_, found, session)| (found, session)), !is_all);
    Ok(Gathered { sessions, is_all, is_rough: false, least: 1.0 })
}

/// Estimates the score of entries from their columns and lengths.
fn promise(
    db: &Connection,
    search: &Search<'_>,
    found: Vec<(CandidateLine, i64)>,
) -> rusqlite::Result<Vec<(f32, CandidateLine, i64)>> {
    let Some(lowest) = found.iter().map(|(found, _)| found.id).min() else { return Ok(Vec::new()) };
    let columns = if search.columns.is_empty() { &Column::ALL[..] } else { search.columns };
    let mut weights: FxHashMap<i64, f32> = FxHashMap::default();
    let mut statement = db.prepare_cached("SELECT rowid FROM text WHERE text MATCH ? AND rowid >= ?")?;
    for column in columns.iter().filter(|column| columns.len() > 1 && **column != Column::Seen) {
        let Some(words) = search.query.match_expression(&[*column]) else { break };
        let mut rows = statement.query((words, lowest))?;
        while let Some(row) = rows.next()? {
            let best = weights.entry(row.get(0)?).or_default();
            *best = best.max(weight(*column));
        }
    }
    let mut promising = Vec::with_capacity(found.len());
    for (found, session) in found {
        // About half of a line is text.
        #[expect(clippy::cast_precision_loss, reason = "it is about the size")]
        let longer = 1.0 + found.length as f32 / 3000.0;
        let weight = weights.get(&found.id).copied().unwrap_or(1.0);
        promising.push((weight / longer, found, session));
    }
    Ok(promising)
}
