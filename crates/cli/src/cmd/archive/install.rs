//! `recount archive install`: sets up a run every day, or after every session.
//!
//! | module | for |
//! |---|---|
//! | `job` | the command to run, in the syntax of each system |
//! | `systemd`, `launchd`, `cron`, `hook` | the steps for each |

mod cron;
mod hook;
mod job;
mod launchd;
mod systemd;

use std::process::ExitCode;

use app::App;

use super::archive_location::ArchiveLocation;
use crate::failure::{self, CommandError};
use crate::install::carry_out;
use crate::install::plan::Plan;
use job::{Home, Job};

#[derive(Debug, Clone, clap::Args)]
pub(super) struct How {
    /// Scheduler to use [default: systemd or launchd if available, else cron]
    #[arg(long, value_enum, value_name = "MEANS")]
    how: Option<Means>,
    /// Do not ask for confirmation
    #[arg(long, short)]
    yes: bool,
}

/// The scheduler that starts the runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Means {
    /// User timer of systemd, once a day
    Systemd,
    /// launchd agent, once a day
    Launchd,
    /// Line in the crontab, once a day
    Cron,
    /// Claude Code hook, at the end of every session
    Hook,
}

/// Set up a run every day, or at the end of every session
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Install {
    /// Undo the installation
    #[arg(long)]
    pub(super) remove: bool,
    #[command(flatten)]
    pub(super) how: How,
    #[command(flatten)]
    pub(super) place: ArchiveLocation,
}

const EXAMPLES: &str = "\
Shows the changes and asks before making them. Hooks (this one, and those of `recount hooks`) are
the only thing that recount ever writes below a config root: entries in settings.json, with a
backup copy beside it.

Exit codes: 0 done; 1 not done, because you declined or there was nothing to do; 2 wrong usage, or
something failed.

Examples:
  recount archive --install
  recount archive install --how hook
  recount archive --uninstall";

impl Install {
    pub(super) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        let home = Home::of(app)?;
        let plan = if self.remove { removal(&home, self.how.how)? } else { self.installation(app, &home)? };
        if plan.is_empty() {
            anstream::println!("{}", if self.remove { "nothing is installed" } else { "already installed" });
            return Ok(ExitCode::from(failure::FOUND_FAULT));
        }
        carry_out(plan, self.how.yes)?;
        anstream::println!("done{}", if self.remove { "" } else { "; undo it with `recount archive --uninstall`" });
        Ok(ExitCode::SUCCESS)
    }

    fn installation(&self, app: &App, home: &Home) -> Result<Plan, CommandError> {
        let job = Job::new(app, home, &self.place)?;
        match self.how.how.unwrap_or_else(usual) {
            Means::Systemd => Ok(systemd::install(home, &job)),
            Means::Launchd => Ok(launchd::install(home, &job)),
            Means::Cron => cron::install(&job),
            Means::Hook => hook::install(home, &job),
        }
    }
}

/// Undoes the installation, whichever scheduler it uses.
fn removal(home: &Home, how: Option<Means>) -> Result<Plan, CommandError> {
    let all = [Means::Systemd, Means::Launchd, Means::Cron, Means::Hook];
    let mut plan = Plan::default();
    for means in all.into_iter().filter(|means| how.is_none_or(|how| how == *means)) {
        plan.append(match means {
            Means::Systemd => systemd::remove(home),
            Means::Launchd => launchd::remove(home),
            Means::Cron => cron::remove(),
            Means::Hook => hook::remove(home)?,
        });
    }
    Ok(plan)
}

fn usual() -> Means {
    if cfg!(target_os = "macos") {
        Means::Launchd
    } else if systemd::is_there() {
        Means::Systemd
    } else {
        Means::Cron
    }
}
