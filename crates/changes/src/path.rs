//! Canonical file names: one for each file, however it is spelled.

/// A changed file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FilePath {
    /// Whether it is outside the session's project.
    pub outside: bool,
    /// The path relative to the project, or absolute if it is outside.
    pub name: String,
    /// The absolute path, if known.
    pub absolute: String,
}

/// The folder that paths are relative to.
#[derive(Debug, Default)]
pub(super) struct Project {
    /// Absolute, without a trailing slash.
    folder: Option<String>,
    /// Whether backslashes separate the components of a path.
    is_windows: bool,
}

impl Project {
    pub(super) fn new(folder: Option<&str>) -> Self {
        let is_windows = folder.is_some_and(human::is_windows_path);
        let project = Self { folder: None, is_windows };
        let folder = folder.map(|folder| project.absolute(folder)).filter(|folder| !folder.is_empty());
        Self { folder, is_windows }
    }

    /// An absolute path without `.` and `..`.
    pub(super) fn absolute(&self, path: &str) -> String {
        let path = human::path_spelling(path);
        // Relative paths of a session on Windows have no drive.
        let path = if self.is_windows { path.replace('\\', "/") } else { path.into_owned() };
        let is_absolute = path.starts_with('/') || human::is_windows_path(&path);
        let path = match &self.folder {
            Some(folder) if !is_absolute => format!("{folder}/{path}"),
            _ => path,
        };
        let mut parts: Vec<&str> = Vec::new();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        let root = if path.starts_with('/') { "/" } else { "" };
        format!("{root}{}", parts.join("/"))
    }

    /// The file with this absolute path.
    pub(super) fn file(&self, absolute: String) -> FilePath {
        let within =
            self.folder.as_ref().map(|folder| human::path_below(&absolute, folder).filter(|rest| !rest.is_empty()));
        match within {
            Some(Some(name)) => FilePath { outside: false, name: name.to_owned(), absolute },
            Some(None) => FilePath { outside: true, name: absolute.clone(), absolute },
            None => FilePath { outside: false, name: absolute.clone(), absolute },
        }
    }
}

impl FilePath {
    /// Whether the user's words match this file: by its path, by consecutive components of it, or by a folder.
    pub(super) fn is_meant_by(&self, words: &str, project: &Project) -> bool {
        let absolute = project.absolute(words);
        let is_in_folder = human::path_below(&self.absolute, &absolute).is_some();
        let words = words.replace('\\', "/");
        let words = words.trim_start_matches("./").trim_end_matches('/');
        // A file by its whole names, or a folder in the project.
        let is_named =
            human::path_is_meant(&self.name, words) || human::path_is_meant(&self.name, &format!("{words}/"));
        !words.is_empty() && (is_named || is_in_folder && absolute != "/")
    }

    /// The name in a patch, which must not begin with a slash.
    pub(super) fn in_patch(&self) -> &str {
        self.name.trim_start_matches('/')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(project: Option<&str>, path: &str) -> (bool, String) {
        let project = Project::new(project);
        let file = project.file(project.absolute(path));
        (file.outside, file.name)
    }

    #[test]
    fn one_file_has_one_name() {
        let home = Some("/home/ana/shop/");
        for path in ["/home/ana/shop/src/up.py", "src/up.py", "./src//up.py", "/home/ana/shop/x/../src/./up.py"] {
            assert_eq!(name(home, path), (false, "src/up.py".to_owned()), "{path}");
        }
        for path in ["C:\\shop\\src\\up.py", "c:/shop/src/up.py", "src\\up.py"] {
            assert_eq!(name(Some("C:\\shop"), path), (false, "src/up.py".to_owned()), "{path}");
        }
        assert_eq!(name(home, "a\\b"), (false, "a\\b".to_owned()), "not a path of Windows");
        assert_eq!(name(Some("c:/Shop"), "C:\\Shop\\up.py"), (false, "up.py".to_owned()));
    }

    #[test]
    fn files_outside_the_project_have_absolute_paths() {
        let home = Some("/home/ana/shop");
        assert_eq!(name(home, "/home/ana/shopping/list"), (true, "/home/ana/shopping/list".to_owned()));
        assert_eq!(name(home, "../../../../../etc/x"), (true, "/etc/x".to_owned()));
        assert_eq!(name(home, "/home/ana/shop"), (true, "/home/ana/shop".to_owned()));
        assert_eq!(name(None, "/etc/x"), (false, "/etc/x".to_owned()), "without a project nothing is outside");
        assert_eq!(name(None, "src/x"), (false, "src/x".to_owned()));
    }

    #[test]
    fn files_match_many_spellings() {
        let project = Project::new(Some("/home/ana/shop"));
        let file = project.file("/home/ana/shop/src/up.py".to_owned());
        for words in ["up.py", "src/up.py", "src", "src/", "./src/up.py", "/home/ana/shop/src/up.py", "/home/ana", "."]
        {
            assert!(file.is_meant_by(words, &project), "{words}");
        }
        for words in ["p.py", "up", "shop/up.py", "", "/", "lib", "ana"] {
            assert!(!file.is_meant_by(words, &project), "{words}");
        }
        let project = Project::new(Some("C:\\shop"));
        let file = project.file(project.absolute("c:\\shop\\src\\up.py"));
        for words in ["src/up.py", "src\\up.py", ".\\src\\up.py", "src\\", "C:/shop/src", "c:\\shop\\src\\up.py"] {
            assert!(file.is_meant_by(words, &project), "{words}");
        }
    }
}
