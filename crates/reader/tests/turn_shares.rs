//! The share of each turn in what a session used: what it contains, and that the shares add up to the session.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "these are tests")]

use std::fs;
use std::path::{Path, PathBuf};

use ledger::{Prices, Totals};
use reader::{SessionReader, TurnShares};
use sources::{Source, SourceKind, find_at};
use story::ThreadKind;
use testkit::root::{RootOptions, write_root};

/// The shares of a session, after checking that they add up to it.
fn shares(source: &Source) -> TurnShares {
    let prices = Prices::default();
    let (mut reader, _) = SessionReader::counted(source, None, &|_| {}).unwrap();
    let all = reader.ledger().unwrap().summary(&prices).totals;
    let shares = reader.turn_shares(&prices).unwrap();
    let (story, _) = reader.parts();
    let mut sum = shares.rest.clone();
    for (id, thread) in story.threads() {
        assert_eq!(shares.turns[id.index()].len(), thread.turns.len(), "{}", source.input);
        if id.index() == 0 || !matches!(thread.kind, ThreadKind::Agent(_)) {
            shares.turns[id.index()].iter().for_each(|share| sum += share);
        }
    }
    assert_eq!(sum, all, "{}", source.input);
    let lines = shares.rest.messages;
    assert!(lines == 0 || story.threads().next().is_none_or(|(_, main)| main.turns.is_empty()), "{}", source.input);
    shares
}

/// The number of turns with usage in the sessions of a folder.
fn check_all(folder: &Path) -> usize {
    let sources = find_at(&[folder.to_path_buf()]).sources;
    let sessions = sources.iter().filter(|source| matches!(source.kind, SourceKind::Transcript | SourceKind::Capture));
    let used = |source| shares(source).turns.iter().flatten().filter(|share| share.messages > 0).count();
    sessions.map(used).sum()
}

#[test]
fn shares_of_generated_sessions_add_up() {
    let root = tempfile::tempdir().unwrap();
    let options = RootOptions { bytes: 6_000_000, seed: 5, largest_session: 600_000, ..RootOptions::default() };
    write_root(root.path(), &options).unwrap();
    assert!(check_all(&root.path().join("projects")) > 100);
}

#[test]
fn shares_of_the_corpus_add_up() {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("RECOUNT_CORPUS").map_or(default, PathBuf::from);
    if corpus.is_dir() {
        assert!(check_all(&corpus) > 100);
    }
}

/// The output tokens of each turn of the main thread, of each rewound branch, and of what belongs to no turn.
fn outputs(lines: &[&str], agent: &[&str]) -> (Vec<u32>, Vec<u32>, u32) {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("projects/-beds");
    let id = "6ba7b810-9dad-41d1-80b4-00c04fd430c8";
    fs::create_dir_all(folder.join(id).join("subagents")).unwrap();
    fs::write(folder.join(format!("{id}.jsonl")), lines.join("\n")).unwrap();
    if !agent.is_empty() {
        fs::write(folder.join(id).join("subagents/agent-a1.jsonl"), agent.join("\n")).unwrap();
    }
    let source = find_at(&[root.path().to_path_buf()])
        .sources
        .into_iter()
        .find(|source| source.kind == SourceKind::Transcript && source.stem().is_some_and(|stem| stem == id))
        .unwrap();
    let shares = shares(&source);
    let (mut reader, _) = SessionReader::counted(&source, None, &|_| {}).unwrap();
    let (story, _) = reader.parts();
    let of_kind = |wanted: fn(&ThreadKind) -> bool| {
        let threads = story.threads().filter(|(_, thread)| wanted(&thread.kind));
        threads.flat_map(|(id, _)| shares.turns[id.index()].iter().map(output)).collect()
    };
    (of_kind(|kind| *kind == ThreadKind::Main), of_kind(|kind| *kind == ThreadKind::Branch), output(&shares.rest))
}

fn output(totals: &Totals) -> u32 {
    u32::try_from(totals.tokens.output).unwrap()
}

fn prompt(uuid: &str, parent: &str, minute: u32) -> String {
    let parent = if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") };
    format!(
        r#"{{"type":"user","uuid":"{uuid}","parentUuid":{parent},"sessionId":"6ba7b810-9dad-41d1-80b4-00c04fd430c8","timestamp":"2026-05-01T10:{minute:02}:00Z","message":{{"role":"user","content":"Prompt {uuid}"}}}}"#
    )
}

/// A message with a text, or a call of an agent if `call` is its id.
fn reply(uuid: &str, parent: &str, minute: u32, output: u32, call: Option<&str>) -> String {
    let content = match call {
        Some(call) => format!(
            r#"{{"type":"tool_use","id":"{call}","name":"Agent","input":{{"description":"Weed","prompt":"Weed the bed","subagent_type":"general-purpose"}}}}"#
        ),
        None => r#"{"type":"text","text":"Done."}"#.to_owned(),
    };
    format!(
        r#"{{"type":"assistant","uuid":"{uuid}","parentUuid":"{parent}","requestId":"req_{uuid}","sessionId":"6ba7b810-9dad-41d1-80b4-00c04fd430c8","timestamp":"2026-05-01T10:{minute:02}:30Z","message":{{"id":"msg_{uuid}","role":"assistant","model":"claude-opus-4-5","stop_reason":"end_turn","content":[{content}],"usage":{{"input_tokens":1,"output_tokens":{output}}}}}}}"#
    )
}

fn references(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).collect()
}

#[test]
fn an_agent_counts_for_the_turn_that_started_it_however_long_it_ran() {
    let result = r#"{"type":"user","uuid":"r1","parentUuid":"a1","sessionId":"6ba7b810-9dad-41d1-80b4-00c04fd430c8","timestamp":"2026-05-01T10:01:40Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"Async agent launched"}]},"toolUseResult":{"status":"async_launched","isAsync":true,"agentId":"a1","description":"Weed","prompt":"Weed the bed"}}"#;
    let main = [
        prompt("u1", "", 1),
        reply("a1", "u1", 1, 10, Some("toolu_1")),
        result.to_owned(),
        prompt("u2", "r1", 5),
        reply("a2", "u2", 5, 200, None),
    ];
    let side = |line: String| line.replacen('{', r#"{"isSidechain":true,"agentId":"a1","#, 1);
    // The agent is still at work in the second turn.
    let agent = [side(prompt("s1", "", 2)), side(reply("s2", "s1", 6, 3000, None))];
    assert_eq!(outputs(&references(&main), &references(&agent)), (vec![3010, 200], vec![], 0));
}

#[test]
fn a_rewound_branch_has_its_own_share() {
    let lines = [
        prompt("u1", "", 1),
        reply("a1", "u1", 1, 10, None),
        prompt("u2", "a1", 2),
        reply("a2", "u2", 2, 200, None),
        prompt("u3", "a1", 3),
        reply("a3", "u3", 3, 3000, None),
    ];
    assert_eq!(outputs(&references(&lines), &[]), (vec![10, 3000], vec![200], 0));
}

#[test]
fn a_message_of_which_nothing_is_shown_counts_for_the_turn_of_its_time() {
    let silent = reply("a2", "u2", 2, 200, None).replace(r#"[{"type":"text","text":"Done."}]"#, "[]");
    let lines = [
        prompt("u1", "", 1),
        reply("a1", "u1", 1, 10, None),
        prompt("u2", "a1", 2),
        silent,
        prompt("u3", "a1", 4),
        reply("a3", "u3", 4, 3000, None),
    ];
    let (main, branches, rest) = outputs(&references(&lines), &[]);
    assert_eq!((main.iter().sum::<u32>() + branches.iter().sum::<u32>(), rest), (3210, 0));
}
