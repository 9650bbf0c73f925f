//! Tests that archives and captures of version 0.1 remain readable.
//!
//! `samples/` contains the files that version 0.1 wrote for a made-up home, `/home/ana`. They are never rewritten.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use archive::Archive;
use sources::{Root, Source, SourceKind, find_in_roots};
use tempfile::TempDir;

/// A copy of a sample, because nothing may be written beside the sample itself.
fn sample(name: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join(name);
    copy_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples").join(name), &copy);
    (folder, copy)
}

fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy_all(&from, &to);
        } else {
            fs::copy(from, to).unwrap();
        }
    }
}

fn sources_in(path: &Path) -> Vec<Source> {
    let found = find_in_roots(&[Root { path: path.to_path_buf(), named: true }]);
    assert_eq!(found.problems.iter().map(ToString::to_string).collect::<Vec<_>>(), [""; 0]);
    found.sources
}

fn text_of(source: &Source) -> String {
    let mut text = String::new();
    source.open().unwrap().read_to_string(&mut text).unwrap();
    text
}

#[test]
fn an_archive_of_version_0_1_gives_back_all_it_holds() {
    let (_folder, path) = sample("archive-0.1");
    let sources = sources_in(&path);
    let found: Vec<(String, SourceKind, usize)> =
        sources.iter().map(|source| (source.input.to_string(), source.kind, text_of(source).lines().count())).collect();
    let project = "/home/ana/.claude/projects/-home-ana-shop";
    let [roses, walls, tulips] = [
        "4c1e0f3a-0000-4000-8000-00000000beef",
        "5d2f1a4b-0000-4000-8000-00000000cafe",
        "6e3a2b5c-0000-4000-8000-00000000f00d",
    ];
    let expected = [
        ("/home/ana/.claude/history.jsonl".to_owned(), SourceKind::History, 1),
        (format!("{project}/{roses}/subagents/agent-a1.jsonl"), SourceKind::Subagent, 2),
        (format!("{project}/{roses}.jsonl"), SourceKind::Transcript, 3),
        (format!("{project}/{walls}.jsonl"), SourceKind::Transcript, 1),
        (format!("{project}/{tulips}.jsonl"), SourceKind::Transcript, 3),
    ];
    assert_eq!(found, expected);
    // A copy of a session has its own id in every line again.
    let tulips = text_of(sources.last().unwrap());
    assert_eq!(tulips.matches("6e3a2b5c-0000-4000-8000-00000000f00d").count(), 3);
    assert!(!tulips.contains("4c1e0f3a"));
}

#[test]
fn an_archive_of_version_0_1_has_its_older_versions() {
    let (_folder, path) = sample("archive-0.1");
    let archive = Archive::open(&path).unwrap();
    let walls = archive.files().find(|file| file.name.session.starts_with("5d2f")).unwrap();
    let versions: Vec<String> = walls
        .versions
        .iter()
        .map(|version| {
            let mut text = String::new();
            archive.read(walls, version).read_to_string(&mut text).unwrap();
            text
        })
        .collect();
    assert_eq!(versions.len(), 2);
    assert!(versions[0].contains("paint the walls blue") && versions[1].contains("paint the walls green"));
    assert_eq!(archive::verify(&path, &|_| {}).unwrap().damages, []);
}

/// Packs of version 0.1 hold several sessions each.
#[test]
fn a_session_is_forgotten_in_an_archive_of_version_0_1() {
    let (_folder, path) = sample("archive-0.1");
    let roses = "4c1e0f3a-0000-4000-8000-00000000beef";
    let before = texts(&path);
    let writer = archive::Writer::open(&path, std::time::Duration::ZERO).unwrap();
    let is_prompt = |line: &[u8]| String::from_utf8_lossy(line).contains(roses);
    let fate = |file: &archive::Kept| match () {
        () if &*file.name.session == roses => archive::Fate::Goes,
        () if file.name.path.ends_with("history.jsonl") => archive::Fate::Without(&is_prompt),
        () => archive::Fate::Stays,
    };
    let removed = writer.forget(&fate, &|_| {}).unwrap();
    assert!(removed.files >= 2, "{removed:?}");
    let mut expected = before;
    expected.retain(|(name, _)| !name.contains(roses));
    for (_, versions) in expected.iter_mut().filter(|(name, _)| name.ends_with("history.jsonl")) {
        for (text, _) in versions {
            *text = text.split_inclusive('\n').filter(|line| !line.contains(roses)).collect();
        }
    }
    assert_eq!(texts(&path), expected);
    let verified = archive::verify(&path, &|_| {}).unwrap();
    assert_eq!((verified.damages, verified.unfinished), (vec![], 0));
    assert!(sources_in(&path).iter().any(|source| text_of(source).contains("6e3a2b5c")), "the fork stays");
}

/// All versions of all files, with the times of their beginnings.
fn texts(path: &Path) -> Vec<(String, Vec<(String, i64)>)> {
    let archive = Archive::open(path).unwrap();
    let text = |file: &archive::Kept, version: &archive::Version| {
        let mut text = String::new();
        archive.read(file, version).read_to_string(&mut text).unwrap();
        (text, version.since)
    };
    let versions = |file: &archive::Kept| file.versions.iter().map(|version| text(file, version)).collect();
    archive.files().map(|file| (file.name.full().display().to_string(), versions(file))).collect()
}

#[test]
fn captures_of_version_0_1_are_read() {
    let (_folder, path) = sample("captures-0.1");
    let sources = sources_in(&path);
    let names: Vec<&str> = sources.iter().filter_map(|source| source.stem()?.to_str()).collect();
    assert_eq!(names, ["mend-the-fence", "notes"]);
    assert!(sources.iter().all(|source| source.kind == SourceKind::Transcript));
    let store = record::Store::at(&path).unwrap();
    let fence = store.conversation("mend-the-fence").unwrap();
    assert_eq!(fence.summary().unwrap().session_id.as_deref(), Some("7f4b3c6d-0000-4000-8000-00000000d00d"));
    let notes = store.conversation("notes").unwrap();
    let lines: Vec<u8> = notes.records().unwrap().flatten().flat_map(|record| record.line()).collect();
    assert_eq!(String::from_utf8(lines).unwrap(), "no JSON at all\n");
}
