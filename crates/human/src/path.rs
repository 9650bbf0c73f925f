//! Paths of files as sessions of any system record them: `\` and `/` are one separator.
//!
//! All comparisons of recorded and typed paths are here, so that a path is found however it is spelled. Sessions are read
//! on other systems than they ran on, so `std::path`, which knows one system, does not serve.

use std::borrow::Cow;

/// The separators of folders on all systems on which sessions run.
const SEPARATORS: [char; 2] = ['/', '\\'];

/// Whether a path is one of Windows: `C:\shop`, `c:/shop`, `\\server\share`.
pub fn is_windows_path(path: &str) -> bool {
    match path.as_bytes() {
        [drive, b':', b'\\' | b'/', ..] => drive.is_ascii_alphabetic(),
        [b'\\', b'\\', ..] => true,
        _ => false,
    }
}

/// The one spelling of a path: `c:\shop\up.py` is `C:/shop/up.py`. Elsewhere than on Windows, a backslash is a part of a
/// name and stays.
///
/// ```
/// assert_eq!(human::path_spelling(r"c:\shop\up.py"), "C:/shop/up.py");
/// assert_eq!(human::path_spelling(r"/home/ana/a\b"), r"/home/ana/a\b");
/// ```
pub fn path_spelling(path: &str) -> Cow<'_, str> {
    if !is_windows_path(path) {
        return Cow::Borrowed(path);
    }
    let mut path = with_slashes(path);
    if path.as_bytes().first().is_some_and(u8::is_ascii_lowercase) {
        let path = path.to_mut();
        if let Some(drive) = path.get_mut(..1) {
            drive.make_ascii_uppercase();
        }
    }
    path
}

/// Any path with slashes, for comparisons.
fn with_slashes(path: &str) -> Cow<'_, str> {
    if path.contains('\\') { Cow::Owned(path.replace('\\', "/")) } else { Cow::Borrowed(path) }
}

/// Whether a typed path means a file: it is the path, or the end of it from the start of a name. With a slash at its
/// end it is a folder, which may be anywhere in the path.
///
/// ```
/// assert!(human::path_is_meant(r"C:\go\segments\path.go", "segments/path.go"));
/// assert!(human::path_is_meant("/go/segments/path.go", r"segments\"));
/// assert!(!human::path_is_meant("/go/segments/path.go", "ments/path.go"));
/// ```
pub fn path_is_meant(path: &str, typed: &str) -> bool {
    let (path, typed) = (path_spelling(path), path_spelling(typed));
    let (path, typed) = (with_slashes(&path), with_slashes(&typed));
    if typed.ends_with('/') {
        let is_inner = !typed.starts_with('/') && !is_windows_path(&typed);
        return path.starts_with(&*typed) || is_inner && path.contains(&format!("/{typed}"));
    }
    path.strip_suffix(&*typed).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// The part of a path below a folder; empty for the folder itself, `None` elsewhere.
///
/// ```
/// assert_eq!(human::path_below(r"c:\shop\src\up.py", "C:/shop"), Some(r"src\up.py"));
/// assert_eq!(human::path_below("/home/ana/shopping", "/home/ana/shop"), None);
/// ```
pub fn path_below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    let folder = folder.trim_end_matches(SEPARATORS);
    let (start, rest) = path.split_at_checked(folder.len())?;
    let is_drive = |at: usize| at == 0 && is_windows_path(path) && is_windows_path(&format!("{folder}/"));
    let is_same = |(at, (one, other)): (usize, (u8, u8))| match (one, other) {
        (b'/' | b'\\', b'/' | b'\\') => true,
        (one, other) => one == other || is_drive(at) && one.eq_ignore_ascii_case(&other),
    };
    let starts = start.bytes().zip(folder.bytes()).enumerate().all(is_same);
    (starts && (rest.is_empty() || rest.starts_with(SEPARATORS))).then(|| rest.trim_start_matches(SEPARATORS))
}

/// The last name of a path; empty if there is none.
pub fn last_name(path: &str) -> &str {
    path.rsplit(SEPARATORS).find(|name| !name.is_empty()).unwrap_or_default()
}

/// A path with `~` for the user's home.
pub fn from_home(path: &str, home: Option<&str>) -> String {
    match home.filter(|home| !home.is_empty()).and_then(|home| path_below(path, home)) {
        Some("") => "~".to_owned(),
        Some(rest) => format!("~/{}", if is_windows_path(path) { with_slashes(rest) } else { Cow::Borrowed(rest) }),
        None => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_separators_are_one() {
        let path = r"C:\Users\ana\go\segments\path.go";
        for typed in
            ["segments/path.go", r"segments\path.go", "path.go", path, "c:/Users/ana/go/segments/path.go", "go/"]
        {
            assert!(path_is_meant(path, typed), "{typed}");
            assert!(path_is_meant("C:/Users/ana/go/segments/path.go", typed), "{typed}");
        }
        for typed in ["ath.go", "segments/", "C:/Users/ana/go/segments", "users/ana/go/segments/path.go", ""] {
            assert_eq!(path_is_meant(path, typed), typed == "segments/", "{typed}");
        }
    }

    #[test]
    fn typed_folders_are_anywhere_or_at_the_start() {
        assert!(
            path_is_meant("/go/src/x", "src/") && path_is_meant("src/x", "src/") && path_is_meant("/go/src/x", "/go/")
        );
        assert!(!path_is_meant("/go/src/x", "/src/") && !path_is_meant("/go/mysrc/x", "src/"));
    }

    #[test]
    fn a_path_has_one_spelling() {
        for path in [r"c:\shop\up.py", r"C:\shop\up.py", "c:/shop/up.py", "C:/shop/up.py"] {
            assert_eq!(path_spelling(path), "C:/shop/up.py");
        }
        assert_eq!(path_spelling(r"\\server\share\x"), "//server/share/x");
        for path in ["/home/ana/x", r"a\b", "", "C", "é:\\x"] {
            assert_eq!(path_spelling(path), path);
        }
    }

    #[test]
    fn a_path_is_below_a_folder_in_any_spelling() {
        assert_eq!(path_below("/p/a/b", "/p/"), Some("a/b"));
        assert_eq!(path_below("/p", "/p/"), Some(""));
        assert_eq!(path_below("/a", "/"), Some("a"));
        assert_eq!(path_below(r"C:\shop\a", r"c:\shop"), Some("a"));
        assert_eq!(path_below("C:/shop/a", r"c:\shop\"), Some("a"));
        assert_eq!(path_below(r"C:\Shop\a", r"C:\shop"), None);
        assert_eq!(path_below("éa/b", "é"), None);
        assert_eq!(path_below("/pé", "/p\u{c3}"), None);
    }

    #[test]
    fn names_and_homes_are_short() {
        assert_eq!((last_name(r"C:\shop\"), last_name("/p/a"), last_name("/")), ("shop", "a", ""));
        assert_eq!(from_home("/home/ana/shop", Some("/home/ana")), "~/shop");
        assert_eq!(from_home("/home/anabel", Some("/home/ana")), "/home/anabel");
        assert_eq!(from_home(r"C:\Users\ana\shop\web", Some(r"C:\Users\ana")), "~/shop/web");
        assert_eq!(from_home("/home/ana", Some("/home/ana")), "~");
        assert_eq!(from_home("/x", None), "/x");
    }
}
