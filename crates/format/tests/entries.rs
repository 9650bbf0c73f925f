//! One example of every entry type, subtype, attachment type, progress kind and stream message, and how it is read:
//! `fixtures/entries.jsonl`, one example per line.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use format::Scratch;
use format::block::Content;
use format::fields::{FieldValue, Fields};
use serde_json::Value;

const EXAMPLES: &str = include_str!("fixtures/entries.jsonl");

/// The values of a record, each with its path. Keys are compared without case and underscores: transcripts and streams
/// spell the same key differently.
#[derive(Debug, Default, PartialEq)]
struct Leaves(BTreeMap<String, Vec<String>>);

impl Leaves {
    fn add(&mut self, path: &str, value: String) {
        self.0.entry(path.to_owned()).or_default().push(value);
    }

    fn add_json(&mut self, path: &str, json: &Value) {
        match json {
            Value::Null => {}
            Value::Object(object) => object.iter().for_each(|(key, value)| self.add_json(&joined(path, key), value)),
            Value::Array(list) => list.iter().for_each(|value| self.add_json(path, value)),
            Value::Number(number) => self.add(path, number.as_f64().unwrap_or(f64::NAN).to_string()),
            Value::Bool(_) | Value::String(_) => self.add(path, json.to_string()),
        }
    }

    fn add_record(&mut self, path: &str, record: &dyn Fields) {
        record.each_field(&mut |key, value| {
            // The fields of an event are beside its tag; the tag itself is the type.
            let path = &if key == "subtype" { path.to_owned() } else { joined(path, key) };
            match value {
                FieldValue::Word(_) if key == "subtype" => {}
                FieldValue::Text(text) | FieldValue::Word(text) | FieldValue::Id(text) => {
                    self.add(path, Value::from(text).to_string());
                }
                FieldValue::Time(time) if time.as_str().parse::<f64>().is_ok() => {
                    self.add(path, time.as_str().to_owned());
                }
                FieldValue::Time(time) => self.add(path, Value::from(time.as_str()).to_string()),
                FieldValue::Number(number) => self.add(path, number.to_string()),
                FieldValue::Fraction(number) => self.add(path, number.to_string()),
                FieldValue::Flag(flag) => self.add(path, flag.to_string()),
                FieldValue::Json(raw) | FieldValue::Content(&Content::Raw(raw)) => {
                    self.add_json(path, &serde_json::from_str(raw.as_json()).unwrap_or_default());
                }
                FieldValue::Content(Content::Text(text)) => self.add(path, Value::from(text.as_str()).to_string()),
                FieldValue::Content(Content::Blocks(blocks)) => {
                    for block in blocks {
                        self.add_record(path, block);
                    }
                }
                FieldValue::Record(record) | FieldValue::Element(record) => self.add_record(path, record),
            }
        });
    }
}

fn joined(path: &str, key: &str) -> String {
    let key = key.replace('_', "").to_lowercase();
    if path.is_empty() { key } else { format!("{path}.{key}") }
}

/// The snapshot lists each example with the types that it is read as, and below it only what is read differently from
/// how it is written: `-` as in the line, `+` as in the entry.
#[test]
fn examples_are_read_as_written() {
    let mut scratch = Scratch::default();
    let mut differences = String::new();
    for line in EXAMPLES.lines() {
        scratch.reset();
        let reading = format::read(line.as_bytes(), &scratch);
        let [entry] = reading.entries.as_slice() else { panic!("not one entry: {line}") };
        let (mut written, mut read) = (Leaves::default(), Leaves::default());
        written.add_json("", &serde_json::from_str(line).unwrap());
        read.add_record("", &entry.envelope);
        read.add_record("", &entry.body);
        let (written, read) = (written.0, read.0);
        let is_tag = |path: &str| ["type", "subtype"].contains(&path.rsplit('.').next().unwrap());
        let missing = written.iter().filter(|(path, values)| read.get(*path) != Some(values) && !is_tag(path));
        let missing = missing.map(|leaf| ('-', leaf));
        let extra = read.iter().filter(|(path, values)| written.get(*path) != Some(values)).map(|leaf| ('+', leaf));
        let mut changed: Vec<_> = missing.chain(extra).collect();
        changed.sort_by_key(|(sign, (path, _))| (*path, *sign != '-'));
        let _ = writeln!(differences, "{} → {}", heading(&serde_json::from_str(line).unwrap()), variants(&entry.body));
        for (sign, (path, values)) in changed {
            let _ = writeln!(differences, "  {sign} {path}: {}", values.join(", "));
        }
        for note in &entry.notes {
            let _ = writeln!(differences, "  note: {note:?}");
        }
    }
    insta::assert_snapshot!(differences);
}

/// The tags of an example.
fn heading(json: &Value) -> String {
    let tags = ["/type", "/subtype", "/attachment/type", "/data/type", "/event/type", "/request/subtype"];
    tags.iter().filter_map(|pointer| json.pointer(pointer)?.as_str()).collect::<Vec<_>>().join(" ")
}

/// The types that an entry is read as: all capitalised names that open a record.
fn variants(body: &impl std::fmt::Debug) -> String {
    let shown = format!("{body:?}");
    let names = shown.split(['(', ' ', '{', '[', ')', ',']).filter(|word| word.starts_with(char::is_uppercase));
    let mut types: Vec<&str> = names.filter(|name| name.chars().all(char::is_alphanumeric)).collect();
    types.retain(|name| !["Some", "None", "Text", "Waiting"].contains(name));
    types.dedup();
    types.truncate(3);
    types.join(" ")
}

#[test]
fn examples_are_understood_completely() {
    let mut scratch = Scratch::default();
    // Unknown kinds are at the end, to show how they are kept.
    for line in EXAMPLES.lines().filter(|line| !line.contains("hologram")) {
        scratch.reset();
        let reading = format::read(line.as_bytes(), &scratch);
        assert!(reading.malformed.is_none() && !reading.repairs.any(), "{line}");
        for entry in &reading.entries {
            assert!(entry.notes.is_empty(), "{line}\n{:#?}", entry.notes);
            assert_eq!(entry.foreign, None, "{line}");
        }
    }
}

#[test]
fn the_order_of_fields_changes_nothing() {
    let (first, second) = (Scratch::default(), Scratch::default());
    for (line, same) in [
        (
            r#"{"message":{"role":"assistant","content":[{"type":"text","text":"hi","odd":1}]},"type":"assistant"}"#,
            r#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"hi","odd":1}]}}"#,
        ),
        (
            r#"{"attachment":{"type":"todo","content":[]},"type":"attachment"}"#,
            r#"{"type":"attachment","attachment":{"type":"todo","content":[]}}"#,
        ),
        // A misplaced message is noted like any other field.
        (
            r#"{"message":{"role":"user","odd":1},"type":"mode","mode":"plan"}"#,
            r#"{"type":"mode","message":{"role":"user","odd":1},"mode":"plan"}"#,
        ),
        (r#"{"attachment":{"type":"todo"},"type":"tag"}"#, r#"{"type":"tag","attachment":{"type":"todo"}}"#),
        (r#"{"message":"hi","type":"user"}"#, r#"{"type":"user","message":"hi"}"#),
        (r#"{"message":{"odd":1},"type":"hologram"}"#, r#"{"type":"hologram","message":{"odd":1}}"#),
    ] {
        let (line, same) = (format::read(line.as_bytes(), &first), format::read(same.as_bytes(), &second));
        assert_eq!(line, same);
    }
}
