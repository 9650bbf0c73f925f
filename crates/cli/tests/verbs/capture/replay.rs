//! `recount replay`: sessions with their original timing.

use std::io::Read as _;
use std::process::Stdio;
use std::time::Instant;

use super::fake::Stage;

const SCRIPT: &str = "\
init
say hello \u{1b}[31mthere
wait 150
out {\"type\":\"assistant\",\"session_id\":\"$SESSION\",\"uuid\":\"u1\",\"message\":{\"id\":\"m9\",\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"Bash\",\"input\":{\"command\":\"ls -la\"}}]}}
wait 150
out {\"type\":\"user\",\"session_id\":\"$SESSION\",\"uuid\":\"u2\",\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"t1\",\"content\":\"a\\nb\"}]}}
raw ff 0a
result success 0.1
half the end";

#[test]
fn a_stream_is_replayed_byte_for_byte_with_its_timing() {
    let stage = Stage::new(SCRIPT);
    let output = stage.capture(&["--conversation", "c"], &[]).output().unwrap();
    let start = Instant::now();
    let again = stage.recount(&["replay", "--stream", "c"]).output().unwrap();
    assert!(again.status.success(), "{again:?}");
    assert_eq!(again.stdout, output.stdout);
    // A replay cannot be faster than the original.
    assert!(start.elapsed().as_millis() >= 290);
    let fast = stage.recount(&["replay", "--stream", "c", "--max-pause", "0s"]).output().unwrap();
    assert_eq!(fast.stdout, output.stdout);
}

#[test]
fn a_saved_stream_is_replayed_with_its_deltas() {
    let stage = Stage::new("init\npartial one two three\nout {\"type\":\"system\",\"text\":\"x\"}\nresult success 0.1");
    let saved = stage.claude(&[]).output().unwrap().stdout;
    stage.sandbox.write("saved.jsonl", &saved);
    let again = stage.recount(&["replay", "--stream", "./saved.jsonl", "--max-pause", "0s"]).output().unwrap();
    assert!(again.status.success(), "{again:?}");
    assert_eq!(String::from_utf8(again.stdout).unwrap(), String::from_utf8(saved).unwrap());
}

#[test]
fn the_named_capture_of_a_session_is_replayed() {
    const SESSION: &str = "5e551000-0000-4000-8000-000000000001";
    let stage = Stage::new("");
    // Their order differs from that of their names.
    let outputs = ["shop-one", "cart", "shop-two"].map(|name| {
        stage.plays(&format!("init\nsay in {name}\nresult success 0.1"));
        stage.capture(&["--conversation", name], &[]).output().unwrap().stdout
    });
    let entry = serde_json::json!({"type": "user", "uuid": "p1", "sessionId": SESSION, "cwd": "/home/ana/shop",
        "timestamp": "2026-08-08T09:15:00Z", "message": {"role": "user", "content": "hello"}});
    stage.sandbox.write(&format!(".claude/projects/-home-ana-shop/{SESSION}.jsonl"), format!("{entry}\n"));
    let [one, cart, two] = &outputs;
    let shop = [one.as_slice(), two].concat();
    let all = outputs.concat();
    let asked = [
        ("shop-one", one),
        ("cart", cart),
        ("ca", cart),
        ("shop-two", two),
        ("shop", &shop),
        (SESSION, &all),
        ("5e551000", &all),
        ("last", &all),
    ];
    for (name, wanted) in asked {
        let again = stage.recount(&["replay", "--stream", name, "--max-pause", "0s"]).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        assert_eq!(text(&again.stdout), text(wanted), "{name}: {}", text(&again.stderr));
    }
}

#[test]
fn a_closed_pipe_ends_a_replay() {
    let stage = Stage::new("say one\nwait 100\nsay two\nsay three");
    stage.capture(&["--conversation", "c"], &[]).output().unwrap();
    let mut child = stage.recount(&["replay", "--stream", "c"]).stdout(Stdio::piped()).spawn().unwrap();
    child.stdout.take().unwrap().read_exact(&mut [0; 10]).unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn text_appears_in_its_order_and_cannot_steer_a_terminal() {
    let stage = Stage::new(SCRIPT);
    stage.capture(&["--conversation", "c"], &[]).output().unwrap();
    let output = stage.recount(&["replay", "c", "--speed", "100"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains('\u{1b}'), "{text}");
    let places = ["hello there", "… Bash ls -la", "  Bash ls -la · a (2 lines)", "success"];
    let at: Vec<_> = places.iter().map(|part| text.find(part)).collect();
    assert!(at.iter().all(Option::is_some) && at.is_sorted(), "{at:?}\n{text}");
}

/// Checks a recording strictly against the description of the format.
fn read_strictly(cast: &str) -> Vec<(f64, String)> {
    let mut lines = cast.lines();
    let header: serde_json::Value = serde_json::from_str(lines.next().unwrap()).unwrap();
    let header = header.as_object().unwrap();
    assert_eq!(header["version"], 2);
    assert!(header["width"].as_u64().unwrap() > 0 && header["height"].as_u64().unwrap() > 0);
    for (key, value) in header {
        match key.as_str() {
            "version" | "width" | "height" => {}
            "timestamp" => assert!(value.is_u64()),
            "title" => assert!(value.is_string()),
            "env" => assert!(value.as_object().unwrap().values().all(serde_json::Value::is_string)),
            other => assert_eq!(other, "a key of the header"),
        }
    }
    let mut events = Vec::new();
    for line in lines {
        let (time, kind, data): (f64, String, String) = serde_json::from_str(line).unwrap();
        assert_eq!(kind, "o");
        assert!(time >= events.last().map_or(0.0, |(before, _)| *before) && time.is_finite());
        assert!(!data.replace("\r\n", "").contains(['\n', '\r']), "{data:?}");
        events.push((time, data));
    }
    assert!(cast.ends_with('\n'));
    events
}

/// The first number with this key in a document.
fn find(value: &serde_json::Value, key: &str) -> Option<f64> {
    match value {
        serde_json::Value::Object(fields) => match fields.get(key).and_then(serde_json::Value::as_f64) {
            Some(number) => Some(number),
            None => fields.values().find_map(|value| find(value, key)),
        },
        serde_json::Value::Array(items) => items.iter().find_map(|item| find(item, key)),
        _ => None,
    }
}

#[test]
fn a_recording_has_a_valid_format_and_the_right_times() {
    let stage = Stage::new(SCRIPT);
    stage.capture(&["--conversation", "c", "--title", "A \"demo\""], &[]).output().unwrap();
    assert!(stage.recount(&["replay", "c", "--cast", "c.cast"]).output().unwrap().status.success());
    let cast = std::fs::read_to_string(stage.sandbox.path("c.cast")).unwrap();
    let events = read_strictly(&cast);
    assert!(cast.starts_with('{') && cast.lines().next().unwrap().contains("A \\\"demo\\\""));
    let time = |text: &str| events.iter().find(|(_, data)| data.contains(text)).map(|(at, _)| *at).unwrap();
    // The call runs as long as it was recorded to run, however busy the machine was.
    let ran = time("a (2 lines)") - time("… ");
    let story = stage.recount(&["show", "c", "--format", "json"]).output().unwrap();
    let story: serde_json::Value = serde_json::from_slice(&story.stdout).unwrap();
    let recorded = find(&story, "duration_ms").expect("the call has a duration") / 1000.0;
    assert!((ran - recorded).abs() < 0.002, "{ran}, not {recorded}");
    let all: String = events.iter().map(|(_, data)| data.as_str()).collect();
    assert!(all.contains("ls -la"));
    let fast = stage.recount(&["replay", "c", "--cast", "-", "--speed", "100"]).output().unwrap();
    let fast = read_strictly(std::str::from_utf8(&fast.stdout).unwrap());
    assert!(fast.last().unwrap().0 < events.last().unwrap().0 / 50.0);
    // The same for a transcript.
    let turn = stage.recount(&["replay", "c", "--cast", "-", "--from", "9"]).output().unwrap();
    assert!(String::from_utf8_lossy(&turn.stderr).contains("there is no turn 9: the last one is 1"));
}
