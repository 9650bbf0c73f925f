use super::*;
use serde_json::Value;

fn written(options: &StreamOptions) -> (Vec<u8>, StreamWritten) {
    let mut bytes = Vec::new();
    let written = write_stream(&mut bytes, options).unwrap();
    assert_eq!(bytes.len() as u64, written.bytes);
    (bytes, written)
}

fn lines(bytes: &[u8]) -> Vec<Value> {
    std::str::from_utf8(bytes).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_run_has_all_its_messages() {
    let options = StreamOptions { bytes: 800_000, partial_messages: true, ..StreamOptions::default() };
    let (bytes, written) = written(&options);
    let messages = lines(&bytes);
    assert_eq!(messages.len() as u64, written.messages);
    for kind in [
        "assistant",
        "user",
        "stream_event",
        "result",
        "rate_limit_event",
        "tool_progress",
        "system/init",
        "system/hook_started",
        "system/hook_response",
        "system/status",
        "system/api_retry",
        "system/task_started",
        "system/task_notification",
        "system/compact_boundary",
        "system/permission_denied",
        "system/thinking_tokens",
    ] {
        assert!(written.kind_of(kind) > 0, "no {kind}");
    }
    assert_eq!(written.kind_of("result"), written.turns);
    assert_eq!(written.kind_of("system/init"), written.turns);
    assert!(messages.iter().all(|message| message["session_id"].is_string()));
    assert!(messages.iter().any(|message| message["parent_tool_use_id"].is_string()));
}

#[test]
fn deltas_add_up_to_the_blocks() {
    let options = StreamOptions { bytes: 20_000, partial_messages: true, ..StreamOptions::default() };
    let messages = lines(&written(&options).0);
    let mut typed = String::new();
    let mut checked = 0;
    for message in &messages {
        match message["type"].as_str() {
            Some("stream_event") => match message["event"]["type"].as_str() {
                Some("message_start") => typed.clear(),
                _ => typed.push_str(message["event"]["delta"]["text"].as_str().unwrap_or_default()),
            },
            Some("assistant") if message["message"]["content"][0]["type"] == "text" => {
                assert_eq!(message["message"]["content"][0]["text"], typed);
                checked += 1;
            }
            _ => {}
        }
    }
    assert!(checked > 0);
}

#[test]
fn wrappings_contain_the_same_conversation() {
    let of = |wrapping| {
        let options = StreamOptions { bytes: 30_000, wrapping, ..StreamOptions::default() };
        written(&options)
    };
    let (plain, counted) = of(Wrapping::Lines);
    let plain = lines(&plain);
    let array: Value = serde_json::from_slice(&of(Wrapping::Array).0).unwrap();
    assert_eq!(array.as_array().unwrap(), &plain);
    assert!(of(Wrapping::Array).0.starts_with(b"[\n  {\n    \"type\": \"system\""));
    let web: Value = serde_json::from_slice(&of(Wrapping::LogLines).0).unwrap();
    let spoken = counted.kind_of("user") + counted.kind_of("assistant");
    assert_eq!(web["loglines"].as_array().unwrap().len() as u64, spoken);
    let single: Value = serde_json::from_slice(&of(Wrapping::SingleResult).0).unwrap();
    assert_eq!(&single, plain.iter().rfind(|message| message["type"] == "result").unwrap());
    let audit = lines(&of(Wrapping::Audit).0);
    assert_eq!(audit.len(), plain.len());
    assert!(audit.iter().all(|message| message["_audit_hmac"].is_string()));
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let options = StreamOptions { seed: 4, ..StreamOptions::default() };
    assert_eq!(written(&options), written(&options));
    assert_ne!(written(&options).0, written(&StreamOptions { seed: 5, ..options.clone() }).0);
}
