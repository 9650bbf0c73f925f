//! Sessions are removed from captures for good, and others stay.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "these are tests")]

use std::fs;

use record::forget::Forgot;
use record::{Outcome, Run, Store, Stream};

const A: &str = "aaaaaaaa-0000-4000-8000-000000000001";
const B: &str = "bbbbbbbb-0000-4000-8000-000000000002";

/// Records a run whose lines name these sessions, each with a word.
fn record(store: &Store, name: &str, lines: &[(&str, &str)]) {
    let run = Run::new("shop", "claude").unwrap().in_conversation(name).unwrap();
    let mut recorder = store.record(run.command(vec!["claude".into(), format!("plan {}", lines[0].1)], None)).unwrap();
    for (session, word) in lines {
        let line = format!("{{\"type\":\"assistant\",\"session_id\":\"{session}\",\"text\":\"{word}\"}}\n");
        recorder.push(Stream::Output, line.as_bytes()).unwrap();
    }
    recorder.push(Stream::Errors, format!("warning about {}\n", lines[0].1).as_bytes()).unwrap();
    recorder.close(Outcome::code(0)).unwrap();
}

#[test]
fn a_conversation_of_one_session_goes() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path()).unwrap();
    record(&store, "c", &[(A, "daffodil")]);
    let conversation = store.conversation("c").unwrap();
    let torn = conversation.path().with_extension("jsonl.torn-1");
    fs::write(&torn, "daff").unwrap();
    assert_eq!(conversation.forget(&|session| session == B).unwrap(), Forgot::Untouched);
    assert!(torn.exists());
    assert_eq!(conversation.forget(&|session| session == A).unwrap(), Forgot::Removed);
    assert!(!conversation.path().exists() && !torn.exists());
}

#[test]
fn other_sessions_of_a_conversation_stay() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path()).unwrap();
    record(&store, "c", &[(B, "tulip")]);
    let first = fs::read(store.conversation("c").unwrap().path()).unwrap();
    record(&store, "c", &[(A, "daffodil")]);
    record(&store, "c", &[(A, "daffodil"), (B, "crocus")]);
    let conversation = store.conversation("c").unwrap();
    assert_eq!(conversation.sessions().unwrap(), [A, B]);
    assert_eq!(conversation.forget(&|session| session == A).unwrap(), Forgot::Shortened);
    let left = fs::read_to_string(conversation.path()).unwrap();
    assert!(!left.contains("daffodil") && !left.contains(A), "{left}");
    assert!(left.as_bytes().starts_with(&first) && left.contains("crocus"), "{left}");
    assert_eq!(conversation.sessions().unwrap(), [B]);
    // The conversation can be continued.
    record(&store, "c", &[(B, "again")]);
    assert_eq!(store.conversation("c").unwrap().summary().unwrap().session_id.as_deref(), Some(B));
}

#[test]
fn a_conversation_that_is_being_recorded_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path()).unwrap();
    record(&store, "c", &[(A, "daffodil")]);
    let run = Run::new("shop", "claude").unwrap().in_conversation("c").unwrap();
    let recorder = store.record(run).unwrap();
    assert!(store.conversation("c").unwrap().forget(&|_| true).is_err());
    drop(recorder);
    assert_eq!(store.conversation("c").unwrap().forget(&|_| true).unwrap(), Forgot::Removed);
}
