//! `recount forget`: removes sessions from everything that recount keeps, for good.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use app::forget::{KeptPlaces, Traces};
use app::{App, End, ProjectFilter, SessionFilter};
use index::catalogue::Session;
use sources::ForgottenName;
use sources::naming::short_name;

use crate::capture::store_location::StoreLocation;
use crate::failure::{self, CommandError, Context as _};
use crate::flags;
use crate::install::ask;
use crate::terminal::{clean, plural};

/// Remove sessions for good from archive, captures, index and caches
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Forget {
    /// Sessions as `ls` lists them: ids or beginnings of ids, `last`, or words of a title
    #[arg(value_name = "SESSION", value_parser = flags::session_word())]
    sessions: Vec<String>,
    /// Only this project: a folder such as `.`, or part of its path
    #[arg(short, long, value_name = "PROJECT")]
    project: Option<String>,
    /// All sessions whose last activity was before DATE
    #[arg(long, value_name = "DATE")]
    before: Option<String>,
    /// Do not ask for confirmation
    #[arg(short, long)]
    yes: bool,
    /// Archive folder [default: `$RECOUNT_ARCHIVE`, else in the user's data folder]
    #[arg(long, value_name = "DIR")]
    archive: Option<PathBuf>,
    #[command(flatten)]
    captures: StoreLocation,
}

const EXAMPLES: &str = "\
What will be removed is shown first, and asked about. Claude Code's own files are never touched, nor
are pages that you exported; sessions whose files are still there stay hidden from all lists. With
--project and --before together, both must apply. An attempt that was interrupted is completed by
the next one: `recount forget` without arguments. docs/forget.md says what is left.

Exit codes: 0 forgotten; 1 no such session, or not confirmed; 2 wrong usage, or something could not
be read or removed.

Examples:
  recount forget 4c1e
  recount forget --project ~/work/secret
  recount forget --before 2026-01-01 --yes";

impl Forget {
    pub(crate) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        let environment = &app.environment().sources;
        let places = KeptPlaces {
            archive: self.archive.clone().or_else(|| environment.archive.clone()),
            store: self.captures.store.clone().or_else(|| environment.store.clone()),
        };
        let forgotten = app.forgotten()?;
        let is_empty = self.sessions.is_empty() && self.project.is_none() && self.before.is_none();
        if is_empty && !forgotten.is_unfinished() {
            let error = CommandError::usage("name the sessions to forget");
            return Err(error.hint("give ids, --project or --before; `recount ls` lists all sessions"));
        }
        let open = app.any_index(app::Keeping::Kept)?;
        open.problems.iter().for_each(failure::report_problem);
        let chosen = if is_empty { Vec::new() } else { self.choose(app, &open.index.sessions()?)? };
        let names: BTreeSet<ForgottenName> = chosen.iter().map(|chosen| chosen.name.clone()).collect();
        let names: Vec<ForgottenName> = names.into_iter().collect();
        let traces = app.traces(&names, &open.found, &places)?;
        // Nothing may hold the index while it is emptied.
        drop(open);
        anstream::print!("{}", clean_lines(&plan(&chosen, &traces, forgotten.is_unfinished())));
        if !self.yes && !ask()? {
            return Err(CommandError::nothing("nothing was forgotten"));
        }
        let done = app.forget(&names, &places).map_err(|error| {
            let error = CommandError::from(error);
            error.hint("the sessions are hidden; `recount forget` without arguments removes what is left of them")
        })?;
        let sessions = plural(chosen.len() as u64, "session", "sessions");
        anstream::println!(
            "forgot {sessions}: removed {} from the archive ({}) and {}; the index is rebuilt by the next command",
            plural(done.archived, "file", "files"),
            human::bytes(done.bytes),
            plural(done.captures, "capture", "captures")
        );
        Ok(ExitCode::SUCCESS)
    }

    fn choose(&self, app: &App, listed: &[Session]) -> Result<Vec<Chosen>, CommandError> {
        let mut chosen: Vec<Chosen> = Vec::new();
        let mut add = |new: Chosen| {
            if chosen.iter().all(|known| known.name != new.name) {
                chosen.push(new);
            }
        };
        for name in &self.sessions {
            let source = app.find_session(name, &SessionFilter::default())?;
            let key = source.input.key().with_context(|| format!("not a session of recount: {name}"))?;
            let id = source.listed_name().unwrap_or_default().into_owned();
            let known = listed.iter().find(|session| session.key() == key);
            add(Chosen::of(ForgottenName::of(&id, key), known, &id));
        }
        if self.project.is_some() || self.before.is_some() {
            let project = self.project.as_deref().map(|text| ProjectFilter::of(text, app.here()));
            let filter = SessionFilter { project, ..SessionFilter::default() };
            let before = match &self.before {
                Some(date) => app.moments()?.read_flag("--before", Some(date), End::Start)?,
                None => None,
            };
            let is_before =
                |session: &&Session| before.is_none_or(|before| session.last.is_some_and(|last| last < before));
            for session in listed.iter().filter(|session| filter.wants(session)).filter(is_before) {
                add(Chosen::of(ForgottenName::of(&session.stem, session.key()), Some(session), &session.name));
            }
        }
        if chosen.is_empty() {
            return Err(CommandError::nothing("no session matches").hint("`recount ls` lists all sessions"));
        }
        Ok(chosen)
    }
}

/// A session to forget.
struct Chosen {
    name: ForgottenName,
    shown: String,
}

impl Chosen {
    fn of(name: ForgottenName, known: Option<&Session>, id: &str) -> Self {
        let title = known.map(|session| session.title.as_str()).unwrap_or_default();
        let project = known.map(|session| session.project_name.as_str()).unwrap_or_default();
        let parts = [short_name(id), title.to_owned(), project.to_owned()];
        let shown = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("  ");
        Self { name, shown }
    }
}

/// What will be done, and what will not.
fn plan(chosen: &[Chosen], traces: &Traces, is_unfinished: bool) -> String {
    let mut text = String::new();
    if is_unfinished {
        let _ = writeln!(text, "this will complete an earlier attempt that was interrupted");
    }
    if !chosen.is_empty() {
        let _ = writeln!(text, "this will forget {}:", plural(chosen.len() as u64, "session", "sessions"));
    }
    for session in chosen {
        let _ = writeln!(text, "  {}", session.shown);
    }
    let Traces { archived, captures, untouched, histories } = traces;
    let _ = writeln!(text, "removed for good:");
    if *archived > 0 {
        let _ = writeln!(text, "  {} in the archive, with all versions", plural(*archived, "file", "files"));
    }
    for path in captures {
        let _ = writeln!(text, "  {}", path.display());
    }
    let _ = writeln!(text, "  the index and the caches, which are rebuilt");
    let files = untouched.iter().chain(histories);
    if files.clone().next().is_some() {
        let _ = writeln!(
            text,
            "not touched, because Claude Code keeps them (hidden from all lists; remove them yourself):"
        );
        files.for_each(|path: &PathBuf| {
            let _ = writeln!(text, "  {}", Path::display(path));
        });
    }
    let _ = writeln!(text, "not touched: pages that you exported, and other sessions that copied from these");
    text
}

fn clean_lines(text: &str) -> String {
    text.lines().map(|line| clean(line).into_owned() + "\n").collect()
}
