//! `recount hooks`: installs Claude Code hooks that report which sessions wait for you.

mod settings;
mod status;

use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use app::App;

use crate::failure::{CommandError, Context as _, FOUND_FAULT};
use crate::install::plan::{Plan, Step};
use crate::install::settings::{copies, copy_name, path, read};
use crate::install::{carry_out, quoted, writable};
use crate::terminal::clean;

/// Install hooks that report when a session waits for you, for `recount watch`
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Hooks {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Add hooks to settings.json, after showing the change and asking; keeps a backup copy
    Install(Change),
    /// Remove the hooks and nothing else
    Remove(Change),
    /// Show where hooks are installed and whether events arrive
    Status(status::Status),
}

#[derive(Debug, clap::Args)]
struct Change {
    /// Do not ask for confirmation
    #[arg(long, short)]
    yes: bool,
    /// Print the resulting settings.json without changing it
    #[arg(long, conflicts_with = "yes")]
    print: bool,
}

const EXAMPLES: &str = "\
The hooks run `recount hook`, which stores each event (the tool, and the first words of its input)
in $XDG_STATE_HOME/recount/events.jsonl, readable only by you. It never blocks a session.
docs/hooks.md has details. The settings are those in $CLAUDE_CONFIG_DIR, or else in ~/.claude;
--root names another config root. Claude Code before 2.1.101 is reported to skip a settings.json
that contains an event it does not know: update first.

Exit codes: 0 done, or installed; 1 not done, because you declined or there was nothing to do, or
not installed; 2 wrong usage, or something could not be read or written.

Examples:
  recount hooks install
  recount hooks install --print
  recount hooks status
  recount hooks remove";

impl Hooks {
    pub(crate) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        match self.verb {
            Verb::Install(change) => change.install(app),
            Verb::Remove(change) => change.remove(app),
            Verb::Status(status) => status.run(app),
        }
    }
}

impl Change {
    fn install(&self, app: &App) -> Result<ExitCode, CommandError> {
        let path = settings_of(app)?;
        let before = read(&path)?;
        let text = before.as_deref().unwrap_or("{}\n");
        let after = settings::with_hooks(text, &command()?).with_context(|| odd(&path))?;
        let done = "done; sessions that start from now on report their events; undo it with `recount hooks remove`";
        self.carry_out(path, text, after, ("already installed", done))
    }

    fn remove(&self, app: &App) -> Result<ExitCode, CommandError> {
        let path = settings_of(app)?;
        let nothing = "nothing is installed";
        let Some(before) = read(&path)? else {
            anstream::println!("{nothing}");
            return Ok(ExitCode::from(FOUND_FAULT));
        };
        let copies = copies(&path).map_while(|copy| read(&copy).ok().flatten());
        let after = settings::without_hooks(&before, copies).with_context(|| odd(&path))?;
        self.carry_out(path, &before, after, (nothing, "done"))
    }

    fn carry_out(
        &self,
        path: PathBuf,
        before: &str,
        after: String,
        (nothing, done): (&str, &str),
    ) -> Result<ExitCode, CommandError> {
        if self.print {
            // Control characters in settings must not reach a terminal; a file gets the exact text.
            if io::stdout().is_terminal() {
                after.lines().for_each(|line| anstream::println!("{}", clean(line)));
            } else {
                io::stdout().lock().write_all(after.as_bytes())?;
            }
            return Ok(ExitCode::SUCCESS);
        }
        if before == after {
            anstream::println!("{nothing}");
            return Ok(ExitCode::from(FOUND_FAULT));
        }
        let what = settings::difference(before, &after);
        let copy = copy_name(&path, before);
        let plan = Plan::of(vec![Step::Change { path, copy, text: after, what }]);
        carry_out(plan, self.yes)?;
        anstream::println!("{done}");
        Ok(ExitCode::SUCCESS)
    }
}

/// Returns the settings file to change: the named root's, or the user's.
fn settings_of(app: &App) -> Result<PathBuf, CommandError> {
    match app.named_roots().first() {
        Some(root) if !root.is_dir() => Err(CommandError::io(format!("not a folder: {}", root.display()))),
        Some(root) => Ok(root.join("settings.json")),
        None => path(&app.environment().sources)
            .context("there is no home directory")
            .map_err(|error| error.hint("name a config root with --root")),
    }
}

/// Returns the command that the hooks run: the absolute path of this program.
fn command() -> Result<String, CommandError> {
    let program = std::env::current_exe().context("cannot determine the path of recount")?;
    Ok(format!("{} hook", quoted(&writable(&program)?)))
}

fn odd(path: &Path) -> String {
    format!("not valid settings, left unchanged: {}; correct it (it has to be JSON without comments)", path.display())
}
