//! The searches, and how long each takes: in this process, with the file in the page cache.
//!
//! Words come from prompts, phrases from anywhere in sessions, as if copied by people.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Seek as _, SeekFrom};
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use index::Index;
use index::query::Query;
use index::search::{Conditions, Cut, Order, Search};
use index::texts;
use measure::{Goal, thread_milliseconds, verdict};

use crate::percentile;

/// The number of different searches of each kind, if the root has enough.
const SEARCHES: usize = 200;

/// The goal for a search by relevance, in milliseconds.
const RANK: f64 = 100.0;

/// Searches for words of the root's prompts.
pub(crate) fn measure(database: &Path, latency: f64) -> Result<()> {
    let index = Index::open(database)?;
    let vocabulary = Vocabulary::of(&index)?;
    println!("{:<28}{:>9}{:>9}{:>9}", "  search", "p50 ms", "p95 ms", "most ms");
    for SearchKind { name: kind, queries, goal } in vocabulary.kinds(latency) {
        let order = if kind.starts_with(RANKED) { Order::Rank } else { Order::Recent };
        ensure!(!queries.is_empty(), "no search for: {kind}");
        // The first round warms the cache.
        let mut times = Vec::new();
        for round in 0..2 {
            times.clear();
            for query in &queries {
                times.push(time(&index, query, order).with_context(|| format!("round {round}: {query}"))?);
            }
        }
        let [middle, nearly_all, most] = [50, 95, 100].map(|percent| percentile(&mut times, percent));
        println!("  {kind:<26}{middle:>9.2}{nearly_all:>9.2}{most:>9.2}");
        verdict(&format!("{kind}, p95 ms"), nearly_all, Goal::AtMost(goal));
    }
    Ok(())
}

/// The CPU time of a search, in milliseconds; it must find something.
fn time(index: &Index, text: &str, order: Order) -> Result<f64> {
    let started = thread_milliseconds()?;
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
    let took = thread_milliseconds()? - started;
    ensure!(!hits.sessions.is_empty(), "nothing was found");
    Ok(took)
}

/// Searches of one kind.
struct SearchKind {
    name: &'static str,
    queries: Vec<String>,
    /// The goal for nearly all of them, in milliseconds.
    goal: f64,
}

/// The prefix of searches by relevance.
const RANKED: &str = "by relevance";

/// The words of sessions.
struct Vocabulary {
    /// Three consecutive words from each of some prompts.
    triples: Vec<Vec<String>>,
    /// The same, from anywhere.
    anywhere: Vec<Vec<String>>,
    /// Most common first.
    words: Vec<String>,
}

impl Vocabulary {
    fn of(index: &Index) -> Result<Self> {
        let mut triples: Vec<Vec<String>> = Vec::new();
        let mut anywhere: Vec<Vec<String>> = Vec::new();
        let mut counts: HashMap<String, usize> = HashMap::new();
        for (at, session) in index.sessions()?.iter().enumerate() {
            for turn in index.turns(session.id)? {
                for word in turn.prompt.split_whitespace().filter(|word| is_plain(word)) {
                    *counts.entry(word.to_owned()).or_default() += 1;
                }
                triples.extend(triple(&turn.prompt, at));
            }
            anywhere.extend(words_of_a_line(&session.path, at)?);
        }
        let mut words: Vec<_> = counts.into_iter().collect();
        words.sort_by(|one, other| (other.1, &other.0).cmp(&(one.1, &one.0)));
        let words = words.into_iter().map(|(word, _)| word).take(SEARCHES).collect();
        Ok(Self { triples: some(triples), anywhere: some(anywhere), words })
    }

    fn kinds(&self, latency: f64) -> [SearchKind; 8] {
        let prefix = |word: &String| word.get(..4).map(|start| format!("{start}*"));
        let row = |words: &[String], count: usize| words.iter().take(count).cloned().collect::<Vec<_>>().join(" ");
        let rows = |triples: &[Vec<String>], count| triples.iter().map(|words| row(words, count)).collect::<Vec<_>>();
        let phrases = |triples: &[Vec<String>], count| -> Vec<String> {
            rows(triples, count).iter().map(|words| format!("\"{words}\"")).collect()
        };
        let (goal, ranked) = (latency, RANK);
        let common: Vec<String> = self.words.iter().take(20).cloned().collect();
        [
            SearchKind { name: "the commonest words", queries: common, goal },
            SearchKind { name: "a word", queries: self.words.clone(), goal },
            SearchKind { name: "three words", queries: rows(&self.triples, 3), goal },
            SearchKind { name: "a phrase of two words", queries: phrases(&self.anywhere, 2), goal },
            SearchKind { name: "a phrase of three words", queries: phrases(&self.anywhere, 3), goal },
            SearchKind { name: "a prefix", queries: self.words.iter().filter_map(prefix).collect(), goal },
            SearchKind { name: "by relevance: a word", queries: self.words.clone(), goal: ranked },
            SearchKind { name: "by relevance: three words", queries: rows(&self.triples, 3), goal: ranked },
        ]
    }
}

fn is_plain(word: &str) -> bool {
    word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Three plain consecutive words of a text, if it has any.
fn triple(text: &str, at: usize) -> Option<Vec<String>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let rows: Vec<_> = words.windows(3).filter(|row| row.iter().all(|word| is_plain(word))).collect();
    let row = rows.get(at % rows.len().max(1))?;
    Some(row.iter().map(|word| (*word).to_owned()).collect())
}

/// Three consecutive words from a text in a line in the middle of a session.
fn words_of_a_line(session: &Path, at: usize) -> Result<Option<Vec<String>>> {
    let mut file = BufReader::new(File::open(session)?);
    let size = file.get_ref().metadata()?.len();
    file.seek(SeekFrom::Start(size * (at as u64 % 89) / 89))?;
    let mut line = Vec::new();
    // The rest of the line before.
    file.read_until(b'\n', &mut line)?;
    line.clear();
    file.read_until(b'\n', &mut line)?;
    let scratch = format::Scratch::default();
    let mut rows = Vec::new();
    for entry in &format::read(&line, &scratch).entries {
        texts::pieces(entry, |_, text| rows.extend(triple(text, at)));
    }
    Ok(rows.into_iter().nth(at % 3))
}

/// As many as are searched for, evenly spread over time.
fn some(rows: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let step = (rows.len() / SEARCHES).max(1);
    rows.into_iter().step_by(step).take(SEARCHES).collect()
}
