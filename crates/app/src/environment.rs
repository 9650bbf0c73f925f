//! Variables and folders of the process. This module reads them once, and no other code reads them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use sources::folders;

use crate::Clock;

/// Variables and folders of a process.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// The locations of sessions.
    pub sources: sources::Environment,
    /// The folder for data that can be computed again: `$XDG_CACHE_HOME/recount`.
    pub cache: Option<PathBuf>,
    /// The folder for permanent data: `$XDG_DATA_HOME/recount`.
    pub data: Option<PathBuf>,
    /// The settings file, if there is a location for one.
    pub config: Option<ConfigFile>,
    /// The working directory.
    pub here: PathBuf,
    /// The name of this computer.
    pub host: Option<String>,
    /// The variables that are settings (`RECOUNT_*`), and `TZ`, `TZDIR` and `NO_COLOR`.
    pub variables: BTreeMap<String, String>,
}

/// The location of the settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigFile {
    /// The file.
    pub path: PathBuf,
    /// Whether `$RECOUNT_CONFIG` names the file, so that it must exist.
    pub is_named: bool,
}

impl Environment {
    /// Returns the environment of this process.
    pub fn of_process() -> Self {
        let is_ours = |name: &str| name.starts_with("RECOUNT_") || matches!(name, "TZ" | "TZDIR" | "NO_COLOR");
        let variables: BTreeMap<String, String> = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .filter(|(name, _)| is_ours(name))
            .collect();
        let sources = sources::Environment::of_process();
        Self {
            cache: folders::cache().map(|folder| folder.join("recount")),
            data: folders::data().map(|folder| folder.join("recount")),
            config: config_file(&sources),
            here: std::env::current_dir().unwrap_or_default(),
            host: host(),
            variables,
            sources,
        }
    }

    /// Returns the value of a variable. An empty one counts as unset.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Returns the user's home as text, unless it is `/`.
    pub fn home(&self) -> Option<String> {
        let home = self.sources.home.as_deref().map(Path::to_string_lossy)?;
        (home.len() > 1).then(|| home.into_owned())
    }

    /// Returns the system clock, unless a test stops it with `RECOUNT_NOW`.
    pub fn clock(&self) -> Clock {
        let stopped: Option<Timestamp> = self.variable("RECOUNT_NOW").and_then(|at| at.parse().ok());
        stopped.map_or(Clock::System, Clock::Stopped)
    }
}

#[cfg(unix)]
fn host() -> Option<String> {
    Some(rustix::system::uname().nodename().to_str().ok()?.to_owned())
}

#[cfg(not(unix))]
fn host() -> Option<String> {
    std::env::var("COMPUTERNAME").ok()
}

fn config_file(sources: &sources::Environment) -> Option<ConfigFile> {
    if let Some(named) = std::env::var_os("RECOUNT_CONFIG").filter(|value| !value.is_empty()) {
        return Some(ConfigFile { path: named.into(), is_named: true });
    }
    let stated = sources.xdg_config_home.clone().filter(|path| path.is_absolute());
    let folder = stated.or_else(|| Some(sources.home.as_ref()?.join(".config")))?;
    Some(ConfigFile { path: folder.join("recount").join("config.toml"), is_named: false })
}
