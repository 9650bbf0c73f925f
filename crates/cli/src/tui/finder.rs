//! Finds where in sessions something was said, done or seen.
//!
//! This is the one place that knows how to search. All that the browser needs is, for each session, where to go in it.

use std::collections::HashMap;
use std::path::Path;

use app::{App, End};
use index::Index;
use index::query::{Query, QueryError};
use index::search::{Conditions, Cut, Order, Search};
use jiff::Timestamp;

/// What was found in a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    /// The turn, from 1.
    pub(crate) turn: usize,
    /// The words around it.
    pub(crate) text: String,
}

/// How many sessions are shown: more than anybody looks through.
const MOST: usize = 200;

/// How many characters are shown around what was found.
const AROUND: usize = 120;

/// Where each of the latest sessions holds what a query asks for, by the number of the session; or what is wrong with
/// the query.
pub(crate) fn find(app: &App, index: &Index, query: &str) -> Result<HashMap<i64, Found>, String> {
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
        Some((id, Found { turn, text }))
    });
    Ok(found.collect())
}

/// The words of a query, without their case.
pub(crate) fn words(query: &str) -> Vec<String> {
    query.split_whitespace().map(str::to_lowercase).collect()
}

/// The word of a query that says most about where it was found.
pub(crate) fn needle(query: &str) -> String {
    words(query).into_iter().max_by_key(|word| word.chars().count()).unwrap_or_default()
}
