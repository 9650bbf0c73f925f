//! `recount capture`: the output it passes on, the recording, and the exit.

mod broken;
pub(crate) mod fake;
mod import;
mod leftovers;
mod replay;
mod resume;
mod sources;

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::Stdio;

use record::{Content, Event, Outcome, Record, Store, Stream};

use fake::Stage;

/// A stream with everything that is difficult to handle.
const AWKWARD: &str = "\
init
err warming up
say hello
partial one two three four
raw ff fe 7b 7d 0a
out  {\"type\": \"user\" , \"x\":1.50}
half {\"type\":\"assist
wait 20
err in between
out ant\"}
huge 3000000
out
out plain text \"quoted\"
raw 7b 7d 0d 0a 00 01 0a
result error_max_turns 0.25
half the end";

fn kept(stage: &Stage, name: &str, stream: Stream) -> Vec<u8> {
    records(stage, name).iter().filter(|record| record.stream == Some(stream)).flat_map(Record::line).collect()
}

fn records(stage: &Stage, name: &str) -> Vec<Record> {
    let store = Store::open(&stage.sandbox.path(".local/share/recount/captures")).unwrap();
    store.conversation(name).unwrap().records().unwrap().map(Result::unwrap).collect()
}

#[test]
fn output_is_passed_on_byte_for_byte_and_recorded() {
    let stage = Stage::new(AWKWARD);
    let plain = stage.claude(&["-p"]).output().unwrap();
    for fsync in ["always", "interval", "never"] {
        let output = stage.capture(&["--conversation", fsync, "--fsync", fsync], &["-p"]).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        assert_eq!(output.stdout, plain.stdout, "{fsync}");
        assert!(String::from_utf8_lossy(&output.stderr).starts_with("warming up\nin between\n"), "{output:?}");
        assert_eq!(kept(&stage, fsync, Stream::Output), plain.stdout);
        assert_eq!(kept(&stage, fsync, Stream::Errors), plain.stderr);
    }
    let records = records(&stage, "never");
    let Content::Event(Event::Start { command, cwd, .. }) = &records[0].content else { panic!("{:?}", records[0]) };
    assert_eq!(
        (command[1].as_str(), cwd.as_deref()),
        ("-p", stage.sandbox.path("").to_str().map(|p| p.trim_end_matches('/')))
    );
    assert_eq!(records.last().unwrap().content, Content::Event(Event::End(Outcome::code(0))));
    assert!(records.iter().any(|record| record.cost_usd == Some(0.25) && record.duration_ms == Some(1500)));
}

#[test]
fn lines_are_passed_on_immediately() {
    let stage = Stage::new("say one\nhear\nhalf tw\nhear\nout o\nhear");
    let mut child = stage
        .capture(&["--input", "--conversation", "c"], &[])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert!(line.contains("one"), "{line}");
    input.write_all(b"{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"go on\"}}\n").unwrap();
    // Half a line is passed on as well.
    let mut half = [0; 2];
    output.read_exact(&mut half).unwrap();
    assert_eq!(&half, b"tw");
    input.write_all(b"more\n").unwrap();
    line.clear();
    output.read_line(&mut line).unwrap();
    assert_eq!(line, "o\n");
    input.write_all(b"end").unwrap();
    drop(input);
    assert!(child.wait().unwrap().success());
    assert_eq!(stage.heard().len(), 3);
    let said = b"{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"go on\"}}\nmore\nend";
    assert_eq!(kept(&stage, "c", Stream::Input), said);
    // Lines of both directions are recorded in order.
    let streams: Vec<_> = records(&stage, "c").iter().filter_map(|record| record.stream).collect();
    assert_eq!(streams[..4], [Stream::Output, Stream::Input, Stream::Input, Stream::Output]);
}

#[test]
fn the_exit_code_is_that_of_the_program() {
    for (script, code, outcome) in
        [("exit 3", 3, Outcome::code(3)), ("say x\ncrash", 134, Outcome::signal(6)), ("", 0, Outcome::code(0))]
    {
        let stage = Stage::new(script);
        let output = stage.capture(&["--conversation", "c"], &[]).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{script}: {output:?}");
        assert_eq!(records(&stage, "c").last().unwrap().content, Content::Event(Event::End(outcome)));
    }
    let stage = Stage::new("");
    let output = stage.sandbox.recount(&["capture", "--", "/no/such/program"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot run /no/such/program"), "{output:?}");
}

#[test]
fn signals_reach_the_program() {
    use rustix::process::{Pid, Signal, kill_process};
    for (signal, code) in [(Signal::TERM, 143), (Signal::INT, 130), (Signal::HUP, 129)] {
        let stage = Stage::new("say ready\nstay");
        let mut command = stage.capture(&["--input", "--conversation", "c"], &[]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        kill_process(Pid::from_child(&child), signal).unwrap();
        let mut rest = Vec::new();
        child.stdout.take().unwrap().read_to_end(&mut rest).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(code));
        let last = records(&stage, "c").pop().unwrap().content;
        assert_eq!(last, Content::Event(Event::End(Outcome::signal(signal.as_raw()))));
    }
}

#[test]
fn a_pipe_is_recorded_and_passed_on() {
    let stage = Stage::new("");
    let bytes = b"{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"4c1e\"}\nx\n{\"type\":\"result\"";
    let output =
        stage.sandbox.recount(&["capture", "--conversation", "c"]).write_stdin(bytes.to_vec()).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &bytes[..]));
    assert!(String::from_utf8_lossy(&output.stderr).contains("2 lines of the output are not stream-json: c"));
    assert_eq!(kept(&stage, "c", Stream::Output), bytes);
}

#[test]
fn output_that_is_not_a_stream_is_reported_and_recorded() {
    let stage = Stage::new("out Hello, I am not JSON.\nout {\"a\":1}");
    let output = stage.capture(&["--conversation", "c"], &[]).output().unwrap();
    assert!(output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("recount: the output is not stream-json: c\nhint: run claude with"), "{said}");
    assert_eq!(kept(&stage, "c", Stream::Output), output.stdout);
}

#[test]
fn a_closed_output_stops_the_program() {
    let stage = Stage::new("stream 1 20000000\nexit 9");
    let mut child = stage.capture(&["--conversation", "c"], &[]).stdout(Stdio::piped()).spawn().unwrap();
    let mut some = [0; 1000];
    child.stdout.take().unwrap().read_exact(&mut some).unwrap();
    let status = child.wait().unwrap();
    assert_ne!(status.code(), Some(9));
    assert!(kept(&stage, "c", Stream::Output).starts_with(&some));
}

#[test]
fn names_that_cannot_be_files_are_refused() {
    let stage = Stage::new("");
    for (arguments, why) in [
        (["capture", "--conversation", "a/../x"], "only letters"),
        (["capture", "--workspace", ""], "it is empty"),
        (["capture", "--agent", ".x"], "begins with a dot"),
    ] {
        let output = stage.sandbox.recount(&arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(why), "{said}");
    }
    assert!(fs::read_dir(stage.sandbox.path("")).unwrap().count() <= 3);
}
