//! The names of sessions that share an id, in two homes or in two folders of one home.
//!
//! Such a name is the id with a suffix: `4c1e0f3a-…~9f3a21`. The suffix is derived from the location of the session, so
//! it is the same in every list and every run.

use std::borrow::Cow;
use std::collections::HashMap;

use archive::FileKey;
use format::id::is_uuid;

use crate::find::FoundSources;
use crate::follow;
use crate::source::{Source, SourceKind};

/// The length of a suffix, in digits.
const DIGITS: usize = 6;

/// The name of one of several sessions with the same id, by its main file.
pub fn name_apart(id: &str, main: &FileKey) -> String {
    format!("{id}~{}", mark(main))
}

/// The names of all found sessions, for readers of sources that do not use the index.
#[derive(Debug, Clone, Default)]
pub struct SessionNames {
    /// The main files of sessions that share an id.
    shared: HashMap<String, Vec<FileKey>>,
}

impl SessionNames {
    /// The names among found sources.
    pub fn of(found: &FoundSources) -> Self {
        let mut mains: HashMap<Cow<'_, str>, Vec<&Source>> = HashMap::new();
        let is_session = |source: &&Source| {
            matches!(source.kind, SourceKind::Transcript | SourceKind::Partial | SourceKind::Prompts)
        };
        for session in found.sources.iter().chain(&found.partial).filter(is_session) {
            if let Some(id) = session.listed_name() {
                mains.entry(id).or_default().push(session);
            }
        }
        mains.retain(|_, sessions| sessions.len() > 1);
        let keys = |sessions: Vec<&Source>| sessions.iter().filter_map(|session| session.input.key()).collect();
        Self { shared: mains.into_iter().map(|(id, sessions)| (id.into_owned(), keys(sessions))).collect() }
    }

    /// The name of the session with this id to which a file belongs.
    pub fn name<'i>(&self, id: &'i str, file: &Source) -> Cow<'i, str> {
        let (Some(mains), Some(file)) = (self.shared.get(id), file.input.key()) else { return id.into() };
        let is_same_machine = |main: &&FileKey| main.tenant == file.tenant && main.machine == file.machine;
        let is_its_own =
            |main: &&FileKey| main.path == file.path || file.path.starts_with(main.path.with_extension(""));
        let is_beside = |main: &&FileKey| main.path.parent() == file.path.parent();
        let here = || mains.iter().filter(is_same_machine);
        let main = here().find(is_its_own).or_else(|| here().find(is_beside)).or_else(|| here().next());
        main.or(mains.first()).map_or(id.into(), |main| name_apart(id, main).into())
    }
}

/// Splits a name, or a prefix of it, into the id and the suffix, if there is one.
pub fn split_name(name: &str) -> (&str, Option<&str>) {
    let is_mark = |mark: &str| (1..=DIGITS).contains(&mark.len()) && mark.bytes().all(|byte| byte.is_ascii_hexdigit());
    match name.rsplit_once('~') {
        Some((id, mark)) if is_mark(mark) => (id, Some(mark)),
        _ => (name, None),
    }
}

/// A name with a shortened id. A name that is not an id is returned unchanged.
pub fn short_name(name: &str) -> String {
    const ENOUGH: usize = 8;
    let (id, mark) = split_name(name);
    match (id.get(..ENOUGH).filter(|_| is_uuid(id)), mark) {
        (Some(short), Some(mark)) => format!("{short}~{mark}"),
        (Some(short), None) => short.to_owned(),
        (None, _) => name.to_owned(),
    }
}

/// Whether the suffix of a file begins like this.
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
        // Users store this name elsewhere, so it must not change.
        assert_eq!(names[0], "4c1e~c5262a");
    }

    #[test]
    fn ids_are_shortened_and_marks_are_not() {
        let id = "4c1e0f3a-0000-4000-8000-00000000beef";
        assert_eq!(short_name(id), "4c1e0f3a");
        assert_eq!(short_name(&format!("{id}~9f3a21")), "4c1e0f3a~9f3a21");
        assert_eq!(short_name("mend-the-fence"), "mend-the-fence");
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
