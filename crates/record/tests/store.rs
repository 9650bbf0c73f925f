//! Stores as applications use them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use std::fs;
use std::thread;

use record::{Content, Event, Fsync, Outcome, RecordError, Run, Store, Stream, is_store};
use testkit::rng::Rng;

fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(&folder.path().join("store")).unwrap();
    (folder, store)
}

fn run(conversation: &str) -> Run {
    Run::new("shop", "claude").unwrap().in_conversation(conversation).unwrap()
}

#[test]
fn streams_stay_separate_and_in_order() {
    let (_folder, store) = store();
    let mut recorder = store.record(run("c")).unwrap();
    let lines: [(Stream, &[u8]); 5] = [
        (Stream::Input, b"{\"type\":\"user\"}\n"),
        (Stream::Output, b"{\"type\":\"assistant\"}\r\n"),
        (Stream::Errors, b"warning: \xff\n"),
        (Stream::Output, b"oops\n"),
        (Stream::Output, b"{\"type\":\"resu"),
    ];
    for (stream, line) in lines {
        recorder.push(stream, line).unwrap();
    }
    recorder.close(Outcome::code(3)).unwrap();
    let records: Vec<_> = store.conversation("c").unwrap().records().unwrap().map(Result::unwrap).collect();
    let kept: Vec<_> = records.iter().filter_map(|record| Some((record.stream?, record.line()))).collect();
    assert_eq!(kept, lines.map(|(stream, line)| (stream, line.to_vec())));
    assert!(matches!(&records[0].content, Content::Event(Event::Start { version: 1, .. })));
    assert_eq!(records[6].content, Content::Event(Event::End(Outcome::code(3))));
    let times: Vec<_> = records.iter().map(|record| record.at.unwrap()).collect();
    assert!(times.is_sorted());
    let totals = store.conversation("c").unwrap().summary().unwrap().totals;
    assert_eq!((totals.messages, totals.other_lines, totals.error_lines), (2, 2, 1));
}

#[test]
fn running_totals_restart_with_another_process() {
    let (_folder, store) = store();
    for sums in [&[0.1, 0.3][..], &[0.2, 0.25]] {
        let mut recorder = store.record(run("c")).unwrap();
        for sum in sums {
            let line = format!("{{\"type\":\"result\",\"total_cost_usd\":{sum},\"duration_ms\":1000}}\n");
            recorder.push(Stream::Output, line.as_bytes()).unwrap();
        }
        recorder.close(Outcome::code(0)).unwrap();
    }
    let conversation = store.conversation("shop/claude/c").unwrap();
    let costs: Vec<f64> = conversation.records().unwrap().filter_map(|record| record.unwrap().cost_usd).collect();
    assert_eq!(costs, [0.1, 0.2, 0.2, 0.05]);
    let totals = conversation.summary().unwrap().totals;
    assert_eq!((totals.runs, totals.results, totals.cost_usd, totals.duration_ms), (2, 4, 0.55, 4000));
}

#[test]
fn a_torn_conversation_can_be_continued() {
    let (_folder, store) = store();
    let mut recorder = store.record(run("c")).unwrap();
    recorder.push(Stream::Output, b"{\"type\":\"assistant\"}\n").unwrap();
    let path = recorder.path().to_path_buf();
    drop(recorder);
    let mut bytes = fs::read(&path).unwrap();
    bytes.extend_from_slice(b"{\"id\":\"0193\",\"conv");
    fs::write(&path, &bytes).unwrap();
    let recorder = store.record(run("c")).unwrap();
    let aside = recorder.torn_aside().unwrap().to_path_buf();
    assert_eq!(fs::read(&aside).unwrap(), b"{\"id\":\"0193\",\"conv");
    recorder.close(Outcome::code(0)).unwrap();
    let records: Vec<_> = store.conversation("c").unwrap().records().unwrap().map(Result::unwrap).collect();
    assert_eq!(records.len(), 4);
    // The file with the torn end is not a conversation.
    assert_eq!(store.conversations().unwrap().len(), 1);
}

#[test]
fn two_recorders_cannot_share_a_conversation() {
    let (_folder, store) = store();
    let first = store.record(run("c")).unwrap();
    assert!(matches!(store.record(run("c")), Err(RecordError::Busy { .. })));
    let other = store.record(run("d")).unwrap();
    first.close(Outcome::code(0)).unwrap();
    other.close(Outcome::code(0)).unwrap();
    assert!(store.record(run("c")).is_ok());
}

#[test]
fn a_new_conversation_never_extends_another() {
    let (_folder, store) = store();
    let new = || Run::new("shop", "claude").unwrap().in_new_conversation("c").unwrap();
    let recorder = store.record(new()).unwrap();
    let path = recorder.path().to_path_buf();
    recorder.close(Outcome::code(0)).unwrap();
    let before = fs::read(&path).unwrap();
    assert!(matches!(store.record(new()), Err(RecordError::Exists { name }) if name == "c"));
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn concurrent_recorders_never_mix() {
    let (_folder, store) = store();
    thread::scope(|scope| {
        for number in 0..8_u64 {
            let store = &store;
            scope.spawn(move || {
                let workspace = format!("w{}", number % 3);
                let run = Run::new(&workspace, "claude").unwrap().workspace_path(workspace.as_ref());
                let mut recorder = store.record(run.fsync(Fsync::Never)).unwrap();
                let mut rng = Rng::new(number);
                for line in 0..200 {
                    let text = "x".repeat(rng.below(5000));
                    let line = format!("{{\"by\":{number},\"line\":{line},\"text\":\"{text}\"}}\n");
                    recorder.push(Stream::Output, line.as_bytes()).unwrap();
                }
                recorder.close(Outcome::code(0)).unwrap();
            });
        }
    });
    let all = store.conversations().unwrap();
    assert_eq!(all.len(), 8);
    for conversation in all {
        let lines: Vec<String> = conversation
            .records()
            .unwrap()
            .map(|record| String::from_utf8(record.unwrap().line()).unwrap())
            .filter(|line| !line.is_empty())
            .collect();
        let by = lines[0].split(',').next().unwrap().to_owned();
        for (number, line) in lines.iter().enumerate() {
            assert!(line.starts_with(&format!("{by},\"line\":{number},")), "{line:.40}");
        }
        assert_eq!(lines.len(), 200);
    }
    let config: serde_json::Value =
        serde_json::from_slice(&fs::read(store.path().join("config.json")).unwrap()).unwrap();
    assert_eq!(config["workspaces"].as_object().unwrap().len(), 3);
}

#[test]
fn folders_of_others_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    assert!(!is_store(folder.path()));
    assert!(matches!(Store::open(folder.path()), Err(RecordError::NotAStore { .. })));
    fs::write(folder.path().join("config.json"), "{\"theme\":\"dark\"}").unwrap();
    assert!(matches!(Store::at(folder.path()), Err(RecordError::NotAStore { .. })));
    fs::write(folder.path().join("config.json"), "{\"format\":\"recount-store\",\"version\":2}").unwrap();
    assert!(matches!(Store::at(folder.path()), Err(RecordError::Newer { version: 2, .. })));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn settings_of_an_application_are_preserved() {
    let (_folder, store) = store();
    let config = store.path().join("config.json");
    fs::write(&config, "{\"format\":\"recount-store\",\"version\":1,\"theme\":\"dark\"}").unwrap();
    let run = run("c").workspace_path("/home/ana/shop".as_ref());
    store.record(run).unwrap().close(Outcome::code(0)).unwrap();
    let config: serde_json::Value = serde_json::from_slice(&fs::read(config).unwrap()).unwrap();
    assert_eq!(config["theme"], "dark");
    assert_eq!(config["workspaces"]["shop"]["path"], "/home/ana/shop");
}

#[cfg(unix)]
#[test]
fn files_are_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let (_folder, store) = store();
    let recorder = store.record(run("c")).unwrap();
    for path in [recorder.path(), recorder.path().parent().unwrap(), store.path()] {
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o077, 0, "{}", path.display());
    }
}
