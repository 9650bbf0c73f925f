//! The verbs, one file each. Each verb runs on an [`App`].

pub(crate) mod archive;
pub(crate) mod capture;
pub(crate) mod cat;
pub(crate) mod check;
pub(crate) mod demo;
pub(crate) mod diff;
pub(crate) mod export;
pub(crate) mod file;
pub(crate) mod forget;
pub(crate) mod hook;
pub(crate) mod hooks;
pub(crate) mod import;
pub(crate) mod ls;
pub(crate) mod projects;
pub(crate) mod replay;
pub(crate) mod resume;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod share;
pub(crate) mod show;
pub(crate) mod statusline;
pub(crate) mod tail;
pub(crate) mod usage;
pub(crate) mod watch;

use std::path::PathBuf;

use app::App;
use sources::{FoundSources, find_at};

use crate::failure::CommandError;

/// Returns the sources at the given paths, or the sources of all roots if there are none.
fn chosen_sources(app: &App, paths: &[PathBuf]) -> Result<FoundSources, CommandError> {
    if paths.is_empty() {
        return Ok(app.sources());
    }
    if !app.named_roots().is_empty() {
        let message = "--root selects all sessions of a config root and cannot be combined with a path";
        return Err(CommandError::usage(message));
    }
    Ok(find_at(paths))
}
