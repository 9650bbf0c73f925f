//! Says what went wrong, where, and what to do about it.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use index::IndexError;
use reader::Candidate;
use reader::LookupError;
use site::SiteError;
use sources::Problem;

use crate::indexed;
use crate::terminal::{clean, plural};

/// Something was malformed, or nothing was found.
pub(crate) const FOUND_FAULT: u8 = 1;
/// The command was wrong, or something could not be read or written.
pub(crate) const USAGE_OR_IO: u8 = 2;

const NAME: Style = AnsiColor::Red.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default();

/// Reports an error that ends the program, and says how.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    let is_broken_pipe = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    };
    // `recount … | head` has what it wants.
    if error.chain().any(is_broken_pipe) {
        return ExitCode::SUCCESS;
    }
    let hint = if let Some(problem) = error.downcast_ref::<Problem>() {
        Some(hint_for(problem).to_owned())
    } else if let Some(error) = error.downcast_ref::<LookupError>() {
        Some(hint_for_lookup(error))
    } else if let Some(SiteError::NotOurs { .. }) = error.downcast_ref::<SiteError>() {
        Some("name a folder that is new or empty, or one that recount exported to before".to_owned())
    } else if error.is::<IndexError>() {
        indexed::cache().map(|folder| format!("see whether {} can be written and has room", folder.display()))
    } else {
        None
    };
    let text = format!("{error:#}");
    // Some say in a second line what to do.
    let (what, rest) = text.split_once('\n').map_or((text.as_str(), None), |(what, rest)| (what, Some(rest.trim())));
    say(what, hint.as_deref().or(rest));
    ExitCode::from(USAGE_OR_IO)
}

/// Reports problems, and says how the program ends if nothing was found beside them.
pub(crate) fn code(problems: &[Problem], is_empty: bool) -> ExitCode {
    problems.iter().for_each(report_problem);
    ExitCode::from(match (problems.is_empty(), is_empty) {
        (false, _) => USAGE_OR_IO,
        (true, true) => FOUND_FAULT,
        (true, false) => 0,
    })
}

/// Reports a problem that others may follow.
pub(crate) fn report_problem(problem: &Problem) {
    say(&problem.to_string(), Some(hint_for(problem)));
}

/// Prints `recount: what: where`, and a hint. A closed standard error is nothing to fail for.
pub(crate) fn say(what: &str, hint: Option<&str>) {
    let mut text = format!("{NAME}recount:{NAME:#} {}\n", clean(what));
    if let Some(hint) = hint {
        let _ = writeln!(text, "{HINT}hint:{HINT:#} {}", hint.lines().map(clean).collect::<Vec<_>>().join("\n      "));
    }
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

/// What to do about a problem.
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

fn hint_for_lookup(error: &LookupError) -> String {
    match error {
        LookupError::Problem(problem) => hint_for(problem).to_owned(),
        LookupError::Folder { .. } => "name one file in it; `recount check` reads whole folders".to_owned(),
        LookupError::Unknown { among, nearest, .. } => {
            let looked = plural(*among as u64, "session", "sessions");
            let mut hint = format!("looked at the ids and titles of {looked}");
            if nearest.is_empty() {
                hint.push_str("; give an id, the beginning of one, a file, `last`, or words of a title");
            } else {
                hint.push_str("; the nearest:");
                list(&mut hint, nearest);
            }
            hint
        }
        LookupError::TooFew { .. } => "`last` is the newest session, `last~1` the one before".to_owned(),
        LookupError::Ambiguous { candidates, .. } => {
            let mut hint = "give more of the id or the title, or the path:".to_owned();
            list(&mut hint, candidates);
            hint
        }
    }
}

/// Lists sessions that somebody may have meant, the first few.
fn list(hint: &mut String, candidates: &[Candidate]) {
    const SHOWN: usize = 8;
    for Candidate { input, name, title } in candidates.iter().take(SHOWN) {
        let known = [name.as_deref(), title.as_deref()].into_iter().flatten().map(|word| format!("{word}: "));
        let _ = write!(hint, "\n{}{input}", known.collect::<String>());
    }
    if candidates.len() > SHOWN {
        let _ = write!(hint, "\nand {} more", candidates.len() - SHOWN);
    }
}
