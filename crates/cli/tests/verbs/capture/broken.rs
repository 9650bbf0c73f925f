//! Captures that are killed, and full disks.

use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::process::Stdio;
use std::time::Duration;

use record::{Run, Store, Stream};
use testkit::rng::Rng;

use super::fake::Stage;
use super::{kept, records};
use crate::index::faults::layer;

/// Everything that a capture with `--fsync` has printed is in the store, wherever the capture is killed.
#[test]
fn a_killed_capture_has_recorded_all_its_output() {
    const POINTS: u64 = 300;
    let mut rng = Rng::new(8);
    let mut script = String::from("init\n");
    for number in 0..200 {
        let _ = write!(script, "say {number} {}\nerr {number}\n", "x".repeat(rng.below(3000)));
    }
    let stage = Stage::new(&script);
    let whole = stage.claude(&[]).output().unwrap();
    let store = stage.sandbox.path(".local/share/recount/captures");
    let (mut torn, mut cut_short) = (0, 0);
    for point in 0..POINTS {
        let name = format!("c{point}");
        let mut command = stage.capture(&["--fsync", "always", "--conversation", &name], &[]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut output = child.stdout.take().unwrap();
        // The kill comes shortly after this many bytes: early and late, within lines and between them.
        let enough = whole.stdout.len() * usize::try_from(point).unwrap() / usize::try_from(POINTS).unwrap();
        let (reached, wait) = std::sync::mpsc::channel();
        let reader = std::thread::spawn(move || {
            let (mut seen, mut chunk) = (Vec::new(), [0; 4096]);
            loop {
                if seen.len() >= enough {
                    let _ = reached.send(());
                }
                match output.read(&mut chunk).unwrap() {
                    0 => return seen,
                    length => seen.extend_from_slice(&chunk[..length]),
                }
            }
        });
        let _ = wait.recv();
        std::thread::sleep(Duration::from_micros(rng.below(2000) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        let seen = reader.join().unwrap();
        assert!(whole.stdout.starts_with(&seen));
        cut_short += u64::from(seen.len() < whole.stdout.len());
        if !store.join("config.json").exists() || Store::open(&store).unwrap().conversation(&name).is_err() {
            assert_eq!(seen, b"", "point {point}");
            continue;
        }
        // The store opens again, and the torn line is kept separately.
        let workspace = records_workspace(&store, &name);
        let run = Run::new(&workspace, "claude").unwrap().in_conversation(&name).unwrap();
        let recorder = Store::open(&store).unwrap().record(run).unwrap();
        torn += u32::from(recorder.torn_aside().is_some());
        drop(recorder);
        let kept_output = kept(&stage, &name, Stream::Output);
        let acknowledged = seen.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        assert!(kept_output.starts_with(&seen[..acknowledged]), "point {point}");
        assert!(whole.stdout.starts_with(&kept_output), "point {point}");
        assert!(whole.stderr.starts_with(&kept(&stage, &name, Stream::Errors)), "point {point}");
        assert!(records(&stage, &name).iter().all(|record| record.conversation == name));
    }
    assert!(cut_short > POINTS / 2, "only {cut_short} were killed in time, {torn} torn");
}

fn records_workspace(store: &std::path::Path, name: &str) -> String {
    Store::open(store).unwrap().conversation(name).unwrap().workspace().to_owned()
}

/// Without a place to record to, the program runs all the same; the end says what is missing.
#[test]
fn a_program_runs_even_if_nothing_can_be_recorded() {
    let stage = Stage::new("say one\nerr careful\nsay two\n");
    let plain = stage.claude(&[]).output().unwrap();
    let nowhere = stage.sandbox.path("script").join("store");
    for is_default in [false, true] {
        for (script, code) in [("say one\nerr careful\nsay two\n", 2), ("say one\nerr careful\nsay two\nexit 3\n", 3)] {
            stage.plays(script);
            let options = if is_default { vec![] } else { vec!["--store", nowhere.to_str().unwrap()] };
            let output = stage.capture(&options, &[]).env("XDG_DATA_HOME", &nowhere).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.stdout, plain.stdout, "{said}");
            assert_eq!(output.status.code(), Some(code), "{said}");
            assert!(said.starts_with("careful\n") && said.contains("3 lines were not recorded: "), "{said}");
            assert!(said.contains("hint: the output was passed on anyway"), "{said}");
        }
    }
    // A mistake is told before anything runs.
    let log = stage.log().len();
    let busy = stage.capture(&["--conversation", "a/b"], &[]).output().unwrap();
    assert_eq!((busy.status.code(), stage.log().len()), (Some(2), log));
}

/// Wherever the disk becomes full, all output is passed on, an error is reported, and the recording is well-formed.
#[test]
fn a_full_disk_does_not_block_output() {
    let script = "say something\nwait 1\n".repeat(40);
    let stage = Stage::new(&script);
    let folder = tempfile::tempdir().unwrap();
    let layer = layer(folder.path());
    let store = stage.sandbox.path(".local/share/recount/captures");
    let plain = stage.claude(&[]).output().unwrap();
    let run = |kind: &str, at: usize| {
        let _ = fs::remove_dir_all(&store);
        let count = folder.path().join("count");
        let mut command = stage.capture(&["--conversation", "c", "--fsync", "always"], &[]);
        command.env("LD_PRELOAD", &layer).env("FAULT_FOLDER", &store).env("FAULT_COUNT", &count);
        let output = command.env("FAULT_KIND", kind).env("FAULT_AT", at.to_string()).output().unwrap();
        let count: usize = fs::read_to_string(count).unwrap().parse().unwrap();
        (output, count)
    };
    let (output, calls) = run("full", 0);
    assert!(output.status.success(), "{output:?}");
    let mut went_through = 0;
    for kind in ["full", "dead", "once"] {
        // Some calls anywhere, and the last ones: a busy machine writes lines together, so most calls only create the
        // store.
        for at in (1..calls).step_by(11).chain(calls.saturating_sub(8)..calls) {
            let (output, _) = run(kind, at);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.stdout, plain.stdout, "{kind} {at}: {said}");
            let is_begun = Store::open(&store).is_ok_and(|store| store.conversation("c").is_ok());
            if !is_begun {
                // The store could not be created.
                assert_eq!(output.status.code(), Some(2), "{kind} {at}: {said}");
                assert!(said.contains(" not recorded: cannot "), "{kind} {at}: {said}");
                continue;
            }
            went_through += 1;
            let all = kept(&stage, "c", Stream::Output);
            if output.status.success() {
                assert_eq!(all, plain.stdout, "{kind} {at}: {said}");
                continue;
            }
            assert_eq!(output.status.code(), Some(2), "{kind} {at}: {said}");
            assert!(said.contains("recorded") && said.contains("hint: the output was passed on"), "{said}");
            if kind != "once" {
                assert!(plain.stdout.starts_with(&all), "{kind} {at}");
            }
            let lines = |bytes: &[u8]| bytes.split(|byte| *byte == b'\n').count();
            assert!(lines(&all) <= lines(&plain.stdout));
        }
    }
    assert!(went_through > 10, "only {went_through} of {calls} calls");
}
