//! The output folder of the live demo: a fresh one, or one of its own.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{CommandError, Context as _};
use app::App;
use tempfile::TempDir;

/// Marker file in folders that the demo created.
const MARK: &str = ".recount-demo";

/// A folder to play in. A temporary one is removed when this is dropped.
#[derive(Debug)]
pub(crate) enum DemoFolder {
    Fresh(TempDir),
    Given(PathBuf),
}

impl DemoFolder {
    /// Returns a fresh folder, or the named one if it is new, empty, or was used by the demo before.
    pub(crate) fn of(app: &App, folder: Option<&Path>) -> Result<Self, CommandError> {
        let Some(folder) = folder else {
            let fresh = tempfile::Builder::new().prefix("recount-demo-").tempdir().context("cannot create a folder")?;
            mark(fresh.path())?;
            return Ok(Self::Fresh(fresh));
        };
        let cannot = || format!("cannot write: {}", folder.display());
        if !folder.join(MARK).is_file() {
            fs::create_dir_all(folder).with_context(cannot)?;
            let whole = fs::canonicalize(folder).with_context(cannot)?;
            let is_of_user =
                |root: &sources::Root| fs::canonicalize(&root.path).is_ok_and(|root| whole.starts_with(root));
            if fs::read_dir(folder).with_context(cannot)?.next().is_some() {
                let message = format!("not empty, and not made by this demo: {}", folder.display());
                return Err(CommandError::usage(message).hint("name a folder that is new or empty"));
            }
            if app.roots().iter().any(is_of_user) {
                let message = format!("inside of a config root of yours: {}", folder.display());
                return Err(CommandError::usage(message).hint("name a folder elsewhere, or none"));
            }
            mark(folder)?;
        }
        Ok(Self::Given(std::path::absolute(folder).with_context(cannot)?))
    }

    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Fresh(folder) => folder.path(),
            Self::Given(folder) => folder,
        }
    }
}

fn mark(folder: &Path) -> Result<(), CommandError> {
    let path = folder.join(MARK);
    let text = "`recount demo --live` plays made-up sessions here.\n";
    fs::write(&path, text).with_context(|| format!("cannot write: {}", path.display()))
}
