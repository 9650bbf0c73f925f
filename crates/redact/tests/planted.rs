//! A secret of every kind, in every kind of place, whole and in pieces, is replaced.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::expect_used,
    reason = "a failure here is a failed test"
)]

mod samples;
mod sharing;

use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use redact::{Category, Certainty};
use samples::Sample;
use serde_json::{Value, json};
use sharing::{found, share};

/// A piece of a secret that is this long is a leak.
const LEAK: usize = 14;
/// Kinds that are not recognised in all wrapped forms, and why that is right. The tests fail if one of them is, so that the
/// list only gets shorter.
const NOT_WRAPPED: [(&str, &str); 13] = [
    ("url-basic-auth", OPEN),
    ("postgres-connection", OPEN),
    ("mysql-connection", OPEN),
    ("mongodb-connection", OPEN),
    ("redis-connection", OPEN),
    ("amqp-connection", OPEN),
    ("smtp-connection", OPEN),
    ("env-secret-assignment", SHORT),
    ("session-cookie", SHORT),
    ("x-api-key-header", SHORT),
    ("jwk-private", OBJECT),
    ("kubernetes-secret-yaml", OBJECT),
    ("paypal-braintree-access-token", "its `$` ends a word, so the line before it is not known to go on"),
];
const OPEN: &str =
    "a value without a length or an alphabet: where its line ends, it ends, or else what follows would be taken for it";
const SHORT: &str =
    "a short piece of a value looks like a word, and only a whole value beside a telling word is a secret";
const OBJECT: &str =
    "objects are matched line by line, because a name and its value stand on one line however they are laid out";

/// Fails if other kinds than those that cannot be recognised are left, or if one of these is always recognised.
fn compare(left: &BTreeSet<&str>, of: &str) {
    let known: BTreeSet<&str> = NOT_WRAPPED.iter().map(|(rule, _)| *rule).collect();
    let new: Vec<&&str> = left.difference(&known).collect();
    assert!(new.is_empty(), "{of}: {new:?} are left");
}

type Wrap = (&'static str, fn(&str) -> Vec<String>);

fn lines(values: &[Value]) -> Vec<String> {
    values.iter().map(Value::to_string).collect()
}

fn prompt(text: &str) -> Value {
    json!({"type": "user", "uuid": "9f0c2a44-5d7e-4b3a-8c21-0a1b2c3d4e5f", "message": {"role": "user", "content": text}})
}

/// Places for a text, each as lines of a transcript.
const PLACES: [Wrap; 14] = [
    ("a prompt", |text| lines(&[prompt(&format!("look: {text} ok?"))])),
    ("a command", |text| {
        lines(&[
            json!({"type": "assistant", "message": {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_01A", "name": "Bash", "input": {"command": format!("cat <<E\n{text}\nE")}}]}}),
        ])
    }),
    ("a result", |text| {
        lines(&[
            json!({"type": "user", "toolUseResult": {"stdout": text, "stderr": ""}, "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_01A", "content": [{"type": "text", "text": text}]}]}}),
        ])
    }),
    ("nested JSON", |text| lines(&[prompt(&json!({"log": text}).to_string())])),
    ("JSON nested twice", |text| lines(&[prompt(&json!({"log": json!({"line": text}).to_string()}).to_string())])),
    ("JSON in an attribute", |text| lines(&[prompt(&format!("payload={:?};", json!({"log": text}).to_string()))])),
    ("escaped characters", |text| {
        let escaped = text.encode_utf16().fold(String::new(), |escaped, unit| format!("{escaped}\\u{unit:04x}"));
        vec![format!(r#"{{"type":"user","message":{{"role":"user","content":"{escaped}"}}}}"#)]
    }),
    ("base64", |text| {
        lines(&[prompt(&format!("data {} end", STANDARD.encode(format!("the log of today: {text}\n"))))])
    }),
    ("base64 of URLs", |text| {
        lines(&[prompt(&format!("data {} end", URL_SAFE_NO_PAD.encode(format!("the log of today: {text}\n"))))])
    }),
    ("wrapped base64", |text| {
        let encoded =
            STANDARD.encode(format!("a log that is longer than one line of base64, so that it is wrapped\n{text}\n"));
        let wrapped: Vec<&str> = encoded.as_bytes().chunks(76).map(|line| std::str::from_utf8(line).unwrap()).collect();
        lines(&[prompt(&format!("data\n{}\nend", wrapped.join("\n")))])
    }),
    ("a key", |text| lines(&[json!({"type": "user", "toolUseResult": {"seen": {text: 1}}})])),
    ("a list", |text| lines(&[json!({"type": "user", "toolUseResult": {"values": ["first", text, "last"]}})])),
    ("a coloured text", |text| lines(&[prompt(&format!("\u{1b}[31m{text}\u{1b}[0m"))])),
    ("a damaged line", |text| {
        let mut line = prompt(&format!("look: {text} ok?")).to_string();
        line.truncate(line.len() - 3);
        vec![line]
    }),
];

/// The output without what stands between the pieces of a wrapped text.
fn squeezed(text: &str) -> String {
    let text = text.replace("\\n", "").replace("\\r", "").replace("│", "").replace("\\u001b[0m", "");
    text.chars().filter(|char| !char.is_whitespace() && !matches!(char, '"' | ',')).collect()
}

/// Whether a secret, or a telling piece of it, is still there.
fn leaks(output: &[String], secret: &str) -> Option<String> {
    let output = output.join("\n");
    let squeezed = squeezed(&output);
    let secret = squeezed_secret(secret);
    let chars: Vec<char> = secret.chars().collect();
    let length = LEAK.min(chars.len());
    chars.windows(length).map(|piece| piece.iter().collect::<String>()).find(|piece| squeezed.contains(piece.as_str()))
}

/// The part of a secret that is secret: a private key without its first and last line.
fn squeezed_secret(secret: &str) -> String {
    let secret = secret.strip_prefix("PuTTY-User-Key-File-").unwrap_or(secret);
    let body: Vec<&str> = secret.lines().filter(|line| !line.starts_with("-----")).collect();
    let body = if body.is_empty() { vec![secret] } else { body };
    squeezed(&body.join(""))
}

fn check(place: &str, sample: &Sample, lines: &[String], failures: &mut Vec<String>) {
    let output = share(lines);
    assert_eq!(output.len(), lines.len());
    let output: Vec<String> = output.iter().map(|line| line.replace(&format!("[{} ", sample.rule), "[")).collect();
    if let Some(piece) = leaks(&output, &sample.secret) {
        failures.push(format!("{} in {place}: {piece} is left", sample.rule));
    }
}

fn report(failures: &[String], of: usize) {
    for failure in failures.iter().take(60) {
        println!("{failure}");
    }
    assert!(failures.is_empty(), "{} of {of} are left", failures.len());
}

#[test]
fn every_rule_has_a_sample_and_every_sample_a_rule() {
    let rules: BTreeSet<&str> =
        redact::builtin().filter(|rule| rule.category == Category::Secret).map(|rule| rule.id).collect();
    let samples: BTreeSet<&str> = samples::SAMPLES.iter().map(|(rule, _)| *rule).collect();
    assert_eq!(rules, samples);
    assert_eq!(rules.len(), 272);
}

#[test]
fn secrets_of_every_kind_are_known_by_name() {
    let mut wrong = Vec::new();
    for seed in 0..5 {
        for sample in samples::all(seed) {
            let found = found(&[prompt(&sample.text()).to_string()]);
            if !found.iter().any(|finding| finding.rule == sample.rule) {
                let names: Vec<&str> = found.iter().map(|finding| finding.rule).collect();
                wrong.push(format!("{} is called {names:?}: {}", sample.rule, sample.text()));
            }
        }
    }
    report(&wrong, 5 * 272);
}

#[test]
fn secrets_of_every_kind_are_replaced_in_every_place() {
    let mut failures = Vec::new();
    for seed in 0..2 {
        for sample in samples::all(seed) {
            for (place, wrap) in PLACES {
                check(place, &sample, &wrap(&sample.text()), &mut failures);
            }
        }
    }
    report(&failures, 2 * 272 * PLACES.len());
}

/// The kinds that are left in some wrapped form.
fn left_if_wrapped() -> BTreeSet<&'static str> {
    let seams = ["\n", "\n    ", "  │\n│ ", "\r\n", "\u{1b}[0m"];
    let mut left = BTreeSet::new();
    for sample in samples::all(7).iter().filter(|sample| !sample.secret.contains('\n')) {
        for seam in seams {
            for length in [9, 16, 40] {
                let text = format!("look:\n{}\nok?", sample.cut(length, seam));
                let mut failures = Vec::new();
                check(&format!("pieces of {length} and {seam:?}"), sample, &lines(&[prompt(&text)]), &mut failures);
                for failure in &failures {
                    println!("{failure}");
                }
                left.extend((!failures.is_empty()).then_some(sample.rule));
            }
        }
    }
    left
}

/// The kinds that are left in pieces of lists, patches and numbered lines.
fn left_in_pieces() -> BTreeSet<&'static str> {
    let mut left = BTreeSet::new();
    for sample in &samples::all(8) {
        let mut failures = Vec::new();
        let cut = if sample.secret.contains('\n') { sample.text() } else { sample.cut(20, "\n") };
        let list: Vec<&str> = cut.split('\n').collect();
        check("a list", sample, &lines(&[json!({"type": "user", "toolUseResult": {"values": list}})]), &mut failures);
        let patch: Vec<String> = cut.split('\n').map(|line| format!("+{line}")).collect();
        let patch = json!({"type": "user", "toolUseResult": {"structuredPatch": [{"oldStart": 1, "lines": patch}]}});
        check("a patch", sample, &lines(&[patch]), &mut failures);
        for arrow in ["→", "\t"] {
            let numbered: Vec<String> =
                cut.split('\n').enumerate().map(|(at, line)| format!("{:6}{arrow}{line}", at + 1)).collect();
            check("numbered lines", sample, &lines(&[prompt(&numbered.join("\n"))]), &mut failures);
        }
        for failure in &failures {
            println!("{failure}");
        }
        left.extend((!failures.is_empty()).then_some(sample.rule));
    }
    left
}

#[test]
fn wrapped_secrets_are_replaced() {
    compare(&left_if_wrapped(), "wrapped");
}

#[test]
fn secrets_in_pieces_of_lists_and_patches_are_replaced() {
    compare(&left_in_pieces(), "in pieces");
}

#[test]
fn what_is_not_recognised_if_it_is_wrapped_is_listed_with_its_reason() {
    let left: BTreeSet<&str> = left_if_wrapped().union(&left_in_pieces()).copied().collect();
    let known: BTreeSet<&str> = NOT_WRAPPED.iter().map(|(rule, _)| *rule).collect();
    assert_eq!(left, known);
}

fn delta(text: &str, index: usize) -> Value {
    json!({"type": "stream_event", "session_id": "s", "parent_tool_use_id": null, "uuid": "u",
        "event": {"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": text}}})
}

#[test]
fn secrets_in_pieces_of_a_stream_are_replaced() {
    let mut failures = Vec::new();
    for sample in samples::all(9) {
        let chars: Vec<char> = sample.text().chars().collect();
        for length in [1, 5, 17] {
            let pieces = chars.chunks(length).map(|piece| piece.iter().collect::<String>());
            // Another block is streamed at the same time.
            let deltas: Vec<Value> = pieces.flat_map(|piece| [delta(&piece, 1), delta("other words ", 2)]).collect();
            check(&format!("deltas of {length}"), &sample, &lines(&deltas), &mut failures);
        }
        let input: Vec<char> = json!({"command": sample.text()}).to_string().chars().collect();
        let deltas: Vec<Value> = input
            .chunks(6)
            .map(|piece| {
                json!({"type": "stream_event", "event": {"type": "content_block_delta", "index": 0,
                "delta": {"type": "input_json_delta", "partial_json": piece.iter().collect::<String>()}}})
            })
            .collect();
        check("deltas of an input", &sample, &lines(&deltas), &mut failures);
    }
    report(&failures, 272 * 4);
}

#[test]
fn secrets_in_adjacent_blocks_and_lines_are_replaced() {
    let mut failures = Vec::new();
    for sample in samples::all(10).iter().filter(|sample| !sample.secret.contains('\n')) {
        let text = sample.text();
        let middle = sample.before.len() + sample.secret.len() / 2;
        let Some((first, second)) = text.split_at_checked(middle) else { continue };
        let block = |text: &str| json!({"type": "text", "text": text});
        let both =
            json!({"type": "assistant", "message": {"role": "assistant", "content": [block(first), block(second)]}});
        check("adjacent blocks", sample, &lines(&[both]), &mut failures);
        let line =
            |text: &str| json!({"type": "assistant", "message": {"role": "assistant", "content": [block(text)]}});
        check("adjacent lines", sample, &lines(&[line(first), line(second)]), &mut failures);
    }
    report(&failures, 272 * 2);
}

#[test]
fn a_value_that_is_split_is_replaced_where_nothing_else_tells_it() {
    let whole = prompt("DB_PASSWORD=tr0ub4dor&3x9");
    let lines = lines(&[whole, delta("it was tr0ub", 0), delta("4dor&", 0), delta("3x9, I think", 0)]);
    let output = share(&lines).join("\n");
    assert!(output.contains("it was [password 1]"), "{output}");
    assert!(!output.contains("4dor") && !output.contains("3x9"), "{output}");
}

#[test]
fn what_is_certain_in_the_table_of_facts_is_certain_here() {
    let likely: BTreeSet<&str> = samples::all(3)
        .iter()
        .flat_map(|sample| found(&[prompt(&sample.text()).to_string()]))
        .filter(|finding| finding.certainty == Certainty::Likely)
        .map(|finding| finding.rule)
        .collect();
    for certain in [
        "github-pat-classic",
        "gitlab-pat-routable",
        "npm-access-token",
        "anthropic-oauth-token",
        "jwt",
        "rsa-private-key",
        "postgres-connection",
        "github-app-installation-token-stateless",
    ] {
        assert!(!likely.contains(certain), "{certain}");
    }
}
