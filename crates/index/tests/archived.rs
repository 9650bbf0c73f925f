//! Tests that deleted sessions in the archive are listed, shown and found as before.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "these are tests")]

use std::fs;
use std::path::Path;
use std::time::Duration;

use archive::Writer;
use index::Index;
use index::catalogue::Session;
use ledger::Prices;
use reader::SessionReader;
use sources::Root;
use sources::find_in_roots;
use sources::keep::{belongings, keep};
use story::Remnant;
use testkit::root::{RootOptions, write_root};

/// All sessions of an index below roots, some of which may be archives.
fn sessions(index: &mut Index, roots: &[Root]) -> Vec<Session> {
    let found = find_in_roots(roots);
    let updated = index.update(&found, &Prices::default(), &|_| {}).unwrap();
    assert!(updated.problems.is_empty(), "{:?}", updated.problems);
    for source in &found.sources {
        assert!(SessionReader::of(source, &|_| {}).is_ok(), "{}", source.input);
    }
    index.sessions().unwrap()
}

fn archive(folder: &Path, roots: &[Root]) {
    let (files, problems) = belongings(roots);
    assert!(problems.is_empty(), "{problems:?}");
    let mut writer = Writer::open(folder, Duration::ZERO).unwrap();
    assert!(keep(&mut writer, &files, "", &|_| {}).unwrap().is_empty());
    writer.finish().unwrap();
}

#[test]
fn deleted_sessions_stay_available() {
    let place = tempfile::tempdir().unwrap();
    let (home, kept) = (place.path().join("root"), place.path().join("archive"));
    write_root(&home, &RootOptions { bytes: 2_000_000, ..RootOptions::default() }).unwrap();
    let roots = [Root { path: home.clone(), named: true }, Root { path: kept.clone(), named: false }];
    archive(&kept, &roots);

    let mut index = Index::open(&place.path().join("index.db")).unwrap();
    let before = sessions(&mut index, &roots);
    assert!(before.len() > 5 && before.iter().all(|session| !session.is_archived));
    let is_stored = |index: &Index, session: &Session| index.reader(session).unwrap().is_some();
    assert!(before.iter().all(|session| is_stored(&index, session)));

    fs::remove_dir_all(home.join("projects")).unwrap();
    fs::create_dir(home.join("projects")).unwrap();
    let after = sessions(&mut index, &roots);
    // Some were deleted before: the history has only their prompts.
    assert!(after.iter().all(|session| session.is_archived != (session.remnant == Some(Remnant::Prompts))));
    let as_before = |session: &Session| Session { is_archived: false, id: 0, ..session.clone() };
    assert_eq!(after.iter().map(as_before).collect::<Vec<_>>(), before.iter().map(as_before).collect::<Vec<_>>());
    assert!(after.iter().all(|session| is_stored(&index, session)));

    // A fresh index gives the same result from the archive alone.
    let mut fresh = Index::open(&place.path().join("fresh.db")).unwrap();
    let anew = sessions(&mut fresh, &roots);
    assert_eq!(anew.iter().map(as_before).collect::<Vec<_>>(), before.iter().map(as_before).collect::<Vec<_>>());

    // Without the archive, only typed prompts are left.
    let left = sessions(&mut index, &roots[..1]);
    assert!(!left.is_empty() && left.iter().all(|session| session.remnant == Some(Remnant::Prompts)));
    assert!(left.iter().all(|session| before.iter().any(|other| other.stem == session.stem)));
    fs::remove_file(home.join("history.jsonl")).unwrap();
    assert_eq!(sessions(&mut index, &roots[..1]), []);
}

#[test]
fn a_session_that_moved_is_not_gone() {
    let place = tempfile::tempdir().unwrap();
    let (home, kept) = (place.path().join("root"), place.path().join("archive"));
    let project = home.join("projects/-a");
    fs::create_dir_all(&project).unwrap();
    let line = r#"{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"hello"}}"#;
    fs::write(project.join("5e55.jsonl"), format!("{line}\n")).unwrap();
    let roots = [Root { path: home.clone(), named: true }, Root { path: kept.clone(), named: false }];
    archive(&kept, &roots);
    fs::rename(&project, home.join("projects/-b")).unwrap();
    let found = find_in_roots(&roots);
    assert_eq!(found.sources.len(), 1);
    assert!(!found.sources[0].input.is_archived());
}
