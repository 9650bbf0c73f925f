//! Tests that one index contains the files of several homes, and none hides another.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "these are tests")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use archive::Writer;
use index::Index;
use index::catalogue::Session;
use index::query::Query;
use index::search::{Conditions, Cut, Order, Search};
use ledger::Prices;
use rusqlite::functions::FunctionFlags;
use sources::keep::{belongings, keep};
use sources::{Root, find_in_roots};
use tempfile::TempDir;

const ID: &str = "4c1e0f3a-0000-4000-8000-00000000beef";

/// A session with one prompt at a given time.
fn transcript(words: &str, minute: u32) -> String {
    format!(
        r#"{{"type":"user","uuid":"{words}","sessionId":"{ID}","cwd":"/w/garden","timestamp":"2026-03-01T12:{minute:02}:00Z","message":{{"role":"user","content":"{words}"}}}}"#
    ) + "\n"
}

fn file_in(root: &Path) -> PathBuf {
    root.join(format!("projects/-w-garden/{ID}.jsonl"))
}

fn write(root: &Path, text: &str) {
    let path = file_in(root);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn roots(paths: &[&Path]) -> Vec<Root> {
    paths.iter().map(|path| Root { path: path.to_path_buf(), named: true }).collect()
}

fn index_of(place: &TempDir, roots: &[Root]) -> Index {
    let places = roots.iter().map(|root| root.path.clone()).collect();
    let mut index = Index::open(&place.path().join("index.db")).unwrap().within(places);
    let updated = index.update(&find_in_roots(roots), &Prices::default(), &|_| {}).unwrap();
    assert!(updated.problems.is_empty(), "{:?}", updated.problems);
    index
}

/// Sessions by title.
fn by_title(index: &Index) -> BTreeMap<String, Session> {
    let sessions = index.sessions().unwrap();
    let all: BTreeMap<_, _> = sessions.iter().map(|it| (it.title.clone(), it.clone())).collect();
    assert_eq!(all.len(), sessions.len());
    all
}

/// The names of the sessions that match.
fn found(index: &Index, words: &str) -> Vec<String> {
    let query: Query = words.parse().unwrap();
    let conditions = Conditions::of(&query, Path::new("/"), |_| Err(String::new())).unwrap();
    let (columns, order, cut) = (&[][..], Order::Recent, Cut::Around(120));
    let search = Search { query: &query, conditions: &conditions, columns, order, limit: 10, per_session: 3, cut };
    let hits = index.search(&search).unwrap();
    assert_eq!(hits.changed, 0);
    hits.sessions.into_iter().map(|group| group.session.name).collect()
}

/// Both sessions are listed, found, opened and named differently.
fn assert_both(index: &Index, titles: [&str; 2]) {
    let sessions = by_title(index);
    assert_eq!(sessions.keys().map(String::as_str).collect::<Vec<_>>(), titles);
    let names: Vec<&str> = sessions.values().map(|session| session.name.as_str()).collect();
    assert_ne!(names[0], names[1]);
    for (title, session) in &sessions {
        assert_eq!(session.stem, ID);
        assert_eq!(found(index, title), [session.name.as_str()]);
        assert_eq!(found(index, &format!("session:{}", session.name)), [session.name.as_str()]);
        assert_eq!(index.session(&session.name).unwrap().as_ref(), Some(session));
        let mut reader = index.reader(session).unwrap().unwrap();
        assert_eq!(reader.parts().0.facts.title.as_ref().unwrap().text.as_ref(), title);
    }
    let latest = sessions.values().max_by_key(|session| session.last).unwrap();
    assert_eq!(index.session(ID).unwrap().as_ref(), Some(latest));
    assert_eq!(index.session(&format!("{ID}~0")).unwrap(), None);
}

#[test]
fn two_roots_have_the_same_session_id_at_the_same_place() {
    let place = tempfile::tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| place.path().join(name));
    write(&one, &transcript("plant roses", 1));
    write(&two, &transcript("paint walls", 2));
    let both = roots(&[&one, &two]);
    assert_both(&index_of(&place, &both), ["paint walls", "plant roses"]);
    // Names do not depend on the order of reading, and a session with a unique id has no suffix.
    let names = |index: &Index| by_title(index).into_values().map(|session| session.name).collect::<Vec<_>>();
    let before = names(&index_of(&place, &both));
    fs::remove_file(place.path().join("index.db")).unwrap();
    let turned = roots(&[&two, &one]);
    assert_eq!(names(&index_of(&place, &turned)), before);
    assert_eq!(names(&index_of(&place, &both[..1])), [ID]);
}

#[test]
fn a_file_that_is_reached_twice_is_one() {
    let place = tempfile::tempdir().unwrap();
    let [one, link] = ["one", "link"].map(|name| place.path().join(name));
    write(&one, &transcript("plant roses", 1));
    #[cfg(unix)]
    std::os::unix::fs::symlink(&one, &link).unwrap();
    let all = roots(&[&one, &one, &link, &one.join("projects")]);
    let all: Vec<Root> = all.into_iter().filter(|root| root.path.exists()).collect();
    let sessions = index_of(&place, &all).sessions().unwrap();
    assert_eq!(sessions.iter().map(|session| session.name.as_str()).collect::<Vec<_>>(), [ID]);
    // Another run finds it by another path.
    assert_eq!(index_of(&place, &all[3..]).sessions().unwrap().len(), 1);
}

#[test]
fn one_session_is_found_without_reading_the_others() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("root");
    write(&root, &transcript("plant roses", 1));
    let other = file_in(&root).with_file_name("9b2d6e10-0000-4000-8000-00000000beef.jsonl");
    fs::write(other, transcript("paint walls", 2)).unwrap();
    let index = index_of(&place, &roots(&[&root]));
    assert_eq!(index.sessions().unwrap().len(), 2);
    // Reading all rows detects the damage.
    let db = rusqlite::Connection::open(place.path().join("index.db")).unwrap();
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    for name in ["seal", "is_sealed"] {
        db.create_scalar_function(name, -1, flags, |_| Ok(0)).unwrap();
    }
    assert_eq!(db.execute("UPDATE session SET title = 'damaged' WHERE name <> ?", [ID]).unwrap(), 1);
    index.sessions().unwrap_err();
    assert_eq!(index.session(ID).unwrap().unwrap().title, "plant roses");
}

/// Archives a home under the name of a machine.
fn archive(folder: &Path, home: &Path, machine: &str) {
    let (files, problems) = belongings(&roots(&[home]));
    assert!(problems.is_empty(), "{problems:?}");
    let mut writer = Writer::open(folder, Duration::ZERO).unwrap();
    assert!(keep(&mut writer, &files, machine, &|_| {}).unwrap().is_empty());
    writer.finish().unwrap();
}

#[test]
fn an_archive_gives_back_two_homes_that_have_the_same_path() {
    let place = tempfile::tempdir().unwrap();
    let [home, kept] = ["home", "archive"].map(|name| place.path().join(name));
    write(&home, &transcript("plant roses", 1));
    archive(&kept, &home, "one");
    write(&home, &transcript("paint walls", 2));
    archive(&kept, &home, "two");
    fs::remove_file(file_in(&home)).unwrap();
    let all = roots(&[&home, &kept]);
    let index = index_of(&place, &all);
    assert_both(&index, ["paint walls", "plant roses"]);
    let machines: Vec<_> =
        by_title(&index).values().map(|it| (it.is_archived, it.origin.machine.to_string())).collect();
    assert_eq!(machines, [(true, "two".to_owned()), (true, "one".to_owned())]);
}

#[test]
fn a_file_on_the_disk_hides_none_of_another_machine() {
    let place = tempfile::tempdir().unwrap();
    let [home, kept] = ["home", "archive"].map(|name| place.path().join(name));
    write(&home, &transcript("plant roses", 1));
    archive(&kept, &home, "one");
    write(&home, &transcript("paint walls", 2));
    let all = roots(&[&home, &kept]);
    assert_both(&index_of(&place, &all), ["paint walls", "plant roses"]);
    // A copy that was extended is the same session.
    write(&home, &(transcript("plant roses", 1) + &transcript("water them", 3)));
    assert_eq!(by_title(&index_of(&place, &all)).into_keys().collect::<Vec<_>>(), ["plant roses"]);
}

#[test]
fn a_deleted_session_is_not_hidden_by_one_of_the_same_id_elsewhere() {
    let place = tempfile::tempdir().unwrap();
    let [one, two, kept] = ["one", "two", "archive"].map(|name| place.path().join(name));
    write(&one, &transcript("plant roses", 1));
    write(&two, &transcript("paint walls", 2));
    archive(&kept, &one, "");
    fs::remove_file(file_in(&one)).unwrap();
    assert_both(&index_of(&place, &roots(&[&one, &two, &kept])), ["paint walls", "plant roses"]);
}
