//! Generated sessions of every era: the patch of each file turns its first bytes into its last, by git itself.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::process::Command;

use reader::SessionReader;
use serde_json::Value;
use sources::{Source, SourceKind, find_at};
use testkit::root::{RootOptions, truth, write_root};

use changes::{ChangeFilter, Changes};

use crate::corpus::apply_by_git;
use crate::desk::apply;

/// The first bytes of a file, none if the session created it, and the last.
type Bytes = (Option<String>, String);

#[derive(Debug, Default)]
struct Tally {
    exact: usize,
    /// Files with tabs and spaces, and files of which the patch says what is missing.
    marked: usize,
    on_windows: usize,
    wrong: Vec<String>,
}

fn check(tally: &mut Tally, source: &Source, files: &BTreeMap<String, Bytes>, has_git: bool) {
    let (mut reader, _) = SessionReader::of(source, &|_| {}).unwrap();
    let (story, texts) = reader.parts();
    let changes = Changes::of(story, texts, &ChangeFilter::default());
    if changes.on_branches > 0 {
        return;
    }
    let patch = changes.patch();
    for (path, (first, last)) in files.iter().filter(|(_, (first, last))| first.as_ref() != Some(last)) {
        let Some(file) = changes.files.iter().find(|file| file.path.absolute == human::path_spelling(path)) else {
            tally.wrong.push(format!("{}: {path}: not in the patch", source.input));
            continue;
        };
        let name = file.path.name.trim_start_matches('/');
        if !file.is_whole() || file.patches.iter().any(|patch| patch.is_guessed) {
            tally.marked += 1;
            continue;
        }
        // A new file that was edited is written as it was in the end.
        let by_hand = apply(&patch, name, first.as_deref());
        let by_git = if has_git { apply_by_git(&patch, name, first.as_deref()) } else { None };
        if by_hand.as_ref() == Some(last) && by_git.is_none_or(|by_git| by_git.as_ref() == Ok(last)) {
            tally.exact += 1;
            tally.on_windows += usize::from(path.contains('\\'));
        } else {
            tally.wrong.push(format!("{}: {path}: {:?}", source.input, file.notes()));
        }
    }
}

#[test]
fn patches_of_generated_sessions_give_the_last_bytes() {
    let root = tempfile::tempdir().unwrap();
    let options =
        RootOptions { bytes: 14_000_000, seed: 21, largest_session: 300_000, truth: true, ..RootOptions::default() };
    write_root(root.path(), &options).unwrap();
    let mut sessions: HashMap<String, BTreeMap<String, Bytes>> = HashMap::new();
    for line in fs::read_to_string(root.path().join(truth::FILES)).unwrap().lines() {
        let file: Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| file[key].as_str().map(str::to_owned);
        if file["certain"] == true {
            let bytes = (text("first"), text("last").unwrap());
            sessions.entry(text("session").unwrap()).or_default().insert(text("path").unwrap(), bytes);
        }
    }
    let has_git = Command::new("git").arg("--version").output().is_ok_and(|output| output.status.success());
    let mut tally = Tally::default();
    let sources = find_at(&[root.path().join("projects")]).sources;
    for source in sources.iter().filter(|source| source.kind == SourceKind::Transcript) {
        let id = source.input.path().and_then(|path| Some(path.file_stem()?.to_string_lossy().into_owned()));
        if let Some(files) = id.and_then(|id| sessions.get(&id)) {
            check(&mut tally, source, files, has_git);
        }
    }
    assert!(tally.wrong.is_empty(), "{} wrong: {:#?}", tally.wrong.len(), tally.wrong);
    assert!(tally.exact > 80 && tally.on_windows > 5, "{tally:?}");
    assert!(tally.marked < tally.exact / 4, "{tally:?}");
}
