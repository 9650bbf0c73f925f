//! Conformance: real transcripts, if present, are understood completely.
//!
//! The corpus is a folder of published transcripts beside the checkout
//! (`../shared/corpus`, or `RECOUNT_CORPUS`); it is not part of the project.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failure here is a failed test")]

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use format::block::Block;
use format::tool::{self, ToolResult};
use format::{Body, Entry, Note, Scratch};

/// The parts of a corpus that are not understood, with their counts.
#[derive(Default)]
struct Census {
    lines: usize,
    entries: usize,
    malformed: Vec<String>,
    unknown: BTreeMap<String, usize>,
    fields: BTreeMap<String, usize>,
    odd: BTreeMap<String, usize>,
    /// For each built-in tool: the number of results, and of results without a typed form.
    results: BTreeMap<String, (usize, usize)>,
}

impl Census {
    fn file(&mut self, path: &Path, name: &str) {
        let bytes = std::fs::read(path).unwrap();
        let mut calls = HashMap::new();
        let mut scratch = Scratch::default();
        let mut length = 0;
        for line in format::lines(&bytes) {
            length += line.bytes.len();
            self.lines += 1;
            scratch.reset();
            let reading = format::read(line.bytes, &scratch);
            if let Some(malformed) = &reading.malformed {
                self.malformed.push(format!("{name}:{}: {malformed}", line.number));
            }
            for entry in reading.entries.iter().filter(|entry| entry.foreign.is_none()) {
                self.entry(entry, &mut calls, &scratch);
            }
        }
        assert_eq!(length, bytes.len(), "{name}: every byte belongs to a line");
    }

    fn entry(&mut self, entry: &Entry<'_>, calls: &mut HashMap<String, String>, scratch: &Scratch) {
        self.entries += 1;
        self.notes(&entry.notes);
        let (message, structured) = match &entry.body {
            Body::User(user) => (user.message.as_deref(), user.tool_use_result.clone()),
            Body::Assistant(assistant) => (assistant.message.as_deref(), None),
            _ => return,
        };
        for block in message.and_then(|message| message.content.as_ref()).map_or(&[][..], |content| content.blocks()) {
            match block {
                Block::ToolUse(call) => {
                    if let (Some(id), Some(name)) = (call.id, call.name) {
                        calls.insert(id.as_str().to_owned(), name.to_string());
                    }
                }
                Block::ToolResult(block) => {
                    let name = block.tool_use_id.and_then(|id| calls.get(id.as_str())).map(String::as_str);
                    let typed = tool::read_result(name, structured.clone(), Some(block), scratch);
                    self.notes(&typed.notes);
                    if let Some(name) = name.filter(|name| tool::is_builtin(name)) {
                        let (all, plain) = self.results.entry(name.to_owned()).or_default();
                        *all += 1;
                        *plain += usize::from(matches!(
                            typed.result,
                            ToolResult::Plain(_) | ToolResult::Other(_) | ToolResult::Nothing
                        ));
                    }
                }
                _ => {}
            }
        }
    }

    fn notes(&mut self, notes: &[Note<'_>]) {
        for note in notes {
            let (counts, what) = match note {
                Note::UnknownField { record, field, .. } => (&mut self.fields, format!("{record}: {field}")),
                Note::UnknownKind { of, name } => (&mut self.unknown, format!("{of} {name:?}")),
                Note::OddValue { record, field, expected } => {
                    (&mut self.odd, format!("{record}: {field} is not {expected}"))
                }
            };
            *counts.entry(what).or_default() += 1;
        }
    }
}

fn corpus() -> Option<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("RECOUNT_CORPUS").map_or(default, PathBuf::from);
    corpus.is_dir().then_some(corpus)
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "jsonl" || extension == "ndjson") {
            found.push(path);
        }
    }
}

#[test]
fn real_transcripts_are_understood() {
    let Some(corpus) = corpus() else {
        eprintln!("no corpus beside the checkout: nothing to conform to");
        return;
    };
    let mut paths = Vec::new();
    files(&corpus, &mut paths);
    let mut census = Census::default();
    for path in &paths {
        census.file(path, &path.strip_prefix(&corpus).unwrap().display().to_string());
    }
    println!("{} files, {} lines, {} entries", paths.len(), census.lines, census.entries);
    println!("fields never seen: {:#?}", census.fields);
    println!("odd values: {:#?}", census.odd);
    println!("results (all, without a typed form): {:?}", census.results);

    // Every line of the published files can be read: the line with two objects is read as two entries.
    assert_eq!(census.malformed, Vec::<String>::new(), "malformed lines");
    assert_eq!(census.unknown, BTreeMap::new(), "unknown types, blocks, attachments, tools");
    let (all, plain) = census.results.values().fold((0, 0), |(all, plain), count| (all + count.0, plain + count.1));
    assert!(all > 0 && plain * 100 <= all, "{plain} of {all} results of built-in tools have no typed form");
}
