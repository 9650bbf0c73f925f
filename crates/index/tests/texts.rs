//! Tests that every word of a story is in the texts of its line, and each text is in the column of its speaker.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "these are tests")]

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hint::black_box;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use content::{Bill, Selection};
use format::block::Content;
use format::tool::Calls;
use format::{Reading, Scratch};
use index::texts::{marks, pieces};
use reader::SessionReader;
use serde_json::Value;
use sources::Buffer;
use sources::Lines;
use sources::Neighbours;
use sources::Source;
use sources::files_of_session;
use sources::find_at;
use testkit::mutate::mutate;
use testkit::root::{RootOptions, write_root};
use wire::JsonLayout;
use wire::show::{SessionFigures, write_json};

fn corpus() -> Option<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("RECOUNT_CORPUS").map_or(default, PathBuf::from);
    corpus.is_dir().then_some(corpus)
}

fn sessions(folder: &Path) -> Vec<Source> {
    find_at(&[folder.to_path_buf()]).sources
}

fn generated(bytes: u64) -> (tempfile::TempDir, Vec<Source>) {
    let root = tempfile::tempdir().unwrap();
    let options = RootOptions { bytes, seed: 11, largest_session: bytes / 10, ..RootOptions::default() };
    write_root(root.path(), &options).unwrap();
    let sessions = sessions(&root.path().join("projects"));
    (root, sessions)
}

type Words = HashSet<String>;

fn add_words(text: &str, words: &mut Words) {
    let is_word = |word: &&str| word.chars().nth(1).is_some();
    words.extend(text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(is_word).map(str::to_lowercase));
}

/// The words of a line: those that we extract, and all of them.
#[derive(Default)]
struct Line {
    pieces: Words,
    /// The words of every value of any type.
    values: Words,
}

/// Opens the calls of a line, so that their results are typed.
fn open_calls(reading: &Reading<'_>, calls: &Calls) {
    let contents = reading.entries.iter().filter_map(|entry| entry.body.message()?.content.as_ref());
    for call in contents.flat_map(Content::blocks).filter_map(format::block::Block::call) {
        if let (Some(id), Some(tool)) = (call.id, call.tool) {
            calls.open(id, tool.as_str());
        }
    }
}

fn read_line(bytes: &[u8], scratch: &Scratch, calls: Option<&Calls>) -> Line {
    let mut line = Line::default();
    let reading = calls.map_or_else(|| format::read(bytes, scratch), |calls| format::read_with(bytes, scratch, calls));
    for entry in &reading.entries {
        pieces(entry, |_, text| {
            add_words(text, &mut line.pieces);
            // Parts of names are words, too.
            add_words(&text.replace('_', " "), &mut line.pieces);
        });
    }
    if let Some(calls) = calls {
        open_calls(&reading, calls);
    }
    match serde_json::from_slice(bytes) {
        Ok(value) => all_values(&value, &mut line.values),
        Err(_) => add_words(&String::from_utf8_lossy(bytes), &mut line.values),
    }
    line
}

fn all_values(value: &Value, words: &mut Words) {
    match value {
        Value::String(text) => add_words(&without_formulas(text), words),
        Value::Array(items) => items.iter().for_each(|item| all_values(item, words)),
        Value::Object(fields) => {
            let is_said = |key: &&String| !UNFOUND.iter().chain(&AROUND).any(|(unfound, _)| unfound == key);
            fields.iter().filter(|(key, _)| is_said(key)).for_each(|(_, value)| all_values(value, words));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Keys of the fields around an entry, which are found by filters, not by words.
const AROUND: [(&str, &str); 10] = [
    ("timestamp", "a moment"),
    ("requests_reset", "a moment"),
    ("tokens_reset", "a moment"),
    ("uuid", "an id"),
    ("parentUuid", "an id"),
    ("cwd", "the project"),
    ("gitBranch", "the branch"),
    ("version", "the program"),
    ("userType", "a word of the format"),
    ("role", "a word of the format"),
];

/// Keys of JSON output whose values are not searchable, each with the reason.
const UNFOUND: [(&str, &str); 26] = [
    ("base64", "data"),
    ("data", "data"),
    ("signature", "data"),
    ("encrypted_content", "data"),
    ("originalFile", "the file as it was before"),
    ("originalFileContents", "the file as it was before"),
    ("original_file", "the file as it was before"),
    ("updated_file", "the call and the patch say it"),
    ("oldTodos", "an earlier call says it"),
    ("type", "a word of the format"),
    ("status", "a word of the format"),
    ("mode", "a word of the format"),
    ("permissionMode", "a word of the format"),
    ("output_mode", "a word of the format"),
    ("priority", "a word of the format"),
    ("reminderType", "a word of the format"),
    ("media_type", "a word of the format"),
    ("usage", "figures"),
    ("toolStats", "figures"),
    ("statusChange", "words of the format"),
    ("language", "a word of the format"),
    ("color", "a look"),
    ("senderColor", "a look"),
    ("targetColor", "a look"),
    ("toolUseID", "an id"),
    ("tool_use_id", "an id"),
];

/// A text without the fixed sentences of the program.
fn without_formulas(text: &str) -> String {
    // Precedes the message of a failed call.
    let text = text.strip_prefix("Error: ").unwrap_or(text);
    // Surrounds the user's answers.
    let answers = ["User has answered your questions: ", "Your questions have been answered: "];
    let answered = answers.iter().find_map(|start| text.strip_prefix(start)).map(|rest| {
        let rest = rest.rsplit_once(". You can now continue").map_or(rest, |(answers, _)| answers);
        rest.replace("\" selected preview:\n", "\n").replace(" user notes: ", "\n")
    });
    // Follows every file.
    let below = "<system-reminder>\nWhenever you read a file, you should consider";
    let text = text.split_once(below).map_or(text, |(file, _)| file);
    answered.unwrap_or_else(|| text.to_owned())
}

fn json_words(value: &Value, words: &mut Words) {
    match value {
        Value::String(text) => add_words(&without_formulas(text), words),
        Value::Array(items) => items.iter().for_each(|item| json_words(item, words)),
        Value::Object(fields) => {
            let is_found = |key: &&String| !UNFOUND.iter().any(|(unfound, _)| unfound == key);
            fields.iter().filter(|(key, _)| is_found(key)).for_each(|(_, value)| json_words(value, words));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// All words of a step, except the words of the JSON document itself.
fn words_of_step(step: &Value) -> BTreeMap<&'static str, Words> {
    const FIELDS: [&str; 17] = [
        "text",
        "preview",
        "command",
        "args",
        "from",
        "task",
        "tool",
        "subject",
        "outcome",
        "user_said",
        "summary",
        "name",
        "errors",
        "denied",
        "input",
        "attachment",
        "structured_output",
    ];
    let mut words: BTreeMap<&str, Words> = BTreeMap::new();
    // The coordinator has no name: its tag says who speaks.
    let is_said = |field: &&str| match *field {
        "outcome" => step["kind"] == "call",
        "from" => step["from"] != "coordinator",
        _ => true,
    };
    for field in FIELDS.into_iter().filter(is_said) {
        json_words(&step[field], words.entry(field).or_default());
    }
    let items = step["tasks"].as_array().into_iter().flatten();
    items.for_each(|task| json_words(&task["subject"], words.entry("tasks").or_default()));
    json_words(&step["result"]["text"], words.entry("result").or_default());
    let mut structured = step["result"]["structured"].clone();
    if let (true, Some(fields)) = (step["tool"] == "Write", structured.as_object_mut()) {
        // The call contains the written text; for memories, the program adds their origin.
        fields.remove("content");
    }
    json_words(&structured, words.entry("structured").or_default());
    words
}

/// The lines of a session, by source and number.
type Read = HashMap<(u64, u64), Line>;

fn read_session(source: &Source, typed: bool) -> Read {
    let mut read = Read::new();
    let calls = Calls::default();
    for (number, part) in files_of_session(source, &Neighbours::default()).0.iter().enumerate() {
        let (mut buffer, mut scratch) = (Buffer::default(), Scratch::default());
        let mut lines = Lines::new(part.source.open().unwrap(), &mut buffer);
        while let Some(line) = lines.next_line().unwrap() {
            scratch.reset();
            read.insert((number as u64, line.number), read_line(line.bytes, &scratch, typed.then_some(&calls)));
        }
    }
    read
}

fn shown_json(source: &Source) -> Value {
    let (mut reader, _) = SessionReader::of(source, &|_| {}).unwrap();
    let (story, texts) = reader.parts();
    let selection = Selection { detail: story::Detail::Full, ..Selection::default() };
    let mut json = Vec::new();
    let labels = texts.labels();
    let status = story::SessionStatus { reason: story::StateReason::Finished, since: None, is_certain: true };
    let figures = SessionFigures { bill: &Bill::default(), status };
    write_json(&mut json, story, texts, &labels, &figures, &selection, JsonLayout::Compact).unwrap();
    serde_json::from_slice(&json).unwrap()
}

/// The words of a session that are not found, as `where: words`. Counts the words that were searched.
fn missing(source: &Source, typed: bool, count: &mut usize) -> BTreeSet<String> {
    let (document, lines) = (shown_json(source), read_session(source, typed));
    let mut missing = BTreeSet::new();
    let all = |value: &'_ Value| value.as_array().cloned().unwrap_or_default();
    for step in
        all(&document["threads"]).iter().flat_map(|thread| all(&thread["turns"])).flat_map(|turn| all(&turn["steps"]))
    {
        // It consists of pieces of an unfinished stream.
        if step["partial"] == true {
            continue;
        }
        let places = [&step["line"], &step["result_line"], &step["summary_line"]];
        let at: Vec<&Line> = places
            .iter()
            .filter_map(|place| lines.get(&(place["source"].as_u64()?, place["number"].as_u64()?)))
            .collect();
        for (field, words) in words_of_step(&step) {
            // Files are found without their line numbers.
            let shows_file = ["Read", "Edit", "MultiEdit", "Write"].iter().any(|tool| step["tool"] == *tool);
            let is_number = |word: &str| shows_file && word.chars().all(|c| c.is_ascii_digit());
            let is_ours = |word: &&String| is_number(word) || !at.iter().any(|line| line.values.contains(*word));
            let is_found = |word: &&String| at.iter().any(|line| line.pieces.contains(*word));
            let theirs = words.iter().filter(|word| !is_ours(word)).inspect(|_| *count += 1);
            let lost: BTreeSet<_> = theirs.filter(|word| !is_found(word)).collect();
            if !lost.is_empty() {
                missing.insert(format!(
                    "{}:{} {} {} {field}: {lost:?}",
                    step["line"]["source"], step["line"]["number"], step["kind"], step["tool"]
                ));
            }
        }
    }
    let mut head = Words::new();
    // The last word of a shortened title may be incomplete.
    let title = document["session"]["title"]["text"].as_str().unwrap_or_default();
    let title = title.strip_suffix('…').map_or(title, |cut| cut.rsplit_once(' ').map_or("", |(whole, _)| whole));
    // The task of an agent is in a file beside its own, and in the session that started it.
    // So can a summary be in a file of another session.
    if !["task", "summary"].iter().any(|source| document["session"]["title"]["source"] == *source) {
        add_words(title, &mut head);
    }
    for link in all(&document["session"]["links"]) {
        json_words(&link["title"], &mut head);
        json_words(&link["url"], &mut head);
    }
    let lost: Vec<_> = head.iter().filter(|word| !lines.values().any(|line| line.pieces.contains(*word))).collect();
    if !lost.is_empty() {
        missing.insert(format!("the head: {lost:?}"));
    }
    missing
}

/// Lists all words that are not found, not only the first.
fn check_all(sessions: &[Source], least: usize) {
    let (mut lost, mut count) = (Vec::new(), 0);
    for (session, typed) in sessions.iter().flat_map(|session| [(session, true), (session, false)]) {
        let missing = missing(session, typed, &mut count);
        lost.extend(missing.into_iter().map(|words| format!("{:?}, typed: {typed}: {words}", session.input)));
    }
    assert!(lost.is_empty(), "shown, but not found: {lost:#?}");
    assert!(count > least, "only {count} words were looked for");
}

#[test]
fn every_word_of_generated_sessions_is_found() {
    let (_root, sessions) = generated(6_000_000);
    assert!(sessions.len() > 12);
    check_all(&sessions, 100_000);
}

#[test]
fn every_word_of_the_corpus_is_found() {
    let Some(corpus) = corpus() else { return };
    let sessions = sessions(&corpus);
    assert!(sessions.len() > 100);
    check_all(&sessions, 500_000);
}

/// The words of inputs and structured results, in every field of every tool.
#[test]
fn every_word_of_every_tool_is_found() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../format/src/tool/examples");
    let (mut lost, mut count) = (BTreeSet::new(), 0);
    for path in std::fs::read_dir(examples).unwrap().map(|entry| entry.unwrap().path()) {
        let text = std::fs::read_to_string(path).unwrap();
        for (name, examples) in text.split("\n\n").filter_map(|tool| tool.trim().split_once('\n')) {
            let all = |kind: &str| -> Vec<&str> {
                examples.lines().filter_map(|line| line.strip_prefix(kind)?.strip_prefix(' ')).map(str::trim).collect()
            };
            let (inputs, results) = (all("in"), all("out"));
            for (result, typed) in results.iter().flat_map(|result| [(result, true), (result, false)]) {
                let found = found_in_example(name, &inputs, result, typed);
                let mut words = Words::new();
                inputs.iter().chain([result]).for_each(|json| example_words(json, &mut words));
                count += words.len();
                words.retain(|word| !found.contains(word));
                lost.extend(words.into_iter().map(|word| format!("{name}, typed: {typed}: {word} of {result}")));
            }
        }
    }
    assert!(lost.is_empty(), "in an example, and not found: {lost:#?}");
    assert!(count > 1000, "only {count} words were looked for");
}

/// The searchable words of a call with some inputs, and of a call whose result has almost no text for the model.
fn found_in_example(tool: &str, inputs: &[&str], result: &str, typed: bool) -> Words {
    let called = |input: &&str| format!(r#"{{"type":"tool_use","id":"t","name":"{tool}","input":{input}}}"#);
    let called: Vec<_> = inputs.iter().map(called).collect();
    let call = format!(r#"{{"type":"assistant","message":{{"content":[{}]}}}}"#, called.join(","));
    let message = r#"{"content":[{"type":"tool_result","tool_use_id":"t","content":"Done."}]}"#;
    let result = format!(r#"{{"type":"user","message":{message},"toolUseResult":{result}}}"#);
    let (scratch, calls) = (Scratch::default(), Calls::default());
    let lines = [call, result];
    let read = lines.iter().map(|line| read_line(line.as_bytes(), &scratch, typed.then_some(&calls)));
    read.flat_map(|line| line.pieces).collect()
}

fn example_words(json: &str, words: &mut Words) {
    let mut value: Value = serde_json::from_str(json).unwrap();
    without_media_types(&mut value);
    json_words(&value, words);
}

/// Removes media types, which are words of the format.
fn without_media_types(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(without_media_types),
        Value::Object(fields) => {
            fields.retain(|key, _| !matches!(key.as_str(), "mimeType" | "mediaType"));
            fields.values_mut().for_each(without_media_types);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Any damaged line is parsed, and its texts contain nothing that the line does not.
#[test]
fn damaged_lines_are_taken_apart() {
    let (_root, sessions) = generated(400_000);
    for (number, session) in sessions.iter().enumerate() {
        let mut file = Vec::new();
        session.open().unwrap().read_to_end(&mut file).unwrap();
        for seed in 0..40 {
            let damaged = mutate(&file, seed + 1000 * number as u64);
            let (mut scratch, calls) = (Scratch::default(), Calls::default());
            for line in format::lines(&damaged) {
                scratch.reset();
                let reading = format::read_with(line.bytes, &scratch, &calls);
                open_calls(&reading, &calls);
                let mut found = 0;
                for entry in &reading.entries {
                    pieces(entry, |_, text| found += text.len());
                    black_box(marks(entry));
                }
                // Escaped JSON is shorter as text, except for invalid bytes.
                assert!(found <= 3 * line.bytes.len(), "{found} bytes in {}", line.bytes.len());
            }
        }
    }
}

/// A result with very many texts on both sides takes time proportional to its length.
#[test]
fn many_texts_take_no_longer_than_their_length() {
    let blocks: Vec<_> = (0..40_000).map(|n| format!(r#"{{"type":"text","text":"row {n}"}}"#)).collect();
    let strings: Vec<_> = (0..40_000).map(|n| format!(r#""bed {n}""#)).collect();
    let line = format!(
        r#"{{"type":"user","message":{{"content":[{{"type":"tool_result","tool_use_id":"t","content":[{}]}}]}},"toolUseResult":[{}]}}"#,
        blocks.join(","),
        strings.join(",")
    );
    let (scratch, started) = (Scratch::default(), Instant::now());
    let mut count = 0;
    format::read(line.as_bytes(), &scratch).entries.iter().for_each(|entry| pieces(entry, |_, _| count += 1));
    assert_eq!(count, 80_000);
    assert!(started.elapsed().as_secs() < 5);
}

/// Shows every line of some sessions, read with the open calls.
fn for_each_reading(sessions: &[Source], mut show: impl FnMut(&Reading<'_>, usize)) {
    let (mut buffer, mut scratch) = (Buffer::default(), Scratch::default());
    for session in sessions {
        let calls = Calls::default();
        let mut lines = Lines::new(session.open().unwrap(), &mut buffer);
        while let Some(line) = lines.next_line().unwrap() {
            scratch.reset();
            let reading = format::read_with(line.bytes, &scratch, &calls);
            open_calls(&reading, &calls);
            show(&reading, line.bytes.len());
        }
    }
}

/// The texts are smaller than their lines: they contain no duplicates and no data.
#[test]
fn texts_are_much_less_than_lines() {
    let (_root, generated) = generated(6_000_000);
    for sessions in [Some(generated), corpus().map(|corpus| sessions(&corpus))].into_iter().flatten() {
        let (mut raw, mut found) = (0, 0);
        for_each_reading(&sessions, |reading, bytes| {
            raw += bytes;
            reading.entries.iter().for_each(|entry| pieces(entry, |_, text| found += text.len()));
        });
        println!("{found} of {raw} bytes");
        assert!(found * 10 < raw * 6, "{found} of {raw} bytes");
    }
}
