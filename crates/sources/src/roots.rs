//! Roots: the folders in which Claude Code keeps its state (docs/format A.1), and those in which the Desktop app keeps
//! that of Cowork (docs/format A.8).

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::folders;

/// The part of a process's environment that says where sessions are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    /// `$CLAUDE_CONFIG_DIR`: one root, or several with commas between them.
    pub claude_config_dir: Option<OsString>,
    /// `$XDG_CONFIG_HOME`
    pub xdg_config_home: Option<PathBuf>,
    /// The user's home.
    pub home: Option<PathBuf>,
    /// `%APPDATA%`, which only Windows has.
    pub app_data: Option<PathBuf>,
    /// `%LOCALAPPDATA%`, likewise.
    pub local_app_data: Option<PathBuf>,
    /// The folder of the archive.
    pub archive: Option<PathBuf>,
    /// The folder of what was captured.
    pub store: Option<PathBuf>,
}

impl Environment {
    /// That of this process.
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
    /// The folder that holds `projects` and `history.jsonl`, or [`COWORK`], or an archive, or captures.
    pub path: PathBuf,
    /// Whether somebody named it, so that it should be there.
    pub named: bool,
}

impl Root {
    /// Whether it is an archive of what was in other roots.
    pub fn is_archive(&self) -> bool {
        archive::is_archive(&self.path)
    }

    /// Whether it holds what was captured.
    pub fn is_store(&self) -> bool {
        record::is_store(&self.path)
    }

    /// Whether it is where the Desktop app, the archive or captures would be: most people have none of them.
    pub(crate) fn is_out_of_the_way(&self) -> bool {
        // Claude Code's own folders are in lower case.
        self.path.ends_with("Claude")
            || self.path.ends_with("recount/archive")
            || self.path.ends_with("recount/captures")
    }
}

/// The folder with the sessions of Cowork in the data of the Desktop app.
pub const COWORK: &str = "local-agent-mode-sessions";

/// The roots that an environment names, or the usual ones, and `extra` ones.
///
/// Whoever sets `$CLAUDE_CONFIG_DIR` says which sessions are meant, so it replaces all usual places: those of the
/// Desktop app too, although the app itself does not look at it. An extra root brings them back.
///
/// The usual places of all systems are tried: which one it is does not matter where nothing is.
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
        // What is kept about files must not depend on the folder that one was in.
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

/// The same folder, named from the top.
fn whole(path: PathBuf) -> PathBuf {
    std::fs::canonicalize(&path).or_else(|_| std::path::absolute(&path)).unwrap_or(path)
}

fn usual(environment: &Environment) -> Vec<PathBuf> {
    /// Where the Desktop app from the Store of Windows finds what it takes for `%APPDATA%`.
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
