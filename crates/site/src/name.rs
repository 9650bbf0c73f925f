//! File names for sessions and projects.

use std::hash::{Hash, Hasher as _};

use rustc_hash::FxHasher;

/// The folder of a project: the last component of its path, and a suffix that makes it unique.
pub(crate) fn of_project(path: &str) -> String {
    let last = path.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or_default();
    format!("{}-{:06x}", safe(last, "elsewhere"), fingerprint(path) & 0xff_ffff)
}

/// The name of a session's file, without its extension.
pub(crate) fn of_session(id: &str, path: &str) -> String {
    match safe(id, "") {
        name if name.is_empty() => format!("session-{:06x}", fingerprint(path) & 0xff_ffff),
        name => name,
    }
}

/// Letters, digits and dashes from any text, of limited length.
fn safe(text: &str, instead: &str) -> String {
    const LONGEST: usize = 60;
    let mut name = String::new();
    for letter in text.chars().take(LONGEST) {
        match letter {
            letter if letter.is_ascii_alphanumeric() || letter == '_' => name.push(letter.to_ascii_lowercase()),
            _ if name.is_empty() || name.ends_with('-') => {}
            _ => name.push('-'),
        }
    }
    let name = name.trim_end_matches('-');
    if name.is_empty() { instead.to_owned() } else { name.to_owned() }
}

pub(crate) fn fingerprint(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish() >> 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_and_unique() {
        let name = of_project("/home/ana/My Garden/");
        assert!(name.starts_with("my-garden-"), "{name}");
        assert_ne!(of_project("/a/x"), of_project("/b/x"));
        assert!(of_project("/../..").starts_with("elsewhere-"));
        assert_eq!(of_session("4C1E-../../etc", ""), "4c1e-etc");
        assert!(of_session("…", "/a").starts_with("session-"));
        assert!(of_session(&"x".repeat(1000), "").len() <= 60);
    }
}
