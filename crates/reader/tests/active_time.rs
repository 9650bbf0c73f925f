//! The active time of a session whose turns all state their durations is the sum of these, by an independent reading of
//! its lines: those of the corpus, when it is present, and generated ones.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "these are tests")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use reader::SessionReader;
use serde_json::Value;
use sources::{Source, SourceKind, find_at};
use story::{Role, ThreadId};
use testkit::root::{RootOptions, write_root};

/// The stated durations in a file, by the ids of their lines.
fn stated(source: &Source) -> BTreeMap<String, u64> {
    let bytes = fs::read(source.input.path().unwrap()).unwrap();
    let lines = bytes.split(|byte| *byte == b'\n').filter_map(|line| {
        // A write cut short may have left zeros before a line.
        serde_json::from_slice::<Value>(&line[line.iter().take_while(|byte| **byte == 0).count()..]).ok()
    });
    let is_main = |line: &Value| line["subtype"] == "turn_duration" && line["isSidechain"] != true;
    let duration = |line: Value| Some((line["uuid"].as_str()?.to_owned(), line["durationMs"].as_u64()?));
    lines.filter(is_main).filter_map(duration).collect()
}

/// The number of turns of a session that were compared: none if one of them does not state its duration.
fn check(source: &Source) -> usize {
    let (mut reader, _) = SessionReader::of(source, &|_| {}).unwrap();
    let (story, _) = reader.parts();
    let Some(main) = story.thread(ThreadId::MAIN) else { return 0 };
    let is_copy = story.sources().any(|source| source.role == Role::Elsewhere);
    // The turns of rewound branches state theirs, too.
    let all_state = main.turns.iter().all(|turn| turn.stated_ms.is_some());
    if is_copy || story.facts.counts.branches > 0 || !all_state {
        return 0;
    }
    let sum: u64 = stated(source).values().sum();
    assert_eq!(story.facts.active_ms, sum, "{}", source.input);
    main.turns.len()
}

fn check_all(folder: &Path) -> usize {
    let sources = find_at(&[folder.to_path_buf()]).sources;
    sources.iter().filter(|source| source.kind == SourceKind::Transcript).map(check).sum()
}

#[test]
fn active_times_of_generated_sessions_are_those_that_their_turns_state() {
    let root = tempfile::tempdir().unwrap();
    let options = RootOptions { bytes: 8_000_000, seed: 9, largest_session: 200_000, ..RootOptions::default() };
    write_root(root.path(), &options).unwrap();
    let compared = check_all(&root.path().join("projects"));
    assert!(compared > 40, "{compared}");
}

#[test]
fn active_times_of_the_corpus_are_those_that_its_turns_state() {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("RECOUNT_CORPUS").map_or(default, PathBuf::from);
    if corpus.is_dir() {
        check_all(&corpus);
    } else {
        eprintln!("skipped: there is no {}", corpus.display());
    }
}
