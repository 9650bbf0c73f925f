//! Damage to the files of an archive: changed bytes, truncated and missing files.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use archive::verify::What;
use archive::{Archive, Writer, verify};

use crate::world::{World, lines, name_of, noise};

const A: &str = "00000000-0000-4000-8000-00000000000a";

/// An archive with several packs, several commits, and a file with two versions.
fn made(folder: &Path) -> World {
    let mut world = World::default();
    world.put("big.bin", noise(1, 1_300_000));
    world.put(&format!("{A}.jsonl"), lines(A, 1, 300));
    world.put("small.txt", "once");
    world.run(folder);
    world.put("small.txt", "twice");
    world.change(&format!("{A}.jsonl"), |bytes| bytes.extend(lines(A, 2, 50)));
    world.run(folder);
    world.check(folder);
    world
}

/// The readable content of each version, or `None`.
fn readable(folder: &Path) -> BTreeMap<(PathBuf, usize), Option<Vec<u8>>> {
    let archive = Archive::open(folder).unwrap();
    let mut all = BTreeMap::new();
    for file in archive.files() {
        for (number, version) in file.versions.iter().enumerate() {
            let mut bytes = Vec::new();
            let read = archive.read(file, version).read_to_end(&mut bytes);
            all.insert((file.name.full(), number + 1), read.ok().map(|_| bytes));
        }
    }
    all
}

#[test]
fn a_flipped_byte_is_reported_and_costs_no_other_file() {
    let folder = tempfile::tempdir().unwrap();
    made(folder.path());
    let before = readable(folder.path());
    for name in ["segment-000000.pack", "commits.log"] {
        let path = folder.path().join(name);
        let good = fs::read(&path).unwrap();
        // Every byte near the ends, since every field occurs there.
        let ends = (0..120).chain(good.len().saturating_sub(120)..good.len());
        let places = ends.chain((0..good.len()).step_by(good.len() / 20 + 1)).filter(|at| *at < good.len());
        for at in places {
            let mut bad = good.clone();
            bad[at] ^= 0x10;
            fs::write(&path, &bad).unwrap();
            let verified = verify(folder.path(), &|_| {}).unwrap();
            let [damage] = &verified.damages[..] else { panic!("{name} byte {at}: {:?}", verified.damages) };
            assert_eq!(damage.file, path, "byte {at}");
            assert!(damage.offset <= at as u64, "{name} byte {at}: {damage:?}");
            assert!(name == "commits.log" || damage.offset + 1_100_000 > at as u64, "byte {at}: {damage:?}");
            let lost: Vec<_> =
                damage.lost.iter().flat_map(|loss| loss.versions.iter().map(|v| (loss.path.clone(), *v))).collect();
            for (version, bytes) in readable(folder.path()) {
                if lost.contains(&version) {
                    assert!(bytes.is_none() || bytes == before[&version], "{name} byte {at}: wrong bytes");
                } else {
                    assert_eq!(bytes, before[&version], "{name} byte {at}: {version:?}");
                }
            }
            assert_eq!(damage.what == What::Recovered, damage.lost.is_empty(), "{name} byte {at}: {damage:?}");
        }
        fs::write(&path, &good).unwrap();
    }
}

#[test]
fn without_its_log_an_archive_is_read_from_its_segments() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = made(folder.path());
    let before = readable(folder.path());
    fs::remove_file(folder.path().join("commits.log")).unwrap();
    assert_eq!(readable(folder.path()), before);
    assert!(!verify(folder.path(), &|_| {}).unwrap().damages.is_empty());
    world.put("new.txt", "new");
    world.run(folder.path());
    world.check(folder.path());
    assert_eq!(verify(folder.path(), &|_| {}).unwrap().damages, []);
}

#[test]
fn a_damaged_log_is_rebuilt_by_the_next_run() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = made(folder.path());
    let path = folder.path().join("commits.log");
    let mut log = fs::read(&path).unwrap();
    log[40] ^= 1;
    fs::write(&path, log).unwrap();
    world.run(folder.path());
    world.check(folder.path());
    assert_eq!(verify(folder.path(), &|_| {}).unwrap().damages, []);
}

#[test]
fn a_missing_segment_is_reported_and_not_made_worse() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = made(folder.path());
    fs::remove_file(folder.path().join("segment-000000.pack")).unwrap();
    let verified = verify(folder.path(), &|_| {}).unwrap();
    assert!(verified.damages.iter().all(|damage| damage.what == What::Missing), "{verified:?}");
    let lost: Vec<_> = verified.damages.iter().flat_map(|damage| &damage.lost).map(|loss| &loss.path).collect();
    assert!(lost.contains(&&name_of("big.bin").full()));
    // Files that still exist are archived again, and new ones are added.
    world.put("new.txt", "new");
    let mut writer = Writer::open(folder.path(), Duration::ZERO).unwrap();
    writer.compare_all();
    world.seen.clear();
    world.run_with(writer);
    world.check(folder.path());
}

#[test]
fn damaged_content_is_stored_again_when_compared() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = made(folder.path());
    let path = folder.path().join("segment-000000.pack");
    let mut segment = fs::read(&path).unwrap();
    segment[500_000] ^= 1;
    fs::write(&path, segment).unwrap();
    assert!(readable(folder.path())[&(name_of("big.bin").full(), 1)].is_none());
    let mut writer = Writer::open(folder.path(), Duration::ZERO).unwrap();
    writer.compare_all();
    world.seen.clear();
    let report = world.run_with(writer);
    assert!(report.replaced > 0, "{report:?}");
    world.check(folder.path());
}

#[test]
fn a_torn_end_is_not_damage_and_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = made(folder.path());
    let before = readable(folder.path());
    for (name, tail) in [("segment-000000.pack", &b"\x01rc\x01P half a pack"[..]), ("commits.log", b"\x01rc\x01C\xff")]
    {
        let path = folder.path().join(name);
        let mut bytes = fs::read(&path).unwrap();
        bytes.extend(tail);
        fs::write(&path, bytes).unwrap();
        assert_eq!(readable(folder.path()), before);
        let verified = verify(folder.path(), &|_| {}).unwrap();
        assert_eq!((verified.damages, verified.unfinished), (vec![], tail.len() as u64), "{name}");
        world.run(folder.path());
        let verified = verify(folder.path(), &|_| {}).unwrap();
        assert_eq!((verified.damages, verified.unfinished), (vec![], 0), "{name}");
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left.len(), 3, "{left:?}");
    }
    world.check(folder.path());
}

#[test]
fn a_log_of_a_later_version_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("commits.log"), b"\x01rc\x02 who knows").unwrap();
    for error in [Archive::open(folder.path()).err(), Writer::open(folder.path(), Duration::ZERO).err()] {
        assert!(error.unwrap().to_string().contains("later version"));
    }
}
