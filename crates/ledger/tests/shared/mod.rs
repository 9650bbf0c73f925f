//! Material outside the project.

use std::path::{Path, PathBuf};

/// The folder of shared material, where it exists.
pub(crate) fn folder(name: &str) -> Option<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("RECOUNT_SHARED").map_or(default, PathBuf::from).join(name);
    folder.is_dir().then_some(folder)
}
