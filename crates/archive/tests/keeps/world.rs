//! In-memory files of a test, and their archived versions.

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use archive::{Archive, Kept, Name, Origin, Report, Stamp, Version, Writer};

/// The current files.
#[derive(Debug, Default)]
pub(crate) struct World {
    pub(crate) files: BTreeMap<String, File>,
    clock: i64,
    /// The files present at each run.
    pub(crate) seen: Vec<(String, Vec<u8>)>,
}

#[derive(Debug, Clone)]
pub(crate) struct File {
    pub(crate) bytes: Vec<u8>,
    inode: u64,
    changed: i64,
}

impl World {
    fn tick(&mut self) -> i64 {
        self.clock += 1;
        self.clock
    }

    /// Replaces a file by another one with the same name.
    pub(crate) fn put(&mut self, name: &str, bytes: impl Into<Vec<u8>>) {
        let changed = self.tick();
        let inode = changed.unsigned_abs();
        self.files.insert(name.to_owned(), File { bytes: bytes.into(), inode, changed });
    }

    /// Changes a file in place.
    pub(crate) fn change(&mut self, name: &str, how: impl FnOnce(&mut Vec<u8>)) {
        let changed = self.tick();
        if let Some(file) = self.files.get_mut(name) {
            how(&mut file.bytes);
            file.changed = changed;
        }
    }

    pub(crate) fn rename(&mut self, from: &str, to: &str) {
        if let Some(file) = self.files.remove(from) {
            self.files.insert(to.to_owned(), file);
        }
    }

    /// Archives everything.
    pub(crate) fn run(&mut self, folder: &Path) -> Report {
        self.run_with(Writer::open(folder, Duration::ZERO).unwrap())
    }

    pub(crate) fn run_with(&mut self, mut writer: Writer) -> Report {
        for (name, file) in &self.files {
            let File { bytes, inode, changed } = file;
            let (size, changed) = (bytes.len() as u64, *changed);
            let stamp = Stamp { device: 1, inode: *inode, size, modified: changed, changed };
            writer.take(&name_of(name), stamp, || Ok((Cursor::new(bytes.clone()), stamp))).unwrap();
        }
        let report = writer.finish().unwrap();
        self.seen.extend(self.files.iter().map(|(name, file)| (name.clone(), file.bytes.clone())));
        report
    }

    /// Checks that everything present at any run is in the archive.
    pub(crate) fn check(&self, folder: &Path) {
        let archive = Archive::open(folder).unwrap();
        for (name, bytes) in &self.seen {
            let file = archive.file(&name_of(name).key()).unwrap_or_else(|| panic!("{name} is not known"));
            let holds =
                |version: &Version| try_read(&archive, file, version).is_some_and(|read| read.starts_with(bytes));
            assert!(file.versions.iter().any(holds), "{name}: {} bytes are lost", bytes.len());
        }
        for (name, file) in &self.files {
            let kept = archive.file(&name_of(name).key()).unwrap();
            assert_eq!(read(&archive, kept, kept.latest().unwrap()), file.bytes, "{name}");
        }
    }
}

/// The session is the first component of a name.
pub(crate) fn name_of(name: &str) -> Name {
    let session = name.split('.').next().unwrap();
    let origin = Origin { root: PathBuf::from("/root"), ..Origin::default() };
    Name { origin, path: name.into(), kind: "transcript".into(), session: session.into() }
}

pub(crate) fn read(archive: &Archive, file: &Kept, version: &Version) -> Vec<u8> {
    try_read(archive, file, version).unwrap()
}

/// `None` if it is damaged.
fn try_read(archive: &Archive, file: &Kept, version: &Version) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    archive.read(file, version).read_to_end(&mut bytes).ok()?;
    assert_eq!(bytes.len() as u64, version.length);
    Some(bytes)
}

/// Bytes without a pattern.
pub(crate) fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    };
    (0..length).map(|_| next()).collect()
}

/// Lines like those of a session.
pub(crate) fn lines(session: &str, seed: u64, number: usize) -> Vec<u8> {
    let line = |at: usize| {
        let text: String = noise(seed ^ (at as u64 * 977), 30 + at * 7919 % 900)
            .iter()
            .map(|byte| char::from(b'a' + byte % 26))
            .collect();
        format!("{{\"type\":\"user\",\"sessionId\":\"{session}\",\"uuid\":\"{seed}-{at}\",\"text\":\"{text}\"}}\n")
    };
    (0..number).map(line).collect::<String>().into_bytes()
}
