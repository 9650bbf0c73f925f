//! Short names of projects: the shortest unique ends of their paths.

use std::collections::{HashMap, HashSet};

/// The shortest unique names of projects.
///
/// ```
/// use sources::project::ShortNames;
/// let names = ShortNames::of(["/home/ana/work/shop", "/home/ana/old/shop", "/home/ana/garden"]);
/// assert_eq!(names.get("/home/ana/work/shop"), "work/shop");
/// assert_eq!(names.get("/home/ana/garden"), "garden");
/// ```
#[derive(Debug, Clone, Default)]
pub struct ShortNames(HashMap<String, String>);

impl ShortNames {
    /// The names of paths.
    pub fn of<'p>(paths: impl IntoIterator<Item = &'p str>) -> Self {
        let mut open: HashSet<&str> = paths.into_iter().collect();
        let mut names = HashMap::new();
        for length in 1.. {
            let mut by_name: HashMap<String, Vec<&str>> = HashMap::new();
            for path in &open {
                by_name.entry(end_of(path, length)).or_default().push(path);
            }
            open.clear();
            for (name, paths) in by_name {
                match paths.as_slice() {
                    [path] => drop(names.insert((*path).to_owned(), name)),
                    // Paths with no more parts get their whole path as name.
                    several if several.iter().all(|path| parts(path).count() <= length) => {
                        names.extend(several.iter().map(|path| ((*path).to_owned(), (*path).to_owned())));
                    }
                    several => open.extend(several),
                }
            }
            if open.is_empty() {
                break;
            }
        }
        Self(names)
    }

    /// The name of one of them; for any other path, its last part.
    pub fn get<'n>(&'n self, path: &'n str) -> &'n str {
        self.0.get(path).map_or_else(|| parts(path).next_back().unwrap_or(path), String::as_str)
    }
}

fn parts(path: &str) -> impl DoubleEndedIterator<Item = &str> {
    path.split(['/', '\\']).filter(|part| !part.is_empty())
}

/// The last parts of a path.
fn end_of(path: &str, length: usize) -> String {
    let mut parts: Vec<&str> = parts(path).rev().take(length).collect();
    parts.reverse();
    if parts.is_empty() { path.to_owned() } else { parts.join("/") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_short_as_they_can_be() {
        let paths = ["/w/a/shop", "/w/b/shop", "/v/b/shop", "/w/garden", "C:\\Users\\ana\\till", "/", ""];
        let names = ShortNames::of(paths);
        let shortened = paths.map(|path| names.get(path));
        assert_eq!(shortened, ["a/shop", "w/b/shop", "v/b/shop", "garden", "till", "/", ""]);
    }

    #[test]
    fn one_path_may_be_the_end_of_another() {
        let names = ShortNames::of(["/shop", "/w/shop", "w/shop"]);
        let mut shortened = ["/shop", "/w/shop", "w/shop"].map(|path| names.get(path));
        assert_eq!(shortened, ["shop", "/w/shop", "w/shop"]);
        shortened.sort_unstable();
        assert_eq!(shortened.len(), 3);
        assert_eq!(ShortNames::default().get("/any/where"), "where");
    }
}
