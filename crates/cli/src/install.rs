//! Changes on the user's machine: shown first, then made, if the user says so.
//!
//! | module | for |
//! |---|---|
//! | `plan` | what will be done: shown first, then done |
//! | `settings` | Claude Code's settings, changed without touching anything else in them |

pub(crate) mod plan;
pub(crate) mod settings;

use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;

use crate::failure;
use plan::Plan;

/// Shows what will be done and asks, unless the answer is known; then does it. Otherwise it ends with a code.
pub(crate) fn carry_out(plan: Plan, yes: bool) -> anyhow::Result<Result<(), ExitCode>> {
    anstream::print!("{plan}");
    if !yes && !ask()? {
        let code = if io::stdin().is_terminal() { failure::FOUND_FAULT } else { failure::USAGE_OR_IO };
        return Ok(Err(ExitCode::from(code)));
    }
    plan.run()?;
    Ok(Ok(()))
}

fn ask() -> anyhow::Result<bool> {
    if !io::stdin().is_terminal() {
        failure::say("nobody to ask", Some("say --yes to do it"));
        return Ok(false);
    }
    anstream::print!("go ahead? [y/N] ");
    anstream::stdout().flush()?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// A word as a shell reads it back.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte)) && !word.is_empty();
    if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// What a shell makes of a word, if that is all there is.
pub(crate) fn unquoted(word: &str) -> Option<String> {
    let plain = match word.strip_prefix('\'').and_then(|word| word.strip_suffix('\'')) {
        Some(inner) => inner.replace("'\\''", "'"),
        None => word.to_owned(),
    };
    (quoted(&plain) == word).then_some(plain)
}

/// A path as text. One with a line break could become another command.
pub(crate) fn writable(path: &Path) -> anyhow::Result<String> {
    let text = path.to_str().filter(|text| !text.contains(crate::terminal::steers));
    text.map(ToOwned::to_owned).with_context(|| format!("cannot be written into a file: {}", path.display()))
}
