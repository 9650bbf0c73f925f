//! `recount import`: runs recorded by other tools.

use std::fs;
use std::process::Stdio;

use record::{Record, Store, Stream};
use testkit::stream::{StreamOptions, Wrapping, write_stream};

use super::fake::Stage;
use super::{kept, records};
use crate::index::faults::layer;

fn written(wrapping: Wrapping) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_stream(&mut bytes, &StreamOptions { bytes: 60_000, wrapping, ..StreamOptions::default() }).unwrap();
    bytes
}

#[test]
fn every_wrapping_is_unwrapped() {
    let stage = Stage::new("");
    for (name, wrapping) in Wrapping::ALL {
        let bytes = written(wrapping);
        stage.sandbox.write(&format!("{name}.json"), &bytes);
        let output = stage.recount(&["import", &format!("{name}.json")]).output().unwrap();
        assert!(output.status.success(), "{name}: {output:?}");
        let messages: Vec<serde_json::Value> = match wrapping {
            Wrapping::Array => serde_json::from_slice(&bytes).unwrap(),
            Wrapping::LogLines => {
                let all: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
                all["loglines"].as_array().unwrap().clone()
            }
            Wrapping::Lines | Wrapping::SingleResult | Wrapping::Audit => {
                assert_eq!(kept(&stage, name, Stream::Output), bytes, "{name}");
                continue;
            }
        };
        let lines = records(&stage, name).iter().map(Record::line).filter(|line| !line.is_empty()).collect::<Vec<_>>();
        let again: Vec<serde_json::Value> = lines.iter().map(|line| serde_json::from_slice(line).unwrap()).collect();
        assert_eq!(again, messages, "{name}");
    }
    let listed = stage.recount(&["ls", "--json"]).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    for (name, _) in Wrapping::ALL {
        assert!(listed.contains(&format!("imported/claude/{name}.jsonl")), "{name}: {listed}");
    }
}

/// Deltas have an `event`, as records do, and other messages have a `text`.
#[test]
fn deltas_and_texts_of_a_stream_stay_as_they_are() {
    let stage = Stage::new("");
    let mut bytes = Vec::new();
    let options = StreamOptions { bytes: 60_000, partial_messages: true, ..StreamOptions::default() };
    let written = write_stream(&mut bytes, &options).unwrap();
    bytes.extend_from_slice(b"{\"type\":\"system\",\"subtype\":\"status\",\"text\":\"only a part\"}\n");
    assert!(written.kind_of("stream_event") > 10, "{:?}", written.kinds);
    stage.sandbox.write("run.jsonl", &bytes);
    let output = stage.recount(&["import", "run.jsonl"]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("run: {} lines\n", written.messages + 1));
    assert!(kept(&stage, "run", Stream::Output) == bytes, "not all of it was kept");
}

#[test]
fn a_conversation_is_imported_from_another_store() {
    let stage = Stage::new("init\nerr aside\nsay one\nresult success 0.1");
    stage.capture(&["--conversation", "c"], &[]).output().unwrap();
    let before = records(&stage, "c");
    let store = Store::open(&stage.sandbox.path(".local/share/recount/captures")).unwrap();
    let path = store.conversation("c").unwrap().path().to_path_buf();
    let output = stage.recount(&["import", path.to_str().unwrap(), "--store", "other"]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let other = Store::open(&stage.sandbox.path("other")).unwrap().conversation("c").unwrap();
    let after: Vec<Record> = other.records().unwrap().map(Result::unwrap).collect();
    let lines = |records: &[Record]| -> Vec<_> {
        records.iter().filter_map(|record| Some((record.stream?, record.line(), record.at))).collect()
    };
    assert_eq!(lines(&after), lines(&before));
}

#[test]
fn unknown_formats_are_refused() {
    let stage = Stage::new("");
    stage.sandbox.write("notes.txt", "hello\n");
    stage.sandbox.write("amp.jsonl", "{\"type\":\"result\",\"session_id\":\"T-1\"}\n");
    stage.sandbox.write("run.jsonl", "{\"type\":\"result\",\"subtype\":\"success\",\"session_id\":\"s\"}\n");
    for (file, why) in
        [("notes.txt", "it contains no message"), ("amp.jsonl", "it contains no message"), ("gone", "cannot be read")]
    {
        let output = stage.recount(&["import", file]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(why), "{said}");
    }
    assert!(stage.recount(&["import", "run.jsonl"]).output().unwrap().status.success());
    let again = stage.recount(&["import", "run.jsonl"]).output().unwrap();
    assert!(String::from_utf8_lossy(&again.stderr).contains("conversation imported/claude/run already exists"));
}

#[test]
fn a_closed_pipe_does_not_stop_an_import() {
    let stage = Stage::new("");
    for name in ["one", "two"] {
        stage.sandbox.write(&format!("{name}.jsonl"), written(Wrapping::Lines));
    }
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = stage.recount(&["import", "one.jsonl", "two.jsonl"]);
    let output = command.stdout(writer).stderr(Stdio::piped()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    for name in ["one", "two"] {
        assert!(kept(&stage, name, Stream::Output) == written(Wrapping::Lines), "{name}");
    }
}

/// Wherever the disk fails, a second import on a working disk is complete.
#[test]
fn an_import_that_failed_can_be_tried_again() {
    let stage = Stage::new("");
    let bytes = written(Wrapping::Lines);
    stage.sandbox.write("run.jsonl", &bytes);
    let folder = tempfile::tempdir().unwrap();
    let layer = layer(folder.path());
    let store = stage.sandbox.path(".local/share/recount/captures");
    let import = |kind: &str, at: usize| {
        let count = folder.path().join("count");
        let mut command = stage.recount(&["import", "run.jsonl"]);
        command.env("LD_PRELOAD", &layer).env("FAULT_FOLDER", &store).env("FAULT_COUNT", &count);
        let output = command.env("FAULT_KIND", kind).env("FAULT_AT", at.to_string()).output().unwrap();
        (output, fs::read_to_string(count).unwrap().parse::<usize>().unwrap())
    };
    let (output, calls) = import("full", 0);
    assert!(output.status.success(), "{output:?}");
    let mut failed = 0;
    for kind in ["full", "once"] {
        for at in 1..=calls {
            fs::remove_dir_all(&store).unwrap();
            let (output, _) = import(kind, at);
            if !output.status.success() {
                failed += 1;
                assert_eq!(output.status.code(), Some(2), "{kind} {at}: {output:?}");
                let again = stage.recount(&["import", "run.jsonl"]).output().unwrap();
                assert!(again.status.success(), "{kind} {at}: {output:?} {again:?}");
            }
            assert!(kept(&stage, "run", Stream::Output) == bytes, "{kind} {at}");
        }
    }
    assert!(failed > calls, "only {failed} of twice {calls} calls");
}
