//! The program that is recorded: its streams, the signals it gets, and how it ends.

use std::ffi::OsString;
use std::io;
use std::path::Path;
#[cfg(not(unix))]
use std::process::Child;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use anyhow::{Context as _, bail};
use record::{Outcome, Stream};

use super::pass::{self, Passing};
use super::progress::Screen;

/// Runs a program, and passes on what it says and is told.
pub(super) fn run(
    command: &[OsString],
    directory: Option<&Path>,
    input: bool,
    passing: &Passing,
    screen: &Arc<Mutex<Screen>>,
) -> anyhow::Result<Outcome> {
    let Some((program, arguments)) = command.split_first() else { bail!("there is no command") };
    let mut spawning = Command::new(program);
    spawning.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(directory) = directory {
        spawning.current_dir(directory);
    }
    if input {
        spawning.stdin(Stdio::piped());
    }
    let forwarding = Forwarding::listen()?;
    let mut child = spawning.spawn().with_context(|| format!("cannot run {}", program.display()))?;
    forwarding.begin(&child);
    if let Some(to) = child.stdin.take() {
        let passing = passing.clone();
        // It ends with the program: nobody can wait for somebody to type.
        thread::spawn(move || drop(passing.pass(io::stdin(), to, Stream::Input)));
    }
    let errors = child.stderr.take().map(|from| {
        let (passing, to) = (passing.clone(), Beside(Arc::clone(screen)));
        thread::spawn(move || passing.pass(from, to, Stream::Errors))
    });
    let passed = match child.stdout.take() {
        Some(from) => passing.pass(from, pass::output()?, Stream::Output),
        None => Ok(()),
    };
    if let Some(errors) = errors {
        // A closed standard error is nothing to fail for.
        let _ = errors.join();
    }
    let status = forwarding.wait(&mut child)?;
    match passed {
        // The program was told that nobody reads any more, as it would have been without us.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error).context("standard output"),
        _ => Ok(outcome(status)),
    }
}

/// Standard error, on which a line of progress may stand.
struct Beside(Arc<Mutex<Screen>>);

impl io::Write for Beside {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Ok(mut screen) = self.0.lock() {
            screen.clear();
        }
        io::stderr().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

fn outcome(status: ExitStatus) -> Outcome {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return Outcome::signal(signal);
    }
    Outcome { code: status.code(), signal: None }
}

/// The code that says the same: that of the program, or what shells say of one that a signal ended.
pub(super) fn exit_code(outcome: &Outcome) -> u8 {
    let code = outcome.code.or(outcome.signal.map(|signal| 128 + signal)).unwrap_or(1);
    u8::try_from(code & 0xff).unwrap_or(u8::MAX)
}

#[cfg(unix)]
use forward::Forwarding;

/// Signals that are meant for the program, and come here.
#[cfg(unix)]
mod forward {
    use std::io;
    use std::process::{Child, ExitStatus};
    use std::sync::{Arc, Mutex};
    use std::thread;

    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, getpgrp, kill_process, waitid};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
    use signal_hook::iterator::Signals;

    #[derive(Debug, Default)]
    pub(super) struct Forwarding {
        program: Arc<Mutex<Target>>,
    }

    /// Who gets signals.
    #[derive(Debug, Default)]
    struct Target {
        program: Option<Pid>,
        /// Those that came before there was anybody.
        early: Vec<i32>,
    }

    impl Target {
        fn send(&mut self, signal: i32) {
            match (self.program, Signal::from_named_raw(signal)) {
                // A terminal tells all of its foreground, and twice would be once too often.
                (Some(_), Some(Signal::INT | Signal::QUIT)) if has_terminal() => {}
                // It may be over just now.
                (Some(program), Some(signal)) => drop(kill_process(program, signal)),
                _ => self.early.push(signal),
            }
        }
    }

    impl Forwarding {
        /// From now on signals end the program, and not this one.
        pub(super) fn listen() -> io::Result<Self> {
            let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2])?;
            let forwarding = Self::default();
            let target = Arc::clone(&forwarding.program);
            thread::spawn(move || {
                for signal in signals.forever() {
                    if let Ok(mut target) = target.lock() {
                        target.send(signal);
                    }
                }
            });
            Ok(forwarding)
        }

        pub(super) fn begin(&self, child: &Child) {
            if let Ok(mut target) = self.program.lock() {
                target.program = Some(Pid::from_child(child));
                for signal in std::mem::take(&mut target.early) {
                    target.send(signal);
                }
            }
        }

        /// Waits for the end. Its number is free for others only when nobody sends it signals any more.
        pub(super) fn wait(&self, child: &mut Child) -> io::Result<ExitStatus> {
            let pid = Pid::from_child(child);
            while let Err(rustix::io::Errno::INTR) =
                waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)
            {}
            if let Ok(mut target) = self.program.lock() {
                target.program = None;
            }
            child.wait()
        }
    }

    /// Whether this is in the foreground of a terminal.
    fn has_terminal() -> bool {
        let is_ours = |group: rustix::io::Result<Pid>| group.is_ok_and(|group| group == getpgrp());
        is_ours(rustix::termios::tcgetpgrp(io::stdin()))
            || is_ours(rustix::termios::tcgetpgrp(io::stderr()))
            || is_ours(rustix::termios::tcgetpgrp(io::stdout()))
    }
}

/// Elsewhere consoles tell both.
#[cfg(not(unix))]
struct Forwarding;

#[cfg(not(unix))]
impl Forwarding {
    fn listen() -> io::Result<Self> {
        Ok(Self)
    }

    fn begin(&self, _: &Child) {}

    fn wait(&self, child: &mut Child) -> io::Result<ExitStatus> {
        child.wait()
    }
}
