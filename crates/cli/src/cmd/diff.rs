//! `recount diff`: shows the file changes of a session.

use std::io::Write;
use std::process::ExitCode;
use wire::JsonLayout;
use wire::diff::ChangesOut;

use app::App;
use changes::{ChangeFilter, Changes};
use content::Bill;
use reader::SessionReader;
use render::terminal::TerminalLook;
use styled::Theme;

use crate::failure::{self, CommandError, FOUND_FAULT};
use crate::flags::{self, JsonFlag, OutputFlag, SessionFlags};
use crate::pager::Pager;
use crate::terminal::{columns, plural};

/// Show the file changes of a session, one patch per file
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Diff {
    /// Session id or prefix, file, `-` for standard input, `last`, `last~1`, or words of its title
    #[arg(value_name = "SESSION", value_parser = flags::session_word(), required = true)]
    session: Vec<String>,
    /// Only changes from turn N on
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    since_turn: Option<u64>,
    /// Only this file, or files in this folder: a path or part of one (may be repeated)
    #[arg(long = "file", value_name = "PATH")]
    files: Vec<String>,
    /// Include changes on rewound branches
    #[arg(long)]
    branches: bool,
    #[command(flatten)]
    sessions: SessionFlags,
    /// Output format
    #[arg(long, value_enum, value_name = "FORM")]
    format: Option<Form>,
    /// Print one line per file instead
    #[arg(long, conflicts_with = "format")]
    stat: bool,
    #[command(flatten)]
    json: JsonFlag,
    #[command(flatten)]
    output: OutputFlag,
    /// Do not use a pager
    #[arg(long)]
    no_pager: bool,
}

const EXAMPLES: &str = "\
Each file has one patch, from its state before the session (or before turn N) to its state after
the session. It contains the edits of the conversation and of its agents in the order in which
they were made. Edits on rewound branches count only with --branches. Changes made by shell
commands are unknown. If something else changed a file in between, the file has several patches,
in order, with a note.

Apply a patch with `git apply` or `patch -p1` in the project folder. Files outside that folder are
shown with their absolute path, and are part of a patch only if --file names them.
The format is `terminal` in a terminal, else `patch`; docs/diff-json.md describes --json. If a
name matches several sessions, use --project, --since and --until to choose one.
Exit codes: 0 changes; 1 no changes; 2 wrong usage, or the session cannot be read.

Examples:
  recount diff last
  recount diff last --stat
  recount diff last --since-turn 3 --file src/retry.py
  recount diff 4c1e | git apply --check
  recount diff 4c1e --format html -o changes.html";

/// Output formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// Text for the terminal
    Terminal,
    /// Patch for `git apply` and `patch -p1`
    Patch,
    /// Self-contained page
    Html,
}

impl Diff {
    pub(crate) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        if self.json.json && (self.format.is_some() || self.stat) {
            return Err(CommandError::usage("--json cannot be used with --format or --stat"));
        }
        let name = self.session.join(" ");
        let source = app.find_session(&name, &self.sessions.filter(app)?)?;
        let progress = app.progress(source.size);
        let read = SessionReader::of(&source, &|bytes| progress.add(bytes));
        drop(progress);
        let (reader, problems) = read?;
        let mut reader = reader.surrounded_by(app.surroundings(&source)?);
        problems.iter().for_each(failure::report_problem);
        let (story, texts) = reader.parts();
        let filter = ChangeFilter { since_turn: self.since_turn, branches: self.branches, files: self.files.clone() };
        let changes = Changes::of(story, texts, &filter);
        if changes.unreadable > 0 {
            let calls = plural(changes.unreadable as u64, "call", "calls");
            app.warn(&format!("{calls} could not be read again: {name}"), &[]);
        }
        if changes.files.is_empty() && !self.json.json {
            return Err(CommandError::nothing(format!("no changes: {name}")).hint(self.hint(&changes)));
        }
        self.write(app, &changes)?;
        Ok(ExitCode::from(if changes.files.is_empty() { FOUND_FAULT } else { 0 }))
    }

    /// Returns a hint why there are no changes.
    fn hint(&self, changes: &Changes) -> String {
        let notes = changes.notes();
        if !self.files.is_empty() {
            "--stat without --file lists the files that changed".to_owned()
        } else if notes.is_empty() {
            "`recount show` shows what it did".to_owned()
        } else {
            notes.join("\n")
        }
    }

    fn write(&self, app: &App, changes: &Changes) -> Result<(), CommandError> {
        let (is_shown_here, is_json) = (self.output.is_terminal(), self.json.json);
        let form = self.format.unwrap_or(if is_shown_here { Form::Terminal } else { Form::Patch });
        let theme = self.output.has_colors().then(Theme::default);
        let look = TerminalLook {
            width: columns(),
            is_terminal: true,
            theme,
            locale: app.locale()?.clone(),
            bill: Bill::default(),
            status: None,
        };
        let write = |out: &mut dyn Write| match form {
            _ if is_json => {
                let layout = if is_shown_here { JsonLayout::Pretty } else { JsonLayout::Compact };
                wire::write(out, &ChangesOut::of(changes), layout)
            }
            _ if self.stat => render::changes::write_stat(out, changes, &look),
            Form::Terminal => render::changes::write_changes(out, changes, &look),
            Form::Patch if is_shown_here => render::changes::write_patch(out, changes, &look),
            Form::Patch => out.write_all(changes.patch().as_bytes()),
            Form::Html => page::write_changes(out, changes),
        };
        if is_shown_here && !self.no_pager && !is_json && form != Form::Html {
            let mut pager = Pager::start();
            let outcome = write(&mut pager);
            pager.finish(outcome)?;
        } else {
            let mut out = self.output.open_raw()?;
            write(&mut out)?;
            out.finish()?;
        }
        if form == Form::Patch && !is_json && !self.stat {
            say_what_is_missing(app, changes);
        }
        Ok(())
    }
}

/// Warns about changes that a patch cannot contain.
fn say_what_is_missing(app: &App, changes: &Changes) {
    let outside: Vec<&str> = changes
        .files
        .iter()
        .map(|file| &file.path)
        .filter(|path| path.outside)
        .map(|path| path.name.as_str())
        .collect();
    let left_out = changes.files.len() - changes.in_patch().count();
    if left_out > 0 {
        let files = plural(left_out as u64, "file", "files");
        let mut hints = vec!["--file gives a patch for one of them:".to_owned()];
        hints.extend(outside.iter().map(ToString::to_string));
        app.warn(&format!("not in the patch: {files} outside the project"), &hints);
    }
    for file in changes.in_patch() {
        let name = &file.path.name;
        if !file.is_whole() {
            let hint = "--format terminal shows what is known".to_owned();
            app.warn(&format!("not all changes are in the patch: {name}"), &[hint]);
        }
        if file.patches.len() > 1 {
            let hint = "its patches only apply in sequence if that change is repeated in between".to_owned();
            app.warn(&format!("something else changed it in between: {name}"), &[hint]);
        }
    }
}
