//! Programs that exit but leave child processes behind that hold their pipes open.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use record::{Content, Event, Outcome, Stream};
use rustix::process::{Pid, Signal, kill_process};

use super::fake::Stage;
use super::{kept, records};

/// A capture of a shell command.
fn capture(stage: &Stage, script: &str) -> Command {
    let mut command = stage.recount(&["capture", "--conversation", "c", "--", "/bin/sh", "-c", script]);
    command.env("PATH", "/usr/bin:/bin").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The process that a shell left behind, by the pid that it printed. It is killed when the test ends.
struct Leftover(Pid);

impl Leftover {
    fn read(line: &str) -> Self {
        Self(Pid::from_raw(line.trim().parse().unwrap()).unwrap())
    }
}

impl Drop for Leftover {
    fn drop(&mut self) {
        let _ = kill_process(self.0, Signal::KILL);
    }
}

/// The exit of a capture; one that hangs is killed.
fn ended(child: &mut Child, mut meanwhile: impl FnMut(&Child)) -> Option<ExitStatus> {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(20) {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        thread::sleep(Duration::from_millis(50));
        meanwhile(child);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    None
}

#[test]
fn a_capture_ends_with_its_program() {
    for held in ["", ">/dev/null", "2>/dev/null"] {
        let stage = Stage::new("");
        let mut child = capture(&stage, &format!("sleep 1000 {held} & echo $!; exit 7")).spawn().unwrap();
        let mut said = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut said).unwrap();
        let _leftover = Leftover::read(&said);
        let status = ended(&mut child, |_| {}).expect("the capture hangs");
        assert_eq!(status.code(), Some(7));
        assert_eq!(kept(&stage, "c", Stream::Output), said.as_bytes());
        assert_eq!(records(&stage, "c").last().unwrap().content, Content::Event(Event::End(Outcome::code(7))));
    }
}

/// Output in the pipe when the program ends is not lost, however late it is read, nor is output just after the end.
#[test]
fn no_output_before_the_end_is_lost() {
    let stage = Stage::new("");
    // As much as the buffers hold before anything is read, so that the program ends at once.
    let said: String = (0..20_000).map(|number: u32| number.to_string() + "\n").collect();
    stage.sandbox.write("said", &said);
    let script = "(sleep 0.05; echo late; exec sleep 1000) & echo $! >&2; cat said; echo the end; exit 3";
    let mut child = capture(&stage, script).spawn().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    let _leftover = Leftover::read(&line);
    thread::sleep(Duration::from_secs(1));
    let mut output = child.stdout.take().unwrap();
    let reader = thread::spawn(move || {
        let mut seen = String::new();
        output.read_to_string(&mut seen).map(|_| seen).unwrap()
    });
    let status = ended(&mut child, |_| {}).expect("the capture hangs");
    assert_eq!(status.code(), Some(3));
    let seen = reader.join().unwrap();
    assert!(seen.replace("late\n", "") == format!("{said}the end\n"), "{} bytes came", seen.len());
    assert!(seen.contains("late\n"));
    assert!(kept(&stage, "c", Stream::Output) == seen.as_bytes());
}

#[test]
fn a_signal_ends_a_capture_whose_program_has_ended() {
    let stage = Stage::new("");
    let script = "trap '' TERM; (while :; do echo again; sleep 0.05; done) & echo $!; exit 4";
    let mut child = capture(&stage, script).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    // The loop may print before the pid is printed.
    let number = output.by_ref().lines().map(Result::unwrap).find(|line| line != "again");
    let _leftover = Leftover::read(&number.unwrap());
    let reader = thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
    // A signal that arrives just as the program ends counts as part of that end, so it is sent until the capture ends.
    let status = ended(&mut child, |child| {
        let _ = kill_process(Pid::from_child(child), Signal::TERM);
    });
    assert_eq!(status.expect("the capture hangs").code(), Some(4));
    assert_eq!(records(&stage, "c").last().unwrap().content, Content::Event(Event::End(Outcome::code(4))));
    reader.join().unwrap().unwrap();
}
