//! Files are extended, truncated, rewritten, renamed, removed and restored, with runs in between.

use archive::Archive;
use proptest::prelude::*;

use crate::world::{World, lines, name_of, noise, read};

const NAMES: [&str; 4] = [
    "00000000-0000-4000-8000-00000000000a.jsonl",
    "00000000-0000-4000-8000-00000000000b.jsonl",
    "00000000-0000-4000-8000-00000000000a.meta.json",
    "notes.txt",
];

#[derive(Debug, Clone, Copy)]
enum Act {
    AppendLines(usize, u64, usize),
    AppendBytes(usize, u64, usize),
    Truncate(usize, f64),
    FlipByte(usize, f64),
    Replace(usize, u64, usize),
    /// A copy of another file, with more lines.
    Fork(usize, usize, u64),
    Remove(usize),
    Rename(usize, usize),
    Touch(usize),
    Run,
}

fn act() -> impl Strategy<Value = Act> {
    let file = 0..NAMES.len();
    prop_oneof![
        4 => (file.clone(), any::<u64>(), 1..120_usize).prop_map(|(f, s, n)| Act::AppendLines(f, s, n)),
        2 => (file.clone(), any::<u64>(), 0..40_000_usize).prop_map(|(f, s, n)| Act::AppendBytes(f, s, n)),
        1 => (file.clone(), 0.0..1.0).prop_map(|(f, at)| Act::Truncate(f, at)),
        1 => (file.clone(), 0.0..1.0).prop_map(|(f, at)| Act::FlipByte(f, at)),
        1 => (file.clone(), any::<u64>(), 0..60_usize).prop_map(|(f, s, n)| Act::Replace(f, s, n)),
        1 => (file.clone(), file.clone(), any::<u64>()).prop_map(|(a, b, s)| Act::Fork(a, b, s)),
        1 => file.clone().prop_map(Act::Remove),
        1 => (file.clone(), file.clone()).prop_map(|(a, b)| Act::Rename(a, b)),
        1 => file.prop_map(Act::Touch),
        4 => Just(Act::Run),
    ]
}

fn place(bytes: &[u8], at: f64) -> usize {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a test")]
    let place = (bytes.len() as f64 * at) as usize;
    place.min(bytes.len().saturating_sub(1))
}

fn session(name: &str) -> &str {
    name.split('.').next().unwrap()
}

fn apply(world: &mut World, act: Act, folder: &std::path::Path) {
    match act {
        Act::AppendLines(file, seed, number) => {
            let name = NAMES[file];
            world.files.entry(name.to_owned()).or_insert_with(|| empty(seed));
            world.change(name, |bytes| bytes.extend(lines(session(name), seed, number)));
        }
        Act::AppendBytes(file, seed, length) => {
            world.files.entry(NAMES[file].to_owned()).or_insert_with(|| empty(seed));
            world.change(NAMES[file], |bytes| bytes.extend(noise(seed, length)));
        }
        Act::Truncate(file, at) => world.change(NAMES[file], |bytes| bytes.truncate(place(bytes, at))),
        Act::FlipByte(file, at) => world.change(NAMES[file], |bytes| {
            let at = place(bytes, at);
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1;
            }
        }),
        Act::Replace(file, seed, number) => world.put(NAMES[file], lines(session(NAMES[file]), seed, number)),
        Act::Fork(from, to, seed) => {
            if let Some(original) = world.files.get(NAMES[from]) {
                let text = String::from_utf8_lossy(&original.bytes).replace(session(NAMES[from]), session(NAMES[to]));
                let mut bytes = text.into_bytes();
                bytes.extend(lines(session(NAMES[to]), seed, 5));
                world.put(NAMES[to], bytes);
            }
        }
        Act::Remove(file) => drop(world.files.remove(NAMES[file])),
        Act::Rename(from, to) => world.rename(NAMES[from], NAMES[to]),
        Act::Touch(file) => world.change(NAMES[file], |_| {}),
        Act::Run => drop(world.run(folder)),
    }
}

fn empty(seed: u64) -> crate::world::File {
    let mut world = World::default();
    world.put(&seed.to_string(), "");
    world.files.remove(&seed.to_string()).unwrap()
}

/// Claude Code shortens a transcript by renaming a new file over it (docs/format A.7): what it drops stays.
#[test]
fn a_transcript_compacted_in_place_keeps_all_its_lines() {
    let folder = tempfile::tempdir().unwrap();
    let (mut world, name) = (World::default(), NAMES[0]);
    let before = lines(session(name), 1, 200);
    let kept_from = before.len() - lines(session(name), 1, 20).len().min(before.len() / 2);
    world.put(name, before.clone());
    world.run(folder.path());
    let after: Vec<u8> = [&before[kept_from..], &lines(session(name), 2, 3)].concat();
    assert!(after.len() < before.len());
    // Another inode, and shorter.
    world.put(name, after.clone());
    assert_eq!(world.run(folder.path()).replaced, 1);
    world.change(name, |bytes| bytes.extend(lines(session(name), 3, 10)));
    assert_eq!(world.run(folder.path()).grown, 1);
    world.check(folder.path());
    let archive = Archive::open(folder.path()).unwrap();
    let file = archive.file(&name_of(name).key()).unwrap();
    assert_eq!(read(&archive, file, &file.versions[0]), before);
    assert!(read(&archive, file, file.latest().unwrap()).starts_with(&after));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn everything_present_at_a_run_can_be_restored(acts in prop::collection::vec(act(), 1..40)) {
        let folder = tempfile::tempdir().unwrap();
        let mut world = World::default();
        for act in acts {
            apply(&mut world, act, folder.path());
        }
        world.run(folder.path());
        world.check(folder.path());
        let verified = archive::verify(folder.path(), &|_| {}).unwrap();
        prop_assert_eq!((verified.damages, verified.unfinished), (vec![], 0));
        let nothing = world.run(folder.path());
        prop_assert_eq!((nothing.bytes, nothing.stored), (0, 0));
    }
}
