//! Installation as a Claude Code hook at the end of every session.

use std::path::PathBuf;

use crate::failure::{CommandError, Context as _};
use serde_json::json;

use super::job::{Home, Job};
use crate::install::plan::{Plan, Step};
use crate::install::settings::{self, add_hook, copy_name, remove_hooks};

const EVENT: &str = "SessionEnd";

/// Marks the end of our command; a comment to the shell.
const OURS: &str = "# recount archive";

pub(super) fn install(home: &Home, job: &Job) -> Result<Plan, CommandError> {
    let (path, before) = settings(home)?;
    let command = format!("{} {OURS}", job.for_shell());
    let entry = json!({"hooks": [{"type": "command", "command": command, "timeout": 60}]});
    let is_ours = |command: &str| command.ends_with(OURS);
    let text = before.as_deref().unwrap_or("{}\n");
    let odd = || {
        let entry = json!({"hooks": {EVENT: [&entry]}});
        format!("not valid settings: {}; add this to it yourself: {entry}", path.display())
    };
    let cleared = remove_hooks(text, EVENT, is_ours).with_context(odd)?;
    let after = add_hook(&cleared, EVENT, &entry).with_context(odd)?;
    let what = format!("add to hooks.{EVENT}:\n{}", serde_json::to_string_pretty(&entry)?);
    Ok(change(path, text, after, what))
}

pub(super) fn remove(home: &Home) -> Result<Plan, CommandError> {
    let (path, before) = settings(home)?;
    let Some(before) = before else { return Ok(Plan::default()) };
    // A file that does not parse as settings contains no hook of ours.
    let after = remove_hooks(&before, EVENT, |command| command.ends_with(OURS)).unwrap_or_else(|| before.clone());
    Ok(change(path, &before, after, format!("remove the entry of recount from hooks.{EVENT}")))
}

fn change(path: PathBuf, before: &str, after: String, what: String) -> Plan {
    if before == after {
        return Plan::default();
    }
    let copy = copy_name(&path, before);
    Plan::of(vec![Step::Change { path, copy, text: after, what }])
}

/// Returns the path of the settings, and their text if they exist.
fn settings(home: &Home) -> Result<(PathBuf, Option<String>), CommandError> {
    let path = home.settings();
    let text = settings::read(&path)?;
    Ok((path, text))
}
