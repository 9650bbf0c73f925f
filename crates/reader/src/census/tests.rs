use super::*;
use sources::Problem;
use sources::Source;
use sources::find_at;
use sources::find_in_roots;
use sources::roots::Root;
use std::fs;
use std::path::PathBuf;
use testkit::{Session, entry};

/// The census of files with these contents, in a folder that the user named.
fn census_of(files: &[&[u8]]) -> Census {
    let dir = tempfile::tempdir().unwrap();
    for (number, bytes) in files.iter().enumerate() {
        fs::write(dir.path().join(format!("{number}.jsonl")), bytes).unwrap();
    }
    let mut counter = Counter::default();
    for (number, source) in find_at(&[dir.path().to_path_buf()]).sources.iter().enumerate() {
        counter.read(number, source, &|_| {}).unwrap();
    }
    counter.finish()
}

fn read_named(bytes: &[u8]) -> Result<Census, Problem> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    fs::write(&path, bytes).unwrap();
    let mut counter = Counter::default();
    counter.read(0, &find_at(&[path]).sources[0], &|_| {})?;
    Ok(counter.finish())
}

fn seen(count: u64, source: usize, line: u64) -> Seen {
    Seen { count, first: Some(SourceLine { source, line }) }
}

fn session() -> Session {
    let mut session = Session::new();
    session.prompt("what is in up.py?");
    let call = session.call("Bash", serde_json::json!({"command": "ls"}));
    let result = serde_json::json!({"stdout": "up.py", "stderr": "", "interrupted": false, "isImage": false});
    session.result(&call, "up.py", result);
    let call = session.call("Bash", serde_json::json!({"command": "false"}));
    session.failure(&call, "Exit code 1");
    session.call("Read", serde_json::json!({"file_path": "up.py"}));
    session.push(entry::system("turn_duration").with("durationMs", 12));
    session.push(entry::ai_title("Uploads"));
    session
}

#[test]
fn entries_blocks_and_tools_are_counted() {
    let text = session().jsonl();
    let census = census_of(&[text.as_bytes()]);
    assert_eq!(census.sources, [(SourceKind::Transcript, 1)].into());
    assert_eq!((census.lines, census.bytes), (8, text.len() as u64));
    let kinds = |tally: &Tally<Kinds>| -> Vec<(String, u64)> {
        tally.by_name().into_iter().map(|(name, kinds)| (name.to_owned(), kinds.count)).collect()
    };
    let expected = [("ai-title", 1), ("assistant", 3), ("system", 1), ("user", 3)];
    assert_eq!(kinds(&census.entries), expected.map(|(name, count)| (name.to_owned(), count)));
    assert_eq!(census.entries.get("system").unwrap().below.get("turn_duration"), Some(&1));
    let expected = [("tool_result", 2), ("tool_use", 3)];
    assert_eq!(kinds(&census.blocks), expected.map(|(name, count)| (name.to_owned(), count)));
    assert_eq!(census.tools.get("Bash"), Some(&ToolCount { calls: 2, results: 2, typed: 2, failed: 1 }));
    assert_eq!(census.tools.get("Read"), Some(&ToolCount { calls: 1, ..ToolCount::default() }));
    assert_eq!(census.without_call, ToolCount::default());
    assert_eq!(census.versions.get(entry::VERSION), Some(&7));
    assert!(!census.has_unknowns(), "{census:?}");
    assert_eq!(census.malformed.count, 0);
}

#[test]
fn results_without_their_call_are_counted_separately() {
    let result = entry::tool_result("toolu_lost").output("ok").line();
    let census = census_of(&[result.as_bytes()]);
    assert_eq!((census.without_call.results, census.tools.len()), (1, 0));
}

#[test]
fn unknowns_have_a_first_place_in_the_order_of_the_sources() {
    let known = entry::user("hi").line();
    let unknown = "{\"type\":\"brand-new\"}\n{\"type\":\"mode\",\"mode\":\"normal\",\"colour\":1}\n";
    let files = [known.clone() + "\n" + unknown, known.clone() + "\n\n" + unknown + unknown];
    let dir = tempfile::tempdir().unwrap();
    let paths: Vec<PathBuf> = (0..2).map(|number| dir.path().join(format!("{number}.jsonl"))).collect();
    paths.iter().zip(&files).for_each(|(path, text)| fs::write(path, text).unwrap());
    let sources = find_at(&paths).sources;
    let count = |numbers: &[usize]| {
        let mut counter = Counter::default();
        for &number in numbers {
            counter.read(number, &sources[number], &|_| {}).unwrap();
        }
        counter.finish()
    };
    let census = count(&[0, 1]);
    assert_eq!(census.unknown_kinds["entry"].get("brand-new"), Some(&seen(3, 0, 2)));
    let fields: Vec<_> = census.unknown_fields.values().filter_map(|fields| fields.get("colour")).collect();
    assert_eq!(fields, [&seen(3, 0, 3)]);
    assert_eq!(census.blank_lines, 1);
    assert!(census.has_unknowns());

    assert_eq!(count(&[1, 0]), census);
    let (mut first, mut second) = (count(&[1]), count(&[0]));
    first.absorb(count(&[0]));
    second.absorb(count(&[1]));
    assert_eq!((&first, &second), (&census, &census));
}

#[test]
fn damage_is_listed_and_the_rest_is_counted() {
    let known = entry::user("hi").line();
    let text = format!("{known}\n{{\"type\":\"mode\",,}}\n[{known},{known}]\n{known}{known}\n{{\"type\":\"us");
    let mut bytes = b"\0\0".to_vec();
    bytes.extend(text.as_bytes());
    let census = census_of(&[&bytes]);
    let malformed: Vec<_> = census.malformed.first.iter().map(|line| (line.place.line, line.unfinished)).collect();
    assert_eq!(malformed, [(2, false), (5, true)]);
    assert_eq!(census.malformed.count, 2);
    assert_eq!(census.entries.get("user").unwrap().count, 5);
    assert_eq!(census.wrapped, Wrapped { several: 1, arrays: 1, loglines: 0 });
    assert_eq!(census.repaired, Repaired { invalid_utf8: 0, debris: 1 });
}

#[test]
fn malformed_lines_beyond_the_limit_are_only_counted() {
    let lines = |from: u64, count: u64| {
        let mut lines = MalformedLines::default();
        for line in from..from + count {
            let place = SourceLine { source: 0, line };
            lines.push(MalformedLine { place, byte: 1, reason: String::new(), unfinished: false });
        }
        lines
    };
    let mut merged = lines(6000, 6000);
    merged.absorb(lines(0, 6000));
    assert_eq!((merged.count, merged.first.len()), (12_000, MalformedLines::KEPT));
    assert_eq!(merged, {
        let mut all = lines(0, 10_000);
        all.count = 12_000;
        all
    });
}

#[test]
fn named_files_must_be_transcripts() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    assert!(matches!(read_named(png), Err(Problem::NotATranscript { .. })));
    assert!(matches!(read_named(b"[package]\nname = \"x\"\n"), Err(Problem::NotATranscript { .. })));
    assert!(matches!(read_named(b"{\"a\":1}\n"), Err(Problem::NotATranscript { .. })));
    assert!(matches!(read_named(b""), Err(Problem::Empty { .. })));
    assert!(matches!(read_named(b"\n \n"), Err(Problem::Empty { .. })));
    let codex = b"{\"type\":\"session_meta\",\"payload\":{}}\n{\"type\":\"response_item\",\"payload\":{}}\n";
    assert!(matches!(read_named(codex), Err(Problem::Foreign { agent: Agent::Codex, .. })));
    assert!(read_named(b"{\"type\":\"mode\",\"mode\":\"normal\"}").is_ok());
}

#[test]
fn found_files_are_counted_as_what_they_are() {
    let codex = b"{\"type\":\"session_meta\",\"payload\":{}}\n";
    let census = census_of(&[codex, b"", b"{\"a\":1}\n", b"not json\n"]);
    assert_eq!((census.source_count(), &census.sources), (4, &[(SourceKind::Transcript, 1)].into()));
    assert_eq!(census.foreign[&Agent::Codex], Foreign { sources: 1, entries: seen(1, 0, 1) });
    assert_eq!((census.empty_sources, census.other_sources), (1, seen(1, 2, 1)));
    assert_eq!((census.malformed.count, census.lines), (1, 3));
    assert!(census.entries.is_empty());
}

#[test]
fn look_alikes_are_named_by_their_folders() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join(".openclaude/projects/-garden");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("a.jsonl"), session().jsonl()).unwrap();
    let mut counter = Counter::default();
    for (number, source) in find_at(&[dir.path().join(".openclaude/projects")]).sources.iter().enumerate() {
        counter.read(number, source, &|_| {}).unwrap();
    }
    let census = counter.finish();
    assert_eq!(census.foreign[&Agent::OpenClaude].sources, 1);
    assert!(census.sources.is_empty());
}

#[test]
fn a_message_spread_by_character_is_not_thousands_of_fields() {
    let fields: Vec<_> = "data: {}".chars().enumerate().map(|(at, c)| format!(r#""{at}":"{c}","#)).collect();
    let fields = fields.concat();
    let line = format!(r#"{{"type":"assistant","uuid":"a1","message":{{{fields}"content":[]}}}}"#);
    let census = census_of(&[line.as_bytes()]);
    assert!(!census.has_unknowns(), "{census:?}");
}

#[test]
fn unknown_bookkeeping_is_named() {
    let census = census_of(&[b"{\"type\":\"hologram\",\"sessionId\":\"s1\"}\n{\"type\":\"mode\"}\n"]);
    assert_eq!(census.unknown_kinds["entry"].get("hologram"), Some(&seen(1, 0, 1)));
}

#[test]
fn a_generated_root_is_read_as_it_was_written() {
    let dir = tempfile::tempdir().unwrap();
    let options = testkit::root::RootOptions { bytes: 2_000_000, seed: 5, ..testkit::root::RootOptions::default() };
    let written = testkit::root::write_root(dir.path(), &options).unwrap();
    let found = find_in_roots(&[Root { path: dir.path().to_path_buf(), named: true }]);
    let progress = std::cell::Cell::new(0);
    let mut counter = Counter::default();
    for (number, source) in found.sources.iter().enumerate() {
        counter.read(number, source, &|bytes| progress.set(progress.get() + bytes)).unwrap();
    }
    let census = counter.finish();
    assert_eq!(census.lines, written.lines + written.history_lines);
    assert_eq!(progress.get(), census.bytes);
    assert_eq!(census.entries.get("history").unwrap().count, written.history_lines);
    for (kind, count) in &written.entries {
        assert_eq!(census.entries.get(kind).unwrap().count, *count, "{kind}");
    }
    // Calls of a tool in the wrong case count for the tool.
    let mut tools: Vec<(&str, u64)> = Vec::new();
    for (tool, calls) in &written.tool_calls {
        match tools.iter_mut().find(|(name, _)| name.eq_ignore_ascii_case(tool)) {
            Some((_, sum)) => *sum += calls,
            None => tools.push((tool, *calls)),
        }
    }
    // A message that was spread by character has a call of Bash, which is no block of its line.
    let text_of = |source: &Source| fs::read_to_string(source.input.path().unwrap()).unwrap_or_default();
    let is_spread = |line: &&str| line.contains(r#""message":{"0":"#);
    let spread =
        found.sources.iter().map(|source| text_of(source).lines().filter(is_spread).count() as u64).sum::<u64>();
    for (tool, calls) in tools {
        let calls = calls + if tool == "Bash" { spread } else { 0 };
        assert_eq!(census.tools.get(tool).unwrap().calls, calls, "{tool}");
    }
    assert_eq!(census.malformed, MalformedLines::default());
}

#[test]
fn every_byte_is_counted_despite_damage() {
    let text = session().jsonl();
    let mut counter = Counter::default();
    let mut bytes = 0;
    let dir = tempfile::tempdir().unwrap();
    for seed in 0..300 {
        let damaged = testkit::mutate::mutate(text.as_bytes(), seed);
        let path = dir.path().join(format!("{seed}.jsonl"));
        fs::write(&path, &damaged).unwrap();
        let found = find_at(std::slice::from_ref(&path));
        let source = sources::Source { found_by: sources::FoundBy::Root, ..found.sources[0].clone() };
        counter.read(0, &source, &|_| {}).unwrap();
        bytes += damaged.len() as u64;
    }
    let census = counter.finish();
    assert_eq!((census.bytes, census.source_count()), (bytes, 300));
    assert!(census.malformed.count > 0 && census.has_unknowns());
}
