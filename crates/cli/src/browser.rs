//! Opens a page in the user's browser.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::failure::CommandError;

/// Opens a file and prints its path; does not wait for the browser.
pub(crate) fn open(path: &Path) -> Result<(), CommandError> {
    start(path)?;
    anstream::eprintln!("{}", path.display());
    Ok(())
}

/// Opens a file without printing its path.
pub(crate) fn start(path: &Path) -> Result<(), CommandError> {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let started =
        Command::new(program).arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    match started {
        Ok(_) => Ok(()),
        Err(error) => {
            let hint = format!("the page is in {}", path.display());
            Err(CommandError::io(format!("{program}: {error}")).hint(hint))
        }
    }
}
