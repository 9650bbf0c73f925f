//! Every text that a person typed is shown whole in every form, at the lowest level of detail: held against what a
//! generator wrote, and against a reading of real files that knows nothing of this project.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "these are tests")]

mod all_forms;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use all_forms::forms;
use reader::SessionReader;
use serde_json::Value;
use sources::{Source, SourceKind, find_at};
use story::Detail;
use testkit::root::{RootOptions, truth, write_root};

/// What stands before the words of a rejection.
const REJECTION: &str = "the user said:\n";

/// Letters and digits: what wrapping, escaping and Markdown leave alone.
fn essence(text: &str) -> String {
    text.chars().filter(|char| char.is_alphanumeric()).collect()
}

/// Whether a program wrote the text: it begins with a tag of the format, or with a fixed text.
fn is_made(text: &str) -> bool {
    let text = text.trim_start();
    let tag = text.strip_prefix('<').and_then(|rest| rest.split(['>', ' ', '\n']).next());
    let is_name = |name: &str| {
        name.contains(['-', '_']) && name.chars().all(|char| char.is_ascii_lowercase() || "-_".contains(char))
    };
    let is_tag = tag.is_some_and(is_name);
    let fixed = [
        "[Request interrupted",
        "Caveat: ",
        "This session is being continued",
        "Stop hook feedback",
        "Unknown skill: ",
        // The plan is Claude's; yours is that it was approved.
        "Implement the following plan:",
        "The user wants to clarify these questions.",
        "{\"",
        "[{\"",
    ];
    is_tag || fixed.iter().any(|start| text.starts_with(start))
}

/// The texts of content: a string, or blocks.
fn texts(content: &Value) -> Vec<String> {
    match content {
        Value::String(text) => vec![text.clone()],
        Value::Array(blocks) => blocks
            .iter()
            .filter(|block| block["type"] == "text")
            .filter_map(|block| Some(block["text"].as_str()?.to_owned()))
            .collect(),
        _ => Vec::new(),
    }
}

/// The words of the user in a line, by what the format says of prompts, the queue, answers and rejections.
fn typed(line: &Value) -> Vec<String> {
    let is = |key: &str| line[key] == true;
    match line["type"].as_str() {
        Some("user") if !is("isSidechain") && !is("isMeta") && !is("isCompactSummary") => {
            let content = &line["message"]["content"];
            let by_machine = line["origin"]["kind"].as_str().is_some_and(|kind| kind != "human");
            let mut words = if by_machine { Vec::new() } else { texts(content) };
            for answer in line["toolUseResult"]["answers"].as_object().into_iter().flat_map(|answers| answers.values())
            {
                match answer {
                    Value::String(text) => words.push(text.clone()),
                    Value::Array(chosen) => {
                        words.extend(chosen.iter().filter_map(|label| Some(label.as_str()?.to_owned())));
                    }
                    _ => {}
                }
            }
            let results = content.as_array().into_iter().flatten().filter(|block| block["type"] == "tool_result");
            for text in results.filter(|result| result["is_error"] == true).flat_map(|result| texts(&result["content"]))
            {
                words.extend(text.split_once(REJECTION).map(|(_, words)| words.to_owned()));
            }
            words
        }
        Some("queue-operation") if line["operation"] == "enqueue" => texts(&line["content"]),
        Some("attachment")
            if line["attachment"]["type"] == "queued_command" && line["attachment"]["commandMode"] == "prompt" =>
        {
            texts(&line["attachment"]["prompt"])
        }
        _ => Vec::new(),
    }
}

/// A session in every form at the lowest level, letters and digits only.
fn shown(source: &Source) -> Vec<(&'static str, String)> {
    let (mut reader, _) = SessionReader::of(source, &|_| {}).unwrap();
    let (story, texts) = reader.parts();
    let forms = forms(story, texts, Detail::Prompts);
    let mut strings = String::new();
    gather(&serde_json::from_str(&forms.json).unwrap(), &mut strings);
    forms.named.into_iter().chain([("json", strings)]).map(|(form, text)| (form, essence(&text))).collect()
}

/// Checks all sessions of a folder; returns the number of texts.
fn check(folder: &Path) -> usize {
    let (mut missing, mut everything) = (Vec::new(), HashMap::<&str, String>::new());
    let mut number = 0;
    for source in find_at(&[folder.to_path_buf()]).sources {
        if source.kind != SourceKind::Transcript {
            continue;
        }
        let bytes = fs::read(source.input.path().unwrap()).unwrap();
        let lines = bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok());
        let mut words: Vec<String> = lines.flat_map(|line: Value| typed(&line)).filter(|text| !is_made(text)).collect();
        for text in &mut words {
            *text = essence(text);
        }
        words.retain(|text| !text.is_empty());
        words.sort_unstable();
        words.dedup();
        number += words.len();
        for (form, text) in shown(&source) {
            let absent = words.iter().filter(|words| !text.contains(*words));
            missing.extend(absent.map(|words| (form, source.input.to_string(), words.clone())));
            everything.entry(form).or_default().push_str(&text);
        }
    }
    // What a session copied from another one is shown there.
    missing.retain(|(form, _, words)| !everything[form].contains(words));
    let lines: Vec<String> = missing
        .iter()
        .map(|(form, path, words)| format!("{form}: {path}: {}", words.chars().take(300).collect::<String>()))
        .collect();
    assert!(missing.is_empty(), "{} of {number} texts:\n{}", missing.len(), lines.join("\n"));
    number
}

/// All strings of a value.
fn gather(value: &Value, into: &mut String) {
    match value {
        Value::String(text) => into.push_str(text),
        Value::Array(items) => items.iter().for_each(|item| gather(item, into)),
        Value::Object(fields) => fields.values().for_each(|field| gather(field, into)),
        _ => {}
    }
}

#[test]
fn every_typed_text_of_generated_sessions_is_whole_at_prompts() {
    let root = tempfile::tempdir().unwrap();
    let options =
        RootOptions { bytes: 7_000_000, seed: 23, largest_session: 300_000, truth: true, ..RootOptions::default() };
    write_root(root.path(), &options).unwrap();
    let mut sessions: HashMap<String, Vec<String>> = HashMap::new();
    for line in fs::read_to_string(root.path().join(truth::WORDS)).unwrap().lines() {
        let said: Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| said[key].as_str().unwrap().to_owned();
        sessions.entry(text("session")).or_default().push(text("words"));
    }
    let (mut count, mut missing) = (0, Vec::new());
    for source in find_at(&[root.path().join("projects")]).sources {
        let words = source.stem().and_then(|id| sessions.remove(id.to_str()?));
        let Some(words) = words.filter(|_| source.kind == SourceKind::Transcript) else { continue };
        let forms = shown(&source);
        for words in words {
            count += 1;
            let absent = forms.iter().filter(|(_, text)| !text.contains(&essence(&words)));
            missing.extend(absent.map(|(form, _)| format!("{form}: {}: {words}", source.input)));
        }
    }
    assert!(missing.is_empty(), "{} of {count} texts:\n{}", missing.len(), missing.join("\n"));
    assert!(count > 200 && sessions.is_empty(), "{count}, {} sessions were not found", sessions.len());
}

#[test]
fn every_typed_text_of_the_corpus_is_whole_at_prompts() {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("RECOUNT_CORPUS").map_or(default, PathBuf::from);
    if corpus.is_dir() {
        assert!(check(&corpus.join("projects")) > 200);
    }
}
