//! Tests that messages and calls that are in several sessions count once, for the earliest of them.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "these are tests")]

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use index::Index;
use index::catalogue::Session;
use ledger::Prices;
use reader::Accountant;
use reader::account::Wish;
use sources::naming::SessionNames;
use sources::{FoundSources, Root, find_at, find_in_roots};
use story::StoryBuilder;
use tempfile::TempDir;
use testkit::root::{RootOptions, write_root};

/// A root, and an index beside it.
struct CopiesFixture(TempDir);

impl CopiesFixture {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn root(&self) -> PathBuf {
        self.0.path().join("root")
    }

    fn file(&self, path: &str) -> PathBuf {
        self.root().join("projects").join(path)
    }

    fn write(&self, path: &str, lines: &[String]) {
        let path = self.file(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, lines.join("\n") + "\n").unwrap();
    }

    fn index(&self) -> Index {
        Index::open(&self.0.path().join("index.db")).unwrap()
    }

    /// The sessions after an update, in the order of their paths.
    fn sessions(&self) -> Vec<Session> {
        let root = Root { path: self.root(), named: false };
        sessions(&mut self.index(), &find_in_roots(&[root]))
    }
}

fn sessions(index: &mut Index, found: &FoundSources) -> Vec<Session> {
    let updated = index.update(found, &Prices::default(), &|_| {}).unwrap();
    assert!(updated.problems.is_empty(), "{:?}", updated.problems);
    let mut sessions = index.sessions().unwrap();
    sessions.sort_by(|one, other| one.path.cmp(&other.path));
    sessions
}

/// A message with 100 tokens that calls `ls`, and the result, which is a failure.
fn message(session: &str, number: u8) -> String {
    let envelope = |name: &str, second: u8| {
        format!(
            r#""uuid":"{name}{number}","parentUuid":null,"sessionId":"{session}","cwd":"/w","timestamp":"2026-03-01T12:{number:02}:{second:02}.000Z""#
        )
    };
    let call = format!(
        r#"{{"type":"assistant",{},"requestId":"r{number}","message":{{"id":"m{number}","role":"assistant","model":"claude-opus-4-5","usage":{{"input_tokens":80,"output_tokens":20}},"content":[{{"type":"tool_use","id":"t{number}","name":"Bash","input":{{"command":"ls"}}}}]}}}}"#,
        envelope("a", 0)
    );
    let result = format!(
        r#"{{"type":"user",{},"message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t{number}","is_error":true,"content":"Exit code 2\nls: no such file"}}]}}}}"#,
        envelope("b", 1)
    );
    format!("{call}\n{result}")
}

fn messages(session: &str, numbers: impl IntoIterator<Item = u8>) -> Vec<String> {
    numbers.into_iter().map(|number| message(session, number)).collect()
}

/// Tokens, calls and failures of each session.
fn figures(sessions: &[Session]) -> Vec<(u64, u32, u32)> {
    sessions.iter().map(|session| (session.used.tokens, session.counts.calls, session.counts.failed)).collect()
}

/// A session in another folder, so that nothing but its messages shows that they are copies.
fn copied_to_another_folder() -> CopiesFixture {
    let place = CopiesFixture::new();
    place.write(
        "-a/11111111-0000-4000-8000-000000000001.jsonl",
        &messages("11111111-0000-4000-8000-000000000001", 1..4),
    );
    place.write(
        "-b/22222222-0000-4000-8000-000000000002.jsonl",
        &messages("22222222-0000-4000-8000-000000000002", 3..6),
    );
    place
}

#[test]
fn what_two_sessions_share_counts_for_the_earliest() {
    let place = copied_to_another_folder();
    let sessions = place.sessions();
    assert_eq!(figures(&sessions), [(300, 3, 3), (200, 2, 2)]);
    // The figures of tools and the stories that are shown say the same.
    let index = place.index();
    let tools = index.tools(&sessions).unwrap();
    assert_eq!(
        tools.iter().map(|(_, tools)| (tools["Bash"].calls, tools["Bash"].failed)).collect::<Vec<_>>(),
        [(3, 3), (2, 2)]
    );
    for session in &sessions {
        let mut reader = index.reader(session).unwrap().unwrap();
        assert_eq!(reader.ledger().unwrap().summary(&Prices::default()).totals.tokens.total(), session.used.tokens);
        assert_eq!(reader.parts().0.facts.counts, session.counts);
    }
}

#[test]
fn a_deleted_session_leaves_its_messages_to_the_next() {
    let place = copied_to_another_folder();
    place.sessions();
    fs::remove_file(place.file("-a/11111111-0000-4000-8000-000000000001.jsonl")).unwrap();
    assert_eq!(figures(&place.sessions()), [(300, 3, 3)]);
}

#[test]
fn an_earlier_session_that_appears_later_takes_what_it_shares() {
    let place = copied_to_another_folder();
    place.sessions();
    place.write(
        "-c/33333333-0000-4000-8000-000000000003.jsonl",
        &messages("33333333-0000-4000-8000-000000000003", [0, 2, 5]),
    );
    assert_eq!(figures(&place.sessions()), [(200, 2, 2), (100, 1, 1), (300, 3, 3)]);
}

#[test]
fn a_session_that_grows_by_copies_does_not_count_them() {
    let place = copied_to_another_folder();
    place.sessions();
    place.write(
        "-b/22222222-0000-4000-8000-000000000002.jsonl",
        &messages("22222222-0000-4000-8000-000000000002", [3, 4, 5, 1]),
    );
    assert_eq!(figures(&place.sessions()), [(300, 3, 3), (200, 2, 2)]);
}

#[test]
fn copies_in_folders_that_are_not_selected_count_nothing_there_and_change_nothing_here() {
    let place = copied_to_another_folder();
    let [one, other] = ["-a", "-b"].map(|folder| place.file(folder));
    let both = find_at(&[one.clone(), other.clone()]);
    let mut index = place.index().within(vec![one.clone(), other.clone()]);
    assert_eq!(figures(&sessions(&mut index, &both)), [(300, 3, 3), (200, 2, 2)]);
    let mut index = place.index().within(vec![other.clone()]);
    assert_eq!(figures(&sessions(&mut index, &find_at(std::slice::from_ref(&other)))), [(300, 3, 3)]);
    let mut index = place.index().within(vec![one, other]);
    assert_eq!(figures(&sessions(&mut index, &both)), [(300, 3, 3), (200, 2, 2)]);
}

#[test]
fn new_prices_change_the_cost_of_what_a_session_owns() {
    let place = copied_to_another_folder();
    let before = place.sessions();
    let root = Root { path: place.root(), named: false };
    let mut dearer = Prices::default();
    let price = *dearer.of("claude-fable-5-1").unwrap().at(None).unwrap();
    dearer.set("claude-opus-4-5", price);
    let mut index = place.index();
    index.update(&find_in_roots(&[root]), &dearer, &|_| {}).unwrap();
    let after = index.sessions().unwrap();
    let cost = |sessions: &[Session]| sessions.iter().map(|session| session.used.cost).sum::<ledger::Money>();
    assert_eq!(figures(&before).iter().map(|(tokens, ..)| tokens).sum::<u64>(), 500);
    assert_eq!(after.iter().map(|session| session.used.tokens).sum::<u64>(), 500);
    assert!(cost(&after) > cost(&before));
}

#[test]
fn agents_beside_several_files_of_a_session_belong_to_one_of_them() {
    let place = CopiesFixture::new();
    let id = "44444444-0000-4000-8000-000000000004";
    place.write(&format!("-a/{id}.copy1.jsonl"), &messages(id, 1..2));
    place.write(&format!("-a/{id}.copy2.jsonl"), &messages(id, 2..3));
    let agent: Vec<String> = messages(id, 7..9)
        .iter()
        .map(|lines| lines.replace(r#""parentUuid":null"#, r#""parentUuid":null,"isSidechain":true,"agentId":"a1""#))
        .collect();
    place.write("-a/agent-a1.jsonl", &agent);
    assert_eq!(figures(&place.sessions()), [(300, 3, 3), (100, 1, 1)]);
    place.write(&format!("-a/{id}.jsonl"), &messages(id, 3..4));
    assert_eq!(figures(&place.sessions()), [(100, 1, 1), (100, 1, 1), (300, 3, 3)]);
}

/// Compares the sum over the sessions of an index with a report about all of them, and the calls with those in the
/// lines.
fn add_up(folder: &Path) {
    let found = find_at(&[folder.to_path_buf()]);
    let place = CopiesFixture::new();
    let sessions = sessions(&mut place.index(), &found);
    let names = SessionNames::of(&found);
    let mut accountant = Accountant::new(Wish { names: Some(&names), ..Wish::default() });
    for (number, source) in found.sources.iter().enumerate() {
        accountant.read(number, source).unwrap();
    }
    let totals = accountant.finish().ledger.totals(&Prices::default());
    let tokens: u64 = sessions.iter().map(|session| session.used.tokens).sum();
    let cost: ledger::Money = sessions.iter().map(|session| session.used.cost).sum();
    assert_eq!((tokens, cost), (totals.tokens.total(), totals.cost));
    let calls: u64 = sessions.iter().map(|session| u64::from(session.counts.calls)).sum();
    assert_eq!(calls, calls_in(&found));
}

/// The number of different calls in stories of each file.
fn calls_in(found: &FoundSources) -> u64 {
    let (mut keys, mut without_id) = (HashSet::new(), 0);
    for source in &found.sources {
        if matches!(source.kind, sources::SourceKind::Journal | sources::SourceKind::History) {
            continue;
        }
        let mut builder = StoryBuilder::default();
        let file = builder.add_source(story::Source::default());
        let bytes = fs::read(source.input.path().unwrap()).unwrap();
        format::lines(&bytes).for_each(|line| builder.push(file, line));
        let story = builder.story();
        keys.extend(story.call_keys());
        let steps = story.threads().flat_map(|(_, thread)| &thread.steps).filter_map(|step| story.step(*step));
        without_id += steps
            .filter(|step| matches!(&step.kind, story::step::StepKind::Call(call) if call.id.is_empty()))
            .count() as u64;
    }
    keys.len() as u64 + without_id
}

#[test]
fn generated_sessions_add_up_to_the_report() {
    let place = tempfile::tempdir().unwrap();
    let options = RootOptions { bytes: 3_000_000, seed: 5, largest_session: 300_000, ..RootOptions::default() };
    write_root(place.path(), &options).unwrap();
    add_up(&place.path().join("projects"));
}

#[test]
fn sessions_of_the_corpus_add_up_to_the_report() {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("RECOUNT_CORPUS").map_or(default, PathBuf::from).join("projects");
    if corpus.is_dir() {
        add_up(&fs::canonicalize(corpus).unwrap());
    } else {
        eprintln!("skipped: there is no {}", corpus.display());
    }
}
