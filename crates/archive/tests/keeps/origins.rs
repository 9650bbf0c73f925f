//! Files of several machines in one archive.

use std::io::Cursor;
use std::path::Path;
use std::time::Duration;

use archive::{Archive, FileKey, Kept, Name, Origin, Stamp, Writer};

use crate::world::{name_of, read};

const SESSION: &str = "4c1e0f3a-0000-4000-8000-00000000beef";

fn origin(machine: &str) -> Origin {
    Origin { machine: machine.into(), root: "/root".into(), ..Origin::default() }
}

/// Archives a file at the same path on a given machine.
fn keep(folder: &Path, machine: &str, bytes: &[u8]) {
    let mut writer = Writer::open(folder, Duration::ZERO).unwrap();
    let name = Name { origin: origin(machine), ..name_of(SESSION) };
    // Numbers of files mean nothing on another machine: they are all the same here.
    let stamp = Stamp {
        device: 1,
        inode: 7,
        size: bytes.len() as u64,
        modified: 1,
        changed: i64::try_from(bytes.len()).unwrap(),
    };
    writer.take(&name, stamp, || Ok((Cursor::new(bytes.to_vec()), stamp))).unwrap();
    writer.finish().unwrap();
}

fn contents(archive: &Archive) -> Vec<(String, Vec<String>)> {
    let texts = |file: &Kept| {
        file.versions.iter().map(|version| String::from_utf8(read(archive, file, version)).unwrap()).collect()
    };
    archive.files().map(|file| (file.name.origin.machine.to_string(), texts(file))).collect()
}

#[test]
fn two_machines_have_the_same_path() {
    let folder = tempfile::tempdir().unwrap();
    keep(folder.path(), "one", b"roses\n");
    keep(folder.path(), "two", b"walls\n");
    keep(folder.path(), "one", b"roses\ntulips\n");
    let archive = Archive::open(folder.path()).unwrap();
    let expected = [("one", "roses\ntulips\n"), ("two", "walls\n")];
    assert_eq!(contents(&archive), expected.map(|(machine, text)| (machine.to_owned(), vec![text.to_owned()])));
    let full = name_of(SESSION).full();
    for (machine, text) in expected {
        let file = archive.file(&FileKey::new(&origin(machine), full.clone())).unwrap();
        assert_eq!(read(&archive, file, file.latest().unwrap()), text.as_bytes());
    }
    assert!(archive.file(&FileKey::new(&origin("three"), full)).is_none());
}

#[test]
fn a_file_without_a_machine_is_of_the_first_that_has_it() {
    let folder = tempfile::tempdir().unwrap();
    keep(folder.path(), "", b"roses\n");
    keep(folder.path(), "one", b"roses\n");
    keep(folder.path(), "two", b"walls\n");
    let archive = Archive::open(folder.path()).unwrap();
    let [one, two] = ["roses\n", "walls\n"].map(|text| vec![text.to_owned()]);
    assert_eq!(contents(&archive), [("one".to_owned(), one), ("two".to_owned(), two)]);
}

#[test]
fn machines_are_known_again_when_the_log_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    keep(folder.path(), "one", b"roses\n");
    keep(folder.path(), "two", b"walls\n");
    let before = contents(&Archive::open(folder.path()).unwrap());
    std::fs::remove_file(folder.path().join("commits.log")).unwrap();
    assert_eq!(contents(&Archive::open(folder.path()).unwrap()), before);
}
