//! `recount search`: finds what was said, done and seen in all sessions.

pub(crate) mod place;
mod scan;
mod text;
mod wrong;

use std::io::{BufWriter, Write as _};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use wire::JsonLayout;
use wire::found::{CountOut, FoundOut};

use anyhow::bail;
use index::query::{Condition, Field, Filter, Query};
use index::search::{Conditions, Count, Cut, Hits, Needle, Order, Search as Question};
use index::texts::Column;
use jiff::{Timestamp, Zoned};
use ledger::Prices;
use regex::Regex;
use sources::Environment;
use sources::Problem;
use sources::Root;
use sources::find_in_roots;
use sources::roots;

use crate::config::Config;
use crate::failure::{self, FOUND_FAULT, USAGE_OR_IO};
use crate::indexed;
use crate::moment::{self, End};
use crate::terminal::columns;

/// Find what was said, done and seen in all sessions
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Search {
    /// Words, "phrases", -not, begin*, OR, and filters such as tool:Bash or after:3d
    #[arg(value_name = "QUERY", required = true, value_parser = crate::arguments::word)]
    query: Vec<String>,
    /// Only in what was said, replied, done, seen, thought
    #[arg(long = "in", value_enum, value_delimiter = ',', value_name = "WHERE,…")]
    within: Vec<Where>,
    /// Only in what you said
    #[arg(long, conflicts_with = "within")]
    mine: bool,
    /// The best first, among the latest few thousand entries [default: the latest first]
    #[arg(long, conflicts_with_all = ["regex", "no_index"])]
    rank: bool,
    /// Only this project: a folder such as `.`, or a part of its path
    #[arg(long, value_name = "PROJECT")]
    project: Option<String>,
    /// Only from then on: 2026-08-08, 2026-08-08T09:15:00Z, or 2h, 3d ago
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Only until then; a date means to its end
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// Show so many sessions [default: 10; all with --files]
    #[arg(short = 'n', long, value_name = "N")]
    limit: Option<NonZeroUsize>,
    /// Show so many entries of each
    #[arg(long, value_name = "N", default_value = "3")]
    hits: NonZeroUsize,
    /// Print only the files of the sessions
    #[arg(short = 'l', long = "files", conflicts_with_all = ["count", "json"])]
    files: bool,
    /// Print only how many entries and sessions there are
    #[arg(short, long)]
    count: bool,
    /// Show so many lines around each place
    #[arg(short = 'C', long, value_name = "N")]
    context: Option<usize>,
    /// QUERY is a regular expression; all sessions are read
    #[arg(long)]
    regex: bool,
    /// Read all sessions instead of asking the index
    #[arg(long)]
    no_index: bool,
    /// Print JSON (described in docs/search.md)
    #[arg(short, long)]
    json: bool,
    /// Search this config root too (may be repeated)
    #[arg(long = "root", value_name = "DIR")]
    roots: Vec<PathBuf>,
}

const EXAMPLES: &str = "\
All words must be in one entry; parts of names count as words (policy finds retryPolicy). If no
entry has them all, those are shown that have most. Filters: project: tool: role: model: branch:
file: session: is:error after: before: type:, each also with - before it. docs/search.md says
more.
Exit codes: 0 found; 1 no entry has it all; 2 wrong usage, or something could not be read.

Examples:
  recount search retry policy
  recount search '\"rate limit\" -test after:1w'
  recount search tool:Bash is:error cargo
  recount search --mine deploy --project .
  recount search --regex 'fn \\w+_retry\\('
  recount search -l file:src/main.rs";

/// Who said a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Where {
    /// What you said
    Said,
    /// What Claude said
    Replied,
    /// Commands, and what else was asked of tools
    Done,
    /// Results and errors
    Seen,
    /// What Claude thought
    Thought,
}

impl From<Where> for Column {
    fn from(place: Where) -> Self {
        match place {
            Where::Said => Self::Said,
            Where::Replied => Self::Replied,
            Where::Done => Self::Done,
            Where::Seen => Self::Seen,
            Where::Thought => Self::Thought,
        }
    }
}

/// How many sessions are shown unless somebody says so.
const LIMIT: usize = 10;

/// What came of it.
enum Outcome {
    Hits(Hits),
    Count(Count),
}

impl Search {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let config = Config::load()?;
        let now = Zoned::now().with_time_zone(config.time_zone());
        let roots = roots(&Environment::of_process(), &self.roots);
        let typed = typed(&self.query, self.regex);
        let (query, conditions) = match self.question(&typed, &now)? {
            Ok(question) => question,
            Err(error) => {
                wrong::say(&typed, &error);
                return Ok(ExitCode::from(USAGE_OR_IO));
            }
        };
        let pattern = match self.regex.then(|| Regex::new(&typed)).transpose() {
            Ok(pattern) => pattern,
            Err(error) => {
                wrong::say_pattern(&typed, &error);
                return Ok(ExitCode::from(USAGE_OR_IO));
            }
        };
        let (outcome, mut problems) = self.look(&query, &conditions, pattern.as_ref(), &roots, &config.prices())?;
        if let Outcome::Hits(hits) = &outcome
            && hits.changed > 0
        {
            failure::say("some files changed while they were searched", Some("search again"));
        }
        let is_found = match &outcome {
            Outcome::Hits(hits) => !hits.sessions.is_empty() && !hits.is_partial,
            Outcome::Count(count) => count.entries > 0,
        };
        self.print(&outcome, &typed, &now)?;
        let is_empty = matches!(&outcome, Outcome::Hits(hits) if hits.sessions.is_empty());
        if problems.is_empty() && is_empty && !self.json {
            failure::say(&format!("nothing found: {typed}"), self.hint(&query));
        }
        // Those who have no sessions yet are told so once.
        problems.dedup_by_key(|problem| problem.to_string());
        problems.iter().for_each(failure::report_problem);
        Ok(ExitCode::from(match (problems.is_empty(), is_found) {
            (false, _) => USAGE_OR_IO,
            (true, true) => 0,
            (true, false) => FOUND_FAULT,
        }))
    }

    /// What was asked for; the inner error is about what was typed.
    fn question(
        &self,
        typed: &str,
        now: &Zoned,
    ) -> anyhow::Result<Result<(Query, Conditions), index::query::QueryError>> {
        let mut query = if self.regex {
            Query { groups: Vec::new(), not: Vec::new(), filters: Vec::new(), ignored: Vec::new() }
        } else {
            match typed.parse::<Query>() {
                Ok(query) => query,
                Err(error) => return Ok(Err(error)),
            }
        };
        let mut add = |field: Field, condition: Condition| {
            query.filters.push(Filter { field, is_not: false, any: vec![(condition, 0..0)] });
        };
        if let Some(project) = &self.project {
            add(Field::Project, Condition::Project(project.clone()));
        }
        if let Some(since) = moment::read_option(self.since.as_deref(), "--since", End::Start, now)? {
            add(Field::After, Condition::After(since.to_string()));
        }
        if let Some(until) = moment::read_option(self.until.as_deref(), "--until", End::End, now)? {
            add(Field::Before, Condition::Before(until.to_string()));
        }
        let here = std::env::current_dir().unwrap_or_default();
        let read = |text: &str| moment::read(text, End::Start, now).map(Timestamp::as_millisecond);
        Ok(Conditions::of(&query, &here, read).map(|conditions| (query, conditions)))
    }

    /// Asks the index, or reads all sessions.
    fn look(
        &self,
        query: &Query,
        conditions: &Conditions,
        pattern: Option<&Regex>,
        roots: &[Root],
        prices: &Prices,
    ) -> anyhow::Result<(Outcome, Vec<Problem>)> {
        let found = find_in_roots(roots);
        let columns: Vec<Column> =
            if self.mine { vec![Column::Said] } else { self.within.iter().copied().map(Column::from).collect() };
        let (limit, per_session) = match (self.limit, self.files) {
            (Some(limit), false) => (limit.get(), self.hits.get()),
            (None, false) => (LIMIT, self.hits.get()),
            (limit, true) => (limit.map_or(usize::MAX, NonZeroUsize::get), 1),
        };
        let question = Question {
            query,
            conditions,
            columns: &columns,
            order: if self.rank { Order::Rank } else { Order::Recent },
            limit,
            per_session,
            cut: self.context.map_or(Cut::Around(crate::terminal::columns().clamp(20, 200) * 2), Cut::Lines),
        };
        let indexed = if self.no_index || self.regex { None } else { indexed::open_or_say(&found, roots, prices) };
        if let Some((mut index, mut problems)) = indexed {
            let outcome = indexed::ask(&mut index, &found, prices, |index| {
                if self.count {
                    index.count(&question).map(Outcome::Count)
                } else {
                    index.search(&question).map(Outcome::Hits)
                }
            })?;
            problems.splice(..0, found.problems);
            return Ok((outcome, problems));
        }
        if self.rank {
            bail!("--rank needs the index");
        }
        let needle = pattern.map_or(Needle::Words(query), Needle::Pattern);
        let (outcome, mut problems) = scan::look(needle, &question, &found, self.count)?;
        problems.splice(..0, found.problems);
        Ok((outcome, problems))
    }

    fn print(&self, outcome: &Outcome, typed: &str, now: &Zoned) -> anyhow::Result<()> {
        let mut out = BufWriter::new(anstream::stdout().lock());
        match outcome {
            Outcome::Count(count) if self.json => {
                wire::write(&mut out, &CountOut::of(typed, *count), JsonLayout::Pretty)?;
            }
            Outcome::Count(count) => text::write_count(&mut out, *count)?,
            Outcome::Hits(hits) if self.json => {
                wire::write(&mut out, &FoundOut::of(typed, hits, &|_, _| None), JsonLayout::Pretty)?;
            }
            Outcome::Hits(hits) if self.files => {
                for group in hits.sessions.iter().filter(|_| !hits.is_partial) {
                    writeln!(out, "{}", crate::terminal::clean(&group.session.path.display().to_string()))?;
                }
            }
            Outcome::Hits(hits) => {
                let look = text::Look {
                    width: columns(),
                    colours: anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never,
                    zone: now.time_zone().clone(),
                    is_long: self.context.is_some(),
                };
                text::write(&mut out, hits, &look)?;
            }
        }
        out.flush()?;
        Ok(())
    }

    fn hint(&self, query: &Query) -> Option<&'static str> {
        let is_narrow = self.mine || !self.within.is_empty() || !query.filters.is_empty();
        is_narrow.then_some("filters, --in, --mine, --project, --since and --until narrow what is searched")
    }
}

/// The query as one text. One word is as it was typed; of several, those with blanks in them are phrases.
fn typed(words: &[String], is_pattern: bool) -> String {
    let quoted = |word: &String| {
        let is_phrase =
            words.len() > 1 && !is_pattern && word.contains(char::is_whitespace) && !word.contains(['"', ':']);
        if is_phrase { format!("\"{word}\"") } else { word.clone() }
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}
