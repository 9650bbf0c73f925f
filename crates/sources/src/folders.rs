//! Where this user's programs keep what is theirs.

use std::path::PathBuf;

/// For what can be found out again.
pub fn cache() -> Option<PathBuf> {
    folder("XDG_CACHE_HOME", "Library/Caches", ".cache")
}

/// For what cannot be found out again.
pub fn data() -> Option<PathBuf> {
    folder("XDG_DATA_HOME", "Library/Application Support", ".local/share")
}

/// For what is happening, and is of no use a few days later.
pub fn state() -> Option<PathBuf> {
    folder("XDG_STATE_HOME", "Library/Application Support", ".local/state")
}

/// What a variable says, or the usual place of the system.
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
