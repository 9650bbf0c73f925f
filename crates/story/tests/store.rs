//! A stored builder resumes as if it had never stopped. The fixtures of the other tests are stored after each of their
//! lines; this tests long streams, intact and damaged.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "these are tests")]

mod outline;

use std::fs;

use outline::fixtures;
use proptest::prelude::*;
use story::{Source, StoryBuilder};
use testkit::mutate::mutate;
use testkit::stream::{StreamOptions, write_stream};

/// Stores and restores. Storing again gives the same bytes.
fn stored(builder: &mut StoryBuilder) -> StoryBuilder {
    let mut restored = StoryBuilder::restore(&builder.store().unwrap()).unwrap();
    assert!(restored.story() == builder.story());
    assert!(restored.store() == builder.store(), "the state is complete");
    restored
}

/// Reads a file, and stores and restores before each line in `stops`.
fn build(file: &[u8], stops: &[usize]) -> StoryBuilder {
    let mut builder = StoryBuilder::default();
    let source = builder.add_source(Source::default());
    for (number, line) in format::lines(file).enumerate() {
        if stops.contains(&number) {
            builder = stored(&mut builder);
        }
        builder.push(source, line);
    }
    builder
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn a_stored_stream_resumes(
        seed in any::<u64>(),
        partial_messages in any::<bool>(),
        is_damaged in any::<bool>(),
        stops in proptest::collection::vec(any::<prop::sample::Index>(), 3),
    ) {
        let mut file = Vec::new();
        let options = StreamOptions { seed, bytes: 60_000, partial_messages, ..StreamOptions::default() };
        write_stream(&mut file, &options).unwrap();
        if is_damaged {
            file = mutate(&file, seed);
        }
        let lines = format::lines(&file).count();
        let stops: Vec<usize> = stops.iter().map(|stop| stop.index(lines)).collect();
        prop_assert!(build(&file, &stops).story() == build(&file, &[]).story());
    }
}

#[test]
fn nothing_yet() {
    let mut builder = stored(&mut StoryBuilder::default());
    assert_eq!(builder.story().threads().len(), 0);
    builder.add_source(Source { session: "5e55".into(), ..Source::default() });
    assert_eq!(stored(&mut builder).story().facts.session_id.as_deref(), Some("5e55"));
}

/// The stored state of all fixtures, as two numbers. When they change, raise the number in `MAGIC`
/// (`src/fold/store.rs`), unless only the fixtures have changed.
#[test]
fn a_changed_format_needs_a_new_version() {
    let (mut length, mut hash) = (0, 0xcbf2_9ce4_8422_2325_u64);
    let mut version = String::new();
    for path in fixtures() {
        let bytes = build(&fs::read(path).unwrap(), &[]).store().unwrap();
        let end = bytes.iter().position(|byte| *byte == b'\n').unwrap();
        version = String::from_utf8(bytes[..end].rsplit(|byte| *byte == b' ').next().unwrap().to_vec()).unwrap();
        length += bytes.len() - end;
        hash = bytes[end..].iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    }
    insta::assert_snapshot!(format!("version {version}: {length} bytes, {hash:x}"), @"version 11: 129214 bytes, 92619483e9533bbb");
}
