//! `recount search`: searches all sessions.

pub(crate) mod place;
mod scan;
mod text;

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use wire::JsonLayout;
use wire::found::{CountOut, FoundOut};

use app::{App, End, SessionFilter};
use index::query::{Condition, Field, Filter, Query};
use index::search::{Conditions, Count, Cut, Hits, Needle, Order, Search as Question};
use index::texts::Column;
use jiff::Timestamp;
use regex::Regex;
use sources::prompts::lone_prompts;
use sources::{Neighbours, Problem};

use crate::failure::{self, CommandError};
use crate::flags::{IndexFlag, JsonFlag, LimitFlag, OutputFlag, SessionFlags};
use crate::terminal::columns;
use place::Sight;

/// Search all sessions
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Search {
    /// Words, "phrases", -not, begin*, OR, and filters such as tool:Bash or after:3d
    #[arg(value_name = "QUERY", required = true, value_parser = crate::arguments::word)]
    query: Vec<String>,
    /// Search only in said, replied, done, seen or thought
    #[arg(long = "in", value_enum, value_delimiter = ',', value_name = "WHERE,…")]
    within: Vec<Where>,
    /// Search only in what you said
    #[arg(long, conflicts_with = "within")]
    mine: bool,
    /// Rank by relevance among the latest few thousand entries [default: latest first]
    #[arg(long, conflicts_with_all = ["regex", "no_index"])]
    rank: bool,
    #[command(flatten)]
    sessions: SessionFlags,
    #[command(flatten)]
    limit: LimitFlag,
    /// Show at most N entries per session
    #[arg(long, value_name = "N", default_value = "3")]
    hits: NonZeroUsize,
    /// Print only the files of matching sessions
    #[arg(short = 'l', long = "files", conflicts_with_all = ["count", "json"])]
    files: bool,
    /// Print only the number of matching entries and sessions
    #[arg(short, long)]
    count: bool,
    /// Show N lines of context around each match
    #[arg(short = 'C', long, value_name = "N")]
    context: Option<usize>,
    /// Treat QUERY as a regular expression; reads all sessions
    #[arg(long)]
    regex: bool,
    #[command(flatten)]
    index: IndexFlag,
    #[command(flatten)]
    json: JsonFlag,
    #[command(flatten)]
    output: OutputFlag,
}

const EXAMPLES: &str = "\
An entry matches if it contains all words; parts of names count as words (policy finds
retryPolicy). If no entry contains all words, the entries with the most are shown. Filters:
project: tool: role: model: branch: file: session: is:error after: before: type:, each negated
with a leading -. --limit counts sessions [default: 10, or all with --files]. docs/search.md
describes the query language and the JSON.
Exit codes: 0 found; 1 no entry contains all words; 2 wrong usage, or something could not be read.

Examples:
  recount search retry policy
  recount search '\"rate limit\" -test after:1w'
  recount search tool:Bash is:error cargo
  recount search --mine deploy --project .
  recount search --regex 'fn \\w+_retry\\('
  recount search -l file:src/main.rs";

/// Part of a session to search in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Where {
    /// Your prompts and answers
    Said,
    /// Claude's replies
    Replied,
    /// Commands and other tool inputs
    Done,
    /// Tool results and errors
    Seen,
    /// Claude's thinking
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

/// Default number of sessions.
const LIMIT: usize = 10;

/// Result of a search.
enum Outcome {
    Hits(Hits),
    Count(Count),
}

impl Search {
    pub(crate) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        let filter = self.sessions.filter(app)?;
        let typed = typed(&self.query, self.regex);
        let (query, conditions) = self.question(app, &typed, &filter)?;
        let pattern = self.regex.then(|| Regex::new(&typed)).transpose();
        let pattern = pattern.map_err(|error| wrong_pattern(&typed, &error))?;
        let (outcome, mut problems) = self.look(app, &query, &conditions, pattern.as_ref())?;
        if let Outcome::Hits(hits) = &outcome
            && hits.changed > 0
        {
            app.warn("some files changed while they were searched", &["search again".to_owned()]);
        }
        let is_found = match &outcome {
            Outcome::Hits(hits) => !hits.sessions.is_empty() && !hits.is_partial,
            Outcome::Count(count) => count.entries > 0,
        };
        self.print(app, &outcome, &typed)?;
        let is_empty = matches!(&outcome, Outcome::Hits(hits) if hits.sessions.is_empty());
        if problems.is_empty() && is_empty && !self.json.json {
            return Err(CommandError::nothing(format!("nothing found: {typed}")).maybe_hint(self.hint(&query)));
        }
        // Reports only once that there are no sessions.
        problems.dedup_by_key(|problem| problem.to_string());
        Ok(failure::code(&problems, !is_found))
    }

    /// Builds the question from the query and the flags.
    fn question(&self, app: &App, typed: &str, filter: &SessionFilter) -> Result<(Query, Conditions), CommandError> {
        let mut query = if self.regex {
            Query { groups: Vec::new(), not: Vec::new(), filters: Vec::new(), ignored: Vec::new() }
        } else {
            typed.parse::<Query>().map_err(|error| CommandError::query(typed, &error))?
        };
        let mut add = |field: Field, condition: Condition| {
            query.filters.push(Filter { field, is_not: false, any: vec![(condition, 0..0)] });
        };
        if let Some(project) = &self.sessions.project {
            add(Field::Project, Condition::Project(project.clone()));
        }
        let moment = |at: i64| Timestamp::from_millisecond(at).map(|at| at.to_string()).unwrap_or_default();
        if let Some(since) = filter.since {
            add(Field::After, Condition::After(moment(since)));
        }
        if let Some(until) = filter.until {
            // `before:` excludes its moment, `--until` includes it.
            add(Field::Before, Condition::Before(moment(until.saturating_add(1))));
        }
        let moments = app.moments()?;
        let read = |text: &str| moments.read(text, End::Start).map(Timestamp::as_millisecond);
        let conditions = Conditions::of(&query, app.here(), read);
        let conditions = conditions.map_err(|error| CommandError::query(typed, &error))?;
        Ok((query, conditions))
    }

    /// Queries the index, or reads all sessions.
    fn look(
        &self,
        app: &App,
        query: &Query,
        conditions: &Conditions,
        pattern: Option<&Regex>,
    ) -> Result<(Outcome, Vec<Problem>), CommandError> {
        let columns: Vec<Column> =
            if self.mine { vec![Column::Said] } else { self.within.iter().copied().map(Column::from).collect() };
        let usual = (!self.files).then_some(LIMIT);
        let question = Question {
            query,
            conditions,
            columns: &columns,
            order: if self.rank { Order::Rank } else { Order::Recent },
            limit: self.limit.or(usual).map_or(usize::MAX, NonZeroUsize::get),
            per_session: if self.files { 1 } else { self.hits.get() },
            cut: self.context.map_or(Cut::Around(crate::terminal::columns().clamp(20, 200) * 2), Cut::Lines),
        };
        let found = app.sources();
        let found = if self.index.no_index || self.regex {
            found
        } else {
            match app.try_kept_index(found) {
                Ok(mut open) => {
                    let outcome = open.ask(app, |index| {
                        if self.count {
                            index.count(&question).map(Outcome::Count)
                        } else {
                            index.search(&question).map(Outcome::Hits)
                        }
                    })?;
                    return Ok((outcome, open.problems));
                }
                Err(found) => found,
            }
        };
        if self.rank {
            return Err(CommandError::usage("--rank needs the index"));
        }
        let mut found = found;
        let (prompts, unread) = lone_prompts(&found, &Neighbours::default());
        found.sources.extend(prompts);
        found.problems.extend(unread);
        let needle = pattern.map_or(Needle::Words(query), Needle::Pattern);
        let (outcome, more) = scan::look(app, needle, &question, &found, self.count)?;
        Ok((outcome, found.problems.into_iter().chain(more).collect()))
    }

    fn print(&self, app: &App, outcome: &Outcome, typed: &str) -> Result<(), CommandError> {
        let mut out = self.output.open()?;
        match outcome {
            Outcome::Count(count) if self.json.json => {
                wire::write(&mut out, &CountOut::of(typed, *count), JsonLayout::Pretty)?;
            }
            Outcome::Count(count) => text::write_count(&mut out, *count)?,
            Outcome::Hits(hits) if self.json.json => {
                wire::write(&mut out, &FoundOut::of(typed, hits, &|_, _| None), JsonLayout::Pretty)?;
            }
            Outcome::Hits(hits) if self.files => {
                for group in hits.sessions.iter().filter(|_| !hits.is_partial) {
                    writeln!(out, "{}", crate::terminal::clean(&group.session.path.display().to_string()))?;
                }
            }
            Outcome::Hits(hits) => {
                let look = text::SearchLook {
                    width: columns(),
                    colours: self.output.has_colors(),
                    sight: Sight { locale: app.locale()?, home: app.environment().home() },
                    is_long: self.context.is_some(),
                };
                text::write(&mut out, hits, &look)?;
            }
        }
        out.finish()?;
        Ok(())
    }

    fn hint(&self, query: &Query) -> Option<&'static str> {
        let is_narrow = self.mine || !self.within.is_empty() || !query.filters.is_empty();
        is_narrow.then_some("filters, --in, --mine, --project, --since and --until narrow the search")
    }
}

/// Reports a pattern that does not compile.
fn wrong_pattern(pattern: &str, error: &regex::Error) -> CommandError {
    // The error contains a multi-line drawing; the last line holds the message.
    let error = error.to_string();
    let why = error.lines().last().unwrap_or_default();
    let why = why.strip_prefix("error: ").unwrap_or(why);
    CommandError::usage(format!("this is not a regular expression: {pattern}: {why}"))
        .hint("in a pattern, characters such as ( [ . * are special; put \\ before them")
}

/// Joins the words into one query. A single word stays as typed; of several, words with blanks become phrases.
fn typed(words: &[String], is_pattern: bool) -> String {
    let quoted = |word: &String| {
        let is_phrase =
            words.len() > 1 && !is_pattern && word.contains(char::is_whitespace) && !word.contains(['"', ':']);
        if is_phrase { format!("\"{word}\"") } else { word.clone() }
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}
