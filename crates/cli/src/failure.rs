//! Errors of commands: a message, a kind and hints. `main` reports them once.

use std::error::Error;
use std::fmt::{self, Write as _};
use std::io::{self, Write as _};
use std::ops::Range;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use app::forget::ForgetError;
use app::{AppError, RedactSessionError};
use archive::ArchiveError;
use index::IndexError;
use index::query::QueryError;
use reader::{Candidate, LookupError, RedactionError};
use record::RecordError;
use server::ServerError;
use site::SiteError;
use sources::Problem;
use styled::width::width;

use crate::terminal::{clean, plural};

/// Exit code: something was malformed, or nothing was found.
pub(crate) const FOUND_FAULT: u8 = 1;
/// Exit code: the usage was wrong, or something could not be read or written.
pub(crate) const USAGE_OR_IO: u8 = 2;

const NAME: Style = AnsiColor::Red.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default();

/// An error that ends a command.
#[derive(Debug)]
pub(crate) struct CommandError {
    pub(crate) kind: ErrorKind,
    /// What failed, and where.
    pub(crate) message: String,
    /// Text typed by the user, and the range of it that is wrong.
    excerpt: Option<(String, Range<usize>)>,
    /// Suggestions what to do next.
    pub(crate) hints: Vec<String>,
}

/// Kinds of errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorKind {
    /// The command is invalid as typed.
    Usage,
    /// A setting is invalid.
    Config,
    /// Something could not be read or written.
    Io,
    /// There is no place to record to: no folder, a full disk, or one that cannot be written.
    Unwritable,
    /// There is nothing to do or to show.
    Nothing,
    /// The reader of the output closed the pipe.
    BrokenPipe,
}

impl CommandError {
    fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), excerpt: None, hints: Vec::new() }
    }

    /// Creates an error for a command that is invalid as typed.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Usage, message)
    }

    /// Creates an error for something that could not be read or written.
    pub(crate) fn io(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Io, message)
    }

    /// Creates an error for a place to record to that cannot be written.
    pub(crate) fn unwritable(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unwritable, message)
    }

    /// Creates an error for a command that has nothing to do or to show.
    pub(crate) fn nothing(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Nothing, message)
    }

    /// Creates an error for an invalid query.
    pub(crate) fn query(query: &str, error: &QueryError) -> Self {
        let excerpt = Some((query.to_owned(), error.range.clone()));
        Self { excerpt, ..Self::usage(error.message.clone()) }.hint(error.hint.clone())
    }

    /// Adds a hint.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Adds a hint, if there is one.
    pub(crate) fn maybe_hint(self, hint: Option<impl Into<String>>) -> Self {
        match hint {
            Some(hint) => self.hint(hint),
            None => self,
        }
    }

    fn hints(self, hints: Vec<String>) -> Self {
        Self { hints, ..self }
    }

    /// Returns the exit code of the error.
    fn code(&self) -> u8 {
        match self.kind {
            ErrorKind::Usage | ErrorKind::Config | ErrorKind::Io | ErrorKind::Unwritable => USAGE_OR_IO,
            ErrorKind::Nothing => FOUND_FAULT,
            ErrorKind::BrokenPipe => 0,
        }
    }

    /// Prints the error, and returns its exit code.
    pub(crate) fn report(&self) -> ExitCode {
        // `recount … | head` is not an error.
        if self.kind != ErrorKind::BrokenPipe {
            print(&self.text());
        }
        ExitCode::from(self.code())
    }

    fn text(&self) -> String {
        let mut text = format!("{NAME}recount:{NAME:#} {}\n", clean(&self.message));
        if let Some((typed, range)) = &self.excerpt {
            let (before, rest) = typed.split_at_checked(range.start).unwrap_or((typed, ""));
            let wrong = rest.get(..range.len()).unwrap_or(rest);
            let carets = "^".repeat(width(&clean(wrong)).max(1));
            let _ = writeln!(text, "  {}", clean(typed));
            let _ = writeln!(text, "  {:indent$}{NAME}{carets}{NAME:#}", "", indent = width(&clean(before)));
        }
        push_hints(&mut text, &self.hints);
        text
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Prints `recount: what: where`, and hints.
pub(crate) fn say(what: &str, hints: &[String]) {
    let mut text = format!("{NAME}recount:{NAME:#} {}\n", clean(what));
    push_hints(&mut text, hints);
    print(&text);
}

/// Appends hints: the first after its label, the others below it.
fn push_hints(text: &mut String, hints: &[String]) {
    let lines: Vec<_> = hints.iter().flat_map(|hint| hint.lines()).map(clean).collect();
    if !lines.is_empty() {
        let _ = writeln!(text, "{HINT}hint:{HINT:#} {}", lines.join("\n      "));
    }
}

/// Prints to standard error, and ignores that it may be closed.
fn print(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

/// Reports problems, and returns the exit code for them or for an empty result.
pub(crate) fn code(problems: &[Problem], is_empty: bool) -> ExitCode {
    problems.iter().for_each(report_problem);
    ExitCode::from(match (problems.is_empty(), is_empty) {
        (false, _) => USAGE_OR_IO,
        (true, true) => FOUND_FAULT,
        (true, false) => 0,
    })
}

/// Reports a problem that does not end the command.
pub(crate) fn report_problem(problem: &Problem) {
    say(&problem.to_string(), &[hint_for(problem).to_owned()]);
}

/// Returns a hint for a problem.
pub(crate) fn hint_for(problem: &Problem) -> &'static str {
    match problem {
        Problem::Missing { .. } => "check the spelling; without a path, all sessions of the config roots are read",
        Problem::Unreadable { .. } => "check that you may read it (ls -l), and that the disk is in order",
        Problem::NoSessions { .. } => {
            "a session is a *.jsonl file; a config root has them below projects/ (name it with --root)"
        }
        Problem::NoRoots { .. } => "set CLAUDE_CONFIG_DIR, or name a file, a folder, or another root with --root",
        Problem::NoTranscripts { .. } => "sessions are in ~/.claude/projects; name a file to see what is wrong with it",
        Problem::NotAFile { .. } => "copy it to a file, or pipe it in and name it `-`",
        Problem::Secret { .. } => "recount reads sessions only, never keys or account data",
        Problem::Empty { .. } => "a session gets its first line with the first prompt",
        Problem::NotATranscript { .. } => {
            "expected JSON lines as in ~/.claude/projects/*/*.jsonl, or output of `claude --output-format stream-json`"
        }
        Problem::Foreign { .. } => "recount reads Claude Code's sessions only",
    }
}

/// Formats an error with its sources.
fn whole(error: &(dyn Error + 'static)) -> String {
    let (mut text, mut cause) = (error.to_string(), error.source());
    while let Some(error) = cause {
        let _ = write!(text, ": {error}");
        cause = error.source();
    }
    text
}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> Self {
        let kind = if error.kind() == io::ErrorKind::BrokenPipe { ErrorKind::BrokenPipe } else { ErrorKind::Io };
        Self::new(kind, whole(&error))
    }
}

impl From<serde_json::Error> for CommandError {
    fn from(error: serde_json::Error) -> Self {
        if error.is_io() { io::Error::from(error).into() } else { Self::io(error.to_string()) }
    }
}

impl From<tempfile::PersistError> for CommandError {
    fn from(error: tempfile::PersistError) -> Self {
        error.error.into()
    }
}

impl From<AppError> for CommandError {
    fn from(error: AppError) -> Self {
        let kind = match &error {
            AppError::ConfigUnreadable { .. } | AppError::ConfigInvalid { .. } | AppError::Variable { .. } => {
                ErrorKind::Config
            }
            AppError::Moment { .. } => ErrorKind::Usage,
            AppError::Redact(_) => ErrorKind::Config,
            AppError::NoCache
            | AppError::NoData
            | AppError::KeptValues { .. }
            | AppError::Page { .. }
            | AppError::Index(_)
            | AppError::Threads(_) => ErrorKind::Io,
        };
        Self::new(kind, whole(&error)).hints(error.hints())
    }
}

impl From<ForgetError> for CommandError {
    fn from(error: ForgetError) -> Self {
        match error {
            ForgetError::Archive(error) => error.into(),
            ForgetError::Record(error) => error.into(),
            ForgetError::Index(error) => error.into(),
            ForgetError::App(error) => error.into(),
            ForgetError::List { .. } | ForgetError::Cache { .. } => Self::io(whole(&error)),
        }
    }
}

impl From<IndexError> for CommandError {
    fn from(error: IndexError) -> Self {
        AppError::from(error).into()
    }
}

impl From<Problem> for CommandError {
    fn from(problem: Problem) -> Self {
        Self::io(problem.to_string()).hint(hint_for(&problem))
    }
}

impl From<SiteError> for CommandError {
    fn from(error: SiteError) -> Self {
        match error {
            SiteError::App(error) => error.into(),
            SiteError::NotOurs { .. } => Self::io(whole(&error))
                .hint("name a folder that is new or empty, or one that recount exported to before"),
            SiteError::Undecided(findings) => crate::redaction::undecided(&findings),
            SiteError::Redaction(error) => RedactSessionError::Redaction(error).into(),
            SiteError::Write { .. } => Self::io(whole(&error)),
        }
    }
}

impl From<RedactSessionError> for CommandError {
    fn from(error: RedactSessionError) -> Self {
        match error {
            RedactSessionError::App(error) => error.into(),
            RedactSessionError::Redaction(RedactionError::Problem(problem)) => problem.into(),
            RedactSessionError::Redaction(error @ RedactionError::Changed { .. }) => {
                Self::io(whole(&error)).hint("run it again")
            }
            RedactSessionError::Redaction(error @ RedactionError::Spool(_)) => {
                Self::io(whole(&error)).hint("free some space there, or name another folder with TMPDIR")
            }
        }
    }
}

impl From<ServerError> for CommandError {
    fn from(error: ServerError) -> Self {
        match error {
            ServerError::App(error) => error.into(),
            error => Self::io(whole(&error)),
        }
    }
}

impl From<RecordError> for CommandError {
    fn from(error: RecordError) -> Self {
        let kind = if matches!(error, RecordError::Disk { .. }) { ErrorKind::Unwritable } else { ErrorKind::Io };
        Self::new(kind, whole(&error))
    }
}

impl From<ArchiveError> for CommandError {
    fn from(error: ArchiveError) -> Self {
        use io::ErrorKind::{PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
        let hint = match &error {
            ArchiveError::Busy { .. } => "try again when it has ended",
            ArchiveError::Foreign { .. } => "update recount, or name another folder with --archive",
            ArchiveError::Read { error, .. } | ArchiveError::Write { error, .. } => match error.kind() {
                StorageFull | QuotaExceeded => "free some disk space and run it again; earlier archived data is intact",
                PermissionDenied | ReadOnlyFilesystem => {
                    "check the permissions (ls -ld), or name another folder with --archive"
                }
                _ => "check the disk and run it again; earlier archived data is intact",
            },
        };
        Self::io(whole(&error)).hint(hint)
    }
}

impl From<LookupError> for CommandError {
    fn from(error: LookupError) -> Self {
        let failed = Self::io(error.to_string());
        match &error {
            LookupError::Problem(problem) => failed.hint(hint_for(problem)),
            LookupError::Folder { .. } => failed.hint("name one file in it; `recount check` reads whole folders"),
            LookupError::Unknown { among, nearest, .. } => {
                let looked = plural(*among as u64, "session", "sessions");
                let looked = format!("looked at the ids and titles of {looked}");
                if nearest.is_empty() {
                    failed.hint(format!(
                        "{looked}; give an id, the beginning of one, a file, `last`, or words of a title"
                    ))
                } else {
                    failed.hint(format!("{looked}; the nearest:")).candidates(nearest)
                }
            }
            LookupError::TooFew { .. } => failed.hint("`last` is the newest session, `last~1` the one before"),
            LookupError::Ambiguous { candidates, .. } => {
                failed.hint("give more of the id or the title, or the path:").candidates(candidates)
            }
        }
    }
}

impl CommandError {
    /// Adds the first few candidate sessions as hints.
    fn candidates(self, candidates: &[Candidate]) -> Self {
        const SHOWN: usize = 8;
        let shown = candidates.iter().take(SHOWN).map(|Candidate { input, name, title }| {
            let known = [name.as_deref(), title.as_deref()].into_iter().flatten().map(|word| format!("{word}: "));
            format!("{}{input}", known.collect::<String>())
        });
        let more = candidates.len().saturating_sub(SHOWN);
        let more = (more > 0).then(|| format!("and {more} more"));
        shown.chain(more).fold(self, Self::hint)
    }
}

/// Adds to an error what was being done.
pub(crate) trait Context<T> {
    fn context(self, what: impl Into<String>) -> Result<T, CommandError>;
    fn with_context(self, what: impl FnOnce() -> String) -> Result<T, CommandError>;
}

impl<T, E: Into<CommandError>> Context<T> for Result<T, E> {
    fn context(self, what: impl Into<String>) -> Result<T, CommandError> {
        self.with_context(|| what.into())
    }

    fn with_context(self, what: impl FnOnce() -> String) -> Result<T, CommandError> {
        self.map_err(|error| {
            let error = error.into();
            CommandError { message: format!("{}: {}", what(), error.message), ..error }
        })
    }
}

impl<T> Context<T> for Option<T> {
    fn context(self, what: impl Into<String>) -> Result<T, CommandError> {
        self.ok_or_else(|| CommandError::io(what))
    }

    fn with_context(self, what: impl FnOnce() -> String) -> Result<T, CommandError> {
        self.ok_or_else(|| CommandError::io(what()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(error: &CommandError) -> String {
        let mut plain = Vec::new();
        anstream::StripStream::new(&mut plain).write_all(error.text().as_bytes()).unwrap();
        String::from_utf8(plain).unwrap()
    }

    #[test]
    fn the_wrong_word_of_a_query_is_marked() {
        let query = "漢字 projct:api";
        let error = query.parse::<index::query::Query>().unwrap_err();
        insta::assert_snapshot!(plain(&CommandError::query(query, &error)), @r#"
        recount: unknown filter projct:
          漢字 projct:api
               ^^^^^^
        hint: did you mean project:? In quotes, "projct:api" is words
        "#);
    }

    #[test]
    fn hints_are_fields_and_are_printed_one_per_line() {
        let error = CommandError::usage("several threads match: a\u{1b}[2J").hint("name one:").hint("the first");
        assert_eq!(plain(&error), "recount: several threads match: a\\u{1b}[2J\nhint: name one:\n      the first\n");
    }

    #[test]
    fn a_reader_that_leaves_early_is_no_failure() {
        let error = io::Error::from(io::ErrorKind::BrokenPipe);
        let error = Err::<(), _>(error).context("cannot write").unwrap_err();
        assert_eq!((error.kind, error.code()), (ErrorKind::BrokenPipe, 0));
    }
}
