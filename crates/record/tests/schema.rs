//! The schema in docs/ matches what is written.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use record::{Fsync, Outcome, Run, Store, Stream};
use serde_json::Value;

const SCHEMA: &str = include_str!("../../../docs/store.schema.json");

/// The first mismatch between a value and the schema, for the few keywords that the schema uses. An unknown keyword is
/// an error.
fn against(schema: &Value, value: &Value, root: &Value) -> Option<String> {
    let schema = schema.as_object().unwrap();
    let mut wrong = None;
    for (word, rule) in schema {
        let fails = match word.as_str() {
            "$schema" | "$id" | "title" | "description" | "$defs" => None,
            "$ref" => against(root.pointer(rule.as_str().unwrap().trim_start_matches('#')).unwrap(), value, root),
            "type" => {
                let names: Vec<&str> = rule.as_array().map_or_else(
                    || vec![rule.as_str().unwrap()],
                    |all| all.iter().map(|name| name.as_str().unwrap()).collect(),
                );
                let is = |name: &str| match name {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "number" => value.is_number(),
                    "integer" => value.is_i64() || value.is_u64(),
                    "boolean" => value.is_boolean(),
                    other => panic!("{other}"),
                };
                (!names.iter().any(|name| is(name))).then(|| format!("{value} is not {rule}"))
            }
            "required" => {
                let mut keys = rule.as_array().unwrap().iter().map(|key| key.as_str().unwrap());
                keys.find(|key| value.get(key).is_none()).map(|key| format!("{key} is missing"))
            }
            "properties" => value
                .as_object()
                .and_then(|object| object.iter().find_map(|(key, value)| against(rule.get(key)?, value, root))),
            "additionalProperties" => value.as_object().and_then(|object| {
                let known = schema["properties"].as_object().unwrap();
                object.keys().find(|key| rule == &Value::Bool(false) && !known.contains_key(*key)).cloned()
            }),
            "items" => value.as_array().and_then(|all| all.iter().find_map(|item| against(rule, item, root))),
            "const" => (rule != value).then(|| format!("{value} is not {rule}")),
            "enum" => (!rule.as_array().unwrap().contains(value)).then(|| format!("{value} is none of {rule}")),
            "oneOf" => {
                let fitting = rule.as_array().unwrap().iter().filter(|one| against(one, value, root).is_none()).count();
                (fitting != 1).then(|| format!("{fitting} of the forms fit"))
            }
            "pattern" => {
                assert_eq!(rule, "^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$");
                (!format::id::is_uuid(value.as_str().unwrap())).then(|| format!("{value} is no id"))
            }
            "format" => {
                assert_eq!(rule, "date-time");
                value.as_str().unwrap().parse::<jiff::Timestamp>().err().map(|error| error.to_string())
            }
            other => panic!("unknown schema keyword: {other}"),
        };
        wrong = wrong.or(fails);
    }
    wrong
}

#[test]
fn every_kind_of_record_matches_the_schema() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path()).unwrap();
    let run = || Run::new("w", "a").unwrap().in_conversation("c").unwrap().fsync(Fsync::Never);
    let full = run().command(vec!["claude".into(), "-p".into()], Some("/home/ana".into()));
    let mut recorder = store.record(full.about(Some("t".into()), vec!["x".into()])).unwrap();
    recorder.push(Stream::Input, b"{\"type\":\"user\"}\n").unwrap();
    recorder.push(Stream::Output, b"{\"type\":\"result\",\"total_cost_usd\":1,\"duration_ms\":5.4}\n").unwrap();
    recorder.push(Stream::Output, b"[{}]\n").unwrap();
    recorder.push(Stream::Errors, b"text\n").unwrap();
    recorder.push(Stream::Errors, b"\xff").unwrap();
    recorder.close(Outcome::signal(9)).unwrap();
    store.record(run().imported_from("x.json".into())).unwrap().close(Outcome::code(0)).unwrap();
    let text = std::fs::read_to_string(store.conversation("c").unwrap().path()).unwrap();
    for line in text.lines() {
        let record = serde_json::from_str(line).unwrap();
        assert_eq!(against(&schema, &record, &schema), None, "{line}");
    }
    assert_eq!(text.lines().count(), 9);
    for wrong in [
        "{}",
        r#"{"id":"1","conversationId":"c","agentId":"a","timestamp":"2026-08-08T09:15:00Z","stream":"stdout","text":""}"#,
        r#"{"id":"019f3c5e-8a10-7000-9b1f-c2d400000001","conversationId":"c","agentId":"a","timestamp":"now","stream":"stdout","text":""}"#,
        r#"{"id":"019f3c5e-8a10-7000-9b1f-c2d400000001","conversationId":"c","agentId":"a","timestamp":"2026-08-08T09:15:00Z","stream":"stdout","text":"","base64":""}"#,
        r#"{"id":"019f3c5e-8a10-7000-9b1f-c2d400000001","conversationId":"c","agentId":"a","timestamp":"2026-08-08T09:15:00Z","stream":"stdout"}"#,
    ] {
        let record = serde_json::from_str(wrong).unwrap();
        assert!(against(&schema, &record, &schema).is_some(), "{wrong}");
    }
}
