//! What sessions are called where several have the same id: in two homes, or in two folders of one.
//!
//! The id and a mark behind it, `4c1e0f3a-…~9f3a21`. The mark follows from where the session is, so that it is the same in
//! every list and every run.

use archive::FileKey;

use crate::follow;

/// The digits of a mark.
const DIGITS: usize = 6;

/// The name of one of several sessions of the same id, by its main file.
pub fn name_apart(id: &str, main: &FileKey) -> String {
    format!("{id}~{}", mark(main))
}

/// The id and the mark in a name, or the beginnings of both; no mark if it has none.
pub fn split_name(name: &str) -> (&str, Option<&str>) {
    let is_mark = |mark: &str| (1..=DIGITS).contains(&mark.len()) && mark.bytes().all(|byte| byte.is_ascii_hexdigit());
    match name.rsplit_once('~') {
        Some((id, mark)) if is_mark(mark) => (id, Some(mark)),
        _ => (name, None),
    }
}

/// Whether a file has a mark, or one that begins so.
pub fn has_mark(main: &FileKey, beginning: &str) -> bool {
    mark(main).starts_with(&beginning.to_ascii_lowercase())
}

fn mark(main: &FileKey) -> String {
    let mut bytes = Vec::new();
    for part in [main.tenant.as_bytes(), main.machine.as_bytes(), main.path.as_os_str().as_encoded_bytes()] {
        bytes.extend_from_slice(part);
        bytes.push(0);
    }
    let mut digits = format!("{:016x}", follow::hash(&bytes));
    digits.truncate(DIGITS);
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(machine: &str, path: &str) -> FileKey {
        FileKey { machine: machine.into(), path: path.into(), ..FileKey::default() }
    }

    #[test]
    fn names_are_apart_and_lead_back() {
        let keys = [key("", "/a/4c1e.jsonl"), key("", "/b/4c1e.jsonl"), key("x", "/a/4c1e.jsonl")];
        let names = keys.each_ref().map(|key| name_apart("4c1e", key));
        for (at, name) in names.iter().enumerate() {
            let (id, mark) = split_name(name);
            let fitting: Vec<bool> = keys.iter().map(|key| has_mark(key, mark.unwrap())).collect();
            assert_eq!((id, fitting), ("4c1e", (0..keys.len()).map(|other| other == at).collect()), "{name}");
        }
        // It is written down elsewhere, so that it may not change.
        assert_eq!(names[0], "4c1e~c5262a");
    }

    #[test]
    fn what_is_no_mark_is_part_of_the_name() {
        assert_eq!(split_name("4c1e"), ("4c1e", None));
        assert_eq!(split_name("4c1e~9F"), ("4c1e", Some("9F")));
        for name in ["notes~", "notes~backup", "notes~1234567", "a~b/c"] {
            assert_eq!(split_name(name), (name, None));
        }
    }
}
