//! Any bytes: no panic, the structure of transcripts stays, and what is redacted once stays as it is.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failure here is a failed test")]

mod samples;
mod sharing;

use std::sync::LazyLock;
use std::time::Duration;

use format::Scratch;
use proptest::prelude::*;
use testkit::Rng;
use testkit::era::Era;
use testkit::mutate::mutate;
use testkit::root::{RootOptions, write_root};

use sharing::{detector, findings, share_bytes};

static LINES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("recount-redact-{}", std::process::id()));
    write_root(&folder, &RootOptions { bytes: 400_000, eras: Era::ALL.to_vec(), ..RootOptions::default() }).unwrap();
    let mut lines = Vec::new();
    collect(&folder, &mut lines);
    std::fs::remove_dir_all(&folder).unwrap();
    lines
});

fn collect(folder: &std::path::Path, lines: &mut Vec<Vec<u8>>) {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, lines);
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            lines.extend(std::fs::read(path).unwrap().split(|&byte| byte == b'\n').map(<[u8]>::to_vec));
        }
    }
}

/// A few lines with secrets in some of their strings.
fn planted(seed: u64) -> Vec<Vec<u8>> {
    let mut rng = Rng::new(seed);
    let samples = samples::all(seed);
    let first = rng.below(LINES.len());
    LINES[first..]
        .iter()
        .take(1 + rng.below(8))
        .map(|line| {
            let text = String::from_utf8_lossy(line).into_owned();
            let sample = &samples[rng.below(samples.len())];
            let json = serde_json::to_string(&sample.text()).unwrap();
            // Into a text of the line, if it has one.
            text.replacen("\"text\":\"", &format!("\"text\":\"{} ", json.trim_matches('"')), 1).into_bytes()
        })
        .collect()
}

/// Ids, parents, times and types of the entries of a line, and whether it is malformed.
fn shape(line: &[u8]) -> Vec<String> {
    let scratch = Scratch::default();
    let reading = format::read(line, &scratch);
    let entries = reading.entries.iter().map(|entry| {
        let envelope = &entry.envelope;
        format!(
            "{:?} {:?} {:?} {:?} {:?}",
            std::mem::discriminant(&entry.body),
            envelope.uuid,
            envelope.parent_uuid,
            envelope.session_id,
            envelope.timestamp
        )
    });
    entries.chain([format!("{:?} {}", reading.wrapping, reading.malformed.is_some())]).collect()
}

/// A value without the words of its strings: what must not change.
fn skeleton(value: &serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match value {
        Value::String(_) => Value::String(String::new()),
        Value::Array(values) => Value::Array(values.iter().map(skeleton).collect()),
        Value::Object(members) => Value::Array(members.values().map(skeleton).collect()),
        other => other.clone(),
    }
}

fn keeps_its_structure(lines: &[Vec<u8>]) {
    let output = share_bytes(detector(), lines);
    assert_eq!(output.len(), lines.len());
    for (before, after) in lines.iter().zip(&output) {
        assert!(!after.contains(&b'\n') || before.contains(&b'\n'));
        if let Ok(value) = serde_json::from_slice::<serde_json::Value>(before) {
            assert_eq!(shape(before), shape(after));
            let redacted: serde_json::Value = serde_json::from_slice(after).unwrap();
            assert_eq!(skeleton(&value), skeleton(&redacted));
        }
    }
    assert_eq!(output, share_bytes(detector(), lines), "the same lines give the same result");
    let again = share_bytes(detector(), &output);
    // A part of a value that was replaced as a whole may be found alone when the rest is gone, so the texts may differ.
    for (once, twice) in output.iter().zip(&again) {
        assert_eq!(shape(once), shape(twice), "redacting again changes the structure");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn transcripts_keep_lines_ids_and_types(seed in any::<u64>()) {
        keeps_its_structure(&planted(seed));
    }

    #[test]
    fn damaged_lines_are_no_trouble(seed in any::<u64>()) {
        let damaged = mutate(&planted(seed).join(&b'\n'), seed);
        let lines: Vec<Vec<u8>> = damaged.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
        prop_assert_eq!(share_bytes(detector(), &lines).len(), lines.len());
    }

    #[test]
    fn random_bytes_are_no_trouble(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        share_bytes(detector(), &[bytes]);
    }

    #[test]
    fn random_strings_are_no_trouble(text in "[a-zA-Z0-9:=@/._%\\\\\"'{}\\[\\],+ -]{0,300}") {
        let line = serde_json::json!({"text": text, "lines": [text, text]}).to_string();
        let output = share_bytes(detector(), &[line]);
        prop_assert!(serde_json::from_slice::<serde_json::Value>(&output[0]).is_ok());
    }
}

/// The processor time of this thread so far, which other load hardly changes.
#[cfg(target_os = "linux")]
fn work() -> Duration {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike as _;
    let used = getrusage(UsageWho::RUSAGE_THREAD).unwrap();
    let microseconds = used.user_time().num_microseconds() + used.system_time().num_microseconds();
    Duration::from_micros(microseconds.unsigned_abs())
}

#[cfg(target_os = "linux")]
#[test]
fn repeated_openings_take_linear_time() {
    let openings = [
        "eyJ",
        "eyJ-",
        "-----BEGIN RSA PRIVATE KEY-----\\n",
        "ghp_",
        "sk-ant-api03-",
        "xoxd-",
        "://a:",
        "@",
        "a@",
        "password=",
        "token: ",
        "\\\"",
        "\\\\",
        "%41",
        "AAAA",
        "1.1.1.",
        "a:b:",
        "aws key ",
        "\\\"kty\\\"",
        "kind: Secret ",
        "curl -u a",
        "authorization: bearer ",
        "/home/",
        "data: ",
        "\",\"",
        "PuTTY-User-Key-File-",
        "users: ",
        "[pypi] ",
        "A\\n",
        "server=",
        "-us1",
        "cookie: ",
    ];
    for opening in openings {
        let time = |count: usize| {
            let line = format!(r#"{{"a":["{}"]}}"#, opening.repeat(count));
            let started = work();
            findings(detector(), &[line]);
            work().saturating_sub(started)
        };
        time(100);
        let (small, large) = (time(16_000 / opening.len()), time(128_000 / opening.len()));
        // Eight times as much may take eight times as long, or twice that as long as what one keyword looks at is not
        // much shorter than the text; quadratic time would be sixty-four times.
        println!("{opening:?}: {small:?}, {large:?}");
        assert!(large < small * 40 + Duration::from_millis(150), "{opening:?}: {small:?}, then {large:?}");
    }
}
