//! The location of the store.

use std::path::PathBuf;

use crate::failure::CommandError;
use app::App;
use record::Store;

#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct StoreLocation {
    /// Store folder [default: `$RECOUNT_STORE`, else in the user's data folder]
    #[arg(long = "store", value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,
}

impl StoreLocation {
    pub(crate) fn folder(&self, app: &App) -> Result<PathBuf, CommandError> {
        let folder = self.store.clone().or_else(|| app.environment().sources.store.clone());
        folder.ok_or_else(|| {
            let error = CommandError::unwritable("there is no home directory to keep conversations in");
            error.hint("name a folder with --store")
        })
    }

    /// Opens the store, and creates it if it is missing.
    pub(crate) fn make(&self, app: &App) -> Result<Store, CommandError> {
        Ok(Store::at(&self.folder(app)?)?)
    }
}
