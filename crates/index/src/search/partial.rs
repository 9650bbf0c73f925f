//! Finds the entries that contain most of the words, if none contains all.
//!
//! Rare words weigh more than common ones, so that the significant words of a question decide. The rarity of a word is
//! estimated from its latest lines: the closer together they are, the more common it is.

use rustc_hash::FxHashMap;

use super::Search;
use super::gather::{self, CandidateLine, Gathered};
use super::line::Lines;
use crate::query::{Query, QueryTerm};
use crate::store::Index;

/// The number of latest lines examined for each word.
const AMONG: usize = 4_000;

/// The number of lines that are read.
const READ: usize = 100;

/// The minimum weighted share of the words for a match.
const LEAST: f32 = 0.3;

/// The minimum share relative to the best match.
const LEAST_OF_BEST: f32 = 0.6;

/// The sessions with the best partial matches.
pub(super) fn nearest(index: &Index, search: &Search<'_>, lines: &mut Lines<'_>) -> rusqlite::Result<Gathered> {
    let end = index.db.query_row("SELECT coalesce(max(id), 0) FROM line", [], |row| row.get::<_, i64>(0))?;
    let mut weights = Vec::new();
    let mut scores: FxHashMap<i64, (f32, CandidateLine, i64)> = FxHashMap::default();
    for group in &search.query.groups {
        let query = alone(search.query, group);
        let (found, is_all) = gather::latest(index, &Search { query: &query, ..search.clone() }, AMONG)?;
        let weight = rarity(&found, is_all, end);
        weights.push(weight);
        for (found, session) in found {
            scores.entry(found.id).or_insert((0.0, found, session)).0 += weight;
        }
    }
    lines.weigh(&weights);
    let mut promising: Vec<(f32, CandidateLine, i64)> = scores.into_values().collect();
    promising.sort_by(|one, other| other.0.total_cmp(&one.0).then(other.1.id.cmp(&one.1.id)));
    let mut held: Vec<(f32, f32, CandidateLine, i64)> = Vec::new();
    for (_, found, session) in promising.into_iter().take(READ) {
        if let Some((share, score)) = lines.score(&found, LEAST)? {
            // A tenth more of the words outweighs any number of occurrences.
            held.push((share, (share * 10.0).round() * 100.0 + score.min(99.0), found, session));
        }
    }
    let least = held.iter().map(|(share, ..)| share * LEAST_OF_BEST).fold(LEAST, f32::max);
    held.retain(|(share, ..)| *share >= least);
    held.sort_by(|one, other| other.1.total_cmp(&one.1).then(other.2.id.cmp(&one.2.id)));
    let sessions = gather::in_order(held.into_iter().map(|(_, _, found, session)| (found, session)), false);
    Ok(Gathered { sessions, is_all: true, is_rough: false, least })
}

/// A query for one of the words, with the excluded terms.
fn alone(query: &Query, group: &[QueryTerm]) -> Query {
    Query { groups: vec![group.to_vec()], not: query.not.clone(), filters: Vec::new(), ignored: Vec::new() }
}

/// The weight of a word, from its lines. Zero without lines, because no entry can contain it.
#[expect(clippy::cast_precision_loss, reason = "it is about the size")]
fn rarity(found: &[(CandidateLine, i64)], is_all: bool, end: i64) -> f32 {
    let Some(lowest) = found.iter().map(|(found, _)| found.id).min() else { return 0.0 };
    let among = if is_all { end } else { end - lowest + 1 };
    let share = found.len() as f32 / among.max(1) as f32;
    (1.0 + 1.0 / share.max(f32::MIN_POSITIVE)).ln()
}
