//! Peak memory, as a multiple of the longest line.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use nix::sys::resource::{UsageWho, getrusage};

use crate::sandbox::Sandbox;

/// The size of the long line.
const LONG: usize = 16 << 20;

/// What a run takes for a short line, with room for the system's pages.
const START: usize = 24 << 20;

const ENTRY: &str = r#""timestamp":"2026-08-01T10:00:00.000Z","sessionId":"s1","cwd":"/w","version":"2.1.200""#;

/// Writes a session with one long line: its text stands between `before` and `after`. The text is never in memory,
/// because the system counts the memory of a parent for its children.
fn write_long(path: &Path, lines: &str, before: &str, after: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut file = BufWriter::new(File::create(path).unwrap());
    write!(file, "{lines}{{{ENTRY},{before}").unwrap();
    let words = br"They are wet and the beds are dry, so that water is needed soon for all.\n";
    for _ in 0..LONG / words.len() {
        file.write_all(words).unwrap();
    }
    writeln!(file, "{after}}}").unwrap();
}

/// A prompt, a reply, a thought and a result, each as one long line.
fn long_sessions(sandbox: &Sandbox) -> Vec<String> {
    let call = r#"{"type":"assistant","uuid":"a1","message":{"id":"m1","model":"claude-opus-5","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"make"}}]}}"#;
    let said = r#""type":"assistant","uuid":"a1","message":{"id":"m1","model":"claude-opus-5","content":["#;
    let shapes = [
        ("prompt", String::new(), r#""type":"user","uuid":"u1","message":{"content":""#.to_owned(), r#""}"#),
        ("reply", String::new(), format!(r#"{said}{{"type":"text","text":""#), r#""}]}"#),
        ("thought", String::new(), format!(r#"{said}{{"type":"thinking","thinking":""#), r#""}]}"#),
        (
            "result",
            format!("{call}\n"),
            r#""type":"user","uuid":"u1","parentUuid":"a1","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":""#.to_owned(),
            r#""}]}"#,
        ),
    ];
    let write = |(name, lines, before, after): (&str, String, String, &str)| {
        let path = sandbox.path(&format!("{name}.jsonl"));
        write_long(&path, &lines, &before, after);
        path.display().to_string()
    };
    shapes.into_iter().map(write).collect()
}

/// The most memory that a run takes for one of these sessions, beyond what it takes for a short line, as a multiple of
/// the line, in tenths. The system counts for all runs of a process, so each test has bounds of one kind.
fn tenths(sessions: &[&str], verbs: &[&[&str]]) -> usize {
    let sandbox = Sandbox::new();
    for session in long_sessions(&sandbox).iter().filter(|path| sessions.iter().any(|name| path.contains(name))) {
        for verb in verbs {
            let mut command = Command::new(assert_cmd::cargo::cargo_bin!("recount"));
            command.arg(verb[0]).arg(session).args(&verb[1..]).env_clear().env("HOME", sandbox.path(""));
            let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
            assert!(status.code().is_some_and(|code| code < 2), "{verb:?} {session}: {status}");
        }
    }
    let peak = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss();
    (usize::try_from(peak).unwrap() * 1024).saturating_sub(START) * 10 / LONG
}

const ALL: [&str; 4] = ["prompt", "reply", "thought", "result"];

#[test]
fn a_line_is_read_in_three_times_its_size() {
    let taken = tenths(&ALL, &[&["check"], &["cat", "--type", "user,assistant"], &["cat", "--pretty"]]);
    assert!(taken <= 30, "{taken} tenths");
}

#[test]
fn a_long_text_is_printed_while_it_is_laid_out() {
    let full = ["show", "--detail", "full", "--thread", "all"];
    let taken = tenths(&["reply", "thought", "result"], &[&full, &["show", "--accounting"]]);
    assert!(taken <= 40, "{taken} tenths");
}

#[test]
fn a_long_text_is_held_a_few_times_where_it_is_replayed_or_one_line() {
    let taken = tenths(&ALL, &[&["show", "--detail", "full"], &["tail"], &["replay", "--cast", "-"]]);
    assert!(taken <= 85, "{taken} tenths");
}
