//! What is forgotten is nowhere any more, and nothing else is touched.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use archive::{Archive, Fate, Kept, Removed, Writer, verify};
use memchr::memmem;
use proptest::prelude::*;

use crate::world::{World, lines, noise, read};

const A: &str = "00000000-0000-4000-8000-00000000000a";
const B: &str = "00000000-0000-4000-8000-00000000000b";
const C: &str = "00000000-0000-4000-8000-00000000000c";

fn forget(folder: &Path, fate: &dyn Fn(&Kept) -> Fate<'static>) -> Removed {
    let writer = Writer::open(folder, Duration::ZERO).unwrap();
    let removed = writer.forget(fate, &|_| {}).unwrap();
    assert_eq!(verify(folder, &|_| {}).unwrap().damages, []);
    assert_eq!(verify(folder, &|_| {}).unwrap().unfinished, 0);
    removed
}

fn forget_session(folder: &Path, session: &str) -> Removed {
    let session = session.to_owned();
    forget(folder, &|file| if *file.name.session == *session { Fate::Goes } else { Fate::Stays })
}

/// Everything in a folder, as it is and decompressed.
fn everything(folder: &Path) -> Vec<u8> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        for at in memmem::find_iter(&bytes, b"\x28\xb5\x2f\xfd") {
            let frame = zstd::stream::read::Decoder::new(&bytes[at..]).unwrap().single_frame();
            // What is no frame ends with an error.
            let _ = frame.take(64 << 20).read_to_end(&mut all);
        }
        all.extend(bytes);
    }
    all
}

fn is_in(folder: &Path, word: &str) -> bool {
    memmem::find(&everything(folder), word.as_bytes()).is_some()
}

type Contents = BTreeMap<String, Vec<(Vec<u8>, i64, i64)>>;

/// All versions of all files, with their times.
fn contents(folder: &Path) -> Contents {
    let archive = Archive::open(folder).unwrap();
    let versions = |file: &Kept| {
        file.versions.iter().map(|version| (read(&archive, file, version), version.since, version.until)).collect()
    };
    archive.files().map(|file| (file.name.path.to_str().unwrap().to_owned(), versions(file))).collect()
}

fn planted(session: &str, word: &str) -> Vec<u8> {
    let mut bytes = lines(session, 1, 300);
    bytes.extend(format!("{{\"sessionId\":\"{session}\",\"text\":\"{word}\"}}\n").into_bytes());
    bytes
}

#[test]
fn nothing_is_left_of_a_forgotten_session() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = World::default();
    world.put(&format!("{A}.jsonl"), planted(A, "daffodil-a"));
    world.put(&format!("{A}.agent"), "daffodil-agent\n");
    world.put(&format!("{B}.jsonl"), planted(B, "tulip-b"));
    world.run(folder.path());
    world.change(&format!("{A}.jsonl"), |bytes| bytes.truncate(50));
    world.change(&format!("{B}.jsonl"), |bytes| bytes.extend(b"more tulip\n"));
    world.run(folder.path());
    assert!(["daffodil-a", "daffodil-agent", A].iter().all(|word| is_in(folder.path(), word)));
    let mut expected = contents(folder.path());
    expected.retain(|name, _| !name.starts_with(A));

    let removed = forget_session(folder.path(), A);
    assert!(removed.files == 2 && removed.shortened == 0 && removed.bytes > 0, "{removed:?}");
    for word in ["daffodil-a", "daffodil-agent", A] {
        assert!(!is_in(folder.path(), word), "{word}");
    }
    assert_eq!(contents(folder.path()), expected);
    assert!(is_in(folder.path(), "more tulip"));
    // The next runs go on as ever, and once more there is nothing to do.
    assert_eq!(forget_session(folder.path(), A), Removed::default());
    world.files.retain(|name, _| !name.starts_with(A));
    world.seen.retain(|(name, _)| !name.starts_with(A));
    assert_eq!(world.run(folder.path()).bytes, 0);
    world.change(&format!("{B}.jsonl"), |bytes| bytes.extend(b"again\n"));
    assert_eq!(world.run(folder.path()).bytes, 6);
    world.check(folder.path());
}

#[test]
fn pieces_that_a_fork_shares_stay_for_the_fork() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = World::default();
    let mut original = lines(A, 1, 2000);
    world.put(&format!("{A}.jsonl"), original.clone());
    world.run(folder.path());
    let fork = String::from_utf8(original.clone()).unwrap().replace(A, B);
    world.put(&format!("{B}.jsonl"), fork);
    original.extend(b"only the original has this daffodil\n");
    world.change(&format!("{A}.jsonl"), |bytes| *bytes = original);
    world.put(&format!("{C}.jsonl"), lines(C, 9, 100));
    let report = world.run(folder.path());
    assert!(report.shared > 0);
    let mut expected = contents(folder.path());
    expected.retain(|name, _| !name.starts_with(A));
    forget_session(folder.path(), A);
    assert_eq!(contents(folder.path()), expected);
    assert!(!is_in(folder.path(), "daffodil") && !is_in(folder.path(), A));
}

#[test]
fn lines_are_removed_from_all_versions_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = World::default();
    let prompt = |session: &str, number: usize| {
        format!("{{\"sessionId\":\"{session}\",\"display\":\"{}\"}}\n", lines("x", number as u64, 1).len() * 31)
    };
    world.put("history", "");
    let mut kept = Vec::new();
    for number in 0..300 {
        let session = if number % 3 == 0 { "gone" } else { "stays" };
        world.change("history", |bytes| bytes.extend(prompt(session, number).bytes()));
        if session == "stays" {
            kept.extend(prompt(session, number).bytes());
        }
        if number % 20 == 0 {
            world.run(folder.path());
        }
    }
    // Rewritten, and half a line at the end.
    world.change("history", |bytes| drop(bytes.drain(..2000)));
    world.run(folder.path());
    world.change("history", |bytes| bytes.extend(b"{\"sessionId\":\"gone\",\"dis"));
    world.run(folder.path());
    let versions = contents(folder.path())["history"].len();
    assert!(is_in(folder.path(), "\"gone\"") && versions > 1);
    let before = contents(folder.path());
    let without = |bytes: &[u8]| -> Vec<u8> {
        let lines = bytes.split_inclusive(|byte| *byte == b'\n');
        lines.filter(|line| memmem::find(line, b"\"gone\"").is_none()).flatten().copied().collect()
    };
    let removed = forget(folder.path(), &|_| Fate::Without(&|line| memmem::find(line, b"\"gone\"").is_some()));
    assert_eq!((removed.files, removed.shortened), (0, 1));
    assert!(!is_in(folder.path(), "\"gone\""));
    let after = contents(folder.path());
    assert_eq!(after["history"].len(), versions);
    for ((before, since, _), (after, since_after, _)) in before["history"].iter().zip(&after["history"]) {
        assert_eq!((&without(before), since), (after, since_after));
    }
}

#[test]
fn a_lost_log_is_found_again_after_forgetting() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = World::default();
    for name in [A, B, C] {
        world.put(&format!("{name}.jsonl"), planted(name, name));
        world.run(folder.path());
    }
    forget_session(folder.path(), B);
    world.files.remove(&format!("{B}.jsonl"));
    world.change(&format!("{C}.jsonl"), |bytes| bytes.extend(b"more\n"));
    world.run(folder.path());
    let expected = contents(folder.path());
    fs::remove_file(folder.path().join("commits.log")).unwrap();
    assert_eq!(contents(folder.path()), expected);
    world.run(folder.path());
    assert_eq!(contents(folder.path()), expected);
    assert!(!is_in(folder.path(), B));
}

#[test]
fn packs_hold_one_session_each() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = World::default();
    for (number, name) in [A, B, C].into_iter().enumerate() {
        world.put(&format!("{name}.jsonl"), noise(number as u64, 5000));
        world.put(&format!("{name}.agent"), noise(number as u64 + 10, 5000));
    }
    world.run(folder.path());
    // Every byte of a forgotten session goes with its packs, so no other pack is rewritten.
    let before = fs::metadata(folder.path().join("segment-000000.pack")).unwrap().len();
    let removed = forget_session(folder.path(), B);
    assert!(removed.bytes >= 10_000, "{removed:?} of {before}");
    let frames = |folder: &Path| {
        let bytes = fs::read(folder.join("segment-000001.pack")).unwrap();
        memmem::find_iter(&bytes, b"\x28\xb5\x2f\xfd").count()
    };
    assert_eq!(frames(folder.path()), 2);
}

/// A change of the files, or a run.
#[derive(Debug, Clone)]
enum Deed {
    Put(u8, u64, usize),
    Extend(u8, u64, usize),
    Cut(u8, usize),
    Fork(u8, u8),
    Rename(u8),
    Run,
    Forget(u8),
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let session = 0..5_u8;
    let deed = prop_oneof![
        2 => (session.clone(), 0..9_u64, 0..60_usize).prop_map(|(name, seed, lines)| Deed::Put(name, seed, lines)),
        3 => (session.clone(), 0..9_u64, 0..60_usize).prop_map(|(name, seed, lines)| Deed::Extend(name, seed, lines)),
        1 => (session.clone(), 0..20_000_usize).prop_map(|(name, length)| Deed::Cut(name, length)),
        2 => (session.clone(), session.clone()).prop_map(|(from, to)| Deed::Fork(from, to)),
        1 => session.clone().prop_map(Deed::Rename),
        4 => Just(Deed::Run),
        2 => session.prop_map(Deed::Forget),
    ];
    prop::collection::vec(deed, 1..40)
}

fn id(session: u8) -> String {
    format!("00000000-0000-4000-8000-00000000000{session}")
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(120) })]

    /// Whatever happened before: a forgotten session is gone, all versions of the others are as they were.
    #[test]
    fn others_keep_all_their_versions(deeds in deeds()) {
        let folder = tempfile::tempdir().unwrap();
        let mut world = World::default();
        for deed in deeds.into_iter().chain([Deed::Run]) {
            match deed {
                Deed::Put(session, seed, count) => {
                    world.put(&format!("{}.jsonl", id(session)), lines(&id(session), seed, count));
                }
                Deed::Extend(session, seed, count) => {
                    let more = lines(&id(session), seed, count);
                    world.change(&format!("{}.jsonl", id(session)), |bytes| bytes.extend(more));
                }
                Deed::Cut(session, length) => {
                    world.change(&format!("{}.jsonl", id(session)), |bytes| bytes.truncate(length));
                }
                Deed::Fork(from, to) => {
                    let name = format!("{}.jsonl", id(from));
                    if let Some(file) = world.files.get(&name) {
                        let copy = String::from_utf8(file.bytes.clone()).unwrap().replace(&id(from), &id(to));
                        world.put(&format!("{}.fork", id(to)), copy);
                    }
                }
                Deed::Rename(session) => {
                    world.rename(&format!("{}.jsonl", id(session)), &format!("{}.moved", id(session)));
                }
                Deed::Run => drop(world.run(folder.path())),
                Deed::Forget(session) => {
                    let mut expected = contents(folder.path());
                    expected.retain(|name, _| !name.starts_with(&id(session)));
                    forget_session(folder.path(), &id(session));
                    prop_assert_eq!(contents(folder.path()), expected);
                    prop_assert!(!is_in(folder.path(), &id(session)));
                    world.files.retain(|name, _| !name.starts_with(&id(session)));
                    world.seen.retain(|(name, _)| !name.starts_with(&id(session)));
                }
            }
        }
        world.check(folder.path());
    }
}
