//! The location of the archive.

use std::path::PathBuf;

use crate::failure::{CommandError, Context as _};
use app::App;

#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct ArchiveLocation {
    /// Archive folder [default: `$RECOUNT_ARCHIVE`, else in the user's data folder]
    #[arg(long = "archive", value_name = "DIR")]
    pub(super) archive: Option<PathBuf>,
}

impl ArchiveLocation {
    /// Returns whether the archive is outside the default location, so that a program that knows only the user's home
    /// would not find it.
    pub(super) fn is_unusual(&self) -> bool {
        let is_set = |name| std::env::var_os(name).is_some_and(|value: std::ffi::OsString| !value.is_empty());
        self.archive.is_some() || is_set("RECOUNT_ARCHIVE") || is_set("XDG_DATA_HOME")
    }

    pub(super) fn folder(&self, app: &App) -> Result<PathBuf, CommandError> {
        let folder = self.archive.clone().or_else(|| app.environment().sources.archive.clone());
        let folder = folder.context("there is no home directory to keep the archive in");
        folder.map_err(|error| error.hint("name a folder with --archive"))
    }
}
