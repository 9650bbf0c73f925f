//! The recorded program: its streams, its signals and its exit.

use std::ffi::OsString;
use std::io;
use std::path::Path;
#[cfg(not(unix))]
use std::process::Child;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::failure::{CommandError, Context as _};
use record::{Outcome, Stream};

use super::pass::{self, Passing};
#[cfg(unix)]
use super::pipe;
use super::progress::Screen;

/// Runs a program, and passes on its input and output.
pub(super) fn run(
    command: &[OsString],
    directory: Option<&Path>,
    input: bool,
    passing: &Passing,
    screen: &Arc<Mutex<Screen>>,
) -> Result<Outcome, CommandError> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(CommandError::usage("there is no command"));
    };
    let mut spawning = Command::new(program);
    spawning.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(directory) = directory {
        spawning.current_dir(directory);
    }
    if input {
        spawning.stdin(Stdio::piped());
    }
    let (forwarding, output, (life, end)) = (Forwarding::listen()?, pass::output()?, pipe::life()?);
    let mut child = spawning.spawn().with_context(|| format!("cannot run {}", program.display()))?;
    forwarding.begin(&child);
    if let Some(to) = child.stdin.take() {
        let passing = passing.clone();
        // Not joined: the thread may block on standard input and ends with the process.
        thread::spawn(move || drop(passing.pass(io::stdin(), to, Stream::Input)));
    }
    // Each thread that passes output on holds a sender of this channel.
    let (busy, rest) = channel::<()>();
    if let Some(from) = child.stderr.take() {
        let (passing, to, busy) = (passing.clone(), Beside(Arc::clone(screen)), busy.clone());
        let from = pipe::said(from, &end);
        // A closed standard error is not a failure.
        thread::spawn(move || drop((passing.pass(from, to, Stream::Errors), busy)));
    }
    let passed = child.stdout.take().map(|from| {
        let (passing, from) = (passing.clone(), pipe::said(from, &end));
        thread::spawn(move || (passing.pass(from, output, Stream::Output), busy).0)
    });
    let status = forwarding.wait(&mut child)?;
    drop(life);
    let passed = match (is_passed_on(&rest, &forwarding), passed) {
        (true, Some(passed)) => passed.join().unwrap_or(Ok(())),
        _ => Ok(()),
    };
    match passed {
        // On a broken pipe the program got the same signal as it would have without recount.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error).context("standard output"),
        _ => Ok(outcome(status)),
    }
}

/// Waits until all output of a program is passed on. Returns `false` if a signal arrives first: after the program's end
/// it is meant for this process, which may be blocked by a reader that does not read.
fn is_passed_on(rest: &Receiver<()>, forwarding: &Forwarding) -> bool {
    let mut has_waited = false;
    while rest.recv_timeout(pipe::LULL) != Err(RecvTimeoutError::Disconnected) {
        // The signal that ended the program may arrive here late; it must not cause its last output to be lost.
        if forwarding.is_asked_to_end() && has_waited {
            return false;
        }
        has_waited = true;
    }
    true
}

/// Standard error, which may show a progress line.
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

/// Returns the exit code of the program, or the code that shells use for a signal.
pub(super) fn exit_code(outcome: &Outcome) -> u8 {
    let code = outcome.code.or(outcome.signal.map(|signal| 128 + signal)).unwrap_or(1);
    u8::try_from(code & 0xff).unwrap_or(u8::MAX)
}

#[cfg(unix)]
use forward::Forwarding;

/// Forwards signals to the program.
#[cfg(unix)]
mod forward {
    use std::io;
    use std::process::{Child, ExitStatus};
    use std::sync::{Arc, Mutex};
    use std::thread;

    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, getpgrp, kill_process, waitid};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
    use signal_hook::iterator::SignalsInfo;
    use signal_hook::iterator::exfiltrator::WithOrigin;

    #[derive(Debug, Default)]
    pub(super) struct Forwarding {
        program: Arc<Mutex<Target>>,
    }

    /// The target of forwarded signals.
    #[derive(Debug, Default)]
    struct Target {
        program: Option<Pid>,
        /// Signals that arrived before the program started or after it ended.
        unsent: Vec<Came>,
    }

    /// A signal, and whether the system sent it, as for a key in a terminal.
    #[derive(Debug, Clone, Copy)]
    struct Came {
        signal: i32,
        is_of_system: bool,
    }

    impl Target {
        fn send(&mut self, came: Came) {
            match (self.program, Signal::from_named_raw(came.signal)) {
                // A terminal signals its whole foreground group, so forwarding would deliver the signal twice.
                (Some(_), Some(Signal::INT | Signal::QUIT)) if came.is_of_system && has_terminal() => {}
                // The program may have just ended.
                (Some(program), Some(signal)) => drop(kill_process(program, signal)),
                _ => self.unsent.push(came),
            }
        }
    }

    impl Forwarding {
        /// From now on signals are forwarded and do not end this process.
        pub(super) fn listen() -> io::Result<Self> {
            let all = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2];
            let mut signals = SignalsInfo::<WithOrigin>::new(all)?;
            let forwarding = Self::default();
            let target = Arc::clone(&forwarding.program);
            thread::spawn(move || {
                for origin in signals.forever() {
                    if let Ok(mut target) = target.lock() {
                        target.send(Came { signal: origin.signal, is_of_system: origin.process.is_none() });
                    }
                }
            });
            Ok(forwarding)
        }

        pub(super) fn begin(&self, child: &Child) {
            if let Ok(mut target) = self.program.lock() {
                target.program = Some(Pid::from_child(child));
                for came in std::mem::take(&mut target.unsent) {
                    target.send(came);
                }
            }
        }

        /// Waits for the program to end. Its process id is released only after forwarding has stopped.
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

        /// Returns whether a signal to end arrived while no program was running, and forgets it.
        pub(super) fn is_asked_to_end(&self) -> bool {
            let unsent = self.program.lock().map(|mut target| std::mem::take(&mut target.unsent)).unwrap_or_default();
            unsent.iter().any(|came| ![SIGUSR1, SIGUSR2].contains(&came.signal))
        }
    }

    /// Returns whether this process is in the foreground of a terminal.
    fn has_terminal() -> bool {
        let is_ours = |group: rustix::io::Result<Pid>| group.is_ok_and(|group| group == getpgrp());
        is_ours(rustix::termios::tcgetpgrp(io::stdin()))
            || is_ours(rustix::termios::tcgetpgrp(io::stderr()))
            || is_ours(rustix::termios::tcgetpgrp(io::stdout()))
    }
}

/// Other systems: the console signals both processes.
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

    fn is_asked_to_end(&self) -> bool {
        false
    }
}

/// Other systems: a pipe cannot be polled and is read to its end.
#[cfg(not(unix))]
mod pipe {
    use std::io::{self, Read};
    use std::time::Duration;

    pub(super) const LULL: Duration = Duration::from_millis(200);
    pub(super) struct Life;
    pub(super) struct End;

    pub(super) fn life() -> io::Result<(Life, End)> {
        Ok((Life, End))
    }

    pub(super) fn said<R: Read>(from: R, _: &End) -> R {
        from
    }
}
