//! Full-text search for the browser.
//!
//! This is the only module of the browser that searches. For each session it returns where to go in it.

use std::collections::HashMap;
use std::path::Path;

use app::{App, End};
use index::Index;
use index::query::{Query, QueryError};
use index::search::{Conditions, Cut, Order, Search};
use jiff::Timestamp;

/// A match in a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SessionMatch {
    /// The turn, from 1.
    pub(crate) turn: usize,
    /// The text around the match.
    pub(crate) text: String,
}

/// Maximum number of sessions in the result.
const MOST: usize = 200;

/// Number of characters shown around a match.
const AROUND: usize = 120;

/// Returns the match in each of the latest sessions, by session number, or the error in the query.
pub(crate) fn find(app: &App, index: &Index, query: &str) -> Result<HashMap<i64, SessionMatch>, String> {
    let query: Query = query.parse().map_err(|error: QueryError| error.to_string())?;
    let moments = app.moments().map_err(|error| error.to_string())?;
    let moment = |text: &str| moments.read(text, End::Start).map(Timestamp::as_millisecond);
    let conditions = Conditions::of(&query, app.here(), moment).map_err(|error| error.to_string())?;
    let search = Search {
        query: &query,
        conditions: &conditions,
        columns: &[],
        order: Order::Recent,
        limit: MOST,
        per_session: 1,
        cut: Cut::Around(AROUND),
    };
    let hits = index.search(&search).map_err(|error| error.to_string())?;
    let sessions = index.sessions().map_err(|error| error.to_string())?;
    let ids: HashMap<&Path, i64> = sessions.iter().map(|session| (session.path.as_path(), session.id)).collect();
    let found = hits.sessions.into_iter().filter_map(|session| {
        let id = *ids.get(session.session.path.as_path())?;
        let hit = session.hits.into_iter().next()?;
        let turn = hit.turn.and_then(|turn| usize::try_from(turn).ok()).unwrap_or(1);
        let text = hit.snippets.into_iter().next().map(|snippet| snippet.text).unwrap_or_default();
        Some((id, SessionMatch { turn, text }))
    });
    Ok(found.collect())
}

/// Returns the words of a query in lower case.
pub(crate) fn words(query: &str) -> Vec<String> {
    query.split_whitespace().map(str::to_lowercase).collect()
}

/// Returns the most specific word of a query.
pub(crate) fn needle(query: &str) -> String {
    words(query).into_iter().max_by_key(|word| word.chars().count()).unwrap_or_default()
}
