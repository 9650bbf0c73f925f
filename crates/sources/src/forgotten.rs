//! The sessions that the user had forgotten: they stay hidden, whatever still lists them.
//!
//! The list is a file beside the archive. It holds no id and no name, only hashes of them with a key of its own, so it
//! does not say what was forgotten to anyone who does not know it already.
//!
//! A session with a UUID is forgotten wherever it appears: as a transcript, in the archive, in captures, in a prompt
//! history. One without is known by the path of its file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use archive::{FileKey, Kept, path_text};
use format::id::is_uuid;
use rustc_hash::FxHashSet;

use crate::captured::{is_capture, session_of};
use crate::files::Neighbours;
use crate::folders;
use crate::partial::{main_beside, session_folder};
use crate::source::{Source, SourceKind};

/// The first line of the file.
const TITLE: &str = "recount forgotten 1";

/// The line that says that something may be left of the sessions.
const UNFINISHED: &str = "unfinished";

/// A hash of a session, in hexadecimal digits.
type Mark = String;

/// How much of a hash is kept: enough that no two sessions ever share it.
const DIGITS: usize = 32;

/// The forgotten sessions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Forgotten {
    key: [u8; blake3::KEY_LEN],
    marks: FxHashSet<Mark>,
    /// Whether something may be left of them: the last removal has not ended.
    is_unfinished: bool,
}

/// A session as the list knows it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ForgottenName {
    /// A session with a UUID.
    Id(String),
    /// The main file of another one.
    File(FileKey),
}

impl ForgottenName {
    /// The name of the session with this id and main file.
    pub fn of(id: &str, main: FileKey) -> Self {
        let plain = id.strip_prefix("local_").unwrap_or(id);
        if is_uuid(plain) { Self::Id(plain.to_owned()) } else { Self::File(main) }
    }
}

impl Forgotten {
    /// The list of this user; empty if there is none.
    pub fn load() -> io::Result<Self> {
        let Some(path) = Self::path() else { return Ok(Self::default()) };
        match fs::read_to_string(&path) {
            Ok(text) => Self::read(&text).ok_or_else(|| {
                let what = "it is not a list of forgotten sessions, or one of a later version";
                io::Error::new(io::ErrorKind::InvalidData, what)
            }),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Ok(Self::default())
            }
            Err(error) => Err(error),
        }
    }

    /// Where the list is.
    pub fn path() -> Option<PathBuf> {
        Some(folders::data()?.join("recount").join("forgotten"))
    }

    fn read(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        if lines.next()? != TITLE {
            return None;
        }
        let key = blake3::Hash::from_hex(lines.next()?).ok()?;
        let mut forgotten = Self { key: *key.as_bytes(), ..Self::default() };
        for line in lines {
            match line {
                UNFINISHED => forgotten.is_unfinished = true,
                mark if mark.len() == DIGITS => drop(forgotten.marks.insert(mark.to_owned())),
                // A later version may say more.
                _ => {}
            }
        }
        Some(forgotten)
    }

    /// Stores the list: it is on the disk when this returns.
    pub fn save(&self) -> io::Result<()> {
        let path = Self::path().ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "there is no home directory"))?;
        if let Some(folder) = path.parent() {
            private::make_folder(folder)?;
        }
        let mut marks: Vec<&str> = self.marks.iter().map(String::as_str).collect();
        // The order says nothing about when or in which order they were forgotten.
        marks.sort_unstable();
        let mut text = format!("{TITLE}\n{}\n", blake3::Hash::from_bytes(self.key).to_hex());
        for line in marks.into_iter().chain(self.is_unfinished.then_some(UNFINISHED)) {
            text.push_str(line);
            text.push('\n');
        }
        private::replace(&path, text.as_bytes())
    }

    /// Adds sessions. They count as unfinished until [`finish`](Self::finish).
    pub fn add<'n>(&mut self, names: impl IntoIterator<Item = &'n ForgottenName>) {
        if self.marks.is_empty() {
            self.key = new_key();
        }
        for name in names {
            let mark = self.mark(name);
            self.marks.insert(mark);
        }
        self.is_unfinished = true;
    }

    /// Notes that nothing is left of the sessions.
    pub fn finish(&mut self) {
        self.is_unfinished = false;
    }

    /// Whether something may be left of them.
    pub fn is_unfinished(&self) -> bool {
        self.is_unfinished
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.marks.len()
    }

    fn mark(&self, name: &ForgottenName) -> Mark {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        match name {
            ForgottenName::Id(id) => hasher.update(b"id\0").update(id.as_bytes()),
            ForgottenName::File(FileKey { tenant, machine, path }) => {
                for part in ["file", tenant, machine, &path_text::encode(path)] {
                    hasher.update(part.as_bytes()).update(b"\0");
                }
                &mut hasher
            }
        };
        let mut digits = hasher.finalize().to_hex().to_string();
        digits.truncate(DIGITS);
        digits
    }

    /// Whether a session is forgotten.
    pub fn has(&self, name: &ForgottenName) -> bool {
        !self.is_empty() && self.marks.contains(&self.mark(name))
    }

    /// Whether the session with this UUID is forgotten.
    pub fn has_id(&self, id: &str) -> bool {
        !self.is_empty() && is_uuid(id) && self.has(&ForgottenName::Id(id.to_owned()))
    }

    /// Whether a file belongs to a forgotten session.
    pub fn has_source(&self, source: &Source) -> bool {
        if self.is_empty() {
            return false;
        }
        let (Some(path), Some(key)) = (source.input.path(), source.input.key()) else { return false };
        match source.kind {
            SourceKind::History => false,
            SourceKind::Subagent | SourceKind::Journal => match session_folder(path) {
                Some(folder) => self.has_main(&key.beside(main_beside(folder))),
                // Older agents are beside their session, and only their lines name it.
                None => {
                    self.has_main(&key)
                        || Neighbours::default().head(source).session.is_some_and(|session| self.has_id(&session))
                }
            },
            SourceKind::Transcript | SourceKind::Capture if is_capture(path) => {
                session_of(source).is_some_and(|session| self.has_id(&session)) || self.has_main(&key)
            }
            SourceKind::Transcript | SourceKind::Capture | SourceKind::Partial | SourceKind::Prompts => {
                self.has_main(&key) || source.name().is_some_and(|name| self.has(&ForgottenName::of(name, key)))
            }
        }
    }

    /// Whether the session with this main file is forgotten.
    fn has_main(&self, main: &FileKey) -> bool {
        let stem = main.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        self.has(&ForgottenName::of(stem, main.clone()))
    }

    /// Whether an archived file belongs to a forgotten session. `here` is the name of this machine.
    pub fn has_kept(&self, file: &Kept, here: Option<&str>) -> bool {
        if self.is_empty() {
            return false;
        }
        if self.has_id(&file.name.session) {
            return true;
        }
        let mut key = file.name.key();
        if key.tenant.is_empty() && here == Some(&*key.machine) {
            key.machine = Box::default();
        }
        self.has_path(&key)
    }

    /// Whether a file is the main file of a forgotten session, or in its folder.
    pub fn has_path(&self, key: &FileKey) -> bool {
        let folders = key.path.ancestors().skip(1).take_while(|folder| folder.file_name().is_some());
        self.has_main(key) || folders.map(main_beside).any(|main| self.has_main(&key.beside(main)))
    }

    /// Whether a line of a prompt history belongs to a forgotten session.
    pub fn has_prompt(&self, line: &[u8]) -> bool {
        let mut scratch = format::Scratch::default();
        scratch.reset();
        let reading = format::read(line, &scratch);
        reading.entries.iter().filter_map(|entry| entry.envelope.session()).any(|id| self.has_id(id.as_str()))
    }
}

/// A random key, so that hashes of the same id differ between machines. It need not be secret.
fn new_key() -> [u8; blake3::KEY_LEN] {
    use std::hash::{BuildHasher as _, Hasher as _, RandomState};
    let mut hasher = blake3::Hasher::new();
    for _ in 0..4 {
        hasher.update(&RandomState::new().build_hasher().finish().to_le_bytes());
    }
    let mut random = [0; 32];
    if fs::File::open(Path::new("/dev/urandom"))
        .and_then(|mut file| io::Read::read_exact(&mut file, &mut random))
        .is_ok()
    {
        hasher.update(&random);
    }
    *hasher.finalize().as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "4c1e0f3a-0000-4000-8000-00000000beef";

    fn key(path: &str) -> FileKey {
        FileKey { path: path.into(), ..FileKey::default() }
    }

    #[test]
    fn the_list_says_nothing_about_what_was_forgotten() {
        let mut forgotten = Forgotten::default();
        let names = [ForgottenName::of(ID, key("/a/x.jsonl")), ForgottenName::of("notes", key("/a/notes.jsonl"))];
        forgotten.add(&names);
        assert!(names.iter().all(|name| forgotten.has(name)) && forgotten.has_id(ID) && forgotten.is_unfinished());
        assert!(!forgotten.has_id("4c1e0f3a-0000-4000-8000-00000000beee"));
        assert!(!forgotten.has(&ForgottenName::of("notes", key("/b/notes.jsonl"))));
        assert!(
            forgotten.has_path(&key("/a/notes/tool-results/b1.txt")) && !forgotten.has_path(&key("/a/note/b1.txt"))
        );
        let mut other = Forgotten::default();
        other.add(&names);
        assert!(forgotten.marks.is_disjoint(&other.marks), "each list has a key of its own");
    }

    #[test]
    fn prompts_are_known_by_their_session() {
        let mut forgotten = Forgotten::default();
        forgotten.add(&[ForgottenName::Id(ID.to_owned())]);
        let prompt =
            |id: &str| format!("{{\"display\":\"water\",\"timestamp\":1,\"project\":\"/a\",\"sessionId\":\"{id}\"}}\n");
        assert!(forgotten.has_prompt(prompt(ID).as_bytes()));
        assert!(!forgotten.has_prompt(prompt("4c1e0f3a-0000-4000-8000-00000000beee").as_bytes()));
        assert!(!forgotten.has_prompt(b"no prompt\n"));
    }
}
