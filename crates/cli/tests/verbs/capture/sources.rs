//! Captures in every list, story, search, count and check of sessions.

use std::path::Path;

use record::{Run, Store, Stream};

use super::fake::Stage;
use super::kept;

const SESSION: &str = "5e551000-0000-4000-8000-000000000001";

const SCRIPT: &str = "\
init
err a complaint on the side
partial first some words
out {\"type\":\"assistant\",\"session_id\":\"$SESSION\",\"uuid\":\"0000000b-0000-4000-8000-000000000001\",\"message\":{\"id\":\"msg_c\",\"role\":\"assistant\",\"model\":\"claude-opus-5\",\"content\":[{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"Bash\",\"input\":{\"command\":\"rm -r /\"}}],\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}
out {\"type\":\"user\",\"session_id\":\"$SESSION\",\"uuid\":\"0000000b-0000-4000-8000-000000000002\",\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"toolu_1\",\"content\":\"not allowed\",\"is_error\":true}]}}
out {\"type\":\"system\",\"subtype\":\"permission_denied\",\"session_id\":\"$SESSION\",\"tool_name\":\"Bash\",\"tool_use_id\":\"toolu_1\",\"message\":\"denied by a rule\"}
result success 0.1
say second answer
result error_max_turns 0.25
exit 1";

fn run(stage: &Stage, arguments: &[&str]) -> String {
    let output = stage.recount(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn json(stage: &Stage, arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&run(stage, arguments)).unwrap()
}

#[test]
fn a_capture_without_a_title_is_named_after_its_prompt() {
    let stage = Stage::new("init\nsay done");
    stage.capture(&[], &["-p", "tidy the shed", "--verbose"]).output().unwrap();
    let listed = json(&stage, &["ls", "--json"])["sessions"][0].clone();
    assert_eq!(listed["title"], "tidy the shed");
    // The shortened name in lists is enough to find it.
    let name = listed["session"].as_str().unwrap();
    assert!(name.len() > 8 && run(&stage, &["show", &name[..8]]).contains("done"), "{name}");
}

#[test]
fn a_capture_is_an_ordinary_session() {
    let stage = Stage::new(SCRIPT);
    stage.capture(&["--conversation", "c", "--title", "Clean up"], &["-p", "tidy"]).output().unwrap();
    let listed = run(&stage, &["ls"]);
    assert!(listed.contains("Clean up"), "{listed}");
    for name in ["c", SESSION, "5e551000", "last", "clean"] {
        let shown = run(&stage, &["show", name]);
        for part in
            ["stderr: a complaint", "first some words", "second answer", "exit code 1", "= error_max_turns", "denied"]
        {
            assert!(shown.contains(part), "{name}: no {part} in\n{shown}");
        }
        assert_eq!(shown.matches("first some words").count(), 1, "{shown}");
    }
    assert!(run(&stage, &["search", "complaint"]).contains("complaint on the side"));
    assert!(run(&stage, &["search", "second", "answer"]).contains("Clean up"));
    let usage = json(&stage, &["usage", "session", "--json"]);
    assert!(usage.to_string().contains("0.25"), "{usage}");
    assert_eq!(run(&stage, &["check"]).matches("malformed").count(), 0);
    let tail = run(&stage, &["tail", "c"]);
    assert!(tail.contains("second answer"), "{tail}");
    let raw = stage.recount(&["cat", "c"]).output().unwrap().stdout;
    let store = Store::open(&stage.sandbox.path(".local/share/recount/captures")).unwrap();
    assert_eq!(raw, std::fs::read(store.conversation("c").unwrap().path()).unwrap());
    run(&stage, &["export", "md", "site"]);
    let accounting = json(&stage, &["show", "c", "--format", "json"])["accounting"].clone();
    let sum: u64 =
        ["shown", "duplicate", "malformed", "unknown"].iter().map(|key| accounting[*key].as_u64().unwrap()).sum();
    let bookkeeping: u64 = accounting["bookkeeping"].as_object().unwrap().values().map(|it| it.as_u64().unwrap()).sum();
    assert_eq!(sum + bookkeeping, accounting["lines"].as_u64().unwrap());
    assert_eq!(accounting["unknown"], 0, "{accounting}");
}

/// The same session as a transcript of Claude Code.
fn transcript() -> String {
    let entry = |kind: &str, uuid: &str, parent: Option<&str>, second: i64, message: serde_json::Value| {
        serde_json::json!({
            "type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": SESSION, "cwd": "/home/ana/shop",
            "timestamp": (jiff::Timestamp::now() - jiff::SignedDuration::from_secs(10 - second)).to_string(), "version": "2.1.325", "message": message,
        })
    };
    let text = |id: &str, text: &str| {
        serde_json::json!({"id": id, "role": "assistant", "model": "claude-opus-5", "content": [{"type": "text", "text": text}],
            "usage": {"input_tokens": 10, "output_tokens": 5}})
    };
    let (a, b) = ("00000002-0000-4000-8000-000000000002", "0000000b-0000-4000-8000-000000000001");
    let (c, d) = ("0000000b-0000-4000-8000-000000000002", "00000002-0000-4000-8000-000000000004");
    let call = serde_json::json!({"id": "msg_c", "role": "assistant", "model": "claude-opus-5", "content":
        [{"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "rm -r /"}}],
        "usage": {"input_tokens": 1, "output_tokens": 1}});
    let result = serde_json::json!({"role": "user", "content":
        [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "not allowed", "is_error": true}]});
    let prompt = serde_json::json!({"role": "user", "content": "tidy up, please"});
    let lines = [
        entry("user", "p1", None, 0, prompt),
        entry("assistant", a, Some("p1"), 1, text("msg_000002", "first some words")),
        entry("assistant", b, Some(a), 2, call),
        entry("user", c, Some(b), 3, result),
        entry("assistant", d, Some(c), 4, text("msg_000004", "second answer")),
    ];
    lines.map(|line| line.to_string() + "\n").concat()
}

#[test]
fn a_capture_and_the_transcript_of_its_session_are_one() {
    let stage = Stage::new(SCRIPT);
    stage.capture(&["--conversation", "c"], &["-p", "tidy"]).output().unwrap();
    // The list contains the capture before the transcript exists.
    assert_eq!(json(&stage, &["ls", "--json"])["sessions"].as_array().unwrap().len(), 1);
    stage.sandbox.write(&format!(".claude/projects/-home-ana-shop/{SESSION}.jsonl"), transcript());
    let listed = json(&stage, &["ls", "--json"]);
    let sessions = listed["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 1, "{listed}");
    for name in [SESSION, "c", "last"] {
        let shown = run(&stage, &["show", name]);
        let once = [
            "❯ tidy up, please",
            "first some words",
            "Bash rm -r /",
            "second answer",
            "stderr: a complaint",
            "= error_max_turns",
        ];
        for part in once {
            assert_eq!(shown.matches(part).count(), 1, "{name}: {part} in\n{shown}");
        }
        let places: Vec<_> = ["❯ tidy up", "first some", "Bash rm", "= success", "second answer", "= error_max_turns"]
            .map(|part| shown.find(part))
            .into();
        assert!(places.is_sorted(), "{places:?}\n{shown}");
    }
    let document = json(&stage, &["show", SESSION, "--format", "json"]);
    let roles: Vec<&str> =
        document["sources"].as_array().unwrap().iter().map(|it| it["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["main", "capture"]);
    let accounting = &document["accounting"];
    assert_eq!(accounting["duplicate"], 4, "{accounting}");
    assert_eq!(accounting["unknown"], 0, "{accounting}");
    // The cost is the one that the stream states, counted once.
    let usage = json(&stage, &["usage", "session", "--json"]);
    assert_eq!(usage["rows"].as_array().unwrap().len(), 1, "{usage}");
    assert!(usage["rows"][0].to_string().contains("0.25"), "{usage}");
    assert_eq!(json(&stage, &["check", "--json"])["sources"]["captures"], 1);
    // Text in both is found once, and text in the capture alone is found there.
    for way in [&[][..], &["--no-index"]] {
        let count = |word: &str| {
            let found = json(&stage, &[&["search", "-c", "--json", word], way].concat());
            (found["entries"].as_u64().unwrap(), found["sessions"].as_u64().unwrap())
        };
        assert_eq!(["answer", "complaint", "allowed"].map(count), [(1, 1), (1, 1), (1, 1)], "{way:?}");
    }
    // Without the transcript, the capture is listed again.
    std::fs::remove_file(stage.sandbox.path(&format!(".claude/projects/-home-ana-shop/{SESSION}.jsonl"))).unwrap();
    assert_eq!(json(&stage, &["ls", "--json"])["sessions"].as_array().unwrap().len(), 1);
    assert!(run(&stage, &["show", "c"]).contains("second answer"));
}

/// One conversation may contain many runs, each a session of its own.
#[test]
fn a_conversation_may_have_many_sessions() {
    let stage = Stage::new("");
    let sessions = ["11111111-0000-4000-8000-000000000001", "22222222-0000-4000-8000-000000000002"];
    for (number, session) in sessions.iter().enumerate() {
        let words = ["water the beds", "paint the fence"][number];
        let message = serde_json::json!({"id": format!("msg_{number}"), "role": "assistant", "model": "claude-opus-4-5",
            "content": [{"type": "text", "text": words}], "stop_reason": "end_turn",
            "usage": {"input_tokens": 1000, "output_tokens": 100}});
        let streamed = serde_json::json!({"type": "assistant", "uuid": format!("u{number}"), "session_id": session,
            "message": message});
        let result = serde_json::json!({"type": "result", "subtype": "success", "is_error": false, "uuid": format!("r{number}"),
            "session_id": session, "total_cost_usd": 0.5});
        stage.plays(&format!("out {streamed}\nout {result}"));
        stage.capture(&["--conversation", "nightly"], &["-p", "go"]).output().unwrap();
        let written = serde_json::json!({"type": "assistant", "uuid": format!("u{number}"), "sessionId": session,
            "requestId": format!("q{number}"), "timestamp": jiff::Timestamp::now().to_string(), "cwd": "/w", "message": message});
        stage.sandbox.write(&format!(".claude/projects/-w/{session}.jsonl"), format!("{written}\n"));
    }
    // All of it is shown, although no transcript has all of it.
    let shown = run(&stage, &["show", "nightly"]);
    assert!(shown.contains("water the beds") && shown.contains("paint the fence"), "{shown}");
    // Each is counted once.
    let usage = json(&stage, &["usage", "session", "--json"]);
    let cost = |of: &serde_json::Value| of["cost_usd"].as_f64().unwrap();
    assert!((cost(&usage["totals"]) - 1.0).abs() < 1e-9, "{usage:#}");
    let of_session =
        |session: &str| usage["rows"].as_array().unwrap().iter().find(|row| row["session"] == session).map(cost);
    assert_eq!(sessions.map(of_session), [Some(0.5), Some(0.5)], "{usage:#}");
    std::fs::remove_file(stage.sandbox.path(&format!(".claude/projects/-w/{}.jsonl", sessions[1]))).unwrap();
    assert!(run(&stage, &["show", "nightly"]).contains("paint the fence"));
}

/// In the format of last year, entries have no ids.
#[test]
fn messages_are_known_by_their_ids_too() {
    let said = |id: &str, text: &str| {
        let message = serde_json::json!({"id": id, "role": "assistant", "content": [{"type": "text", "text": text}]});
        format!("out {}\n", serde_json::json!({"type": "assistant", "session_id": SESSION, "message": message}))
    };
    let stage = Stage::new(&[said("msg_000002", "first some words"), said("msg_000004", "second answer")].concat());
    stage.capture(&["--conversation", "c"], &["-p", "tidy"]).output().unwrap();
    stage.sandbox.write(&format!(".claude/projects/-home-ana-shop/{SESSION}.jsonl"), transcript());
    let accounting = json(&stage, &["show", SESSION, "--format", "json"])["accounting"].clone();
    assert_eq!(accounting["duplicate"], 2, "{accounting}");
}

/// Every published stream is passed on, recorded, shown and counted.
#[test]
fn all_streams_of_the_corpus_are_captured() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/stream-json");
    let Ok(files) = std::fs::read_dir(&corpus) else { return };
    let stage = Stage::new("");
    let store = stage.sandbox.path("store");
    let mut costs = Vec::new();
    for (number, file) in files.enumerate() {
        let path = file.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        let name = format!("c{number}");
        stage.plays(&format!("file {}", path.display()));
        let output = stage.capture(&["--conversation", &name], &[]).output().unwrap();
        assert!(output.status.success() && output.stdout == bytes, "{}", path.display());
        assert_eq!(kept(&stage, &name, Stream::Output), bytes);
        let again = stage.recount(&["replay", "--stream", "--max-pause", "0s", &name]).output().unwrap();
        assert_eq!(again.stdout, bytes, "{}", path.display());
        // The cost in the store equals that of the results.
        let text = String::from_utf8(bytes.clone()).unwrap();
        let messages = text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        let stating = messages.filter(|message| message["type"] == "result" && message["is_error"].is_boolean());
        let (sessions, results): (Vec<String>, Vec<f64>) = stating
            .filter_map(|message| {
                Some((message["session_id"].as_str()?.to_owned(), message["total_cost_usd"].as_f64()?))
            })
            .unzip();
        let kept = Store::open(&stage.sandbox.path(".local/share/recount/captures")).unwrap();
        let totals = kept.conversation(&name).unwrap().summary().unwrap().totals;
        // Running totals grow; a smaller one belongs to another process.
        let ends = results.iter().enumerate().filter(|(at, sum)| results.get(at + 1).is_none_or(|next| next < sum));
        let stated: f64 = ends.map(|(_, sum)| sum).sum();
        assert!((totals.cost_usd - stated).abs() < 1e-9, "{}: {totals:?} {results:?}", path.display());
        // A stream may contain several sessions.
        if let Some(session) = sessions.first() {
            let own = sessions.iter().zip(&results).filter(|(of, _)| *of == session).map(|(_, sum)| *sum);
            let own: Vec<f64> = own.collect();
            let ends = own.iter().enumerate().filter(|(at, sum)| own.get(at + 1).is_none_or(|next| next < sum));
            costs.push((
                name.clone(),
                session.clone(),
                ends.map(|(_, sum)| sum).sum::<f64>(),
                path.display().to_string(),
            ));
        }
        let shown = stage.recount(&["show", &name]).output().unwrap();
        assert!(shown.status.success(), "{}: {shown:?}", path.display());
    }
    // The report agrees.
    let usage = json(&stage, &["usage", "session", "--json"]);
    let rows = usage["rows"].as_array().unwrap();
    assert!(costs.len() > 8, "{costs:?}");
    for (_, session, stated, path) in &costs {
        // A captured conversation has the same name as in lists; of several with one session, one has the usage.
        let mut names = costs.iter().filter(|(_, of, ..)| of == session).map(|(name, ..)| name.as_str());
        let row = names.find_map(|name| rows.iter().find(|row| row["session"] == name));
        let row = row.unwrap_or_else(|| panic!("{path}: no row"));
        // What a stream states is believed, even if its messages have more tokens.
        assert_eq!(row["quality"], "exact", "{path}: {row}");
        assert!((row["cost_usd"].as_f64().unwrap() - stated).abs() < 1e-9, "{path}: {row} {stated}");
    }
    // A store elsewhere is passed as a root.
    let run_elsewhere = Run::new("w", "a").unwrap().in_conversation("elsewhere").unwrap();
    let mut recorder = Store::at(&store).unwrap().record(run_elsewhere).unwrap();
    recorder.push(Stream::Output, b"{\"type\":\"assistant\",\"message\":{\"content\":\"far away\"}}\n").unwrap();
    drop(recorder);
    assert!(run(&stage, &["show", "elsewhere", "--root", store.to_str().unwrap()]).contains("far away"));
}
