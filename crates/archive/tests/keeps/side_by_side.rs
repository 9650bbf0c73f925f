//! Several processes use one archive: one writes, the others read or wait.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use archive::{Archive, ArchiveError, Writer};

use crate::world::{World, lines, name_of, read};

#[test]
fn only_one_process_writes() {
    let folder = tempfile::tempdir().unwrap();
    let first = Writer::open(folder.path(), Duration::ZERO).unwrap();
    let second = Writer::open(folder.path(), Duration::from_millis(50)).err().unwrap();
    assert!(matches!(second, ArchiveError::Busy { .. }), "{second}");
    thread::scope(|scope| {
        let waiting = scope.spawn(|| Writer::open(folder.path(), Duration::from_secs(20)).is_ok());
        thread::sleep(Duration::from_millis(50));
        drop(first);
        assert!(waiting.join().unwrap());
    });
}

#[test]
fn readers_see_commits_while_another_process_writes() {
    let folder = tempfile::tempdir().unwrap();
    let whole = lines("a", 1, 400);
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut longest = 0;
            while !done.load(Ordering::Relaxed) {
                let archive = Archive::open(folder.path()).unwrap();
                let Some(file) = archive.file_at(&name_of("a").full()) else { continue };
                let bytes = read(&archive, file, file.latest().unwrap());
                assert!(whole.starts_with(&bytes) && bytes.len() >= longest);
                longest = bytes.len();
            }
        });
        let mut world = World::default();
        world.put("a", "");
        for step in whole.chunks(whole.len() / 40) {
            world.change("a", |bytes| bytes.extend(step));
            world.run(folder.path());
        }
        done.store(true, Ordering::Relaxed);
    });
}

#[test]
fn a_missing_folder_is_an_empty_archive() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("no/where");
    let archive = Archive::open(&nowhere).unwrap();
    assert_eq!((archive.files().count(), archive.stored(), archive.changed_at()), (0, 0, None));
    assert!(!nowhere.exists());
}
