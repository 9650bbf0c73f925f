//! The sessions in an archive.

use std::collections::BTreeMap;

use archive::{Archive, FileKey, Kept};

use crate::keep::kind;
use crate::machine;
use crate::naming::name_apart;
use crate::source::SourceKind;

/// The files of a session in an archive.
#[derive(Debug)]
pub struct KeptSession<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its id, with a suffix if sessions of several machines share it.
    pub name: String,
    /// The machine from which it comes; `None` for this machine.
    pub machine: Option<&'a str>,
    /// Its files, which may have older versions.
    pub files: Vec<&'a Kept>,
}

/// All sessions of an archive, sorted by id and machine.
pub fn kept_sessions(archive: &Archive) -> Vec<KeptSession<'_>> {
    let here = machine::known();
    let mut all: BTreeMap<&str, BTreeMap<(&str, &str), Vec<&Kept>>> = BTreeMap::new();
    for file in archive.files().filter(|file| !file.name.session.is_empty()) {
        let machine =
            other_machine(file, here.as_deref()).map_or(("", ""), |machine| (&*file.name.origin.tenant, machine));
        all.entry(&file.name.session).or_default().entry(machine).or_default().push(file);
    }
    let mut sessions = Vec::new();
    for (id, machines) in all {
        let is_alone = machines.len() == 1;
        for ((tenant, machine), files) in machines {
            let main = files.iter().find(|file| is_main(file)).or(files.first());
            let path = main.map(|file| file.name.full()).unwrap_or_default();
            let key = FileKey { tenant: tenant.into(), machine: machine.into(), path };
            let name = if is_alone { id.to_owned() } else { name_apart(id, &key) };
            sessions.push(KeptSession { id, name, machine: Some(machine).filter(|it| !it.is_empty()), files });
        }
    }
    sessions
}

/// The machine of a file, unless it is this machine, whose name is `here`.
pub fn other_machine<'f>(file: &'f Kept, here: Option<&str>) -> Option<&'f str> {
    let origin = &file.name.origin;
    let is_here = origin.is_unstated() || origin.tenant.is_empty() && here == Some(&*origin.machine);
    (!is_here).then_some(&*origin.machine)
}

fn is_main(file: &Kept) -> bool {
    &*file.name.kind == kind(SourceKind::Transcript)
}

impl KeptSession<'_> {
    /// Whether the session exists only in the archive, as seen from this machine.
    pub fn is_deleted(&self) -> bool {
        if self.machine.is_some() {
            return true;
        }
        let mut main = self.files.iter().filter(|file| is_main(file)).peekable();
        if main.peek().is_some() {
            main.all(|file| !file.name.full().exists())
        } else {
            self.files.iter().all(|file| !file.name.full().exists())
        }
    }
}

/// The contents of an archive in numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Holdings {
    /// Sessions.
    pub sessions: u64,
    /// Sessions that exist only in the archive.
    pub deleted: u64,
    /// Files.
    pub files: u64,
    /// Their versions.
    pub versions: u64,
    /// Bytes of all versions.
    pub bytes: u64,
    /// Bytes on the disk.
    pub stored: u64,
}

impl Holdings {
    /// Counts the contents of an archive.
    pub fn of(archive: &Archive, sessions: &[KeptSession<'_>]) -> Self {
        let bytes_of = |file: &Kept| file.versions.iter().map(|version| version.length).sum::<u64>();
        Self {
            sessions: sessions.len() as u64,
            deleted: sessions.iter().filter(|session| session.is_deleted()).count() as u64,
            files: archive.files().count() as u64,
            versions: archive.files().map(|file| file.versions.len() as u64).sum(),
            bytes: archive.files().map(bytes_of).sum(),
            stored: archive.stored(),
        }
    }
}
