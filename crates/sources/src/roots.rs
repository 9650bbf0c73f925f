//! Roots: the folders in which Claude Code keeps its state (docs/format A.1), and those in which the Desktop app keeps
//! the state of Cowork (docs/format A.8).

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::folders;

/// The part of the environment that determines the location of sessions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    /// `$CLAUDE_CONFIG_DIR`: one root, or a comma-separated list.
    pub claude_config_dir: Option<OsString>,
    /// `$XDG_CONFIG_HOME`
    pub xdg_config_home: Option<PathBuf>,
    /// The user's home.
    pub home: Option<PathBuf>,
    /// `%APPDATA%`, on Windows only.
    pub app_data: Option<PathBuf>,
    /// `%LOCALAPPDATA%`, on Windows only.
    pub local_app_data: Option<PathBuf>,
    /// The folder of the archive.
    pub archive: Option<PathBuf>,
    /// The folder of captures.
    pub store: Option<PathBuf>,
}

impl Environment {
    /// The environment of this process.
    pub fn of_process() -> Self {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let path = |name| variable(name).map(PathBuf::from);
        Self {
            claude_config_dir: variable("CLAUDE_CONFIG_DIR"),
            xdg_config_home: path("XDG_CONFIG_HOME"),
            home: std::env::home_dir().filter(|home| !home.as_os_str().is_empty()),
            app_data: path("APPDATA"),
            local_app_data: path("LOCALAPPDATA"),
            archive: path("RECOUNT_ARCHIVE").or_else(|| Some(folders::data()?.join("recount").join("archive"))),
            store: path("RECOUNT_STORE").or_else(|| Some(folders::data()?.join("recount").join("captures"))),
        }
    }
}

/// A config root, the data of the Desktop app, an archive, or a store of captures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// The folder that contains `projects` and `history.jsonl`, or [`COWORK`], or an archive, or captures.
    pub path: PathBuf,
    /// Whether the user named it, so that it should exist.
    pub named: bool,
}

impl Root {
    /// The folder that contains the projects or the sessions of Cowork. Users may name these instead.
    pub fn home(&self) -> PathBuf {
        let path = std::path::absolute(&self.path).unwrap_or_else(|_| self.path.clone());
        let is_inside = |name| path.ends_with(name) && !path.join(name).is_dir();
        match path.parent() {
            Some(parent) if is_inside("projects") || is_inside(COWORK) => parent.to_path_buf(),
            _ => path,
        }
    }

    /// Whether it is an archive of other roots.
    pub fn is_archive(&self) -> bool {
        archive::is_archive(&self.path)
    }

    /// Whether it contains captures.
    pub fn is_store(&self) -> bool {
        record::is_store(&self.path)
    }

    /// Whether it is the default folder of the Desktop app, the archive or captures, which most users do not have.
    pub(crate) fn is_out_of_the_way(&self) -> bool {
        // Claude Code's own folders are in lower case.
        self.path.ends_with("Claude")
            || self.path.ends_with("recount/archive")
            || self.path.ends_with("recount/captures")
    }
}

/// The folder with the sessions of Cowork in the data of the Desktop app.
pub const COWORK: &str = "local-agent-mode-sessions";

/// The roots of an environment, or the default ones, and `extra` ones.
///
/// `$CLAUDE_CONFIG_DIR` selects sessions explicitly, so it replaces all default folders. This includes those of the
/// Desktop app, although the app itself ignores the variable. An extra root adds them again.
///
/// The default folders of all systems are tried, because a folder of another system does not exist here.
///
/// ```
/// use sources::Environment;
/// use sources::roots;
/// let environment = Environment { home: Some("/home/ana".into()), ..Environment::default() };
/// let paths: Vec<_> = roots(&environment, &["/mnt/old".into()]).into_iter().map(|root| root.path).collect();
/// assert_eq!(paths[..2], ["/home/ana/.claude", "/home/ana/.config/claude"].map(std::path::PathBuf::from));
/// assert_eq!(paths.last(), Some(&"/mnt/old".into()));
/// ```
pub fn roots(environment: &Environment, extra: &[PathBuf]) -> Vec<Root> {
    let mut roots: Vec<Root> = Vec::new();
    let mut add = |path: PathBuf, named: bool| {
        // Stored facts about files must not depend on the working directory.
        let path = if path.is_relative() { whole(path) } else { path };
        if !roots.iter().any(|root| root.path == path) {
            roots.push(Root { path, named });
        }
    };
    match &environment.claude_config_dir {
        Some(list) => split_list(list).into_iter().for_each(|path| add(path, true)),
        None => usual(environment).into_iter().for_each(|path| add(path, false)),
    }
    for path in extra {
        add(path.clone(), true);
    }
    if let Some(archive) = environment.archive.clone() {
        add(archive, false);
    }
    if let Some(store) = environment.store.clone() {
        add(store, false);
    }
    roots
}

/// The absolute path of a folder.
fn whole(path: PathBuf) -> PathBuf {
    std::fs::canonicalize(&path).or_else(|_| std::path::absolute(&path)).unwrap_or(path)
}

fn usual(environment: &Environment) -> Vec<PathBuf> {
    /// The folder to which Windows redirects `%APPDATA%` for the Desktop app from the Store.
    const STORE: &str = "Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude";
    let home = environment.home.as_deref();
    let of_home = home.map(|home| home.join(".config"));
    let config = environment.xdg_config_home.as_deref().or(of_home.as_deref());
    let places = [
        (home, ".claude"),
        (config, "claude"),
        (home, "Library/Application Support/Claude"),
        (config, "Claude"),
        (environment.app_data.as_deref(), "Claude"),
        (environment.local_app_data.as_deref(), STORE),
    ];
    places.into_iter().filter_map(|(folder, name)| Some(folder?.join(name))).collect()
}

/// The parts of a comma-separated list, unless it is one folder with commas in its name.
fn split_list(list: &OsStr) -> Vec<PathBuf> {
    match list.to_str() {
        Some(text) if text.contains(',') && !Path::new(text).is_dir() => {
            text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(PathBuf::from).collect()
        }
        _ => vec![PathBuf::from(list)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(environment: &Environment, extra: &[&str]) -> Vec<String> {
        let extra: Vec<_> = extra.iter().map(PathBuf::from).collect();
        roots(environment, &extra).into_iter().map(|root| root.path.display().to_string()).collect()
    }

    #[test]
    fn the_variable_replaces_the_usual_roots() {
        let mut environment = Environment { home: Some("/home/ana".into()), ..Environment::default() };
        assert_eq!(paths(&environment, &[])[..2], ["/home/ana/.claude", "/home/ana/.config/claude"]);
        environment.xdg_config_home = Some("/cfg".into());
        assert_eq!(paths(&environment, &[])[..2], ["/home/ana/.claude", "/cfg/claude"]);
        environment.claude_config_dir = Some("/a, /b,,/a".into());
        assert_eq!(paths(&environment, &["/c", "/b"]), ["/a", "/b", "/c"]);
    }

    #[test]
    fn the_desktop_app_has_its_place_on_each_system() {
        let home = |home: &str| Environment { home: Some(home.into()), ..Environment::default() };
        let all = paths(&home("/Users/ana"), &[]);
        assert!(all.contains(&"/Users/ana/Library/Application Support/Claude".to_owned()), "{all:?}");
        let all = paths(&home("/home/ana"), &[]);
        assert!(all.contains(&"/home/ana/.config/Claude".to_owned()), "{all:?}");
        let all = paths(&Environment { xdg_config_home: Some("/cfg".into()), ..home("/home/ana") }, &[]);
        assert!(all.contains(&"/cfg/Claude".to_owned()) && !all.contains(&"/home/ana/.config/Claude".to_owned()));
        let (app_data, local_app_data) = (Some("/roaming".into()), Some("/local".into()));
        let all = paths(&Environment { app_data, local_app_data, ..home("/ana") }, &[]);
        assert!(all.contains(&"/roaming/Claude".to_owned()));
        assert!(all.contains(&"/local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude".to_owned()));
    }

    #[test]
    fn only_named_roots_have_to_be_there() {
        let environment = Environment { home: Some("/home/ana".into()), ..Environment::default() };
        let named: Vec<_> = roots(&environment, &["/c".into()]).into_iter().filter(|root| root.named).collect();
        assert_eq!(named, [Root { path: "/c".into(), named: true }]);
    }

    #[test]
    fn a_folder_may_have_a_comma_in_its_name() {
        let dir = tempfile::tempdir().unwrap();
        let odd = dir.path().join("a,b");
        std::fs::create_dir(&odd).unwrap();
        let environment = Environment { claude_config_dir: Some(odd.clone().into()), ..Environment::default() };
        assert_eq!(roots(&environment, &[]), [Root { path: odd, named: true }]);
    }

    #[test]
    fn without_a_home_there_is_nothing_to_look_at() {
        assert_eq!(roots(&Environment::default(), &[]), []);
    }
}
