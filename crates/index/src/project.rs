//! The project filter, shared by `--project`, `project:` and `?project=`.

use std::path::{Path, PathBuf};

use human::path_below;
use sources::project::project_of;

/// Selects projects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProjectFilter {
    /// A project and all projects below it.
    Folder(String),
    /// All projects whose paths contain this text, in lower case and with slashes. A text that begins with a slash must end at a folder
    /// boundary.
    Part(String),
}

impl ProjectFilter {
    /// Parses a filter. `.`, `./sub`, `~/work` and absolute paths select the project of that folder if it exists; any
    /// other text selects paths that contain it, ignoring case. Relative paths start at `here`.
    ///
    /// ```
    /// use index::project::ProjectFilter;
    /// let filter = ProjectFilter::of("Shop", std::path::Path::new("/"));
    /// assert!(filter.matches("/home/ana/work/shop") && !filter.matches("/home/ana/work/garden"));
    /// ```
    pub fn of(text: &str, here: &Path) -> Self {
        let folder = path(text, here).and_then(|path| path.canonicalize().ok()).filter(|path| path.is_dir());
        match folder {
            Some(folder) => Self::Folder(project_of(&folder.to_string_lossy()).path),
            None => Self::Part(text.to_lowercase().replace('\\', "/").trim_end_matches('/').to_owned()),
        }
    }

    /// Whether a project is selected, by its folder. An unknown project is not.
    pub fn matches(&self, project: &str) -> bool {
        let is_end = |rest: &str| rest.is_empty() || rest.starts_with('/');
        match self {
            Self::Folder(folder) if folder == "/" => project.starts_with('/'),
            Self::Folder(folder) => path_below(project, folder).is_some(),
            Self::Part(part) => {
                let project = project.to_lowercase().replace('\\', "/");
                if !part.starts_with('/') {
                    return project.contains(part.as_str());
                }
                // The path of a deleted folder must not select a sibling whose name has it as a prefix.
                let mut places = project.match_indices(part.as_str());
                places.any(|(at, _)| project.get(at + part.len()..).is_some_and(is_end))
            }
        }
    }
}

/// The path in a text, if it looks like one.
fn path(text: &str, here: &Path) -> Option<PathBuf> {
    if let Some(rest) = text.strip_prefix('~') {
        return Some(std::env::home_dir()?.join(rest.trim_start_matches('/')));
    }
    (text.starts_with('.') || Path::new(text).is_absolute()).then(|| here.join(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(filter: &str, projects: &[&str]) -> Vec<bool> {
        let filter = ProjectFilter::of(filter, Path::new("/"));
        projects.iter().map(|project| filter.matches(project)).collect()
    }

    #[test]
    fn a_folder_means_itself_and_what_is_below() {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path().canonicalize().unwrap();
        std::fs::create_dir(here.join("shop")).unwrap();
        let below = |name: &str| here.join(name).to_string_lossy().into_owned();
        for (text, expected) in [(".", [true, true, true, false]), ("./shop", [true, true, false, false])] {
            let filter = ProjectFilter::of(text, &here);
            let projects = [below("shop"), below("shop/web"), below("shop2"), "/elsewhere".to_owned()];
            assert_eq!(projects.map(|project| filter.matches(&project)), expected, "{text}");
        }
        let whole = ProjectFilter::of(&below("shop"), Path::new("/"));
        assert_eq!(whole, ProjectFilter::Folder(below("shop")));
    }

    #[test]
    fn anything_else_is_a_part_of_a_path() {
        assert_eq!(
            matches("work/SHOP", &["/home/ana/work/shop", "/home/ana/Work/shop2", "/work"]),
            [true, true, false]
        );
        assert_eq!(matches("work\\shop", &["C:\\work\\shop", "C:/work/shop", "/work-shop"]), [true, true, false]);
        assert_eq!(matches("work/shop", &["C:\\work\\shop"]), [true]);
        assert_eq!(matches(".hidden", &["/home/ana/.hidden/x", "/home/ana/hidden"]), [true, false]);
    }

    #[test]
    fn the_path_of_a_folder_that_is_gone_ends_where_a_folder_does() {
        let gone = "/home/nobody-of-this-name/shop";
        assert_eq!(matches(gone, &[gone, "/home/nobody-of-this-name/shop/web"]), [true, true]);
        assert_eq!(matches(gone, &["/home/nobody-of-this-name/shop2", ""]), [false, false]);
        assert_eq!(matches("/gone-shop/", &["/home/ana/gone-shop", "/home/ana/gone-shops"]), [true, false]);
    }

    #[test]
    fn an_unknown_project_is_never_meant() {
        assert!(!ProjectFilter::Folder("/".to_owned()).matches(""));
        assert!(!ProjectFilter::Folder("/a".to_owned()).matches(""));
    }
}
