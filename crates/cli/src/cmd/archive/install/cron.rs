//! Installation as a line in the crontab.

use std::process::{Command, Stdio};

use crate::failure::{CommandError, Context as _};

use super::job::Job;
use crate::install::plan::{Plan, Step};

/// Marks the end of our line; a comment to the shell.
const OURS: &str = "# recount archive";

pub(super) fn install(job: &Job) -> Result<Plan, CommandError> {
    // cron treats an unescaped percent sign as the end of the command.
    let line = format!("37 12 * * * {} {OURS}\n", job.for_shell().replace('%', "\\%"));
    let before = crontab().context("cannot run crontab; try --how hook")?;
    let mut after = without_ours(&before);
    if !after.is_empty() && !after.ends_with('\n') {
        after.push('\n');
    }
    after.push_str(&line);
    Ok(replace(&before, after))
}

pub(super) fn remove() -> Plan {
    // Without cron there is nothing to remove.
    let Ok(before) = crontab() else { return Plan::default() };
    let after = without_ours(&before);
    replace(&before, after)
}

fn replace(before: &str, after: String) -> Plan {
    if before == after {
        return Plan::default();
    }
    let arguments = vec!["-".to_owned()];
    Plan::of(vec![Step::Run { program: "crontab", arguments, input: Some(after), may_fail: false }])
}

/// Returns the crontab; empty if there is none.
fn crontab() -> std::io::Result<String> {
    let output = Command::new("crontab").arg("-l").stdin(Stdio::null()).output()?;
    Ok(if output.status.success() { String::from_utf8_lossy(&output.stdout).into_owned() } else { String::new() })
}

fn without_ours(crontab: &str) -> String {
    crontab.split_inclusive('\n').filter(|line| !line.trim_end().ends_with(OURS)).collect()
}
