//! Equal content is stored once.

use std::io::{Read as _, Seek as _, SeekFrom};

use archive::Archive;

use crate::world::{World, lines, name_of, read};

const A: &str = "00000000-0000-4000-8000-00000000000a";
const B: &str = "00000000-0000-4000-8000-00000000000b";

#[test]
fn a_fork_is_stored_once_despite_another_id_in_every_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = World::default();
    let original = lines(A, 1, 2000);
    world.put(&format!("{A}.jsonl"), original.clone());
    let first = world.run(folder.path());
    let mut fork = String::from_utf8(original).unwrap().replace(A, B).into_bytes();
    fork.extend(lines(B, 2, 20));
    world.put(&format!("{B}.jsonl"), fork);
    let second = world.run(folder.path());
    world.check(folder.path());
    assert!(second.shared * 100 > second.bytes * 95, "{second:?}");
    assert!(second.stored * 10 < first.stored, "{first:?} {second:?}");
}

#[test]
fn a_session_archived_in_small_steps_is_still_shared() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = World::default();
    let all = lines(A, 1, 1000);
    let (name, fork) = (format!("{A}.jsonl"), format!("{B}.jsonl"));
    world.put(&name, "");
    for step in all.chunks(all.len() / 5 + 1) {
        world.change(&name, |bytes| bytes.extend(step));
        world.run(folder.path());
    }
    world.put(&fork, String::from_utf8(all).unwrap().replace(A, B));
    let report = world.run(folder.path());
    world.check(folder.path());
    assert!(report.shared * 10 > report.bytes * 6, "{report:?}");
}

#[test]
fn a_renamed_file_costs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = World::default();
    world.put(&format!("{A}.jsonl"), lines(A, 1, 500));
    world.run(folder.path());
    world.rename(&format!("{A}.jsonl"), &format!("{A}.moved.jsonl"));
    let report = world.run(folder.path());
    assert_eq!((report.new, report.bytes), (1, 0));
    world.check(folder.path());
}

#[test]
fn only_what_is_new_is_stored() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = World::default();
    let name = format!("{A}.jsonl");
    world.put(&name, lines(A, 1, 5000));
    world.run(folder.path());
    world.change(&name, |bytes| bytes.extend(b"{\"half\":"));
    assert_eq!(world.run(folder.path()).bytes, 8);
    world.change(&name, |bytes| bytes.extend(b"1}\n"));
    let report = world.run(folder.path());
    assert_eq!((report.bytes, report.grown), (3, 1));
    let archive = Archive::open(folder.path()).unwrap();
    assert_eq!(archive.file_at(&name_of(&name).full()).unwrap().versions.len(), 1);
    world.check(folder.path());
}

#[test]
fn a_version_can_be_read_from_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = World::default();
    let name = format!("{A}.jsonl");
    let bytes = lines(A, 3, 8000);
    world.put(&name, bytes.clone());
    world.run(folder.path());
    let archive = Archive::open(folder.path()).unwrap();
    let file = archive.file_at(&name_of(&name).full()).unwrap();
    let mut content = archive.read(file, file.latest().unwrap());
    assert_eq!(content.length(), bytes.len() as u64);
    for at in (0..bytes.len()).step_by(bytes.len() / 50).rev() {
        content.seek(SeekFrom::Start(at as u64)).unwrap();
        let mut some = vec![0; 100.min(bytes.len() - at)];
        content.read_exact(&mut some).unwrap();
        assert_eq!(some, bytes[at..at + some.len()]);
    }
    content.seek(SeekFrom::End(-5)).unwrap();
    let mut end = Vec::new();
    content.read_to_end(&mut end).unwrap();
    assert_eq!(end, bytes[bytes.len() - 5..]);
    content.seek(SeekFrom::Start(1 << 40)).unwrap();
    assert_eq!(content.read(&mut [0; 9]).unwrap(), 0);
    assert!(content.seek(SeekFrom::Current(-(1 << 41))).is_err());
    assert_eq!(read(&archive, file, file.latest().unwrap()), bytes);
}

#[test]
fn archives_and_contents_can_be_sent_to_other_threads() {
    fn may_go<T: Send + Sync + Clone + 'static>() {}
    fn may_be_sent<T: Send + 'static>() {}
    may_go::<Archive>();
    may_be_sent::<archive::Content>();
}
