//! What the process was started with: variables and folders. Read once, and by nothing else.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use sources::folders;

use crate::Clock;

/// Variables and folders of a process.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// Where sessions are.
    pub sources: sources::Environment,
    /// The folder for what can be computed again: `$XDG_CACHE_HOME/recount`.
    pub cache: Option<PathBuf>,
    /// The folder for what has to be kept: `$XDG_DATA_HOME/recount`.
    pub data: Option<PathBuf>,
    /// The settings file, if there is a place for one.
    pub config: Option<ConfigFile>,
    /// The working directory.
    pub here: PathBuf,
    /// The variables that are settings (`RECOUNT_*`), and `TZ`, `TZDIR` and `NO_COLOR`.
    pub variables: BTreeMap<String, String>,
}

/// Where the settings file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigFile {
    /// The file.
    pub path: PathBuf,
    /// Whether `$RECOUNT_CONFIG` names it, so that it has to be there.
    pub is_named: bool,
}

impl Environment {
    /// The environment of this process.
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
            variables,
            sources,
        }
    }

    /// The value of a variable. One that is empty counts as not set.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// The user's home as text, unless it is `/`.
    pub fn home(&self) -> Option<String> {
        let home = self.sources.home.as_deref().map(Path::to_string_lossy)?;
        (home.len() > 1).then(|| home.into_owned())
    }

    /// The clock of the system, unless a test stops it with `RECOUNT_NOW`.
    pub fn clock(&self) -> Clock {
        let stopped: Option<Timestamp> = self.variable("RECOUNT_NOW").and_then(|at| at.parse().ok());
        stopped.map_or(Clock::System, Clock::Stopped)
    }
}

fn config_file(sources: &sources::Environment) -> Option<ConfigFile> {
    if let Some(named) = std::env::var_os("RECOUNT_CONFIG").filter(|value| !value.is_empty()) {
        return Some(ConfigFile { path: named.into(), is_named: true });
    }
    let stated = sources.xdg_config_home.clone().filter(|path| path.is_absolute());
    let folder = stated.or_else(|| Some(sources.home.as_ref()?.join(".config")))?;
    Some(ConfigFile { path: folder.join("recount").join("config.toml"), is_named: false })
}
