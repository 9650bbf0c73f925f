//! Where the store is.

use std::path::PathBuf;

use anyhow::Context as _;
use record::Store;
use sources::Environment;

#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct Place {
    /// The store [default: `$RECOUNT_STORE`, else the user's folder for data]
    #[arg(long = "store", value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,
}

impl Place {
    pub(crate) fn folder(&self) -> anyhow::Result<PathBuf> {
        let folder = self.store.clone().or_else(|| Environment::of_process().store);
        folder.context("there is no home directory to keep conversations in; name a folder with --store")
    }

    /// The store, which is made if it is not there.
    pub(crate) fn make(&self) -> anyhow::Result<Store> {
        Ok(Store::at(&self.folder()?)?)
    }
}
