//! The folders in which programs of this user keep their files.

use std::path::PathBuf;

/// The folder for files that can be derived again.
pub fn cache() -> Option<PathBuf> {
    folder("XDG_CACHE_HOME", "Library/Caches", ".cache")
}

/// The folder for files that cannot be derived again.
pub fn data() -> Option<PathBuf> {
    folder("XDG_DATA_HOME", "Library/Application Support", ".local/share")
}

/// The folder for state that is of no use after a few days.
pub fn state() -> Option<PathBuf> {
    folder("XDG_STATE_HOME", "Library/Application Support", ".local/state")
}

/// The folder that an environment variable names, or the default of the system.
fn folder(variable: &str, on_macos: &str, elsewhere: &str) -> Option<PathBuf> {
    let stated = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    stated(variable).or_else(|| {
        if cfg!(windows) {
            return stated("LOCALAPPDATA");
        }
        let home = std::env::home_dir().filter(|path| path.is_absolute())?;
        Some(home.join(if cfg!(target_os = "macos") { on_macos } else { elsewhere }))
    })
}
