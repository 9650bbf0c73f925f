//! Changes to the user's machine, which are shown, confirmed and then made.
//!
//! | module | for |
//! |---|---|
//! | `plan` | the steps of a change |
//! | `settings` | Claude Code's settings, changed without touching anything else in them |

pub(crate) mod plan;
pub(crate) mod settings;

use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;

use crate::failure::{CommandError, Context as _};
use plan::Plan;

/// Shows the steps and asks, unless `yes` is set; then carries them out.
pub(crate) fn carry_out(plan: Plan, yes: bool) -> Result<(), CommandError> {
    anstream::print!("{plan}");
    if !yes && !ask()? {
        return Err(CommandError::nothing("nothing was changed"));
    }
    plan.run()
}

/// Asks whether to go ahead.
pub(crate) fn ask() -> Result<bool, CommandError> {
    if !io::stdin().is_terminal() {
        return Err(CommandError::usage("cannot ask: standard input is not a terminal").hint("use --yes to confirm"));
    }
    anstream::print!("go ahead? [y/N] ");
    anstream::stdout().flush()?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// Quotes a word for a shell.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte)) && !word.is_empty();
    if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// Returns the word that a shell would read from a quoted text, if the text is one word.
pub(crate) fn unquoted(word: &str) -> Option<String> {
    let plain = match word.strip_prefix('\'').and_then(|word| word.strip_suffix('\'')) {
        Some(inner) => inner.replace("'\\''", "'"),
        None => word.to_owned(),
    };
    (quoted(&plain) == word).then_some(plain)
}

/// Returns a path as text. Rejects line breaks, which could start another command.
pub(crate) fn writable(path: &Path) -> Result<String, CommandError> {
    let text = path.to_str().filter(|text| !text.contains(crate::terminal::steers));
    text.map(ToOwned::to_owned).with_context(|| format!("cannot be written into a file: {}", path.display()))
}
