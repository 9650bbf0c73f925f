//! Tests that an updated index equals a fresh one after any change of the files.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "these are tests")]

mod index_contents;

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use index::Index;
use index_contents::index_contents;
use ledger::Prices;
use proptest::prelude::*;
use rusqlite::Connection;
use sources::Root;
use sources::find_in_roots;
use tempfile::TempDir;
use testkit::root::{RootOptions, write_root};

/// A root, and an index beside it.
struct UpdateFixture(TempDir);

impl UpdateFixture {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(place.projects().join("-a")).unwrap();
        fs::create_dir_all(place.projects().join("-b")).unwrap();
        place
    }

    fn root(&self) -> PathBuf {
        self.0.path().join("root")
    }

    fn projects(&self) -> PathBuf {
        self.root().join("projects")
    }

    fn history(&self) -> PathBuf {
        self.root().join("history.jsonl")
    }

    fn index(&self) -> PathBuf {
        self.0.path().join("index.db")
    }

    fn update(&self, index: &Path) -> index::Updated {
        let root = Root { path: self.root(), named: false };
        let found = find_in_roots(&[root]);
        Index::open(index).unwrap().update(&found, &Prices::default(), &|_| {}).unwrap()
    }

    fn check(&self) {
        self.update(&self.index());
        let fresh = self.0.path().join("fresh.db");
        for ending in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(format!("{}{ending}", fresh.display()));
        }
        self.update(&fresh);
        assert_eq!(index_contents(&self.index()), index_contents(&fresh));
    }
}

#[derive(Debug, Clone)]
enum Event {
    Append(u8, Vec<u8>, bool),
    Truncate(u8, prop::sample::Index),
    Replace(u8, Vec<u8>),
    Move(u8),
    Delete(u8),
    /// A typed prompt, in the history of all prompts.
    Type(u8, Vec<u8>, bool),
    ReplaceHistory(u8, Vec<u8>),
    Update,
}

fn event() -> impl Strategy<Value = Event> {
    let file = 0..3_u8;
    let words = prop::collection::vec(0..6_u8, 1..4);
    prop_oneof![
        6 => (file.clone(), words.clone(), prop::bool::weighted(0.2)).prop_map(|(file, words, half)| Event::Append(file, words, half)),
        1 => (file.clone(), any::<prop::sample::Index>()).prop_map(|(file, at)| Event::Truncate(file, at)),
        1 => (file.clone(), words.clone()).prop_map(|(file, words)| Event::Replace(file, words)),
        1 => file.clone().prop_map(Event::Move),
        2 => file.prop_map(Event::Delete),
        4 => (0..5_u8, words.clone(), prop::bool::weighted(0.2)).prop_map(|(file, words, half)| Event::Type(file, words, half)),
        1 => (0..5_u8, words).prop_map(|(file, words)| Event::ReplaceHistory(file, words)),
        4 => Just(Event::Update),
    ]
}

/// A line with these words, which may contain a call or a result.
fn line(words: &[u8]) -> String {
    const WORDS: [&str; 6] = ["retryPolicy", "seeds", "漢字", "/src/up.py", "naïve", "42"];
    let text: Vec<&str> = words.iter().map(|word| WORDS[usize::from(*word)]).collect();
    let text = text.join(" ");
    let sum: u8 = words.iter().sum();
    let content = match words[0] % 3 {
        0 => format!(r#"{{"role":"user","content":"{text}"}}"#),
        // Several sessions may have the same message, and the same call in different messages.
        1 => format!(
            r#"{{"id":"m{sum}","role":"assistant","model":"claude-opus-5","usage":{{"input_tokens":{},"output_tokens":20}},"content":[{{"type":"tool_use","id":"t{}","name":"Read","input":{{"file_path":"{text}"}}}}]}}"#,
            100 + sum,
            words.len()
        ),
        _ => format!(
            r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t{}","content":"{text}"}}]}}"#,
            words.len()
        ),
    };
    let kind = if words[0] % 3 == 1 { "assistant" } else { "user" };
    format!(
        r#"{{"type":"{kind}","sessionId":"s","requestId":"r{sum}","timestamp":"2026-03-01T12:00:{sum:02}.000Z","cwd":"/w","gitBranch":"main","message":{content}}}"#
    )
}

/// A prompt in the history, of a session that may have a transcript.
fn typed(session: u8, words: &[u8]) -> String {
    let at = 1_770_000_000_000_i64 + i64::try_from(words.len()).unwrap();
    format!(r#"{{"display":"type {words:?} seeds","timestamp":{at},"project":"/w/shop","sessionId":"{session}"}}"#)
}

fn happen(place: &UpdateFixture, event: &Event) {
    let path = |file: u8, project: &str| place.projects().join(project).join(format!("{file}.jsonl"));
    let there = |file: u8| ["-a", "-b"].map(|project| path(file, project)).into_iter().find(|path| path.exists());
    match event {
        Event::Append(file, words, half) => {
            let path = there(*file).unwrap_or_else(|| path(*file, "-a"));
            let mut out = File::options().create(true).append(true).open(path).unwrap();
            let line = line(words);
            let line = if *half { line[..line.len() / 2].to_owned() } else { line + "\n" };
            out.write_all(line.as_bytes()).unwrap();
        }
        Event::Truncate(file, at) => {
            if let Some(path) = there(*file) {
                let size = fs::metadata(&path).unwrap().len();
                let at = at.index(usize::try_from(size).unwrap() + 1);
                File::options().write(true).open(path).unwrap().set_len(at as u64).unwrap();
            }
        }
        Event::Replace(file, words) => {
            let path = there(*file).unwrap_or_else(|| path(*file, "-a"));
            fs::write(path, line(words) + "\n").unwrap();
        }
        Event::Move(file) => {
            if let Some(from) = there(*file) {
                let to = if from.parent().unwrap().ends_with("-a") { "-b" } else { "-a" };
                fs::rename(from, path(*file, to)).unwrap();
            }
        }
        Event::Delete(file) => drop(there(*file).map(fs::remove_file)),
        Event::Type(session, words, half) => {
            let mut out = File::options().create(true).append(true).open(place.history()).unwrap();
            let line = typed(*session, words);
            let line = if *half { line[..line.len() / 2].to_owned() } else { line + "\n" };
            out.write_all(line.as_bytes()).unwrap();
        }
        Event::ReplaceHistory(session, words) => fs::write(place.history(), typed(*session, words) + "\n").unwrap(),
        Event::Update => drop(place.update(&place.index())),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]

    #[test]
    fn an_updated_index_equals_a_fresh_one(events in prop::collection::vec(event(), 1..14)) {
        let place = UpdateFixture::new();
        for event in &events {
            happen(&place, event);
        }
        place.check();
    }
}

#[test]
fn a_generated_root_is_indexed_once() {
    let place = UpdateFixture::new();
    let options = RootOptions { bytes: 2_000_000, seed: 3, largest_session: 300_000, ..RootOptions::default() };
    write_root(&place.root(), &options).unwrap();
    let first = place.update(&place.index());
    assert!(first.lines > 400 && first.problems.is_empty(), "{first:?}");
    std::thread::sleep(std::time::Duration::from_millis(2100));
    place.update(&place.index());
    let again = place.update(&place.index());
    assert_eq!((again.sessions, again.lines, again.gone), (0, 0, 0));
}

#[test]
fn a_transcript_replaces_the_prompts_of_its_session_and_leaves_them_again() {
    let place = UpdateFixture::new();
    let listed = || {
        let index = Index::open(&place.index()).unwrap();
        let session =
            |it: index::catalogue::Session| (it.stem, it.remnant.map(story::Remnant::as_str), it.counts.turns);
        index.sessions().unwrap().into_iter().map(session).collect::<Vec<_>>()
    };
    let lone = |turns| vec![("1".to_owned(), Some("prompts"), turns)];
    happen(&place, &Event::Type(1, vec![1], false));
    place.check();
    assert_eq!(listed(), lone(1));
    happen(&place, &Event::Type(1, vec![1, 2], false));
    place.check();
    assert_eq!(listed(), lone(2));
    happen(&place, &Event::Append(1, vec![0], false));
    place.check();
    assert_eq!(listed(), [("1".to_owned(), None, 1)]);
    happen(&place, &Event::Delete(1));
    place.check();
    assert_eq!(listed(), lone(2));
    happen(&place, &Event::ReplaceHistory(2, vec![1]));
    place.check();
    assert_eq!(listed(), [("2".to_owned(), Some("prompts"), 1)]);
}

#[test]
fn an_invalid_or_outdated_index_is_rebuilt() {
    let place = UpdateFixture::new();
    happen(&place, &Event::Append(1, vec![1], false));
    fs::write(place.index(), "this is not a database, however long one looks at it ".repeat(100)).unwrap();
    assert_eq!(place.update(&place.index()).lines, 1);
    Connection::open(place.index()).unwrap().pragma_update(None, "user_version", 99).unwrap();
    assert_eq!(place.update(&place.index()).lines, 1);
    place.check();
}

#[test]
fn an_open_reader_continues_with_the_rebuilt_index() {
    let place = UpdateFixture::new();
    let open = || Index::open(&place.index()).unwrap();
    happen(&place, &Event::Append(1, vec![1], false));
    place.update(&place.index());
    let one = open();
    assert_eq!(one.sessions().unwrap().len(), 1);
    Connection::open(place.index()).unwrap().pragma_update(None, "user_version", 99).unwrap();
    happen(&place, &Event::Append(2, vec![1], false));
    let two = open();
    place.update(&place.index());
    assert_eq!([&one, &two].map(|index| index.sessions().unwrap().len()), [2, 2]);
    // Closing an index does not remove anything.
    drop(one);
    happen(&place, &Event::Append(0, vec![1], false));
    place.update(&place.index());
    drop(two);
    assert_eq!(open().sessions().unwrap().len(), 3);
    place.check();
}
