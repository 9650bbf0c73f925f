//! Decisions about likely secrets, and the report of what was replaced, for all verbs that write sessions to be shared.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead as _, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use app::App;
use app::redaction::private_category;
use redact::{Category, Certainty, Choice, Decisions, Finding, Findings, LeftOut, Place, Report, Undecided};
use site::ShareError;
use sources::Problem;

use crate::failure::{self, CommandError};
use crate::table::{Align, Column, Table, Weight};
use crate::terminal::{clean, columns, plural};

/// So many likely secrets are listed.
const MOST_LISTED: usize = 40;

// What stays and what is replaced. (A doc comment would become part of the help.)
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct DecisionFlags {
    /// Keep private things of these kinds: users, hosts, emails, ips, accounts, words (may be repeated)
    #[arg(long, value_name = "KIND,…", value_delimiter = ',', value_parser = private_category)]
    keep: Vec<Category>,
    /// Replace everything that is likely to be a secret without asking
    #[arg(short, long)]
    yes: bool,
    /// Ask about each likely secret: replace it, keep it, or keep it always
    #[arg(long, conflicts_with = "yes")]
    review: bool,
}

impl DecisionFlags {
    /// Returns the categories that stay.
    pub(crate) fn keep(&self) -> BTreeSet<Category> {
        self.keep.iter().copied().collect()
    }

    /// Fails if flags were given although nothing is replaced.
    pub(crate) fn need(&self, redacts: bool) -> Result<(), CommandError> {
        let is_given = self.yes || self.review || !self.keep.is_empty();
        if redacts || !is_given {
            return Ok(());
        }
        Err(CommandError::usage("--yes, --review and --keep are about what --redact replaces").hint("add --redact"))
    }

    /// Runs something that asks for decisions.
    pub(crate) fn ask<T, E: Into<CommandError>>(
        &self,
        app: &App,
        run: impl FnOnce(&mut dyn FnMut(&Findings) -> Decisions) -> Result<T, E>,
    ) -> Result<T, CommandError> {
        self.ask_or(app, run)?.map_err(Into::into)
    }

    /// Like [`Self::ask`], with errors of `run` apart from those of asking.
    pub(crate) fn ask_or<T>(
        &self,
        app: &App,
        run: impl FnOnce(&mut dyn FnMut(&Findings) -> Decisions) -> T,
    ) -> Result<T, CommandError> {
        let mut failed = None;
        let outcome = run(&mut |findings| {
            self.decide(app, findings).unwrap_or_else(|error| {
                failed = Some(error);
                Decisions::default()
            })
        });
        failed.map_or(Ok(outcome), Err)
    }

    /// Decides on what was found.
    fn decide(&self, app: &App, findings: &Findings) -> Result<Decisions, CommandError> {
        if self.yes {
            return Ok(Decisions::replace_all());
        }
        if !self.review {
            return Ok(Decisions::default());
        }
        review(app, findings)
    }
}

/// Walks through the likely secrets. Stops without a decision about the rest when the input ends.
fn review(app: &App, findings: &Findings) -> Result<Decisions, CommandError> {
    let doubtful: Vec<&Finding> = findings.list().iter().filter(|finding| finding.is_doubtful()).collect();
    let mut each = BTreeMap::new();
    let mut kept_always = Vec::new();
    let mut answers = io::stdin().lock().lines();
    'findings: for (index, finding) in doubtful.iter().enumerate() {
        let count = plural(finding.count, "time", "times");
        anstream::eprintln!(
            "\n{} of {}: {}, {count}, first in {}",
            index + 1,
            doubtful.len(),
            finding.rule,
            place(&finding.places)
        );
        anstream::eprintln!("  {}", clean(&finding.value()));
        let choice = loop {
            anstream::eprint!("[r]eplace, [k]eep, keep [a]lways, or [s]top? ");
            anstream::stderr().flush()?;
            let Some(answer) = answers.next() else { break 'findings };
            match answer?.trim().to_lowercase().as_str() {
                "r" | "replace" => break Choice::Replace,
                "k" | "keep" => break Choice::Keep,
                "a" | "always" => {
                    kept_always.push(*finding);
                    break Choice::Keep;
                }
                "s" | "stop" => break 'findings,
                _ => {}
            }
        };
        each.insert(finding.id, choice);
    }
    if !kept_always.is_empty() {
        app.keep_always(kept_always)?;
    }
    Ok(Decisions { likely: None, each })
}

/// Lists what needs a decision, and says what to do.
pub(crate) fn undecided(undecided: &Undecided) -> CommandError {
    let findings: Vec<&Finding> =
        undecided.findings.list().iter().filter(|finding| undecided.ids.contains(&finding.id)).collect();
    let rows = findings.iter().take(MOST_LISTED).map(|finding| {
        [finding.rule.to_owned(), times(finding.count), clean(&finding.preview).into_owned(), place(&finding.places)]
    });
    let mut listed = Vec::new();
    // A list in memory cannot fail.
    let _ = table(&mut listed, &["likely secret", "found", "value", "first in"], rows);
    let mut text = String::from_utf8_lossy(&listed).into_owned();
    let more = findings.len().saturating_sub(MOST_LISTED);
    if more > 0 {
        text.extend(["and ", human::thousands(more as u64).as_str(), " more\n"]);
    }
    anstream::eprint!("{text}");
    let number = plural(findings.len() as u64, "value is likely a secret", "values are likely secrets");
    CommandError::nothing(format!("nothing was written: {number}"))
        .hint("--review shows each of them and asks; --yes replaces all of them")
}

impl From<ShareError> for CommandError {
    fn from(error: ShareError) -> Self {
        match error {
            ShareError::Search(error) => error.into(),
            ShareError::Undecided(findings) => undecided(&findings),
        }
    }
}

/// Prints what was replaced, and where.
pub(crate) fn print_report(out: &mut dyn Write, report: &Report, problems: &[Problem]) -> io::Result<()> {
    let replaced: Vec<_> = report.findings.iter().filter(|finding| finding.replaced > 0).collect();
    if replaced.is_empty() {
        writeln!(out, "nothing was replaced")?;
    } else {
        let rows = replaced.iter().map(|finding| {
            [
                clean(finding.replacement.as_deref().unwrap_or_default()).into_owned(),
                sureness(finding.certainty, finding.category).to_owned(),
                times(finding.replaced),
                clean(&finding.preview).into_owned(),
                place(&finding.places),
            ]
        });
        table(out, &["replaced by", "certainty", "times", "value", "first in"], rows)?;
    }
    let kept: Vec<_> = report.findings.iter().filter(|finding| finding.replacement.is_none()).collect();
    for finding in kept {
        writeln!(out, "kept: {} {} in {}", finding.rule, clean(&finding.preview), place(&finding.places))?;
    }
    for LeftOut { source, line, bytes } in &report.left_out {
        let size = human::bytes(*bytes);
        writeln!(out, "left out: line {line} of {} is neither JSON nor text ({size})", short(source))?;
    }
    problems.iter().for_each(failure::report_problem);
    Ok(())
}

fn table<const N: usize>(
    mut out: &mut dyn Write,
    headings: &[&'static str; N],
    rows: impl Iterator<Item = [String; N]>,
) -> io::Result<()> {
    let is_number = |heading: &str| matches!(heading, "found" | "times");
    let align = |heading| if is_number(heading) { Align::Right } else { Align::Left };
    let columns_of = headings.iter().map(|heading| Column { heading, align: align(heading) });
    let mut table = Table::new(columns_of.collect(), false).with_prose(N.saturating_sub(1));
    rows.for_each(|cells| table.row(Weight::Normal, cells.into(), None));
    // A place is of no use if it is cut off, so only a terminal gets a table of its width.
    let is_on_screen = io::stdout().is_terminal() || io::stderr().is_terminal();
    table.write(&mut out, if is_on_screen { columns() } else { usize::MAX })
}

const fn sureness(certainty: Certainty, category: Category) -> &'static str {
    match (category, certainty) {
        (Category::Secret, Certainty::Certain) => "certain",
        (Category::Secret, Certainty::Likely) => "likely",
        _ => "private",
    }
}

fn times(count: u64) -> String {
    human::thousands(count)
}

/// The first place of a finding.
fn place(places: &[Place]) -> String {
    match places.first() {
        Some(Place { source, line: 0, .. }) => short(source),
        Some(Place { source, line, path }) if path.is_empty() => format!("{}:{line}", short(source)),
        Some(Place { source, line, path }) => format!("{}:{line} {path}", short(source)),
        None => "the end".to_owned(),
    }
}

/// The name of a file without its folder.
fn short(source: &str) -> String {
    let name = Path::new(source).file_name().and_then(|name| name.to_str()).unwrap_or(source);
    clean(name).into_owned()
}

/// Returns a name in this folder that no file has.
pub(crate) fn unused_name(stem: &str, ending: &str) -> PathBuf {
    const TRIES: usize = 1000;
    let names = (2..TRIES).map(|number| format!("{stem}-{number}.{ending}"));
    let mut paths = [format!("{stem}.{ending}")].into_iter().chain(names).map(PathBuf::from);
    let first = PathBuf::from(format!("{stem}.{ending}"));
    paths.find(|path| path.symlink_metadata().is_err()).unwrap_or(first)
}
