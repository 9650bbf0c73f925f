//! Config roots: the folders in which Claude Code keeps its state (FORMAT.md A.1).

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The part of a process's environment that says where sessions are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    /// `$CLAUDE_CONFIG_DIR`: one root, or several with commas between them.
    pub claude_config_dir: Option<OsString>,
    /// `$XDG_CONFIG_HOME`
    pub xdg_config_home: Option<PathBuf>,
    /// The user's home.
    pub home: Option<PathBuf>,
}

impl Environment {
    /// That of this process.
    pub fn of_process() -> Self {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        Self {
            claude_config_dir: variable("CLAUDE_CONFIG_DIR"),
            xdg_config_home: variable("XDG_CONFIG_HOME").map(PathBuf::from),
            home: std::env::home_dir().filter(|home| !home.as_os_str().is_empty()),
        }
    }
}

/// A config root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// The folder that holds `projects` and `history.jsonl`.
    pub path: PathBuf,
    /// Whether somebody named it, so that it should be there.
    pub named: bool,
}

/// The roots that an environment names, or the usual ones, and `extra` ones.
///
/// ```
/// use library::{Environment, roots};
/// let environment = Environment { home: Some("/home/ana".into()), ..Environment::default() };
/// let paths: Vec<_> = roots(&environment, &["/mnt/old".into()]).into_iter().map(|root| root.path).collect();
/// assert_eq!(paths, ["/home/ana/.claude", "/home/ana/.config/claude", "/mnt/old"].map(std::path::PathBuf::from));
/// ```
pub fn roots(environment: &Environment, extra: &[PathBuf]) -> Vec<Root> {
    let mut roots: Vec<Root> = Vec::new();
    let mut add = |path: PathBuf, named: bool| {
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
    roots
}

fn usual(environment: &Environment) -> Vec<PathBuf> {
    let home = environment.home.as_deref();
    let config = environment.xdg_config_home.clone().or_else(|| home.map(|home| home.join(".config")));
    let paths = [home.map(|home| home.join(".claude")), config.map(|config| config.join("claude"))];
    paths.into_iter().flatten().collect()
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
        assert_eq!(paths(&environment, &[]), ["/home/ana/.claude", "/home/ana/.config/claude"]);
        environment.xdg_config_home = Some("/cfg".into());
        assert_eq!(paths(&environment, &[]), ["/home/ana/.claude", "/cfg/claude"]);
        environment.claude_config_dir = Some("/a, /b,,/a".into());
        assert_eq!(paths(&environment, &["/c", "/b"]), ["/a", "/b", "/c"]);
    }

    #[test]
    fn only_named_roots_have_to_be_there() {
        let environment = Environment { home: Some("/home/ana".into()), ..Environment::default() };
        let named: Vec<_> = roots(&environment, &["/c".into()]).into_iter().map(|root| root.named).collect();
        assert_eq!(named, [false, false, true]);
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
