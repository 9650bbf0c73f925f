//! What is looked for, and how long each search takes: in this process, with the file in the page cache.

use std::collections::HashMap;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use index::Index;
use index::query::Query;
use index::search::{Conditions, Cut, Order, Search};
use measure::{Goal, verdict};

use crate::percentile;

/// How many different searches there are of each kind, if the root has so many.
const SEARCHES: usize = 200;

/// What a search by relevance may take, in milliseconds.
const RANK: f64 = 100.0;

/// Searches for what prompts of the root say.
pub(crate) fn measure(database: &Path, latency: f64) -> Result<()> {
    let index = Index::open(database)?;
    let prompts = Prompts::of(&index)?;
    println!("{:<28}{:>9}{:>9}{:>9}", "  search", "p50 ms", "p95 ms", "most ms");
    for (kind, queries, order) in prompts.kinds() {
        ensure!(!queries.is_empty(), "no search for: {kind}");
        // The first round brings what is needed into memory.
        let mut times = Vec::new();
        for round in 0..2 {
            times.clear();
            for query in &queries {
                times.push(time(&index, query, order).with_context(|| format!("round {round}: {query}"))?);
            }
        }
        let [middle, nearly_all, most] = [50, 95, 100].map(|percent| percentile(&mut times, percent));
        println!("  {kind:<26}{middle:>9.2}{nearly_all:>9.2}{most:>9.2}");
        let goal = if order == Order::Rank { RANK } else { latency };
        verdict(&format!("{kind}, p95 ms"), nearly_all, Goal::AtMost(goal));
    }
    Ok(())
}

/// What a search takes, in milliseconds; it has to find something.
fn time(index: &Index, text: &str, order: Order) -> Result<f64> {
    let started = Instant::now();
    let query: Query = text.parse()?;
    let conditions = Conditions::of(&query, Path::new("/"), |_| Err("no moment".to_owned()))?;
    let search = Search {
        query: &query,
        conditions: &conditions,
        columns: &[],
        order,
        limit: 10,
        per_session: 3,
        cut: Cut::Around(200),
    };
    let hits = index.search(&search)?;
    let took = started.elapsed().as_secs_f64() * 1000.0;
    ensure!(!hits.sessions.is_empty(), "nothing was found");
    Ok(took)
}

/// The words of prompts.
struct Prompts {
    /// Three words in a row, from each of some prompts.
    triples: Vec<Vec<String>>,
    /// The commonest first.
    words: Vec<String>,
}

impl Prompts {
    fn of(index: &Index) -> Result<Self> {
        let is_plain = |word: &String| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase());
        let mut triples: Vec<Vec<String>> = Vec::new();
        let mut counts: HashMap<String, usize> = HashMap::new();
        for (at, session) in index.sessions()?.iter().enumerate() {
            for turn in index.turns(session.id)? {
                let words: Vec<String> = turn.prompt.split_whitespace().map(str::to_owned).collect();
                for word in words.iter().filter(|word| is_plain(word)) {
                    *counts.entry(word.clone()).or_default() += 1;
                }
                let rows: Vec<_> = words.windows(3).filter(|row| row.iter().all(is_plain)).collect();
                triples.extend(rows.get(at % rows.len().max(1)).map(|row| row.to_vec()));
            }
        }
        // Those of all times.
        let step = (triples.len() / SEARCHES).max(1);
        let triples = triples.into_iter().step_by(step).take(SEARCHES).collect();
        let mut words: Vec<_> = counts.into_iter().collect();
        words.sort_by(|one, other| (other.1, &other.0).cmp(&(one.1, &one.0)));
        Ok(Self { triples, words: words.into_iter().map(|(word, _)| word).take(SEARCHES).collect() })
    }

    fn kinds(&self) -> [(&'static str, Vec<String>, Order); 8] {
        let prefix = |word: &String| word.get(..4).map(|start| format!("{start}*"));
        let two = || self.triples.iter().map(|words| words.iter().take(2).cloned().collect::<Vec<_>>().join(" "));
        let three = || self.triples.iter().map(|words| words.join(" "));
        [
            ("the commonest words", self.words.iter().take(20).cloned().collect(), Order::Recent),
            ("a word", self.words.clone(), Order::Recent),
            ("three words", three().collect(), Order::Recent),
            ("a phrase of two words", two().map(|words| format!("\"{words}\"")).collect(), Order::Recent),
            ("a phrase of three words", three().map(|words| format!("\"{words}\"")).collect(), Order::Recent),
            ("a prefix", self.words.iter().filter_map(prefix).collect(), Order::Recent),
            ("by relevance: a word", self.words.clone(), Order::Rank),
            ("by relevance: three words", three().collect(), Order::Rank),
        ]
    }
}
